"""What a learning has shown: a table, a plot of strength, and a page in its folder."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from palabre.core.files import replace_file
from palabre.evaluation.names import default_evaluation
from palabre.learn.generations import BEST, Generation, Learning, command

REPORT, PLOT = "report.md", "strength.svg"
HEADINGS = ("net", "positions", "loss", "of the base", "against", "result", "Elo", "95 %", "kept")


class Strength(NamedTuple):
    """How strong a generation is, in Elo above the evaluation that the first one was compared with."""

    generation: int
    elo: float
    elo_95: tuple[float, float]  # of its own match alone
    is_kept: bool


def strengths(generations: Sequence[Generation]) -> list[Strength]:
    """The strength of each candidate: what it gained on the best net before it, and what that one had."""
    best, found = 0.0, []
    for number, _, gate in generations:
        low, high = gate.elo_95
        found.append(Strength(number, best + gate.elo, (best + low, best + high), gate.is_kept))
        best += gate.elo if gate.is_kept else 0.0
    return found


def cells(generation: Generation) -> tuple[str, ...]:
    """A generation as a row of the table; `HEADINGS` says what is in it."""
    number, training, gate = generation
    return (
        str(number),
        f"{training.positions:,}",
        f"{training.loss:.4f}",
        f"{training.base_loss:.4f}",
        Path(gate.rival).parent.name.replace("generation-", "net ") or gate.rival,
        f"{gate.wins}-{gate.draws}-{gate.losses}",
        f"{gate.elo:+.0f}",
        f"{gate.elo_95[0]:+.0f} to {gate.elo_95[1]:+.0f}",
        "yes" if gate.is_kept else "no",
    )


def document(learning: Learning) -> dict[str, Any]:
    """All generations as JSON has them."""
    best = learning.best_net()
    return {
        **msgspec.to_builtins(learning.settings),
        "folder": str(learning.folder),
        "best": None if best is None else str(best),
        "generations": [
            {"number": number, "training": msgspec.to_builtins(training), "gate": msgspec.to_builtins(gate)}
            for number, training, gate in learning.done()
        ],
    }


def write_report(learning: Learning) -> Path:
    """Write the page, and the plot if matplotlib is installed; return the page's file."""
    generations = learning.done()
    has_plot = bool(generations) and plot_strength(learning, strengths(generations))
    rows = [HEADINGS, ("---",) * len(HEADINGS), *map(cells, generations)]
    seconds = sum(gate.seconds for _, _, gate in generations)
    kept = [number for number, _, gate in generations if gate.is_kept]
    lines = [
        f"# {learning.game.title}: learned nets",
        "",
        f"`{command(learning.settings)}`",
        "",
        f"{len(generations)} generations in {seconds / 3600:.1f} hours. "
        + (f"The best net is `{BEST}`, of generation {kept[-1]}." if kept else "No net has passed its match yet."),
        "",
        *(f"| {' | '.join(row)} |" for row in rows),
        "",
        "A loss is a cross-entropy above that of a perfect prediction, on games that the net was not trained on. ",
        "Results are wins-draws-losses of the candidate against the best net before it, at equal limits. A candidate",
        "is kept if a sequential test accepts that it is stronger; because the match ends there, its Elo is too high",
        "on average.",
        *(["", f"![Strength of each generation]({PLOT})"] if has_plot else []),
    ]
    file = learning.folder / REPORT
    replace_file(file, "\n".join(lines) + "\n")
    return file


def plot_strength(learning: Learning, found: Sequence[Strength]) -> bool:
    """Draw the strength of each candidate; return whether matplotlib is there to do it."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    figure = Figure(figsize=(6, 4), layout="constrained")
    axes: Any = figure.subplots()
    for is_kept, marker, name in ((True, "o", "kept"), (False, "x", "dropped")):
        those = [one for one in found if one.is_kept == is_kept]
        if those:
            errors = [
                [one.elo - one.elo_95[0] for one in those],
                [one.elo_95[1] - one.elo for one in those],
            ]
            numbers = [one.generation for one in those]
            axes.errorbar(
                numbers, [one.elo for one in those], yerr=errors, fmt=marker, capsize=3, linestyle="", label=name
            )
    axes.axhline(0.0, color="0.6", linewidth=1)
    axes.set(
        xlabel="generation",
        ylabel=f"Elo above {default_evaluation(learning.game)}",
        title=learning.game.title,
        xticks=[one.generation for one in found],
    )
    axes.legend()
    figure.savefig(learning.folder / PLOT)
    return True
