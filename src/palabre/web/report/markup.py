"""HTML by small functions: everything that is given as text is escaped, so names of bots can be anything.

Texts from bots may hold control characters, or letters that turn the direction of writing: `shown` takes them out.
"""

import html
import unicodedata
from collections.abc import Iterable
from pathlib import Path

LONGEST_NAME = 60
STATIC = Path(__file__).with_name("static")
# Cc control, Cf format (direction marks among them), Cs surrogates, Co private use, Zl and Zp line ends.
INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")


class Markup(str):
    """A piece of HTML that is safe as it is."""

    __slots__ = ()


def shown(text: str, longest: int = LONGEST_NAME) -> str:
    """A text from a bot in one line, without invisible characters, and never long."""
    kept = "".join(sign if unicodedata.category(sign) not in INVISIBLE else "?" for sign in text)
    return kept if len(kept) <= longest else f"{kept[: longest - 1]}…"


def counted(count: int, one: str, many: str) -> str:
    """`1 win`, `2 wins`."""
    return f"{count:,} {one if count == 1 else many}"


def escaped(part: object) -> Markup:
    """A part of a page: markup as it is, anything else as text."""
    return part if isinstance(part, Markup) else Markup(html.escape(str(part)))


def join(parts: Iterable[object], between: str = "") -> Markup:
    """Parts one after another."""
    return Markup(between.join(escaped(part) for part in parts))


def tag(name: str, *parts: object, **attributes: object) -> Markup:
    """An element; `class_` is the attribute class."""
    words = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{html.escape(str(value))}"' for key, value in attributes.items()
    )
    return Markup(f"<{name}{words}>{join(parts)}</{name}>")


def table(
    headings: Iterable[object], rows: Iterable[Iterable[object]], numbers_from: int, **attributes: object
) -> Markup:
    """A table whose columns from this number on hold numbers; a cell that is a whole <td> is taken as it is."""
    head = [
        tag("th", heading, scope="col", **({"class_": "number"} if column >= numbers_from else {}))
        for column, heading in enumerate(headings)
    ]
    body = []
    for row in rows:
        cells = [
            cell
            if isinstance(cell, Markup) and cell.startswith("<td")
            else tag("td", cell, class_="number" if column >= numbers_from else "name")
            for column, cell in enumerate(row)
        ]
        body.append(tag("tr", *cells))
    made = tag("table", tag("thead", tag("tr", *head)), tag("tbody", *body), **attributes)
    return tag("div", made, class_="scroll")


def page(title: str, *parts: object, scripts: Iterable[str] = (), styles: Iterable[str] = ()) -> str:
    """A whole page; the style sheets and the scripts lie beside it."""
    links = [tag("link", rel="stylesheet", href=style) for style in ("report.css", *styles)]
    return _document(title, links, [*parts, *(tag("script", src=script) for script in scripts)])


def page_in_one_file(title: str, body: Markup, script: str, style: str, language: str) -> str:
    """A whole page with its script and its style sheet in it; in neither may a text end it."""
    return _document(title, [tag("style", Markup(style))], [body, tag("script", Markup(script))], language)


def _document(title: str, links: Iterable[Markup], body: Iterable[object], language: str = "en") -> str:
    head = [
        Markup('<meta charset="utf-8">'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        tag("title", title),
        *links,
    ]
    whole = tag("html", tag("head", *head), "\n", tag("body", "\n", join(body, "\n"), "\n"), lang=language)
    return f"<!DOCTYPE html>\n{whole}\n"


def static_text(name: str) -> str:
    """A file that all reports share."""
    return (STATIC / name).read_text(encoding="utf-8")


def copy_static(folder: Path, name: str) -> None:
    """Put a file that all reports share into a folder."""
    (folder / name).write_text(static_text(name), encoding="utf-8")
