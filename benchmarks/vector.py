"""Vectors of boards: how many steps a second of processor time they make, ours and others'.

    python -m benchmarks.vector
    python -m benchmarks.vector --others         beside pgx and OpenSpiel, as `make bench-others` does

A step is a random legal action on one board, chosen in compiled code (*inside*), or from the legal mask by NumPy
(*outside*). Boards whose games end begin new ones. Systems take turns, round by round; a figure is the median.
"""

import argparse
import random
import statistics
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

import palabre
from benchmarks.rate import Rate, measure, not_measured

BOARDS = 4096
FEW_BOARDS = 64  # of an environment that steps one board after another
SEED = 1
GAMES = ("awele", "awele:abapa", "examples/connect_four.py", "examples/othello.py", "avalam", "penguins")
PGX_GAMES = ("connect_four", "othello")
Work = Callable[[], int]  # makes steps, and returns how many


def ours_inside(spec: str, boards: int = BOARDS) -> Work:
    """Steps with actions that the vector itself chooses."""
    vector = palabre.vector(spec, boards, seed=SEED)

    def work() -> int:
        vector.step(vector.random_actions())
        return boards

    return work


def ours_outside(spec: str, boards: int = BOARDS) -> Work:
    """Steps with actions chosen from the mask: the legal one with the highest random number."""
    vector = palabre.vector(spec, boards, seed=SEED)
    numbers = np.random.default_rng(SEED)

    def work() -> int:
        mask = vector.legal_mask()
        vector.step(np.argmax(mask * numbers.random(mask.shape, np.float32), axis=1))
        return boards

    return work


def ours_observed(spec: str, boards: int = BOARDS) -> Work:
    """The same as `ours_inside`, and the features of every board after each step."""
    vector = palabre.vector(spec, boards, seed=SEED)

    def work() -> int:
        vector.step(vector.random_actions())
        vector.features()
        return boards

    return work


def pgx_steps(name: str, boards: int = BOARDS) -> Work:
    """Steps of pgx on the processor: actions and steps are one compiled function; games begin anew."""
    jax, pgx = import_module("jax"), import_module("pgx")
    auto_reset = import_module("pgx.experimental.wrappers").auto_reset
    environment = pgx.make(name)
    step_one = auto_reset(environment.step, environment.init)

    @jax.jit  # type: ignore[untyped-decorator]
    def step(states: Any, key: Any) -> tuple[Any, Any]:
        key, chance, reset = jax.random.split(key, 3)
        numbers = jax.numpy.log(states.legal_action_mask.astype(jax.numpy.float32))
        actions = jax.random.categorical(chance, numbers, axis=-1)
        return jax.vmap(step_one)(states, actions, jax.random.split(reset, boards)), key

    key = jax.random.PRNGKey(SEED)
    held = [jax.jit(jax.vmap(environment.init))(jax.random.split(key, boards)), key]

    def work() -> int:
        held[:] = step(*held)
        jax.block_until_ready(held[0])
        return boards

    return work


def openspiel_steps(boards: int = FEW_BOARDS) -> Work:
    """Steps of OpenSpiel's vector environment with its own Oware in C++; the loop over the boards is Python."""
    environment = import_module("open_spiel.python.rl_environment")
    vector_env = import_module("open_spiel.python.vector_env")
    step_output = import_module("open_spiel.python.rl_agent").StepOutput
    vector = vector_env.SyncVectorEnv([environment.Environment("oware") for _ in range(boards)])
    choose = random.Random(SEED).choice
    held = [vector.reset()]

    def work() -> int:
        actions = [choose(seen.observations["legal_actions"][seen.current_player()]) for seen in held[0]]
        held[0], *_ = vector.step([step_output(action, None) for action in actions], reset_if_done=True)
        return boards

    return work


def candidates(with_others: bool) -> dict[str, Callable[[], Work]]:
    """What is measured, by name."""
    made: dict[str, Callable[[], Work]] = {}
    for spec in GAMES:
        made[f"{spec}, inside"] = partial(ours_inside, spec)
        made[f"{spec}, outside"] = partial(ours_outside, spec)
    made["awele, inside, with features"] = partial(ours_observed, "awele")
    made[f"awele, inside, {FEW_BOARDS} boards"] = partial(ours_inside, "awele", FEW_BOARDS)
    if with_others:
        for name in PGX_GAMES:
            made[f"pgx, {name}"] = partial(pgx_steps, name)
        made[f"OpenSpiel, oware, {FEW_BOARDS} boards"] = openspiel_steps
    return made


def take_all(with_others: bool, rounds: int, seconds: float) -> list[Rate]:
    """The median rate of each; one whose package is missing was not measured."""
    works: dict[str, Work] = {}
    rates: list[Rate] = []
    for name, make in candidates(with_others).items():
        try:
            works[name] = make()
        except ImportError as error:
            rates.append(not_measured(name, "steps", str(error)))
    taken: dict[str, list[tuple[int, float]]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            taken[name].append(measure(work, seconds))
    for name, measured in taken.items():
        steps, spent = statistics.median_low([(count / used, count, used) for count, used in measured])[1:]
        rates.append(Rate(name, "steps", steps, spent, f"median of {rounds}"))
    return rates


def main() -> None:
    """Print the rates, one a line."""
    options = argparse.ArgumentParser(prog="python -m benchmarks.vector", description=__doc__.partition("\n")[0])
    options.add_argument("--others", action="store_true", help="also measure pgx and OpenSpiel")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--seconds", type=float, default=1.0, help="for each figure in each round")
    chosen = options.parse_args()
    for rate in take_all(chosen.others, chosen.rounds, chosen.seconds):
        print(rate, flush=True)


if __name__ == "__main__":
    main()
