"""Weights from results: the weights of an evaluation that predict best who wins.

For evaluations that are linear in their weights. A feature is what one weight multiplies: the value of a position with
this weight 1 and all others 0. The model of the chance of winning is

    1 / (1 + exp(-odds * value)),        value = weight 1 * feature 1 + weight 2 * feature 2 + …

and the weights are those under which the results of the games are most likely: logistic regression by Newton's method,
regularised towards the present weights. The first weight of an evaluation is its unit, a seed, a marble or a tower, and
does not change. `odds` is the log-odds of winning for one such unit.

The `win` of an evaluation is not fitted: positions of ended games say nothing about it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from palabre.compile.compiler import compiled
from palabre.core.errors import PalabreError, listing
from palabre.core.game import Game
from palabre.core.record import Record
from palabre.core.verbs import State, Weights, value_for, weight_classes
from palabre.core.words import say
from palabre.evaluation.names import evaluation, formula, with_values
from palabre.evaluation.net import refuse_net
from palabre.learn.selfplay import quiet_positions

NOT_FITTED = ("win", "odds")
STEPS = 50  # of Newton's method; it takes about six
ENOUGH = 1e-9  # a step that changes no coefficient by more is the last
GAMES_PER_WEIGHT = 25  # fewer make a weight say more about these games than about the next ones
HELD = 20.0  # the strength of the regularisation: it counts as much as this many positions
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Fit:
    """Weights that fit some games, and how well."""

    names: tuple[str, ...]
    before: tuple[float, ...]
    weights: tuple[float, ...]
    errors: tuple[float, ...]  # standard errors of the weights, over games and not positions
    odds_before: float  # those that fit the old weights best
    odds: float
    loss_before: float  # mean of -log(chance of what happened), with these odds
    loss: float
    games: int
    positions: int

    def doubts(self) -> list[str]:
        """Reasons to doubt that these games determine the weights, in words; empty if there are none."""
        warnings = []
        needed = GAMES_PER_WEIGHT * len(self.names)
        if self.games < needed:
            warnings.append(f"{self.games} games are few for {len(self.names)} weights; play at least {needed}")
        vague = [
            name for name, weight, error in zip(self.names, self.weights, self.errors, strict=True)
            if error > max(abs(weight), 1e-12)
        ]  # fmt: skip
        if vague:
            warnings.append(
                f"these games hardly determine {listing(vague)}: the standard error is larger than the weight"
            )
        return warnings

    def changed(self, weights: Weights) -> Weights:
        """The weights of an evaluation, with the fitted weights and odds in place of the old ones."""
        fitted = dict(zip(self.names, self.weights, strict=True))
        odds = {"odds": self.odds} if "odds" in weights._fields else {}
        return with_values(weights, {**fitted, **odds})

    def document(self, game: Game, eval: str) -> dict[str, Any]:
        """The fit of an evaluation as JSON has it; a file with it can be named as an evaluation, `eval=FILE`."""
        return {
            "game": game.spec,
            "evaluation": formula(game, eval),
            "weights": self.changed(evaluation(game, eval))._asdict(),
            "errors": dict(zip(self.names, self.errors, strict=True)),
            "odds": [self.odds_before, self.odds],
            "loss": [self.loss_before, self.loss],
            "doubts": self.doubts(),
            "games": self.games,
            "positions": self.positions,
        }


def fit_records(weights: Weights, played: Sequence[Record]) -> Fit:
    """The weights that fit the results of some games of two best, by their quiet positions."""
    if not played:
        raise PalabreError(say("fit.no_games"))
    refuse_net(weights)
    states = [quiet_positions(record) for record in played]
    shares = {"1-0": 1.0, "0-1": 0.0}  # anything else is shared
    results = [shares.get(record.result, 0.5) for record in played]
    rows = features(played[0].game, weights, [state for game_states in states for state in game_states])
    counts = [len(game_states) for game_states in states]
    return fit(weights, rows, np.repeat(results, counts), np.repeat(np.arange(len(played)), counts))


def fitted_names(weights: Weights) -> tuple[str, ...]:
    """The weights of an evaluation that are fitted, the unit first."""
    return tuple(name for name in weights._fields if name not in NOT_FITTED)


def features(game: Game, weights: Weights, states: Sequence[State]) -> Numbers:
    """The features of states for player 1, a row for each state; an evaluation that is not linear is refused."""
    value = compiled(value_for, game, *weight_classes(weights))
    names = fitted_names(weights)
    nothing = dict.fromkeys(weights._fields, 0.0)
    alone = [with_values(weights, {**nothing, name: 1.0}) for name in names]
    zero = np.array([value(state, with_values(weights, nothing), 0) for state in states])
    rows = np.array([[value(state, one, 0) for one in alone] for state in states]).reshape(len(states), len(names))
    rows -= zero[:, None]
    _refuse_unless_linear(value, weights, states[:50], rows[:50], zero[:50])
    return rows


def _refuse_unless_linear(
    value: Callable[..., float], weights: Weights, states: Sequence[State], rows: Numbers, zero: Numbers
) -> None:
    """Compare the values of a few states with the weighted sums of their features."""
    names = fitted_names(weights)
    for factor in (1.0, -2.0):
        # Each weight is changed by a factor of its own, so that no two mistakes cancel out.
        tried = {name: factor * (1 + place / 7) * getattr(weights, name) for place, name in enumerate(names)}
        other = with_values(weights, tried)
        values = np.array([value(state, other, 0) for state in states])
        if not np.allclose(values, zero + rows @ np.array([tried[name] for name in names]), atol=1e-6):
            raise PalabreError(say("fit.not_linear", evaluation=type(weights).__qualname__, weights=listing(names)))


def fit(weights: Weights, rows: Numbers, results: Numbers, games: NDArray[np.int64], held: float = HELD) -> Fit:
    """Fit weights to rows of features and the result of each, from 0 to 1 for player 1; `games` numbers their games."""
    names = fitted_names(weights)
    before = np.array([getattr(weights, name) for name in names])
    if not len(rows) or not 0 < results.mean() < 1:
        raise PalabreError(say("fit.all_alike"))
    if before[0] == 0:
        raise PalabreError(say("fit.unit", weight=names[0]))
    old_odds = newton((rows @ before)[:, None], results, np.zeros(1), np.zeros(1))
    aim = old_odds[0] * before
    grip = held * np.maximum(rows.var(axis=0), 1e-9)
    fitted = newton(rows, results, aim, grip)
    odds = fitted[0] / before[0]
    if odds <= 0:
        raise PalabreError(say("fit.no_help", weight=names[0]))
    return Fit(
        names,
        tuple(before.tolist()),
        tuple((fitted / odds).tolist()),
        tuple((_errors(rows, results, games, fitted, grip) / odds).tolist()),
        float(old_odds[0]),
        float(odds),
        _loss(rows @ aim, results),
        _loss(rows @ fitted, results),
        len(np.unique(games)),
        len(rows),
    )


def newton(rows: Numbers, results: Numbers, aim: Numbers, grip: Numbers) -> Numbers:
    """The coefficients that make the results likeliest, pulled towards an aim."""
    weights = aim.copy()
    for _ in range(STEPS):
        chances = _chances(rows @ weights)
        slope = rows.T @ (results - chances) - grip * (weights - aim)
        step = np.linalg.solve(_curvature(rows, chances, grip), slope)
        step *= min(1.0, 5.0 / max(1e-12, float(np.abs(rows @ step).max())))  # not too far where the likelihood is flat
        weights = weights + step
        if np.abs(step).max() < ENOUGH:
            break
    return weights


def _chances(values: Numbers) -> Numbers:
    chances: Numbers = 1.0 / (1.0 + np.exp(-np.clip(values, -30, 30)))
    return chances


def _curvature(rows: Numbers, chances: Numbers, grip: Numbers) -> Numbers:
    spread = chances * (1.0 - chances)
    matrix: Numbers = (rows * spread[:, None]).T @ rows + np.diag(grip + 1e-9)
    return matrix


def _errors(rows: Numbers, results: Numbers, games: NDArray[np.int64], weights: Numbers, grip: Numbers) -> Numbers:
    """Standard errors that allow for the positions of a game sharing its result (the sandwich estimator)."""
    chances = _chances(rows @ weights)
    inverse = np.linalg.inv(_curvature(rows, chances, grip))
    _, place = np.unique(games, return_inverse=True)
    sums = np.zeros((place.max() + 1, rows.shape[1]))
    np.add.at(sums, place, rows * (results - chances)[:, None])
    errors: Numbers = np.sqrt(np.diag(inverse @ (sums.T @ sums) @ inverse))
    return errors


def _loss(values: Numbers, results: Numbers) -> float:
    chances = _chances(values)
    return float(-(results * np.log(chances) + (1 - results) * np.log(1 - chances)).mean())
