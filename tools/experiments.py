"""Write the pages of docs/experiments again, from the JSON documents beside them and the prose of the studies.

python -m tools.experiments

`python -m studies` writes documents and pictures; this needs no games. Run it after editing a study's prose, or merging
two lists of studies. A test compares.
"""

import json
from pathlib import Path

from studies.catalogue import find
from studies.page import index, page

FOLDER = Path(__file__).parent.parent / "docs" / "experiments"


def rewritten() -> dict[Path, str]:
    """The text of each page, by its file."""
    documents = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(FOLDER.glob("*.json"))]
    pages = {FOLDER / f"{one['name']}.md": page(find(one["name"])[0], one) for one in documents}
    return {**pages, FOLDER / "index.md": index(documents)}


if __name__ == "__main__":
    for file, text in rewritten().items():
        file.write_text(text, encoding="utf-8")
