"""`@rule players`: a game in one file says how many play, and everything else believes it."""

from pathlib import Path

import pytest

import palabre
from palabre.bots.specs import bot
from palabre.core.game import Game
from palabre.core.record import Record, read_records
from palabre.draw import svg
from palabre.evaluation.playout import play_randomly
from palabre.play.referee import play_game
from tests import take_away
from tests.command import palabre as command
from tests.messages import refuses
from tests.sentences import tells


@pytest.fixture
def three(tmp_path: Path) -> Game:
    file = tmp_path / "three.py"
    file.write_text(take_away.for_three(), encoding="utf-8")
    return palabre.game(str(file))


def test_the_rule_decides_how_many_play(three: Game) -> None:
    assert three.players == 3
    end = three.position("3 1").play("3")
    assert (end.scores, end.result) == ((1, 0, 0), (1.0, 0.0, 0.0))
    assert "player 3: 0" in str(end)
    assert "player 3: 0" in svg.draw(end)


def test_a_parameter_called_players_is_nothing_special(tmp_path: Path) -> None:
    file = tmp_path / "two.py"
    parameter = 'Parameter("heap", 12, range(1, 41), "sticks"), Parameter("players", 5, range(2, 8), "of no effect")'
    text = take_away.source().replace('Parameter("heap", 12, range(1, 41), "how many sticks there are")', parameter)
    file.write_text(text, encoding="utf-8")
    assert palabre.game(f"{file}:players=4").players == 2


@pytest.mark.usefixtures("plain_python")
@pytest.mark.parametrize("name", ["mcts:nodes=50", "maxn:depth=2", "idiot"])
def test_three_bots_play_a_game(name: str, three: Game) -> None:
    played = play_game([bot(name, three), bot("idiot", three), bot("idiot", three)], three.start(), seed=1)
    assert sum(played.shares) == 1.0
    assert played.forfeit is None
    [record] = read_records(played.record(three).to_text(), trusted=True)
    assert record.positions()[-1].result == played.shares


def test_a_record_numbers_rounds_of_all_three(three: Game) -> None:
    position = three.start()
    for _ in range(4):
        position = position.play(position.moves()[0])
    first, second, third, fourth = (move.text for move in position.played)
    assert Record.of(position).to_text().splitlines()[-1] == f"1. {first} {second} {third} 2. {fourth} *"


def test_random_games_count_all_three(three: Game) -> None:
    told = play_randomly(three.start(), games=200)
    assert len(told.wins) == 3
    assert sum(told.wins) == 200
    assert min(told.wins) > 0


def test_a_match_is_played_from_all_seats(three: Game) -> None:
    refused = command("match", "idiot", "idiot", "--game", three.spec, "--games", "4")
    assert refused.returncode == 2
    assert tells(refused.stderr, "match.no_rounds", games=4, players=3, better=6)
    done = command("match", "idiot", "idiot", "--game", three.spec, "--games", "3", "--unbalanced")
    assert done.returncode == 0, done.stderr
    assert tells(done.stdout, "played.fair_share", percent=100 / 3)


@pytest.mark.parametrize("count", [0, 1, 9])
def test_another_number_of_players_is_refused_with_the_file(count: int, tmp_path: Path) -> None:
    file = tmp_path / "many.py"
    file.write_text(take_away.for_three().replace("return 3\n", f"return {count}\n"), encoding="utf-8")
    with refuses("contract.players", file=str(file), count=count, most=8):
        palabre.game(str(file))
