"""The pages of experiments, in Markdown: one for each, and the list of all. Nobody edits them by hand."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from palabre.core.files import replace_file
from palabre.experiments.document import Document, estimates
from palabre.experiments.experiment import Experiment
from palabre.experiments.run import make_folder

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
Five course projects reported what their bots can do, most of it from nine, ten or no games. `palabre reproduce` tries
their claims again with enough games. A rule, which the page states, judges each claim by the 95 % interval of what was
measured: confirmed, refuted or undecided. No verdict is written by hand.

    palabre reproduce                 the experiments, how long they take, and how far they have come
    palabre reproduce NAME            run one, or go on with it, and write its page
    palabre reproduce NAME --quick    a few games, to see that it works
"""
ONE_BY_ONE = "Each claim is judged by itself, at 95 %: of twenty effects that do not exist, chance shows about one."
GENERATED = "<!-- Written by `palabre reproduce`. Edit the experiment, not this page. -->"


def page(experiment: Experiment, found: Document) -> str:
    """The page of an experiment: its prose, and what the document says."""
    parts = [
        f"# {experiment.title}",
        GENERATED,
        experiment.question,
        experiment.text.strip(),
        "## Verdicts",
        markdown_table(
            (">", "claim", "reported", "here (95 %)", "verdict"),
            [
                (str(number), one["claim"], one["reported"], one["measured"], MARKS[one["verdict"]])
                for number, one in enumerate(found["claims"], start=1)
            ],
        ),
        f"![{told}]({found['name']}.svg)" if (told := alt_text(experiment, found)) else "",
    ]
    if experiment.meaning and not found["quick"]:
        parts += ["## What it means", experiment.meaning.strip()]
    for table in found["tables"]:
        parts += [f"## {table['title']}", markdown_table(table["headings"], table["rows"]), table["note"]]
    parts += ["## How claims are judged", JUDGED, _figures(found)]
    parts += ["## How it was played" if found["games"] else "## How it was measured", *_method(found)]
    if experiment.limits:
        parts += ["## Limits", "\n".join(f"- {limit}" for limit in experiment.limits)]
    return "\n\n".join(part for part in parts if part) + "\n"


def index(documents: Iterable[Document]) -> str:
    """The page that lists all experiments with their verdicts, game by game."""
    listed = sorted(documents, key=lambda one: str(one["name"]))
    verdicts = Counter(claim["verdict"] for found in listed for claim in found["claims"])
    told = ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in MARKS)
    parts = ["# Experiments", GENERATED, INTRODUCTION.strip(), f"{verdicts.total()} claims: {told}. {ONE_BY_ONE}"]
    for game in dict.fromkeys(found["game"] for found in listed):
        rows = [row for found in listed if found["game"] == game for row in _verdicts(found)]
        parts += [f"## {game}", markdown_table(("experiment", "claim", "reported", "here (95 %)", "verdict"), rows)]
    return "\n\n".join(parts) + "\n"


def _verdicts(found: Document) -> list[tuple[str, ...]]:
    """The rows of an experiment in the list of all; the first one has its name."""
    names = [f"[{found['title']}]({found['name']}.md)", *[""] * len(found["claims"])]
    return [
        (name, one["claim"], one["reported"], one["measured"], MARKS[one["verdict"]])
        for name, one in zip(names, found["claims"], strict=False)
    ]


def write(experiment: Experiment, found: Document, picture: str | None, folder: Path) -> Path:
    """Write the page, its picture and its document to a folder, and the list of all that are there."""
    make_folder(folder)
    place = folder / f"{found['name']}.md"
    replace_file(place.with_suffix(".json"), json.dumps(found, ensure_ascii=False, indent=1) + "\n")
    if picture is not None:
        replace_file(place.with_suffix(".svg"), picture)
    replace_file(place, page(experiment, found))
    documents = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.json"))]
    replace_file(folder / "index.md", index(documents))
    return place


def alt_text(experiment: Experiment, found: Document) -> str:
    """What the picture shows, in words; empty if there is none."""
    if experiment.plot is not None:
        return experiment.plot.alt
    return "The 95 % intervals of the figures in the table below." if estimates(found) else ""


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


def _figures(found: Document) -> str:
    """The table of all that claims are judged by, each row with the number of its claim."""
    rows = [
        (str(number), figure["what"], figure.get("measured", ""), figure["rule"])
        for number, claim in enumerate(found["claims"], start=1)
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
        (one["format"] or f"{narrow}{one['most']:,} games of a line-up")
        + ("" if one["is_finished"] else "; **not yet finished**"),
        "–" if one["openings"] is None else f"{one['openings']:,}",
        f"{one['games']:,}",
        "–" if one["half_width"] is None else f"± {100 * one['half_width']:.1f} %",
    )


def _method(found: Document) -> list[str]:
    parts = []
    if found["games"]:
        headings = ("step", "game", "bots", "openings", "played until", ">openings", ">games", ">widest interval")
        parts.append(markdown_table(headings, [_step_cells(one) for one in found["games"]]))
        forfeits = sum(one["forfeits"] for one in found["games"])
        rule = METHOD if not all(one["format"] for one in found["games"]) else ""
        parts.append(f"{rule} {f'{forfeits} games were' if forfeits else 'No game was'} forfeited.".strip())
    if found["measurements"]:
        told = ", ".join(f"{one['name']} ({one['cases']} cases)" for one in found["measurements"])
        parts.append(f"Measured: {told}.")
    if found.get("data"):
        parts.append(f"Learnt from {found['data']} (a digest of their rows).")
    machine = found["machine"]
    parts.append(
        f"Palabre {machine['palabre']}, Python {machine['python']}, {machine['processor']}, {machine['cores']} cores."
        + (
            " **This is a quick run, to see that everything works; its figures mean nothing.**"
            if found["quick"]
            else ""
        )
    )
    file = " --observations FILE" if found.get("data") else ""
    parts.append(f"    palabre reproduce {found['name']}{file}")
    return parts
