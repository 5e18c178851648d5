"""A game in one file may define everything that a folder of ours can: evaluations, hints, parameters, bots."""

from pathlib import Path

import pytest

from palabre.bots.specs import bot, bots_for
from palabre.core import registry, verbs
from palabre.core.game import Game
from palabre.evaluation.names import default_evaluation, evaluation, evaluations, textbook_evaluation
from palabre.search.clock import Clock
from palabre.search.parameters import parameters_for
from palabre.search.simulation import MctsParameters
from tests import take_away
from tests.command import python
from tests.messages import refuses

EXTRAS = '''
from palabre.bots.bot import Bot
from palabre.core.kernels import answer
from palabre.core.verbs import evaluate


class Modulo(NamedTuple):
    """Heaps of a multiple of four are lost for the player to move."""

    sure: float = 5.0


@answer(evaluate)
def modulo(weights: Modulo, state: State, player: int) -> float:
    lost = state.player == player if state.heap % 4 == 0 else state.player != player
    return -weights.sure if lost else weights.sure


@rule
def margin_bounds(state: State) -> tuple[int, int]:
    return (-1, -1) if state.heap % 4 == 0 else (1, 1)


@rule
def plies_left(state: State) -> int:
    return state.heap


class Hasty(Bot):
    """Takes as many sticks as it can."""

    summary = "takes as many sticks as it can"

    def choose(self, position, clock):
        return position.moves()[-1]


EVALUATIONS = {"modulo": Modulo()}
TEXTBOOK = "modulo"
SEARCH_PARAMETERS = {"mcts": {"exploration": 0.123}}
BOTS = {"hasty": Hasty}
'''


def load(folder: Path, text: str) -> Game:
    file = folder / "mine.py"
    file.write_text(text, encoding="utf-8")
    return registry.game(str(file))


def test_a_single_file_brings_all_its_parts(tmp_path: Path) -> None:
    game = load(tmp_path, take_away.source() + EXTRAS)
    assert list(evaluations(game)) == ["modulo", "score", "montecarlo"]
    assert (default_evaluation(game), textbook_evaluation(game)) == ("modulo", "modulo")
    assert verbs.evaluate(evaluation(game, "modulo"), game.start().state, 0) == -5.0
    assert parameters_for(game, "mcts", MctsParameters()).exploration == 0.123
    assert "hasty" in bots_for(game)
    hasty = bot("hasty", game)
    hasty.sit_down(game, 0)
    assert str(hasty.choose(game.start(), Clock())) == "3"


def test_its_evaluation_is_compiled(tmp_path: Path) -> None:
    play_by_its_evaluation("alphabeta:depth=1", tmp_path)


@pytest.mark.usefixtures("plain_python")
@pytest.mark.parametrize("name", ["palabre:depth=1", "minimax:depth=1", "mcts:nodes=200"])
def test_bots_play_by_its_evaluation_and_hints(name: str, tmp_path: Path) -> None:
    play_by_its_evaluation(name, tmp_path)


def play_by_its_evaluation(name: str, tmp_path: Path) -> None:
    game = load(tmp_path, take_away.source(MOST="3").replace('"heap", 12', '"heap", 13') + EXTRAS)
    player = bot(name, game)
    player.sit_down(game, 0)
    assert str(player.choose(game.start(), Clock())) == "1"


def test_standard_is_the_default_wherever_it_stands(tmp_path: Path) -> None:
    both = EXTRAS.replace('{"modulo": Modulo()}', '{"modulo": Modulo(), "standard": Modulo(2.0)}')
    assert default_evaluation(load(tmp_path, take_away.source() + both)) == "standard"


def test_without_evaluations_the_default_is_score(tmp_path: Path) -> None:
    game = load(tmp_path, take_away.source())
    assert (default_evaluation(game), textbook_evaluation(game)) == ("score", "score")


@pytest.mark.parametrize(
    "first",
    ["palabre", "palabre.evaluation.names", "palabre.bots.specs", "palabre.search.engine", "palabre.core.kernels"],
)
def test_what_a_game_answers_does_not_depend_on_imports(first: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(take_away.source() + EXTRAS, encoding="utf-8")
    code = (
        f"import sys, {first}, palabre; from palabre.core import verbs\n"
        "mine = palabre.game(sys.argv[1]).start().state; ours = palabre.game('abalone:turns=7').start().state\n"
        "print(verbs.margin_bounds(mine), verbs.plies_left(mine), verbs.plies_left(ours), verbs.margin_bounds(ours))"
    )
    assert python(code, str(file)).startswith("(-1, -1) 12 7 (")


@pytest.mark.parametrize(
    ("change", "id", "params"),
    [
        (('{"modulo": Modulo()}', "[Modulo()]"), "contract.evaluations", {}),
        (('{"modulo": Modulo()}', '{"modulo": 3.0}'), "contract.weights", {"name": "modulo", "weights": "3.0"}),
        (('"modulo": Modulo()', '"modulo": Modulo("a")'), "contract.weights", {"name": "modulo"}),
        (("@answer(evaluate)\n", ""), "contract.no_evaluate", {"name": "modulo"}),
        (
            ("def modulo(weights: Modulo, state: State, player: int)", "def modulo(weights: Modulo, state: State)"),
            "contract.verb",
            {"function": "modulo", "takes": "weights, state", "verb": "evaluate"},
        ),
    ],
)
def test_a_wrong_evaluation_is_refused_with_the_remedy(
    change: tuple[str, str], id: str, params: dict[str, object], tmp_path: Path
) -> None:
    with refuses(id, **params) as error:
        load(tmp_path, take_away.source() + EXTRAS.replace(*change))
    assert "mine.py" in str(error.value)
