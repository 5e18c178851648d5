"""`--forbid-engine`: bots of others do without Palabre's own searches, in a sandbox; the rules stay."""

import compileall
from pathlib import Path

import pytest

import palabre
import palabre.search
from palabre.arena.championship import Championship, Plan
from palabre.arena.match import Match
from palabre.play.failures import Limits
from palabre.sandbox import bubblewrap
from palabre.sandbox.players import close_bot, seat
from tests.arena.championships import hand_in
from tests.arena.needs import needs_sandbox
from tests.messages import refuses

pytestmark = pytest.mark.usefixtures("plain_python")
ROOT = Path(__file__).parents[2]
GAME = palabre.game("awele")
HONEST = "return max(position.moves(), key=lambda move: position.play(move).scores[position.to_move])"
BORROWED = {
    "the engine": "from palabre.search.engine import Engine",
    "a kernel of it": "from palabre.search import pvs",
    "its bot": "from palabre.bots.engine import Palabre",
    "a bot by name": "import palabre; palabre.bot('mcts:nodes=5', position.game)",
    "an analysis": "import palabre; palabre.analyse(position, nodes=5)",
    "many analyses": "import palabre; palabre.analyse_many([position], nodes=5)",
    "a bot of the game": "from palabre.games.avalam import bots",
    "a search compiled by Python": (
        "import importlib.util, pathlib, palabre.search; "
        "assert any((pathlib.Path(palabre.search.__file__).parent / '__pycache__').iterdir()), 'there is none'"
    ),
}


@needs_sandbox
@pytest.mark.parametrize("line", BORROWED.values(), ids=BORROWED)
def test_a_bot_that_borrows_a_search_forfeits(line: str, tmp_path: Path) -> None:
    compileall.compile_dir(Path(palabre.search.__file__).parent, quiet=1)  # as Python does, unless it is kept from it
    file = hand_in(tmp_path, "borrower", f"{line}\n        return position.moves()[0]")
    with Match([str(file), "idiot"], GAME, 2) as match:
        assert all(row.forfeit is None for row in match.play())  # nothing else is wrong with it
    with Match([str(file), "idiot"], GAME, 2, forbids_engine=True) as match:
        rows = list(match.play())
    assert [row.bots[row.forfeit or 0] for row in rows if row.forfeit is not None] == [str(file)] * 2


@needs_sandbox
def test_an_honest_bot_plays(tmp_path: Path) -> None:
    file = hand_in(tmp_path, "honest", HONEST)
    for spec in ("awele", "avalam", "abalone", "penguins"):
        with Match([str(file), "idiot"], palabre.game(spec), 2, forbids_engine=True) as match:
            assert all(row.forfeit is None for row in match.play()), spec


@needs_sandbox
@pytest.mark.needs("g++")
def test_programs_and_compiled_searches_of_their_own_play() -> None:
    for path in ("examples/bots/cpp", "examples/compiled_search.py:depth=2"):
        player = seat(str(ROOT / path), GAME, limits=Limits(forbids_engine=True), untrusted=True)
        player.learn((), 60.0)
        player.sit_down(GAME, 0)
        assert player.choose(GAME.start(), palabre.Clock(per_move=60.0))
        close_bot(player)


@needs_sandbox
def test_the_admission_test_rejects_a_borrower(tmp_path: Path) -> None:
    hand_in(tmp_path / "bots", "honest", HONEST)
    hand_in(tmp_path / "bots", "borrower", f"{BORROWED['the engine']}\n        return position.moves()[0]")
    with Championship(Plan(GAME, forbids_engine=True), [str(tmp_path / "bots")], None) as held:
        verdicts = {verdict.bot.name: verdict.is_admitted for verdict in held.examine()}
    assert verdicts == {"honest": True, "borrower": False}


@needs_sandbox
def test_our_own_searches_do_not_compete(tmp_path: Path) -> None:
    hand_in(tmp_path / "bots", "honest", HONEST)
    plan = Plan(GAME, forbids_engine=True)
    with refuses("event.engine_forbidden", bot="palabre:level=2"):
        Championship(plan, [str(tmp_path / "bots"), "palabre:level=2"], None)
    with Championship(plan, [str(tmp_path / "bots"), "greedy"], None) as held:
        assert len(held.entries) == 2
    gauntlet = Plan(GAME, "gauntlet", forbids_engine=True)
    with Championship(gauntlet, [str(tmp_path / "bots")], None, staff=["palabre:level=2"]) as held:
        assert len(held.entries) == 2


@needs_sandbox
def test_an_event_keeps_the_setting(tmp_path: Path) -> None:
    bots = [str(hand_in(tmp_path, "honest", HONEST)), "idiot"]
    file = tmp_path / "small.event"
    with Match(bots, GAME, 2, file=file, forbids_engine=True) as match:
        assert match.store.settings.forbids_engine
    with refuses("event.other_setting", name="--forbid-engine"):
        Match(bots, GAME, 2, file=file)


def test_without_sandboxes_it_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "why_not", lambda: "missing")
    file = hand_in(tmp_path, "honest", HONEST)
    with refuses("sandbox.required", option="--forbid-engine"):
        Match([str(file), "idiot"], GAME, 2, forbids_engine=True)
