"""The bot that learns from observations with scikit-learn."""

import subprocess
import sys
from pathlib import Path

import pytest

import palabre
from palabre.arena.admission import bot_digest
from palabre.bots.bot import best_moves
from palabre.bots.learner import AIMS, MODELS, Learner
from palabre.bots.models import Model
from palabre.bots.specs import bot
from palabre.core.observations import from_cells, observations_to_text
from palabre.core.words import say
from palabre.web.limits import read_bot
from tests.core.test_observations import won_games
from tests.messages import refuses

AWELE = palabre.game("awele")
ROWS = [row for rows in won_games(AWELE, 4) for row in rows]


def learner(spec: str) -> Learner:
    found = bot(spec, AWELE)
    assert isinstance(found, Learner)
    return found


def taught(spec: str) -> Learner:
    player = learner(spec)
    player.learn(ROWS, 60.0)
    player.sit_down(AWELE, 0)
    return player


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("aim", AIMS)
@pytest.mark.parametrize("sees", ["pits", "tactics"])
def test_every_model_learns_and_plays(model: str, aim: str, sees: str) -> None:
    spec = f"learner:model={model},aim={aim},sees={sees}"
    player, again = taught(spec), taught(spec)
    for one in ROWS[:20]:
        scores = player.score_moves(one.position)
        assert len(scores) == len(one.position.moves())
        assert scores == again.score_moves(one.position)  # the same rows, the same bot
    assert str(player.choose(AWELE.start(), palabre.Clock())) in "ABCDEF"


def test_who_imitates_learns_from_winners_alone() -> None:
    start = "4,4,4,4,4,4,4,4,4,4,4,4"
    rows = from_cells(AWELE, [f"{start},C{pit},{result}".split(",") for pit, result in ((2, "G"), (5, "P"), (5, "P"))])
    player = learner("learner:model=forest,aim=imitate")
    player.learn(rows, 60.0)
    assert [move.text for move in best_moves(AWELE.start(), player.score_moves(AWELE.start()))] == ["B"]


def test_a_value_is_learnt_from_both_and_wins_come_first() -> None:
    player = taught("learner:model=logistic")
    lost = AWELE.position("1,1,1,1,1,1/4,4,4,4,4,4 0,18 1 0")
    won = AWELE.position("4,4,4,4,4,4/1,1,1,1,1,1 18,0 1 0")
    low, high = player.win_chances([lost, won])
    assert 0 <= low < 0.5 < high <= 1
    wins = AWELE.position("0,0,0,0,3,1/1,4,4,4,4,4 23,0 1 0")  # F takes two, and has 25
    assert [move.text for move in best_moves(wins, player.score_moves(wins))] == ["F"]


def test_the_lead_matters_to_a_value_and_not_to_an_imitation() -> None:
    ahead, behind = (AWELE.position(f"1,3,3,0,0,2/9,0,1,0,0,0 {taken} 1 0") for taken in ("20,9", "9,20"))
    imitator, judge = taught("learner:aim=imitate"), taught("learner:model=logistic")
    assert imitator.features(ahead) == imitator.features(behind)
    low, high = judge.win_chances([behind, ahead])
    assert low < high


def test_one_class_is_enough_to_play() -> None:
    for result, chance in (("G", 1.0), ("P", 0.0)):
        player = learner("learner:model=bayes")
        player.learn(from_cells(AWELE, [f"4,4,4,4,4,4,4,4,4,4,4,4,C1,{result}".split(",")]), 60.0)
        assert player.win_chances([AWELE.start()]) == [chance]


def test_many_rows_are_too_many_for_support_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palabre.bots.models.SUPPORT_ROWS", 50)
    rows = [[number % 7, number % 2] for number in range(200)]
    model = Model("vectors", rows, [number % 2 for number in range(200)])
    assert model.chances([[3, 1]]).argmax() == 1
    assert model.chances([[3, 0]]).argmax() == 0


def test_without_data_it_says_what_it_needs() -> None:
    with refuses("lesson.no_data", bot="learner"):
        learner("learner").learn((), 60.0)


def test_a_file_of_its_own_comes_before_the_others(tmp_path: Path) -> None:
    file = tmp_path / "own.data"
    file.write_text(observations_to_text(ROWS[:60], AWELE), encoding="utf-8")
    player, same = learner(f"learner:model=logistic,data={file}"), learner("learner:model=logistic")
    player.learn(ROWS[60:], 60.0)
    same.learn(from_cells(AWELE, [row.cells for row in ROWS[:60]]), 60.0)
    assert player.score_moves(AWELE.start()) == same.score_moves(AWELE.start())
    before = bot_digest(player, AWELE, palabre.Clock())
    file.write_text(observations_to_text(ROWS[:61], AWELE), encoding="utf-8")
    assert bot_digest(player, AWELE, palabre.Clock()) != before  # the bot of an event has changed
    with refuses("spec.bad_value", owner="learner", name="data", value="nowhere.data", valid=say("spec.file")):
        bot("learner:data=nowhere.data", AWELE)


def test_a_browser_cannot_have_it(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text("password", encoding="utf-8")
    with refuses("server.no_data", bot="learner"):
        read_bot("learner", AWELE)
    with refuses("server.no_weights", value=str(file)):
        read_bot(f"learner:data={file}", AWELE)


def test_scikit_learn_is_imported_by_those_who_learn_alone() -> None:
    code = (
        "import sys, palabre, palabre.cli.bots, palabre.cli.games, palabre.cli.match\n"
        "from palabre.bots.specs import bot\n"
        "bot('learner', palabre.game('awele')); sys.exit('sklearn' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_scikit_learn_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "palabre.bots.models")
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with refuses("lesson.no_models", bot="learner", command="pip install 'palabre[learn]'"):
        learner("learner").learn(ROWS, 60.0)
