"""Calibration: do positions that a search calls 70 % win seven games of ten?

Games of the engine against itself give the results. In each, a few positions are searched twice, with few nodes and
with many. A curve (`evaluation.chances`) is fitted to half of the games and checked on the other half: the reliability
shows, for each range of predicted chances, how often such positions won. The curve that is kept is fitted to all games.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from palabre.bots.specs import bot
from palabre.core.bits import combine
from palabre.core.dice import roll, shake
from palabre.core.errors import PalabreError
from palabre.core.files import replace_file
from palabre.core.game import Game
from palabre.core.given import described, given_function
from palabre.core.record import Record
from palabre.core.words import say
from palabre.evaluation.chances import (
    ChanceCurve,
    calibration_file,
    chance_curve,
    effort,
    fingerprint,
    phase,
    read_calibration,
)
from palabre.evaluation.names import default_evaluation, evaluation
from palabre.learn.fit import Numbers, newton
from palabre.search.clock import Clock

POSITIONS_PER_GAME = 8
MEMORY = 16  # megabytes of the transposition table
SAMPLES = 13  # the family of seeds that choose positions
FEWEST_GAMES = 20
RIDGE = 1.0  # holds every coefficient as if so many positions had shown it to be 0
RANGES = 10  # of predicted chances, in a reliability table
SHORT, LONG = 1_000, 30_000  # nodes of the two searches of each position
PHASES = {"opening": (0.0, 1 / 3), "middle": (1 / 3, 2 / 3), "end": (2 / 3, 1.01)}


class Sample(NamedTuple):
    """One searched position of a game."""

    game: int  # the number of the game
    phase: float
    nodes: int  # that the search was limited to
    points: float  # for the player to move
    result: float  # their share in the end


class Range(NamedTuple):
    """Positions whose predicted chance lies in one range."""

    predicted: float  # the mean of their predicted chances
    won: float  # the mean of their results
    error: float  # standard error of the mean result, clustered by game
    positions: int


@dataclass(frozen=True)
class Calibration:
    """How well the winning chances of an evaluation match results, and the curve that fits them best."""

    game: Game
    evaluation: str
    nodes: tuple[int, int]  # of the short and of the long searches
    games: int
    positions: int  # searched
    curve: ChanceCurve  # fitted to all games
    # On the half of the games that the curve was not fitted to:
    surprise_before: float | None  # with the curve that the game has, or the evaluation's odds; None without either
    surprise: float  # with the new curve
    reliability: dict[str, list[Range]]  # by thinking time and by phase

    @property
    def miscalibration(self) -> dict[str, float]:
        """The expected calibration error of each group of positions."""
        return {name: miscalibration(ranges) for name, ranges in self.reliability.items()}

    def document(self) -> dict[str, Any]:
        """The whole calibration as JSON has it."""
        return {
            "game": self.game.spec,
            "evaluation": self.evaluation,
            "games": self.games,
            "positions": self.positions,
            "surprise": {"before": self.surprise_before, "calibrated": self.surprise},
            "miscalibration": self.miscalibration,
            "reliability": {name: [each._asdict() for each in ranges] for name, ranges in self.reliability.items()},
            "curve": self._rounded_curve(),
        }

    def kept_text(self, **how: int) -> str:
        """What the game's calibration file is to hold, with this curve for its preset; `how` is how it was fitted."""
        kept = read_calibration(self.game)
        kept[self.game.options.preset] = {
            "fingerprint": fingerprint(self.game, evaluation(self.game, self.evaluation)),
            "curve": self._rounded_curve(),
            "games": self.games,
            "short": self.nodes[0],
            "long": self.nodes[1],
            **how,
        }
        return json.dumps(kept, indent=2, sort_keys=True) + "\n"

    def keep(self, **how: int) -> None:
        """Save the curve with the game, for all analyses; curves of other presets stay."""
        replace_file(calibration_file(self.game), self.kept_text(**how))

    def plot(self, file: str) -> None:
        """Draw the reliability of the short and the long searches, as SVG or PNG by the file's name."""
        names = ("short searches", "long searches")
        plot_reliability(file, self.game.spec, {name: self.reliability[name] for name in names})

    def _rounded_curve(self) -> dict[str, float]:
        return {name: round(value, 4) for name, value in self.curve._asdict().items()}


def calibrate(
    records: Sequence[Record],
    *,
    short: int = SHORT,
    long: int = LONG,
    on_game: Callable[[], None] | None = None,
) -> Calibration:
    """Check how well the engine's winning chances match the results of games of one game, and fit the curve.

    Some positions of each game are searched with few nodes (`short`) and with many (`long`). `self_play` plays such
    games. `on_game` is called after each game.
    """
    given_function("calibrate", "on_game", on_game)
    if not records or not all(isinstance(record, Record) for record in records):
        raise PalabreError(say("given.records_to_fit", asker="calibrate", given=described(records)))
    game = records[0].game
    name = default_evaluation(game)
    samples = sample_positions(records, name, (short, long), on_game)
    fitted = fit_curve([sample for sample in samples if sample.game % 2 == 0])
    held_out = [sample for sample in samples if sample.game % 2 == 1]
    groups = {
        "short searches": [sample for sample in held_out if sample.nodes == short],
        "long searches": [sample for sample in held_out if sample.nodes == long],
        **{which: [each for each in held_out if low <= each.phase < high] for which, (low, high) in PHASES.items()},
    }
    return Calibration(
        game,
        name,
        (short, long),
        len(records),
        len(samples),
        fit_curve(samples),
        _surprise_before(game, name, held_out),
        surprise(predicted_chances(fitted, held_out), held_out),
        {which: reliability(predicted_chances(fitted, group), group) for which, group in groups.items() if group},
    )


def _surprise_before(game: Game, name: str, samples: Sequence[Sample]) -> float | None:
    weights = evaluation(game, name)
    curve = chance_curve(game, weights)
    if curve is not None:
        return surprise(predicted_chances(curve, samples), samples)
    odds = getattr(weights, "odds", None)
    if odds is None:
        return None
    values = np.clip([odds * sample.points for sample in samples], -7, 7)
    return surprise(1 / (1 + np.exp(-values)), samples)


def sample_positions(
    records: Sequence[Record], eval: str, nodes: Sequence[int], on_game: Callable[[], None] | None = None
) -> list[Sample]:
    """Search some positions of each game, drawn by lot, once with each limit of nodes; proven results are left out."""
    game = records[0].game
    searcher = bot("palabre", game, eval=eval, memory=MEMORY)
    samples: list[Sample] = []
    for number, record in enumerate(records):
        result = {"1-0": 1.0, "0-1": 0.0}.get(record.result, 0.5)
        positions = record.positions()[:-1]
        luck = combine(SAMPLES, number)
        for _ in range(min(POSITIONS_PER_GAME, len(positions))):
            luck = shake(luck)
            position = positions.pop(roll(luck, len(positions)))
            own = result if position.to_move == 0 else 1 - result
            for limit in nodes:
                searcher.sit_down(game, position.to_move)
                thought = searcher.think(position, Clock(nodes=limit))  # type: ignore[attr-defined]
                if not thought.is_proven and abs(thought.points) < 900:
                    samples.append(Sample(number, phase(position), limit, thought.points, own))
        if on_game is not None:
            on_game()
    return samples


def fit_curve(samples: Sequence[Sample]) -> ChanceCurve:
    """The curve under which the results are most likely."""
    if len({sample.game for sample in samples}) < FEWEST_GAMES or len({sample.result for sample in samples}) < 2:
        raise PalabreError(say("calibration.too_few", least=FEWEST_GAMES))
    rows, results = _rows(samples), np.array([sample.result for sample in samples])
    held = RIDGE * np.maximum(rows.var(axis=0), 1e-9)
    return ChanceCurve(*(float(value) for value in newton(rows, results, np.zeros(rows.shape[1]), held)))


def _rows(samples: Sequence[Sample]) -> Numbers:
    """What the coefficients of a curve multiply, in the order of its fields."""
    table = np.array([(one.points, one.phase, effort(one.nodes)) for one in samples])
    points, phases, efforts = table.T
    return np.stack([points, points * phases, points * efforts, np.ones(len(samples)), phases], axis=1)


def predicted_chances(curve: ChanceCurve, samples: Sequence[Sample]) -> Numbers:
    """The chance that a curve predicts for each position."""
    return np.array([curve.chance(one.points, one.phase, one.nodes) for one in samples])


def reliability(predicted: Numbers, samples: Sequence[Sample]) -> list[Range]:
    """Positions grouped by their predicted chance, beside how often they won."""
    results = np.array([sample.result for sample in samples])
    games = np.array([sample.game for sample in samples])
    places = np.minimum((predicted * RANGES).astype(np.int64), RANGES - 1)
    return [
        _range(predicted[here], results[here], games[here])
        for here in (places == one for one in range(RANGES))
        if here.any()
    ]


def _range(predicted: Numbers, results: Numbers, games: NDArray[np.int64]) -> Range:
    """One range; positions of the same game share its result, so the game is what counts as independent."""
    mean = float(results.mean())
    _, place = np.unique(games, return_inverse=True)
    sums = np.bincount(place, results - mean)
    return Range(float(predicted.mean()), mean, float(np.sqrt((sums**2).sum())) / len(results), len(results))


def miscalibration(ranges: Sequence[Range]) -> float:
    """The expected calibration error: how far predicted chances are from results on average, weighted by positions."""
    total = sum(one.positions for one in ranges)
    return sum(abs(one.predicted - one.won) * one.positions for one in ranges) / total if total else 0.0


def surprise(predicted: Numbers, samples: Sequence[Sample]) -> float:
    """The mean of -log(chance of what happened); 0.6931 is knowing nothing."""
    results = np.array([sample.result for sample in samples])
    return float(-(results * np.log(predicted) + (1 - results) * np.log(1 - predicted)).mean())


def plot_reliability(file: str, title: str, curves: dict[str, Sequence[Range]]) -> None:
    """Write a reliability diagram: predicted chance against result, a line per set of positions, error bars of 95 %."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise PalabreError(say("calibration.no_plots", command="pip install matplotlib")) from error
    figure = Figure(figsize=(5, 5), layout="constrained")
    axes: Any = figure.subplots()
    axes.plot([0, 1], [0, 1], color="0.6", linewidth=1, label="perfect")
    for name, ranges in curves.items():
        predicted, won, errors, _ = zip(*ranges, strict=True)
        axes.errorbar(
            predicted, won, yerr=[1.96 * one for one in errors], marker="o", markersize=4, capsize=2, label=name
        )
    axes.set(xlim=(0, 1), ylim=(0, 1), xlabel="predicted chance", ylabel="share of the game won", title=title)
    axes.legend()
    figure.savefig(file)
