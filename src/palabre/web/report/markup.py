"""HTML by small functions: everything that comes as text is escaped, so names of bots can be anything.

Texts from bots may hold control characters, or letters that turn the direction of writing: `shown` takes them out.
"""

import html
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from palabre.draw.frames import stylesheet

LONGEST_NAME = 60
STATIC = Path(__file__).parent.with_name("static")
STYLE = "report.css"  # the file with `style()` beside a page
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


def table(headings: Iterable[object], rows: Iterable[Iterable[object]], numbers_from: int) -> Markup:
    """A table whose columns from this number on hold numbers."""

    def kind(column: int) -> dict[str, object]:
        return {"class_": "number"} if column >= numbers_from else {}

    head = [tag("th", heading, scope="col", **kind(column)) for column, heading in enumerate(headings)]
    body = [tag("tr", *(tag("td", cell, **kind(column)) for column, cell in enumerate(row))) for row in rows]
    return tag("div", tag("table", tag("thead", tag("tr", *head)), tag("tbody", *body)), class_="scrolled")


def page(title: str, *parts: object) -> str:
    """A whole page without scripts; its style sheet lies beside it."""
    return document(title, [tag("link", rel="stylesheet", href=STYLE)], [tag("main", join(parts, "\n"))])


def document(title: str, links: Iterable[Markup], body: Iterable[object], language: str = "en") -> str:
    """A whole page."""
    head = [
        Markup('<meta charset="utf-8">'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup('<meta name="color-scheme" content="light dark">'),
        tag("title", title),
        *links,
    ]
    parts = tag("head", *head), "\n", tag("body", "\n", join(body, "\n"), "\n")
    return f"<!DOCTYPE html>\n{tag('html', *parts, lang=language, data_theme='auto')}\n"


def style() -> str:
    """The style of all pages: that of the server's page, with the colours of boards."""
    return "".join((STATIC / name).read_text(encoding="utf-8") for name in ("style.css", "arena.css")) + stylesheet()
