"""What the commands call is public: a program can do what a command can."""

import json
import math
import re
from pathlib import Path

import pytest

import palabre
from palabre.arena.rows import COMPETITOR
from palabre.bots.analysis import analysing_bot
from palabre.cli.main import COMMANDS
from palabre.learn.training import TrainingStep
from palabre.search.thought import Thought
from tests import take_away
from tests.messages import refuses

TUTORIAL = Path(__file__).parent.parent / "docs" / "tutorial.md"
# They list, draw and serve, for people and for other programs.
WITHOUT_A_FUNCTION = {"games", "bots", "show", "play", "ugi"}
GAME = palabre.game(take_away.__file__)
QUICK = "boards=1,playouts=20,rival_playouts=2"


def test_the_tutorial_names_what_each_command_calls() -> None:
    section = TUTORIAL.read_text(encoding="utf-8").partition("## What the commands call")[2].partition("\n```")[0]
    rows = re.findall(r"^\| (`.*?) \| (.*) \|$", section, re.MULTILINE)
    names = {name for _, functions in rows for name in re.findall(r"`(\w+)`", functions)}
    assert names <= set(palabre.__all__)
    commands = {name for row, _ in rows for name in re.findall(r"`(\w+)`", row)}
    assert commands == set(COMMANDS) - WITHOUT_A_FUNCTION


@pytest.mark.usefixtures("plain_python")
def test_an_analysis_goes_on_until_its_bot_is_stopped() -> None:
    start = palabre.game("awele").start()
    player = analysing_bot("alphabeta", start.game)
    depths: list[int] = []

    def stop(thought: Thought) -> None:
        depths.append(thought.depth)
        if thought.depth == 3:
            player.stop()

    [best] = palabre.analyse(start, math.inf, bot=player, watch=stop)
    assert depths == [1, 2, 3]
    assert best.move in start.moves()


def test_a_depth_is_refused_for_a_bot_that_does_not_search_to_one() -> None:
    start = palabre.game("awele").start()
    with refuses("error.no_depth", bot="mcts"):
        palabre.analyse(start, depth=3, bot="mcts")
    with refuses("error.no_depth", bot="mcts"):
        palabre.analyse_many([start], depth=3, bot="mcts")


def test_new_files_are_written_once(tmp_path: Path) -> None:
    palabre.new_bot(tmp_path / "mine.py", "search")
    palabre.new_game(str(tmp_path / "two in line.py"))
    assert "Two in line" in (tmp_path / "two in line.py").read_text(encoding="utf-8")
    for write in (palabre.new_bot, palabre.new_game):
        with refuses("path.exists"):
            write(tmp_path / "mine.py")
        with refuses("path.no_python"):
            write(tmp_path / "mine.txt")
    with refuses("template.unknown", name="serch"):
        palabre.new_bot(tmp_path / "other.py", "serch")


@pytest.mark.processes
def test_games_and_bots_are_checked(tmp_path: Path) -> None:
    steps: list[tuple[str, int]] = []
    checked = palabre.check_game(take_away.__file__, 2, on_step=lambda doing, seen: steps.append((str(doing), seen)))
    assert (checked.law, checked.games) == (None, 2)
    assert steps[-1][1] == checked.positions > 0
    palabre.new_bot(tmp_path / "mine.py")
    result = palabre.check_bot(str(tmp_path / "mine.py"), GAME)
    assert [(bot.role, bot.state) for bot in result.bots] == [(COMPETITOR, "admitted")]
    assert result.is_admitted
    assert result.verdicts[result.bots[0].name].moves > 0


@pytest.mark.usefixtures("plain_python")
def test_speed_is_measured_and_bots_are_prepared() -> None:
    speed = palabre.measure_speed(GAME, 0.01)
    assert speed.game == GAME.spec
    assert min(speed.perft_depth, speed.games_per_second, speed.moves_per_second) > 0
    palabre.warmup(GAME)
    for function in (palabre.measure_speed, palabre.warmup):
        with refuses("given.instance", asker=function.__name__, kind="Game"):
            function("awele")  # type: ignore[arg-type]


@pytest.mark.usefixtures("plain_python")
def test_a_training_takes_steps_and_compares_the_weights() -> None:
    steps: list[TrainingStep] = []
    training = palabre.train("penguins", 1, settings=QUICK, check=2, on_step=steps.append)
    assert training.steps == steps
    assert json.loads(json.dumps(training.document()))["steps"] == 1
    assert [each["boards"] for each in training.comparisons()] == [2, 2, 2]


@pytest.mark.usefixtures("plain_python")
def test_self_play_goes_on_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    first = palabre.self_play("awele", 1, nodes=20, file=file)
    both = palabre.self_play("awele", 2, nodes=20, file=file)
    assert [record.tags["Round"] for record in both] == ["1", "2"]
    assert both[0] == first[0]
    assert palabre.read_games(file) == both
    [stats] = palabre.record_stats(both)
    assert json.loads(json.dumps(stats.document()))["finished"] == 2


def test_the_games_of_an_event_are_read_and_observed(tmp_path: Path) -> None:
    file = tmp_path / "some.event"
    palabre.play_match("greedy", "idiot", "awele", 2, balanced=False, file=file)
    records = palabre.read_games(file)
    observations = [each for game in palabre.observe(records) for each in game]
    text = palabre.observations_to_text(observations, records[0].game)
    (tmp_path / "some.data").write_text(text, encoding="utf-8")
    assert len(palabre.read_observations(records[0].game, tmp_path / "some.data")) == len(observations) > 0
    answer = palabre.debug_bot(file, "greedy", 1, 6, from_start=True)
    assert str(answer.move) == answer.moment.played
    with palabre.read_store(file) as store:
        palabre.write_report(store, tmp_path / "report", "Some games")
    assert (tmp_path / "report" / "public" / "index.html").exists()
