"""How large the package is: statements of Python, docstrings apart, and characters of the page's code, for each layer.

    python -m tools.sizes [FOLDER]

Neither lines nor white space nor comments count, so that neither a longer explanation nor another layout makes the
package look larger.
"""

import argparse
import ast
import re
from collections import Counter
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "src" / "palabre"
# A text, or a comment of JavaScript or CSS. Where a text begins, none of the others does.
TEXT_OR_COMMENT = re.compile(r"""("(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|//[^\n]*|/\*.*?\*/""", re.DOTALL)


def statements(source: str) -> int:
    """How many statements a module has; what is inside another one counts as well, a docstring does not."""
    nodes = list(ast.walk(ast.parse(source)))
    with_body = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = sum(isinstance(node, with_body) and ast.get_docstring(node) is not None for node in nodes)
    return sum(isinstance(node, ast.stmt) for node in nodes) - docstrings


def code_characters(source: str) -> int:
    """How many characters JavaScript or CSS has without its comments and white space."""
    code = TEXT_OR_COMMENT.sub(lambda found: found[1] or "", source)
    return len("".join(code.split()))


def sizes(package: Path) -> dict[str, Counter[str]]:
    """For each folder of the package: how many files, statements and characters of the page's code it has."""
    found: dict[str, Counter[str]] = {}
    for file in sorted(package.rglob("*")):
        if file.suffix not in (".py", ".js", ".css"):
            continue
        folder = file.relative_to(package).parts[0] if file.parent != package else "."
        counted = found.setdefault(folder, Counter())
        source = file.read_text(encoding="utf-8")
        counted["files"] += 1
        if file.suffix == ".py":
            counted["statements"] += statements(source)
        else:
            counted["page"] += code_characters(source)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="How large the package is.")
    parser.add_argument("package", nargs="?", type=Path, default=PACKAGE, help="its folder; this checkout's by default")
    found = sizes(parser.parse_args().package)
    print(f"{'layer':<14}{'files':>8}{'statements':>12}{'page':>12}")
    for folder, counted in [*found.items(), ("all", sum(found.values(), Counter()))]:
        print(f"{folder:<14}{counted['files']:>8}{counted['statements']:>12}{counted['page']:>12}")


if __name__ == "__main__":
    main()
