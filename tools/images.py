"""Draw the boards in docs/images again; a picture says in its description which position it shows.

python -m tools.images
"""

import re
from pathlib import Path

import palabre
from palabre.draw import svg

FOLDER = Path(__file__).parent.parent / "docs" / "images"


def redrawn(picture: str) -> str | None:
    """The picture of the same position by this version, or None if it is no picture of a position."""
    shown = re.search(r"<desc>(\S+) (.*)</desc>", picture)
    return svg.draw(palabre.game(shown[1]).position(shown[2])) if shown else None


def main() -> None:
    for file in sorted(FOLDER.glob("*.svg")):
        picture = redrawn(file.read_text(encoding="utf-8"))
        if picture is not None:
            file.write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
