"""What a position remembers: its moves and its first position; and that pickles and copies lose nothing."""

import copy
import pickle
from dataclasses import replace
from pathlib import Path

import pytest

import palabre
from palabre.core import registry
from palabre.core.record import Record, read_records
from palabre.core.verbs import State
from tests import take_away
from tests.command import python
from tests.specs import EXAMPLE

LATE = "1,0,0,0,0,0/0,0,0,0,0,6 20,21 2 7"


def test_a_position_keeps_its_moves() -> None:
    start = palabre.game("awele").start()
    after = start.play("C").play(start.play("C").moves()[3])
    assert start.played == ()
    assert [str(move) for move in after.played] == ["C", "d"]
    assert (start.start_text, after.start_text) == (None, None)


def test_a_position_knows_where_it_began_if_that_is_not_the_usual_start() -> None:
    game = palabre.game("awele:stop=0")
    late = game.position(LATE)
    assert late.start_text == late.play("f").start_text == LATE
    assert game.position(game.start().text).start_text is None
    drawn = palabre.game("penguins").start(seed=3)
    assert drawn.play(drawn.moves()[0]).start_text == drawn.text


def test_equality_and_hash_ignore_the_moves() -> None:
    start = palabre.game("abalone:official").start()
    there = start.play(start.moves()[0])
    read = start.game.position(there.text)
    assert there == read
    assert hash(there) == hash(read)
    assert (len(there.played), len(read.played)) == (1, 0)


def test_a_record_is_made_of_the_last_position() -> None:
    position = palabre.game("awele:stop=0").position(LATE).play("f")
    record = Record.of(position, Player1="a")
    assert (record.start, record.moves, record.tags) == (LATE, ("f",), {"Player1": "a"})
    [again] = read_records(record.to_text())
    assert again.positions()[-1].played == position.played


def test_a_bots_move_is_checked_once_and_no_other_text_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    game = palabre.game("abalone")
    move = game.start().moves()[5]
    asked: list[int] = []
    text = game.notation.move_to_text

    def count_texts(state: State, code: int) -> str:
        asked.append(code)
        return str(text(state, code))

    monkeypatch.setattr(game.notation, "move_to_text", count_texts)
    assert game.start().play(move).played == (move,)
    assert asked == [move.code]


@pytest.mark.parametrize("spec", [*registry.names(), "awele:abapa", "penguins:players=3", EXAMPLE])
def test_games_positions_moves_and_records_survive_pickle_and_copy(spec: str) -> None:
    position = palabre.game(spec).start(seed=2)
    for _ in range(3):
        position = position.play(position.moves()[-1])
    for again in (
        pickle.loads(pickle.dumps(position)),
        copy.copy(position),
        copy.deepcopy(position),
        replace(position),
    ):
        assert again == position
        assert type(again.state) is type(position.state)
        assert (again.played, again.start_text, again.ply) == (position.played, position.start_text, position.ply)
        assert again.play(again.moves()[0]) == position.play(position.moves()[0])
    for thing in (position.game, position.moves()[0], Record.of(position, Player1="a")):
        assert pickle.loads(pickle.dumps(thing)) == copy.deepcopy(thing) == thing


def test_a_position_of_a_file_can_be_unpickled_by_a_process_that_has_not_loaded_it(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(take_away.source(), encoding="utf-8")
    position = palabre.game(str(file)).start().play("2")
    (tmp_path / "position").write_bytes(pickle.dumps(position))
    code = "import pickle, sys; print(repr(pickle.load(open(sys.argv[1], 'rb'))))"
    assert python(code, str(tmp_path / "position")) == f"{position!r}\n"
