"""What programs pass around can be pickled, copied, compared, used as a key, and sent to other processes."""

import copy
import multiprocessing
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import palabre
from palabre.core import registry

AGAIN: tuple[Callable[[Any], Any], ...] = (copy.copy, copy.deepcopy, lambda thing: pickle.loads(pickle.dumps(thing)))


def made(spec: str) -> dict[str, Any]:
    """One of each kind, made anew."""
    game = palabre.game(spec)
    position = game.start(3)
    for _ in range(3):
        position = position.play(position.moves()[-1])
    return {
        "game": game,
        "position": position,
        "move": position.moves()[0],
        "clock": palabre.Clock(per_move=1.5, nodes=20),
        "thought": palabre.analyse(position, nodes=30, bot="mcts")[0],
        "record": palabre.Record.of(position, Player1="one"),
    }


@pytest.mark.usefixtures("plain_python")
@pytest.mark.parametrize("spec", registry.names())
def test_copies_are_equal_and_have_the_same_hash(spec: str) -> None:
    for kind, thing in made(spec).items():
        for again in AGAIN:
            other = again(thing)
            assert type(other) is type(thing)
            assert other == thing, kind
            assert hash(other) == hash(thing), kind
            assert {thing: kind}[other] == kind


@pytest.mark.usefixtures("plain_python")
def test_what_differs_is_not_equal() -> None:
    first, second = made("awele"), made("awele:abapa")
    for kind in ("game", "position", "thought", "record"):
        assert first[kind] != second[kind]
    assert palabre.Clock(per_move=1.0) != palabre.Clock(per_move=2.0)


def described(thing: Any) -> str:
    """What another process makes of a thing, in words."""
    return repr(thing)


@pytest.mark.usefixtures("plain_python")
def test_they_travel_to_a_fresh_process_and_back() -> None:
    things = made("penguins")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(described, things.values()) == [repr(thing) for thing in things.values()]
        assert pool.map(copy.copy, things.values()) == list(things.values())
