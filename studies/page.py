"""The pages of studies, in Markdown: one for each, and the list of all. They are not edited by hand."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from studies.document import Document, estimates
from studies.study import Study

MARKS = {"confirmed": "**confirmed**", "refuted": "**refuted**", "undecided": "undecided"}
METHOD = (
    "All line-ups of a step play the same openings, each once from every seat, in batches, until the widest interval "
    "is narrow enough or the cap is reached. This rule looks at widths alone, so it favours no result. Intervals are "
    "clustered by opening."
)
JUDGED = (
    "A claim is confirmed if the whole 95 % interval is where the last column says, refuted if all of it is on the "
    "other side, and undecided otherwise. If it has several figures, all of them must confirm it, and one can refute "
    "it."
)
INTRODUCTION = """
Five course projects reported what their bots can do, most of it from nine, ten or no games. `python -m studies` tries
their claims again with enough games. A rule, which the page states, judges each claim by the 95 % interval of what was
measured: confirmed, refuted or undecided. No verdict is written by hand.

    python -m studies                 the experiments, how long they take, and how far they have come
    python -m studies NAME            run one, or go on with it, and write its page
    python -m studies NAME --quick    a few games, to see that it works
"""
ONE_BY_ONE = "Each claim is judged by itself, at 95 %: of twenty effects that do not exist, chance shows about one."
GENERATED = "<!-- Written by `python -m studies`. Edit the experiment, not this page. -->"


def page(study: Study, document: Document) -> str:
    """The page of a study: its prose, and what the document says."""
    parts = [
        f"# {study.title}",
        GENERATED,
        study.question,
        study.text.strip(),
        "## Verdicts",
        markdown_table(
            (">", "claim", "reported", "here (95 %)", "verdict"),
            [
                (str(number), one["claim"], one["reported"], one["measured"], MARKS[one["verdict"]])
                for number, one in enumerate(document["claims"], start=1)
            ],
        ),
        f"![{alt}]({document['name']}.svg)" if (alt := alt_text(study, document)) else "",
    ]
    if study.meaning and not document["quick"]:
        parts += ["## What it means", study.meaning.strip()]
    for table in document["tables"]:
        parts += [f"## {table['title']}", markdown_table(table["headings"], table["rows"]), table["note"]]
    parts += ["## How claims are judged", JUDGED, _figures(document)]
    parts += ["## How it was played" if document["games"] else "## How it was measured", *_method(document)]
    if study.limits:
        parts += ["## Limits", "\n".join(f"- {limit}" for limit in study.limits)]
    return "\n\n".join(part for part in parts if part) + "\n"


def index(documents: Iterable[Document]) -> str:
    """The page that lists all studies with their verdicts, game by game."""
    listed = sorted(documents, key=lambda one: str(one["name"]))
    verdicts = Counter(claim["verdict"] for document in listed for claim in document["claims"])
    counts = ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in MARKS)
    parts = ["# Experiments", GENERATED, INTRODUCTION.strip(), f"{verdicts.total()} claims: {counts}. {ONE_BY_ONE}"]
    for game in dict.fromkeys(document["game"] for document in listed):
        rows = [row for document in listed if document["game"] == game for row in _verdicts(document)]
        parts += [f"## {game}", markdown_table(("experiment", "claim", "reported", "here (95 %)", "verdict"), rows)]
    return "\n\n".join(parts) + "\n"


def _verdicts(document: Document) -> list[tuple[str, ...]]:
    """The rows of a study in the list of all; the first one has its name."""
    names = [f"[{document['title']}]({document['name']}.md)", *[""] * len(document["claims"])]
    return [
        (name, one["claim"], one["reported"], one["measured"], MARKS[one["verdict"]])
        for name, one in zip(names, document["claims"], strict=False)
    ]


def write(study: Study, document: Document, picture: str | None, folder: Path) -> Path:
    """Write the page, its picture and its document to a folder, and the list of all that are there."""
    place = folder / f"{document['name']}.md"
    place.with_suffix(".json").write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    if picture is not None:
        place.with_suffix(".svg").write_text(picture, encoding="utf-8")
    place.write_text(page(study, document), encoding="utf-8")
    documents = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.json"))]
    (folder / "index.md").write_text(index(documents), encoding="utf-8")
    return place


def alt_text(study: Study, document: Document) -> str:
    """What the picture shows, in words; empty if there is none."""
    if study.plot is not None:
        return study.plot.alt
    return "The 95 % intervals of the figures in the table below." if estimates(document) else ""


def markdown_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; headings that begin with `>` are those of columns of numbers."""
    lines = [
        _line(heading.removeprefix(">") for heading in headings),
        "|" + "|".join("---:" if heading.startswith(">") else "---" for heading in headings) + "|",
        *(_line(row) for row in rows),
    ]
    return "\n".join(lines)


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(" ".join(str(cell).split()).replace("|", "\\|") for cell in cells) + " |"


def _figures(document: Document) -> str:
    """The table of all that claims are judged by, each row with the number of its claim."""
    rows = [
        (str(number), figure["what"], figure.get("measured", ""), figure["rule"])
        for number, claim in enumerate(document["claims"], start=1)
        for figure in claim["figures"]
    ]
    return markdown_table((">claim", "figure", "here (95 %)", "confirmed if"), rows)


def _openings(one: dict[str, Any]) -> str:
    drawn = f"{one['plies']} random plies" if one["plies"] else "none"
    return f"{drawn}{', balanced' if one['balanced'] else ''}, seed {one['seed']}"


def _step_cells(one: dict[str, Any]) -> tuple[str, ...]:
    """The row of a step in the table of games."""
    narrow = f"± {100 * one['precision']:.0f} % or " if one["precision"] else ""
    bots = (f"`{spec}`" if name == spec else f"{name}: `{spec}`" for name, spec in one["bots"].items())
    return (
        one["step"],
        f"`{one['game']}`",
        "<br>".join(bots),
        _openings(one),
        one["format"] or f"{narrow}{one['most']:,} games of a line-up",
        "–" if one["openings"] is None else f"{one['openings']:,}",
        f"{one['games']:,}",
        "–" if one["half_width"] is None else f"± {100 * one['half_width']:.1f} %",
    )


def _method(document: Document) -> list[str]:
    parts = []
    if document["games"]:
        headings = ("step", "game", "bots", "openings", "played until", ">openings", ">games", ">widest interval")
        parts.append(markdown_table(headings, [_step_cells(one) for one in document["games"]]))
        forfeits = sum(one["forfeits"] for one in document["games"])
        rule = METHOD if not all(one["format"] for one in document["games"]) else ""
        parts.append(f"{rule} {f'{forfeits} games were' if forfeits else 'No game was'} forfeited.".strip())
    if document["measurements"]:
        measured = ", ".join(f"{one['name']} ({one['cases']} cases)" for one in document["measurements"])
        parts.append(f"Measured: {measured}.")
    if document.get("data"):
        parts.append(f"Learnt from {document['data']} (a digest of their rows).")
    machine = document["machine"]
    parts.append(
        f"Palabre {machine['palabre']}, Python {machine['python']}, {machine['processor']}, {machine['cores']} cores."
        + (
            " **This is a quick run, to see that everything works; its figures mean nothing.**"
            if document["quick"]
            else ""
        )
    )
    file = " --observations FILE" if document.get("data") else ""
    parts.append(f"    python -m studies {document['name']}{file}")
    return parts
