"""`palabre check`: every mistake of a game author's becomes one sentence with the position and the remedy.

The broken games are in `zoo.py`. Most mistakes are found in plain Python and are checked in this process; those that
kill or block a process are checked through the command.
"""

import json
from pathlib import Path

import pytest

from palabre.compile.compiler import is_disabled
from palabre.core import registry
from palabre.core.errors import IllegalMove
from palabre.core.game import Game
from palabre.core.words import LANGUAGES, text_of
from palabre.laws import apart
from palabre.laws.apart import CheckGame
from palabre.laws.check import CLOSELY, Laws
from palabre.laws.compiled import compare
from palabre.laws.inquiry import Inquiry, LawBroken
from palabre.workers import process
from palabre.workers.messages import Ready, to_line
from tests import take_away
from tests.command import PATIENCE, PLAIN
from tests.command import palabre as command
from tests.laws.zoo import BESIDE, BROKEN, DEADLY, FEATURES, PLAY, STORY, edited, write, write_beside
from tests.messages import refuses
from tests.sentences import tells
from tests.specs import EXAMPLE

OTHER_EXAMPLES = ("examples/othello.py", "examples/trio.py", "examples/awele_my_eval.py")


def new_laws(game: Game) -> Laws:
    return Laws(game, lambda doing, where: None)


def play_games(game: Game, count: int) -> Laws:
    """Random games in plain Python, and what was seen in them."""
    laws = new_laws(game)
    for seed in range(count):
        laws.play_plainly(seed)
    return laws


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_law_is_told_with_the_remedy(case: str, tmp_path: Path) -> None:
    before, after, told = BROKEN[case]
    game = registry.game(write(tmp_path, edited(before, after)))
    with pytest.raises(LawBroken) as broken:
        new_laws(game).look_closely(20, 0)
    message = str(broken.value)
    assert told.is_in(message), message
    assert message.endswith((".", ")"))
    assert "\n" not in message


@pytest.mark.parametrize("case", BESIDE)
def test_what_lies_beside_the_game_is_checked(case: str, tmp_path: Path) -> None:
    name, text, told = BESIDE[case]
    with pytest.raises(LawBroken) as broken:
        new_laws(registry.game(write_beside(tmp_path, name, text))).look_closely(1, 0)
    assert told.is_in(str(broken.value)), broken.value


@pytest.mark.parametrize("case", BROKEN)
def test_the_quick_form_finds_it_too(case: str, tmp_path: Path) -> None:
    before, after, told = BROKEN[case]
    with pytest.raises(LawBroken) as broken:
        new_laws(registry.game(write(tmp_path, edited(before, after)))).look_quickly(PATIENCE)
    assert told.is_in(str(broken.value)), broken.value


CONSTANTS = "MOST_MOVES = MOVE_CODES = 9"
HASHED = "return State(options.number('heap') - 0 * seed - (hash('luck') & 7), 0)"


def test_a_start_that_differs_in_another_process(tmp_path: Path) -> None:
    """The order of a set or a hash of a text is another in every process, and so would the game be."""
    text = edited('return State(options.number("heap"), 0)', HASHED)
    chosen = {"PYTHONHASHSEED": "1"}  # drawn at random, three bits of the two hashes may be equal
    done = command("check", write(tmp_path, text), "--games", "3", settings=chosen)
    assert done.returncode == 1, done.stderr
    assert tells(done.stdout, "start.elsewhere", seed=0)


MISERE = "\n\n@rule\ndef final_score(state: State, player: int) -> int:\n    return -score(state, player)\n"
DRAWN = "import random\n\n    return State(random.Random(seed).randrange(3, 12), 0)"


@pytest.mark.parametrize(
    ("before", "after", "more"),
    [
        ("\n)\nMOST = 3\n", "\n    highest_score_wins=False,\n)\nMOST = 3\n", MISERE),
        ('return State(options.number("heap"), 0)', DRAWN, ""),
        (PLAY, PLAY.replace("1 - state.player", "1 if state.heap % 3 == 0 else 0"), ""),
    ],
    ids=["the fewest points win", "luck is drawn from the seed", "one player moves more often"],
)
def test_what_only_looks_like_a_broken_law_breaks_none(before: str, after: str, more: str, tmp_path: Path) -> None:
    new_laws(registry.game(write(tmp_path, edited(before, after) + more))).look_quickly(0.0)


def test_a_broken_law_is_told_in_french(tmp_path: Path) -> None:
    before, after, _ = BROKEN["a turn that never changes"]
    game = write(tmp_path, edited(before, after))
    done = command("check", game, "--games", "5", settings={"LC_ALL": "fr_FR.UTF-8"})
    assert done.returncode == 1, done.stderr
    assert "le joueur 1 n’a pas joué" in done.stdout


def test_a_story_that_is_right_breaks_no_law(tmp_path: Path) -> None:
    play_games(registry.game(write(tmp_path, edited("", STORY))), 5)


@pytest.mark.parametrize("case", DEADLY)
def test_what_kills_or_blocks_a_process_becomes_a_sentence(case: str, tmp_path: Path) -> None:
    before, after, told = DEADLY[case]
    patience = "3" if case == "a loop without end" else str(int(PATIENCE))  # of the others, none has to be waited for
    done = command("check", write(tmp_path, edited(before, after)), "--games", "5", "--patience", patience)
    assert done.returncode == 1, done.stderr
    assert told.is_in(done.stdout), done.stdout
    assert len(done.stdout.splitlines()) == 1


def test_compiled_and_plain_answers_are_compared(tmp_path: Path) -> None:
    """A shift that leaves 64 bits on the way is right in plain Python, and wrong compiled."""
    text = edited("return min(MOST, state.heap)\n", "return min(MOST, state.heap << 60 >> 60)\n")
    done = command("check", write(tmp_path, text), "--games", "3", "--json")
    assert done.returncode == 1, done.stderr
    told = json.loads(done.stdout)
    assert told["holds"] is False
    assert tells(told["broken"], "compiled.answers")


@pytest.mark.kernels
def test_the_codes_that_compiled_rules_list_are_compared(tmp_path: Path) -> None:
    """Only the third move has another code compiled; it is neither the one played nor the one picked at random."""
    game = registry.game(write(tmp_path, edited("moves[taken] = taken", "moves[taken] = taken << 62 >> 62")))
    inquiry = Inquiry(game, lambda doing, where: None)
    if is_disabled():
        compare(inquiry, [(game.start().state, 0)])
    else:
        with refuses("compiled.moves", verb="legal_moves"):
            compare(inquiry, [(game.start().state, 0)])


def test_a_game_that_cannot_be_loaded_is_refused_as_elsewhere(tmp_path: Path) -> None:
    done = command("check", write(tmp_path, take_away.source().replace("def cells", "def no_cells")))
    assert (done.returncode, done.stdout) == (2, "")
    assert tells(done.stderr, "contract.lacks", missing="cells")


@pytest.mark.parametrize(
    ("before", "after", "id", "params"),
    [
        (CONSTANTS, "MOST_MOVES = 9\nMOVE_CODES = 65536", "contract.move_codes", {"value": "65536", "most": 65535}),
        (CONSTANTS, "MOST_MOVES = 0\nMOVE_CODES = 9", "contract.most_moves", {"value": "0"}),
        (CONSTANTS, "MOST_MOVES = 9.0\nMOVE_CODES = 9", "contract.most_moves", {"value": "9.0"}),
        ("", FEATURES.replace("MOST_FEATURES = 2", ""), "contract.lacks", {"missing": "MOST_FEATURES"}),
        ("", FEATURES.replace("= 13", "= 0"), "contract.features", {"value": "0", "most": 1 << 16}),
        ("", FEATURES.replace("= 2", "= 2000"), "contract.most_features", {"value": "2000", "most": 1 << 10}),
        ("", f"{FEATURES}\n\nPHASES = 1.0\n", "contract.phases", {"value": "1.0"}),
        ("heap: int  #", "heap: float  #", "contract.wrong_field", {"field": "heap", "kind": "float"}),
        (
            "def play(state: State, move: int)",
            "def play(state: State)",
            "contract.verb",
            {"function": "play", "takes": "state", "given": "state, move"},
        ),
        (
            "",
            "\n\n@rule\ndef ply(state: tuple) -> int:\n    return 0\n",
            "contract.no_state_first",
            {"function": "ply", "kind": "tuple"},
        ),
        ("return State(options.number", "return (options.number", "contract.no_state", {"state": "(12, 0)"}),
        (
            "def start(options: Options, seed: int)",
            "def start()",
            "contract.arguments",
            {"function": "start", "takes": "", "given": "options, seed"},
        ),
        (
            "",
            "\n\ndef explain(state: State) -> str:\n    return 'no'\n",
            "contract.arguments",
            {"function": "explain", "takes": "state", "given": "state, text"},
        ),
        (
            'options.number("heap"), 0)',
            'options.number("heaps"), 0)',
            "contract.raises",
            {"asked": "start(options, 0)"},
        ),
        (
            'Parameter("heap", 12, range(1, 41)',
            'Parameter("heap", 50, range(1, 41)',
            "contract.default",
            {"name": "heap", "value": "50"},
        ),
        ("MOST = 3", "from palabre.core.kernels import Table\nMOST = Table([1 << 63])", "spec.unloadable", {}),
        ('Cell("heap", 0, 0)', 'Cell("1", 0, 0)', "contract.same_cells", {"cell": "1"}),
    ],
)
def test_what_shows_at_load_is_refused_at_load(
    before: str, after: str, id: str, params: dict[str, object], tmp_path: Path
) -> None:
    with refuses(id, **params) as error:
        registry.game(write(tmp_path, edited(before, after)))
    assert "mine.py" in str(error.value)


@pytest.mark.parametrize("spec", [*registry.names(), "awele:abapa", "penguins:players=3", EXAMPLE, *OTHER_EXAMPLES])
def test_the_games_we_have_obey_in_plain_python(spec: str) -> None:
    assert len(play_games(registry.game(spec), 1).visited) > 10


PRESETS = [f"{name}:{preset}" for name in registry.names() for preset in registry.facts(name).presets]


@pytest.mark.parametrize("spec", [*PRESETS, EXAMPLE, *OTHER_EXAMPLES])
def test_the_command_finds_nothing_wrong_with_our_games(spec: str) -> None:
    done = command("check", spec, "--games", "2", "--json", settings=PLAIN)
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout)
    assert (told["holds"], told["games"]) == (True, 2)


@pytest.mark.usefixtures("plain_python")
def test_long_games_are_looked_at_in_part_and_played_to_their_end() -> None:
    """The work is bounded by positions: of every game but the first about CLOSELY, the first and the last included."""
    laws = new_laws(registry.game("abalone:official,turns=120"))
    laws.look_closely(4, 0)
    assert laws.positions == 4 * 121
    assert 121 + 3 * CLOSELY <= len(laws.visited) <= 121 + 3 * (CLOSELY + 2)


@pytest.mark.kernels
@pytest.mark.compiled_twin
@pytest.mark.parametrize("spec", [*registry.names(), EXAMPLE, "examples/othello.py", "examples/trio.py"])
def test_the_games_we_have_obey_compiled(spec: str) -> None:
    laws = play_games(registry.game(spec), 1)
    laws.compare_compiled()


@pytest.mark.parametrize("case", ["an explanation without words", "an explanation that raises", "a reason that raises"])
def test_a_reason_that_cannot_be_told_costs_nobody_the_game(case: str, tmp_path: Path) -> None:
    """What `check` has not met must not end a game with a traceback: people get the usual words instead."""
    position = registry.game(write(tmp_path, edited(*BROKEN[case][:2]))).position("1 1")
    with pytest.raises(IllegalMove) as refused:
        position.play("zz")
    for language in LANGUAGES:
        assert "'zz'" in refused.value.text(language)
    over = position.play("1").why_over
    assert over is not None
    assert text_of(over)


def test_a_file_named_like_a_module_of_python_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "string.py").write_text("raise RuntimeError('not the one that was meant')\n", encoding="utf-8")
    write(tmp_path, take_away.source())
    done = command("check", "mine.py", "--games", "2", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_command_says_what_was_checked(small_game: Path) -> None:
    done = command("check", str(small_game), "--games", "10")
    assert done.returncode == 0, done.stdout + done.stderr
    assert tells(done.stdout, "check.holds", games=10)


def test_starting_python_and_ending_it_are_not_a_rule_that_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process needs longer for both than a rule may take."""
    ready = to_line(Ready()).decode()
    code = f"import time; time.sleep(1); import os; os.write(1, {ready!r}.encode()); os.close(1); time.sleep(1); 1 / 0"
    monkeypatch.setattr(process, "RUN", code.replace("{", "{{").replace("}", "}}"))
    monkeypatch.setattr(process, "ENDING", PATIENCE)
    law = apart.check_apart(CheckGame("awele"), 0.1, lambda doing, seen: None).law
    assert law is not None
    assert law.id == "apart.exited"
    assert law.params["code"] == 1
    assert "ZeroDivisionError" in str(law)
