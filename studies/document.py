"""What a study has shown, as one JSON document: the page is written from it, and other programs may read it."""

import dataclasses
import math
from typing import Any

import palabre
from palabre.study import Figure, Finding, Games, Measurement, Results, machine_facts
from studies.study import Study, Table

Document = dict[str, Any]


def document(study: Study, results: Results) -> Document:
    """Judge all claims, and gather what the page needs."""
    findings = [(claim, claim.judge(results)) for claim in study.claims]
    tables = [] if study.tables is None else study.tables(results)
    return {
        "name": study.name,
        "game": palabre.game(study.game).title,
        "title": study.title,
        "question": study.question,
        "quick": results.quick,
        "claims": [
            {"claim": claim.text, "reported": claim.reported, **_plain_finding(finding)} for claim, finding in findings
        ],
        "tables": [_plain_table(table) for table in tables],
        "games": [_games(step, results) for step in study.steps if isinstance(step, Games)],
        "measurements": [
            {"name": step.name, "cases": len(results.rows(step.name))}
            for step in study.steps
            if isinstance(step, Measurement)
        ],
        "data": results.data,
        "machine": machine_facts(),
    }


def estimates(document: Document) -> list[dict[str, Any]]:
    """The figures with an interval, of all claims."""
    return [figure for claim in document["claims"] for figure in claim["figures"] if "value" in figure]


def _plain_finding(finding: Finding) -> dict[str, Any]:
    return {**dataclasses.asdict(finding), "figures": [_plain_figure(figure) for figure in finding.figures]}


def _plain_figure(figure: Figure) -> dict[str, Any]:
    plain = {"what": figure.what, "rule": figure.rule}
    estimate = figure.estimate
    if estimate is None:
        return plain
    interval = {"low": _finite(estimate.low), "high": _finite(estimate.high)}
    return {**plain, "measured": str(estimate), **dataclasses.asdict(estimate), **interval, "bound": figure.bound}


def _finite(bound: float) -> float | None:
    """A bound for JSON, which has no infinity."""
    return bound if math.isfinite(bound) else None


def _plain_table(table: Table) -> dict[str, Any]:
    return {**dataclasses.asdict(table), "rows": [list(row) for row in table.rows], "headings": list(table.headings)}


def _games(step: Games, results: Results) -> dict[str, Any]:
    """How a step was played."""
    rows, game = results.games(step.name), results.game(step.name)
    return {
        "step": step.name,
        "game": game.spec,
        "format": step.format,
        "bots": results.bots(step.name),
        "games": len(rows),
        "openings": len(results.openings(step.name)) if not step.format else None,
        "line_ups": [list(table) for table in step.lineups(list(step.bots), game.players)],
        "plies": step.plies,
        "balanced": results.is_balanced(step.name),
        "seed": step.seed,
        "precision": step.precision,
        "most": results.most(step.name),
        "half_width": results.half_width(step.name),
        "forfeits": sum(row.forfeit is not None for row in rows),
        "last": max((row.started for row in rows), default=""),
    }
