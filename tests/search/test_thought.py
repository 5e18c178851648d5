"""Thoughts as facts: what programs and pages are told of a search, in any game and for any number of players."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

import palabre
from palabre.bots.analysis import analyse
from palabre.search.thought import Thought, thought_facts
from palabre.search.values import DECIDED, PROVEN_ELSEWHERE, WIN
from tests import take_away

AWELE = palabre.game("awele")
OTHER_TO_MOVE = AWELE.start().play("C")
CONNECT_FOUR = str(Path(__file__).parents[2] / "examples" / "connect_four.py")


def facts(thought: Thought) -> dict[str, Any]:
    """What comes out of JSON, which knows neither infinity nor numbers of NumPy."""
    found: dict[str, Any] = json.loads(json.dumps(thought_facts(thought), allow_nan=False))
    return found


def test_a_searched_line_is_told_in_full() -> None:
    [best, second] = analyse(AWELE.start(), nodes=2000, lines=2)
    found = facts(best)
    assert found["rank"] == 1
    assert found["line"] == [move.text for move in best.line]
    assert found["move"] == found["line"][0]
    assert (found["depth"], found["nodes"]) == (best.depth, best.nodes)
    assert found["nodes_per_second"] == pytest.approx(best.nodes / best.seconds)
    assert found["points"] == best.points
    assert found["shares"] == [found["chance"], pytest.approx(1 - found["chance"])]
    assert (found["visits"], found["proven"]) == (None, None)
    assert facts(second)["rank"] == 2


def test_shares_stand_in_the_order_of_the_seats() -> None:
    """The chance is that of the player to move, who is the second here."""
    found = facts(Thought(OTHER_TO_MOVE, (0,), value=2, odds=math.log(3) / 2))
    assert found["chance"] == pytest.approx(0.75)
    assert found["shares"] == pytest.approx([0.25, 0.75])


@pytest.mark.parametrize(
    ("value", "is_complete", "proven", "chance"),
    [
        (WIN - 3, False, {"result": 1, "plies": 3}, 1.0),
        (-WIN + 4, False, {"result": -1, "plies": 4}, 0.0),
        (DECIDED + 5, False, {"result": 1, "plies": None}, 1.0),
        (0, True, {"result": 0, "plies": None}, 0.5),
        (0, False, None, 0.5),
    ],
)
def test_what_is_proven_is_told_as_such(value: float, is_complete: bool, proven: Any, chance: float) -> None:
    found = facts(Thought(AWELE.start(), (0,), value=value, is_complete=is_complete, odds=0.5))
    assert (found["proven"], found["chance"]) == (proven, chance)
    assert found["points"] == (None if proven else 0.0)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_game_as_good_as_over_has_a_chance_and_no_points(sign: int) -> None:
    found = facts(Thought(AWELE.start(), (0,), value=sign * (PROVEN_ELSEWHERE + 1), odds=4.9))
    assert (found["points"], found["proven"]) == (None, None)
    assert found["chance"] == pytest.approx((1 + sign) / 2)


@pytest.mark.usefixtures("plain_python")
@pytest.mark.parametrize(
    ("spec", "players"),
    [("penguins:players=3", 3), ("penguins:players=4", 4), (CONNECT_FOUR, 2), (take_away.__file__, 2)],
)
def test_every_game_is_analysed_with_a_share_for_each_player(spec: str, players: int) -> None:
    start = palabre.game(spec).start()
    second = start.play(start.moves()[0])
    for position in (start, second):
        for thought in analyse(position, nodes=60, lines=2):
            found = facts(thought)
            assert len(found["shares"]) == players
            assert sum(found["shares"]) == pytest.approx(1)
            assert found["chance"] == found["shares"][position.to_move]
            assert found["points"] is None


def test_nothing_is_made_up_where_the_chance_is_not_known() -> None:
    found = facts(Thought(AWELE.start(), (0,), value=2))
    assert (found["chance"], found["shares"], found["points"]) == (None, None, 2.0)
    assert found["nodes_per_second"] is None
