"""Analysing many positions: the answers depend on the positions alone."""

import random
from typing import Any

import pytest

import palabre
from palabre.bots import analysing
from palabre.bots.analysis import Lines, analysing_bot
from palabre.search.thought import Thought, thought_facts
from tests.messages import refuses

AWELE = palabre.game("awele")


def positions(spec: str, number: int, seed: int = 1) -> list[palabre.Position]:
    """Positions from random games, some of them over."""
    dice = random.Random(seed)
    found = []
    for _ in range(number):
        position = palabre.game(spec).start(dice.randrange(9))
        for _ in range(dice.randrange(60)):
            if not position.is_over:
                position = position.play(dice.choice(position.moves()))
        found.append(position)
    return found


def facts(answers: list[list[Thought]]) -> list[list[dict[str, Any]]]:
    timed = ("seconds", "nodes_per_second")
    return [
        [{name: value for name, value in thought_facts(thought).items() if name not in timed} for thought in thoughts]
        for thoughts in answers
    ]


@pytest.mark.parametrize("bot", [None, "palabre:memory=1", "mcts:memory=1", "alphabeta"])
def test_neither_order_nor_workers_change_an_answer(bot: str | None) -> None:
    limit: Any = {"depth": 3} if bot == "alphabeta" else {"nodes": 300}
    given = positions("awele", 30)
    expected = facts(palabre.analyse_many(given, bot=bot, lines=2, workers=1, **limit))
    for workers in (2, 5, None):
        assert facts(palabre.analyse_many(given, bot=bot, lines=2, workers=workers, **limit)) == expected
    shuffled = random.Random(2).sample(range(len(given)), len(given))
    answers = facts(palabre.analyse_many([given[place] for place in shuffled], bot=bot, lines=2, workers=2, **limit))
    assert answers == [expected[place] for place in shuffled]


def test_an_answer_is_that_of_analyse() -> None:
    given = positions("awele", 12)
    alone = [palabre.analyse(position, nodes=500, lines=2, bot="palabre:memory=1") for position in given]
    assert facts(palabre.analyse_many(given, nodes=500, lines=2, bot="palabre:memory=1")) == facts(alone)


def test_positions_may_be_of_several_games() -> None:
    given = [*positions("awele", 3), *positions("avalam", 3), *positions("penguins:players=3", 2)]
    answers = palabre.analyse_many(given, nodes=50, workers=2)
    assert [bool(thoughts) for thoughts in answers] == [not position.is_over for position in given]
    for position, thoughts in zip(given, answers, strict=True):
        assert all(thought.position == position for thought in thoughts)


def test_progress_is_reported_and_an_interruption_ends_all() -> None:
    done = []

    def stop() -> None:
        done.append(1)
        if len(done) == 3:
            raise KeyboardInterrupt

    given = [AWELE.position("0,5,0,0,4,0/1,1,2,3,3,3 19,7 1 0")] * 3 + [AWELE.start()] * 20  # which take for ever
    with pytest.raises(KeyboardInterrupt):
        palabre.analyse_many(given, depth=60, bot="palabre:memory=1", workers=2, on_progress=stop)
    assert len(done) == 3


def test_a_worker_makes_one_bot_for_a_game_with_a_table_that_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def make(wanted: str | None, game: palabre.Game, **options: Any) -> palabre.SearchBot:
        player = analysing_bot(wanted, game, **options)
        made.append(player.spec)
        return player

    monkeypatch.setattr(analysing, "analysing_bot", make)
    palabre.analyse_many(positions("awele", 9), nodes=100, workers=1)
    assert made == ["palabre:memory=1"]
    palabre.analyse_many(positions("awele", 9), nodes=100, workers=3)
    assert len(made) <= 1 + 3


def test_nothing_is_analysed_where_nothing_is_given() -> None:
    assert palabre.analyse_many([]) == []


@pytest.mark.parametrize(
    ("given", "limits", "id", "params"),
    [
        (["awele"], {}, "given.instance", {"asker": "analyse_many", "kind": "Position"}),
        ([AWELE.start()], {"nodes": 0}, "given.count", {"asker": "analyse_many", "name": "nodes"}),
        ([AWELE.start()], {"workers": 0}, "given.count", {"asker": "analyse_many", "name": "workers"}),
        ([AWELE.start()], {"bot": 3}, "given.bot_of_each", {}),
        (None, {}, "given.positions_wanted", {}),
        (AWELE.start(), {}, "given.positions_wanted", {}),
    ],
)
def test_wrong_values_are_refused(given: Any, limits: dict[str, Any], id: str, params: dict[str, object]) -> None:
    with refuses(id, **params):
        palabre.analyse_many(given, **limits)


def test_ranks_follow_a_better_move_of_an_unfinished_iteration() -> None:
    start = AWELE.start()
    first, second = (start.play(move).played[-1].code for move in start.moves()[:2])
    lines = Lines()
    for rank, code in enumerate((first, second), 1):
        lines.add(Thought(start, (code,), rank=rank, depth=3))
    lines.finish(Thought(start, (second,), rank=1, depth=4, nodes=70, seconds=2.5))
    assert [(line.codes[0], line.rank) for line in lines.thoughts] == [(second, 1), (first, 2)]
    assert {(line.nodes, line.seconds) for line in lines.thoughts} == {(70, 2.5)}  # those of the whole search
