"""Files of observations: read, checked, written, and put together into games."""

import random
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

import palabre
from palabre.core.errors import UnreadableText
from palabre.core.observations import (
    Observation,
    digest,
    form_of,
    from_cells,
    observations_to_text,
    observed,
    read_observations,
)
from palabre.core.record import Record
from tests import take_away
from tests.messages import holds, refuses

AWELE = palabre.game("awele")
TAKE_AWAY = palabre.game(str(take_away.__file__))
START = "4,4,4,4,4,4,4,4,4,4,4,4"
HEADER = "J1,J2,J3,J4,J5,J6,A1,A2,A3,A4,A5,A6,C,R"


def random_record(game: palabre.Game, seed: int) -> Record:
    """A game of random moves."""
    dice, position = random.Random(seed), game.start(seed)
    while not position.is_over:
        position = position.play(dice.choice(position.moves()))
    return Record.of(position)


def won_games(game: palabre.Game, count: int) -> list[list[Observation]]:
    records = (random_record(game, seed) for seed in range(1000))
    return list(islice((rows for record in records if (rows := observed(record))), count))


def written(tmp_path: Path, *lines: str) -> Path:
    file = tmp_path / "some.data"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


@pytest.mark.parametrize("game", [AWELE, palabre.game("awele:abapa"), TAKE_AWAY, palabre.game("avalam")], ids=str)
def test_what_is_written_is_read_again(game: palabre.Game, tmp_path: Path) -> None:
    rows = [row for rows in won_games(game, 3) for row in rows]
    file = tmp_path / "some.data"
    file.write_text(observations_to_text(rows, game), encoding="utf-8")
    read = read_observations(game, file)
    assert [one.cells for one in read] == [one.cells for one in rows]
    assert [one.position.state for one in read] == [one.position.state for one in rows]
    assert [(one.move.code, one.won) for one in read] == [(one.move.code, one.won) for one in rows]
    assert digest(read) == digest(rows)


def test_games_are_put_together_again_whatever_the_order() -> None:
    games = won_games(AWELE, 12)
    rows = [(number, row) for number, rows in enumerate(games) for row in rows]
    random.Random(5).shuffle(rows)
    read = from_cells(AWELE, [row.cells for _, row in rows])
    assert len({one.game for one in read}) == 12
    for (_, row), one in zip(rows, read, strict=True):
        assert one.position.state == row.position.state  # the seeds taken and the player to move are found out
        assert one.move == row.move
    # Games that begin with the same moves cannot be told apart there.
    begun = Counter(row.cells for _, row in rows)
    for number in range(12):
        own = {
            one.game for (true, row), one in zip(rows, read, strict=True) if true == number and begun[row.cells] == 1
        }
        assert len(own) == 1


def test_a_row_alone_shares_the_missing_seeds() -> None:
    [one] = from_cells(AWELE, ["1,3,3,0,0,2,19,0,1,0,0,0,C2,P".split(",")])
    assert one.position.text == "1,3,3,0,0,2/19,0,1,0,0,0 10,9 1 0"
    assert (one.move.text, one.won) == ("B", False)


def test_a_player_who_wins_does_not_follow_a_player_who_wins() -> None:
    after = "4,4,4,4,4,4,4,4,0,5,5,5"  # not reached by the first row's player but by nobody
    rows = [f"{START},C3,G", "4,4,4,4,4,4,4,4,0,5,5,5,C1,G", f"{START},C3,P"]
    assert len({one.game for one in from_cells(AWELE, [row.split(",") for row in rows])}) == 3
    played = palabre.game("awele").start().play("C")
    cells = form_of(AWELE).position_to_cells(played)
    assert ",".join(cells) != after
    follows = [*cells, "C1", "P"]
    [first, other, second] = from_cells(AWELE, [rows[0].split(","), rows[2].split(","), follows])
    assert first.game == second.game != other.game


def test_rows_in_a_circle_are_cut_somewhere() -> None:
    row = from_cells(AWELE, [f"{START},C3,G".split(",")] * 3)
    assert len({one.game for one in row}) == 3
    position = AWELE.position("1,0,0,0,0,0/0,0,0,0,0,1 23,23 1 0")
    states, rows = set(), []
    while position.state[:3] not in states and not position.is_over:
        states.add(position.state[:3])
        rows.append(form_of(AWELE).write(position, position.moves()[0], position.to_move == 0).cells)
        position = position.play(position.moves()[0])
    assert len(from_cells(palabre.game("awele:stop=0"), rows)) == len(rows)


def test_openings_draws_and_unfinished_games_teach_nothing() -> None:
    record = random_record(AWELE, 3)
    rows = observed(record)
    assert len(observed(Record(AWELE, record.moves, tags={"Opening": "6 random plies"}))) == len(rows) - 6
    assert observed(Record(AWELE, record.moves[:-1])) == []
    drawn = AWELE.position("0,0,0,0,0,1/1,0,0,0,0,4 20,22 1 0").play("F")
    assert drawn.result == (0.5, 0.5)
    assert observed(Record.of(drawn)) == []


@pytest.mark.parametrize(
    ("line", "cell", "id", "parameters"),
    [
        (f"{START},C3", None, "observations.length", {"found": 13, "wanted": 14}),
        (START.replace("4", "x", 1) + ",C3,G", ("J1", "x"), "observations.seeds", {"seeds": 48}),
        ("4,4,4,4,4,4,4,-1,4,4,4,4,C3,G", ("A2", "-1"), "observations.seeds", {}),
        (
            "4,4,4,4,4,4,4,4,4,4,4,5,C3,G",
            None,
            "observations.total",
            {"first": "J1", "last": "A6", "total": 49, "seeds": 48},
        ),
        (f"{START},C7,G", ("C", "C7"), "observations.choice", {"first": "C1", "last": "C6"}),
        ("0,4,4,4,4,4,4,4,4,4,4,4,C1,G", ("C", "C1"), "error.empty_pit", {}),
        ("0,0,0,0,0,2,1,0,0,0,0,0,C6,G", ("C", "C6"), "error.game_is_over", {}),
        (f"{START},C3,W", ("R", "W"), "observations.result", {"won": "G", "lost": "P"}),
        (f'"{START},C3,G', None, "observations.place", {"error": "unexpected end of data"}),
    ],
)
def test_a_wrong_row_is_named(
    tmp_path: Path, line: str, cell: tuple[str, str] | None, id: str, parameters: dict[str, object]
) -> None:
    file = written(tmp_path, HEADER, f"{START},C1,G", line)
    with refuses("observations.place", file=file, line=3) as refused:
        read_observations(AWELE, file)
    holds(refused.value.message, id, **parameters)
    if cell is not None:
        column, value = cell
        holds(refused.value.message, "observations.cell", column=column, value=value)


def test_a_wrong_file_is_named(tmp_path: Path) -> None:
    with refuses("observations.header", found="a,b", game="awele", wanted=HEADER):
        read_observations(AWELE, written(tmp_path, "a,b"))
    with refuses("observations.none"):
        read_observations(AWELE, written(tmp_path, HEADER, ""))
    with refuses("record.unreadable", file=tmp_path / "nowhere.data", error="No such file or directory"):
        read_observations(AWELE, tmp_path / "nowhere.data")
    (tmp_path / "some.data").write_bytes(b"\xff\xfe\x00")
    with refuses("record.not_utf8", file=tmp_path / "some.data"):
        read_observations(AWELE, tmp_path / "some.data")


def test_a_game_without_a_form_of_its_own_has_the_usual_one(tmp_path: Path) -> None:
    assert form_of(TAKE_AWAY).header == ("position", "move", "result")
    file = written(tmp_path, "position,move,result", f"{TAKE_AWAY.start().text},nonsense,won")
    with refuses("observations.place", file=file, line=2) as refused:
        read_observations(TAKE_AWAY, file)
    holds(refused.value.message, "observations.cell", column="move", value="nonsense")
    file = written(tmp_path, "position,move,result", "nonsense,1,won")
    with refuses("observations.place", file=file, line=2) as refused:
        read_observations(TAKE_AWAY, file)
    holds(refused.value.message, "observations.cell", column="position", value="nonsense")


OWN_FORM = """
from palabre.core.observations import Form

class Matches(Form):
    columns = ("matches",)
    move_column, result_column = "taken", "won"
    won, lost = "yes", "no"

    def position_to_cells(self, position):
        return (position.text.split()[0],)

    def cells_to_position(self, cells, game):
        return game.position(f"{cells[0]} 1")

OBSERVATIONS = Matches()
"""


def test_somebodys_own_game_may_have_a_form_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "matches.py"
    file.write_text(take_away.source() + OWN_FORM, encoding="utf-8")
    game = palabre.game(str(file))
    start = game.start()
    rows = observed(random_record(game, 1))
    assert rows[0].cells == (start.text.split()[0], rows[0].move.text, "yes" if rows[0].won else "no")
    read = from_cells(game, [row.cells for row in reversed(rows)])
    assert {one.game for one in read} == {1}
    assert [one.position.state for one in reversed(read)] == [one.position.state for one in rows]
    with refuses("observations.cell", column="taken", value="x"):
        read_observations(game, written(tmp_path, "matches,taken,won", f"{rows[0].cells[0]},x,yes"))


def test_what_is_wrong_is_told_in_french(tmp_path: Path) -> None:
    with pytest.raises(UnreadableText) as caught:
        read_observations(AWELE, written(tmp_path, HEADER, f"{START},C9,G"))
    assert "ligne 2" in caught.value.text("fr")
    assert "la case jouée, de C1 à C6" in caught.value.text("fr")
