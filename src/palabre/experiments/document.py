"""What an experiment has shown, as one JSON document: the page is written from it, and anybody may read it."""

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

from palabre.arena.store import machine_facts
from palabre.core import registry
from palabre.core.observations import Observation
from palabre.experiments.experiment import QUICK_GAMES, Games, Measurement, Table
from palabre.experiments.find import Found
from palabre.experiments.judging import Figure, Finding
from palabre.experiments.results import Results
from palabre.experiments.run import schedule, widest
from palabre.play.guard import Lesson

Document = dict[str, Any]


def document(
    found: Found,
    results: Results,
    *,
    most: int | None = None,
    quick: bool = False,
    observations: Sequence[Observation] = (),
) -> Document:
    """Judge all claims, and gather what the page needs; the others are as in the run."""
    experiment = found.experiment
    findings = [(claim, claim.judge(results)) for claim in experiment.claims]
    tables = [] if experiment.tables is None else experiment.tables(results)
    return {
        "name": found.name,
        "game": found.game.title,
        "title": experiment.title,
        "question": experiment.question,
        "quick": quick,
        "claims": [
            {"claim": claim.text, "reported": claim.reported, **_plain_finding(finding)} for claim, finding in findings
        ],
        "tables": [_plain_table(table) for table in tables],
        "games": [_games(found, step, results, most, quick) for step in experiment.steps if isinstance(step, Games)],
        "measurements": [
            {"name": step.name, "cases": len(results.rows(step.name))}
            for step in experiment.steps
            if isinstance(step, Measurement)
        ],
        "data": Lesson(observations).title if experiment.material is not None else None,
        "machine": machine_facts(),
    }


def estimates(found: Document) -> list[dict[str, Any]]:
    """The figures with an interval, of all claims."""
    return [figure for claim in found["claims"] for figure in claim["figures"] if "value" in figure]


def _plain_finding(finding: Finding) -> dict[str, Any]:
    return {**dataclasses.asdict(finding), "figures": [_plain_figure(figure) for figure in finding.figures]}


def _plain_figure(figure: Figure) -> dict[str, Any]:
    said = {"what": figure.what, "rule": figure.rule}
    found = figure.estimate
    if found is None:
        return said
    interval = {"low": _finite(found.low), "high": _finite(found.high)}
    return {**said, "measured": str(found), **dataclasses.asdict(found), **interval, "bound": figure.bound}


def _finite(bound: float) -> float | None:
    """A bound for JSON, which has no infinity."""
    return bound if math.isfinite(bound) else None


def _plain_table(table: Table) -> dict[str, Any]:
    return {**dataclasses.asdict(table), "rows": [list(row) for row in table.rows], "headings": list(table.headings)}


def _games(found: Found, step: Games, results: Results, most: int | None, quick: bool) -> dict[str, Any]:
    """How a step was played."""
    rows = results.games(step.name)
    game = registry.game(step.game) if step.game else found.game
    bots = {**step.bots, **step.quick} if quick else dict(step.bots)
    names, seats = list(step.bots), game.players
    cap = most or (QUICK_GAMES if quick else step.most)
    width = None
    if not step.format:
        outcomes = [row.outcome for games in results.openings(step.name) for row in games]
        width = widest(step.lineups(names, seats), outcomes) if outcomes else None
        is_finished = not schedule(step, seats, -(-cap // seats))(names, outcomes)
    else:
        is_finished = not schedule(step, seats, cap)(*results.entered(step.name))
    return {
        "step": step.name,
        "game": game.spec,
        "format": step.format,
        "bots": bots,
        "games": len(rows),
        "openings": len(results.openings(step.name)) if not step.format else None,
        "line_ups": [list(table) for table in step.lineups(names, seats)],
        "plies": step.plies,
        "balanced": step.balanced and not quick,
        "seed": step.seed,
        "precision": step.precision,
        "most": cap,
        "is_finished": is_finished,
        "half_width": width,
        "forfeits": sum(row.forfeit is not None for row in rows),
        "last": max((row.started for row in rows), default=""),
    }
