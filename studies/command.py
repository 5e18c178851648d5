"""What `python -m studies` does."""

import argparse
import importlib.util
import json
import logging
import sys
import time
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from platformdirs import user_data_path
from rich.console import Console
from rich.table import Table

import palabre
from palabre import Observation, PalabreError
from palabre.study import Games, Results, machine_facts
from palabre.study import run as run_experiment
from studies.catalogue import STUDIES, find
from studies.document import Document, document
from studies.page import write
from studies.plot import picture
from studies.study import Study

LINE = 15.0  # seconds between two lines about the progress
STYLES = {"confirmed": "green", "refuted": "red", "undecided": "yellow"}
console = Console(highlight=False, soft_wrap=True, markup=False, emoji=False)
notes = Console(stderr=True, highlight=False, soft_wrap=True, markup=False, emoji=False)


def run(given: argparse.Namespace) -> None:
    """List the studies, or run those that are named, write their pages and print their verdicts."""
    folder = given.data or user_data_path("palabre", appauthor=False) / "experiments"
    if not given.names:
        list_all(folder, given.json)
        return
    chosen = {study.name: study for name in given.names for study in named(name)}
    if importlib.util.find_spec("matplotlib") is None:
        raise PalabreError("the pages need matplotlib: pip install '.[plots]', in the folder with the sources")
    given.output.mkdir(parents=True, exist_ok=True)
    show_log()
    lessons = {name: material(study, given) for name, study in chosen.items()}
    documents = []
    for name, study in chosen.items():
        try:
            documents.append(run_one(study, folder, given, lessons[name]))
        except KeyboardInterrupt:
            notes.print(f"stopped in {name}; all games so far are kept, and the same command resumes")
            raise
    if given.json:
        print(json.dumps(documents, ensure_ascii=False, indent=2))


def run_one(study: Study, folder: Path, given: argparse.Namespace, observations: Sequence[Observation]) -> Document:
    """Run one study, write its page and print its verdicts."""
    notes.print(f"{study.name}: {study.title}", style="bold")
    place = folder / f"{study.game}{'-quick' if given.quick else ''}"  # studies on one game share steps
    results = run_experiment(
        study,
        place,
        most=given.games,
        quick=given.quick,
        again=given.again,
        workers=given.workers,
        on=given.on,
        on_progress=Progress(Results(study, place, most=given.games, quick=given.quick)).report,
        observations=observations,
    )
    shown = document(study, results)
    page = write(study, shown, picture(study, results, shown), given.output)
    if not given.json:
        for claim in shown["claims"]:
            console.print(f"{claim['verdict']}: {claim['claim']} {claim['why']}", style=STYLES[claim["verdict"]])
        console.print(f"written to {page}")
    return shown


def material(study: Study, given: argparse.Namespace) -> Sequence[Observation]:
    """What the bots of a study learn from."""
    wanted = study.material
    if wanted is None:
        return ()
    if given.observations is not None:
        return palabre.read_observations(palabre.game(study.game), given.observations)
    if given.quick:
        return wanted.quick()
    raise PalabreError(f"{study.name} learns from observations: {wanted.about}; give the file with --observations FILE")


def named(name: str) -> list[Study]:
    """The studies that a name means; a `PalabreError` lists the names that there are."""
    names = [study.name for study in STUDIES]
    if not find(name):
        meant = get_close_matches(name, names, 1)
        hint = f"; did you mean {meant[0]}?" if meant else ""
        raise PalabreError(f"there is no study {name}{hint} (choose from {', '.join(names)})")
    return find(name)


def list_all(folder: Path, as_json: bool) -> None:
    """Print all studies, how long they take on this machine, and how far they have come."""
    cores = int(machine_facts()["usable_cores"])
    rows: list[dict[str, Any]] = [
        {
            "name": study.name,
            "question": study.question,
            "minutes": round(study.minutes / cores, 1),
            "state": state(Results(study, folder / study.game)),
        }
        for study in STUDIES
    ]
    if as_json:
        print(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    listing = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("study", "minutes", "question", "state"):
        listing.add_column(heading, justify="right" if heading == "minutes" else "left")
    for row in rows:
        listing.add_row(row["name"], f"{row['minutes']:.1f}", row["question"], row["state"])
    console.print(listing)
    console.print(
        f"minutes are estimates for all {cores} cores of this machine; python -m studies NAME runs or resumes one"
    )


def state(results: Results) -> str:
    """How far a study has come, in a few words."""
    words = []
    for step in results.experiment.steps:
        if not results.file(step.name).exists():
            continue
        if isinstance(step, Games):
            with palabre.read_store(results.file(step.name)) as store:
                words.append(f"{store.count_games():,} games")
        elif done := len(results.rows(step.name)):
            words.append(f"{done} of {len(step.cases)} cases")
    is_done = all(results.is_finished(step.name) for step in results.experiment.steps)
    return f"{'done: ' if is_done else ''}{', '.join(words) or 'not begun'}"


class Progress:
    """Prints how far a step has come, now and then, and how long it will take."""

    def __init__(self, results: Results) -> None:
        self._results, self._next = results, time.monotonic() + LINE

    def report(self, step: str, done: int, scheduled: int, seconds_left: float | None) -> None:
        """Print a line, unless the last one is recent; a measurement always gets its last one."""
        wanted = self._results.experiment.step(step)
        is_last = done == scheduled and not isinstance(wanted, Games)
        if not is_last and time.monotonic() < self._next:
            return
        words = [f"{step}: {done:,} of {scheduled:,} {'games' if isinstance(wanted, Games) else 'cases'}"]
        if seconds_left is not None and not is_last:
            words.append(f"about {in_words(seconds_left)} left")
        if isinstance(wanted, Games) and (half := self._results.half_width(step)) is not None:
            most = self._results.most(step) * len(wanted.lineups(list(wanted.bots), self._results.game(step).players))
            expected = min(most, round(done * (half / wanted.precision) ** 2)) if wanted.precision else most
            words.append(f"± {100 * half:.1f} %, about {max(done, expected):,} games in all")
        notes.print(", ".join(words), style="dim")
        self._next = time.monotonic() + LINE


def in_words(seconds: float) -> str:
    """`7 s`, `12 min 30 s`, `3 h 5 min`."""
    hours, rest = divmod(max(1, round(seconds)), 3600)
    if hours:
        return f"{hours} h {rest // 60} min"
    return f"{rest // 60} min {rest % 60} s" if rest >= 60 else f"{rest} s"


def show_log() -> None:
    """Print what Palabre logs, such as that it compiles a game."""
    handler = logging.StreamHandler(sys.stderr)
    logger = logging.getLogger("palabre")
    logger.setLevel(logging.INFO)
    logger.handlers = [handler]
