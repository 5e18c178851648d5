"""`palabre reproduce`: the claims of others, tried again; resumable, and judged by rules."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from palabre.arena.match import Match
from palabre.arena.rows import GameRow
from palabre.cli.live import LINE, in_words
from palabre.cli.match import Again, On, Workers, play
from palabre.cli.output import MOST, Json, console, notes, print_json, table
from palabre.cli.paths import input_file, output_folder
from palabre.core.errors import PalabreError
from palabre.core.observations import Observation, read_observations
from palabre.core.system import usable_cores
from palabre.core.words import own_words
from palabre.experiments.document import Document, document
from palabre.experiments.experiment import Games
from palabre.experiments.find import Found, all_experiments, find, folder_of, usual_folder
from palabre.experiments.page import write
from palabre.experiments.plot import check_matplotlib, picture
from palabre.experiments.run import run, state, widest

say = own_words(__file__)

STYLES = {"confirmed": "green", "refuted": "red", "undecided": "yellow"}


def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]…", help="Experiments, or games for all of theirs; without any, list them."),
    ] = None,
    output: Annotated[Path, typer.Option(callback=output_folder, metavar="DIR", help="Write the pages here.")] = Path(
        "experiments"
    ),
    data: Annotated[
        Path | None,
        typer.Option(
            callback=output_folder,
            metavar="DIR",
            help="Keep games and measurements here; the same command then resumes.",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(min=2, max=MOST, help="Maximum number of games per line-up, instead of the experiment's own."),
    ] = None,
    observations: Annotated[
        Path | None,
        typer.Option(
            callback=input_file, metavar="FILE", help="Observations to learn from, for experiments that need them."
        ),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Play a few games of fast bots, to see that everything works.")
    ] = False,
    workers: Workers = None,
    on: On = None,
    again: Again = None,
    as_json: Json = False,
) -> None:
    """Test what others have claimed, with enough games, and write a page with a verdict on each claim.

    Ctrl-C stops; the same command resumes.
    """
    folder = data or usual_folder()
    if not names:
        _list(folder, as_json)
        return
    chosen = list({found.name: found for name in names for found in find(name)}.values())
    check_matplotlib()
    material = {found.name: _material(found, observations, quick=quick) for found in chosen}
    documents = []
    for found in chosen:
        try:
            shown, place = _reproduce(
                found, folder, output, games, workers, on, again or [], material[found.name], quick=quick
            )
        except KeyboardInterrupt:
            notes.print(str(say("experiment.stopped", name=found.name)))
            raise
        documents.append(shown)
        if not as_json:
            _report(shown, place)
    if as_json:
        print_json(documents)


def _reproduce(
    found: Found,
    folder: Path,
    output: Path,
    games: int | None,
    workers: int | None,
    on: str | None,
    again: list[str],
    observations: Sequence[Observation],
    *,
    quick: bool,
) -> tuple[Document, Path]:
    notes.print(f"{found.name}: {found.experiment.title}", style="bold")

    def play_all(match: Match, step: Games) -> None:
        def precision(rows: Sequence[GameRow]) -> str:
            return _precision(match, step, rows)

        play(match, workers, on=on, extra=None if step.format else precision)

    results = run(
        found.experiment,
        found.game,
        folder_of(found, folder, quick=quick),
        play_all,
        most=games,
        quick=quick,
        again=again,
        workers=workers or usable_cores(),
        on=on,
        tell=_Told().tell,
        observations=observations,
    )
    shown = document(found, results, most=games, quick=quick, observations=observations)
    return shown, write(found.experiment, shown, picture(results, shown), output)


def _material(found: Found, file: Path | None, *, quick: bool) -> Sequence[Observation]:
    """What the bots of an experiment learn from; a `PalabreError` says which file it needs."""
    wanted = found.experiment.material
    if wanted is None:
        return ()
    if file is not None:
        return read_observations(found.game, file)
    if quick:
        return wanted.quick()
    raise PalabreError(say("observe.no_material", experiment=found.name, about=wanted.about))


def _precision(match: Match, step: Games, rows: Sequence[GameRow]) -> str:
    """How wide the widest interval is, and how many games of this spread make it narrow enough."""
    tables = step.lineups([bot.name for bot in match.bots], match.game.players)
    half = widest(tables, [row.outcome for row in rows])
    cap = match.repeats * match.game.players * len(tables)
    needed = cap if not step.precision else min(cap, round(len(rows) * (half / step.precision) ** 2))
    return f"± {100 * half:.1f} %, about {max(needed, len(rows)):,} games in all"


class _Told:
    """Tells how a measurement goes, now and then, and how long it will take."""

    def __init__(self) -> None:
        self._begin, self._first, self._next, self._name = time.monotonic(), 0, 0.0, ""

    def tell(self, name: str, done: int, cases: int) -> None:
        now = time.monotonic()
        if name != self._name:
            self._begin, self._first, self._name = now, done, name
        if done == cases:
            notes.print(f"{name}: {cases} cases", style="dim")
        elif now >= self._next:
            known = done - self._first
            about = f", about {in_words((now - self._begin) / known * (cases - done))} left" if known else ""
            notes.print(f"{name}: {done} of {cases} cases{about}", style="dim")
            self._next = now + LINE


def _list(folder: Path, as_json: bool) -> None:
    known = all_experiments()
    cores = usable_cores()
    rows = [
        {
            "name": found.name,
            "question": found.experiment.question,
            "minutes": round(found.experiment.minutes / cores, 1),
            "state": state(found.experiment, found.game, folder_of(found, folder)),
        }
        for found in known
    ]
    if as_json:
        print_json(rows)
        return
    listing = table("experiment", ">minutes", "question", "state")
    for row in rows:
        listing.add_row(str(row["name"]), f"{row['minutes']:.1f}", str(row["question"]), str(row["state"]))
    console.print(listing)
    console.print(
        f"minutes are estimates for all {cores} cores of this machine; palabre reproduce NAME runs or resumes one"
    )


def _report(shown: Document, place: Path) -> None:
    for claim in shown["claims"]:
        console.print(f"{claim['verdict']}: {claim['claim']} {claim['why']}", style=STYLES[claim["verdict"]])
    console.print(f"written to {place}")
