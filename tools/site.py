"""Lay out the documents for the site, in build/docs; `make docs` then builds it from there.

python -m tools.site

In the repository the documents also link to sources, examples and rules. Those are not on the site, so such a link
becomes its text. How we work is a page of the site, although its file lies beside the documents and not among them.
"""

import os
import re
import shutil
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
OUT = ROOT / "build" / "docs"
BESIDE = {ROOT / "CONTRIBUTING.md": "contributing.md"}  # pages of the site that lie elsewhere
_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)#\s]+)(#[^)]*)?\)")


def laid_out() -> dict[str, str]:
    """The text of every page of the site, by its path there."""
    pages = {file: file.relative_to(DOCS).as_posix() for file in sorted(DOCS.rglob("*.md"))} | BESIDE
    return {place: _on_the_site(file, place, pages) for file, place in pages.items()}


def _on_the_site(file: Path, place: str, pages: dict[Path, str]) -> str:
    """A page with its links as they must be on the site."""

    def turned(found: "re.Match[str]") -> str:
        text, target, anchor = found.groups()
        if target.startswith(("http://", "https://")):
            return found[0]
        goal = (file.parent / target).resolve()
        if goal in pages:
            return f"[{text}]({os.path.relpath(pages[goal], Path(place).parent).replace(os.sep, '/')}{anchor or ''})"
        return found[0] if goal.is_relative_to(DOCS) else text

    return _LINK.sub(turned, file.read_text(encoding="utf-8"))


if __name__ == "__main__":
    shutil.rmtree(OUT, ignore_errors=True)
    shutil.copytree(DOCS, OUT)
    for path, written in laid_out().items():
        (OUT / path).write_text(written, encoding="utf-8")
