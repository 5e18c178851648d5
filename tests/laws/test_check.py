"""`palabre check`: every mistake of a game author's becomes one sentence with the position and the remedy.

Each case is the tiny game with one edit. Most of them are found in plain Python and are checked in this process; those
that kill or block a process are checked through the command.
"""

import json
import re
from pathlib import Path

import pytest

import palabre
from palabre.compile.compiler import is_disabled
from palabre.core import registry
from palabre.core.errors import BadSpec
from palabre.core.game import Game
from palabre.laws.check import Laws
from palabre.laws.compiled import compare
from palabre.laws.inquiry import Inquiry, LawBroken
from tests import take_away
from tests.command import palabre as command
from tests.specs import EXAMPLE

HEAP_KEY = "\n\n@rule\ndef key(state: State) -> int:\n    return state.heap // 2\n"
COUNT = "\n\n@rule\ndef count_moves(state: State) -> int:\n    return state.heap\n"
RANDOM = "\n\n@rule\ndef random_move(state: State, seed: int) -> int:\n    return state.heap\n"
IS_LEGAL = "\n\n@rule\ndef is_legal(state: State, move: int) -> bool:\n    return move < state.heap\n"
BOUNDS = "\n\n@rule\ndef margin_bounds(state: State) -> tuple[int, int]:\n    return -1, -1\n"
TACTICAL = "\n\n@rule\ndef tactical_moves(state: State, moves: Moves) -> int:\n    moves[0] = 7\n    return 1\n"
EVALUATION = """

class Weights(NamedTuple):
    one: float = 1.0


@rule
def evaluate(weights: Weights, state: State, player: int) -> float:
    return weights.one / state.heap if state.heap != 1 else float("inf")


EVALUATIONS = {"mine": Weights()}
"""

LISTING = """    for taken in range(min(MOST, state.heap)):
        moves[taken] = taken
    return min(MOST, state.heap)"""
PLAY = "return State(state.heap - move - 1, 1 - state.player)"

# What is replaced in the tiny game (nothing: added at its end), by what, and what is told.
BROKEN = {
    "too few codes": ("MOST_MOVES = MOVE_CODES = 9", "MOST_MOVES = 9\nMOVE_CODES = 2", "code '2', and MOVE_CODES is 2"),
    "too small a buffer": (
        "MOST_MOVES = MOVE_CODES = 9",
        "MOST_MOVES = 2\nMOVE_CODES = 9",
        "lists 3 moves, and MOST_MOVES",
    ),
    "moves descend": ("moves[taken] = taken", "moves[taken] = 2 - taken", r"\[2, 1, 0\]', in .* ascending"),
    "a move twice": ("moves[taken] = taken", "moves[taken] = taken // 2", r"\[0, 0, 1\]', in .* once"),
    "a negative index": (
        "moves[taken] = taken",
        "moves[taken - 1] = taken",
        r"raises IndexError: it writes to moves\[-1\]",
    ),
    "a wrong count": ("", COUNT, "count_moves answers 12, and legal_moves lists 3"),
    "a wrong random move": ("", RANDOM, "random_move answers 12, which is not a legal move"),
    "a wrong is_legal": ("", IS_LEGAL, "is_legal answers True for the code [3-8],"),
    "a key for two futures": ("", HEAP_KEY, "key answers .*, as it did in .*combine every field"),
    "false bounds": ("", BOUNDS, "player . ends at most -1 ahead, and a move leads to 1"),
    "a tactical move that is none": ("", TACTICAL, r"tactical_moves lists '\[7\]', which legal_moves does not"),
    "an infinite value": ("", EVALUATION, "evaluation mine (answers 'inf'|raises ZeroDivisionError)"),
    "a word beyond 64 bits": (
        PLAY,
        PLAY.replace(" - 1, 1", " - 1 << 61, 1"),
        r"heap does not fit 64 bits .*signed\(\)",
    ),
    "a field that is no int": (PLAY, PLAY.replace("move - 1,", "move - 1.0,"), "heap is '.*'; it must be an int"),
    "another class": (PLAY, "return (state.heap - move - 1, 1 - state.player)", "it must be a State"),
    "moves after the end": ("return state.heap == 0", "return state.heap < 3", "over and legal_moves still lists 2"),
    "no move before the end": (
        "return state.heap == 0",
        "return state.heap < 0",
        "not over and there is no legal move",
    ),
    "no end": (
        PLAY,
        PLAY.replace("state.heap - move - 1", "max(1, state.heap - move - 1)"),
        "not ended after 5,000 plies, in .*a limit",
    ),
    "a player too many": (
        "return state.player\n",
        "return state.player + 1\n",
        "to_move answers '2'.*players are 0 to 1",
    ),
    "a score that is no int": ("return 1 if state.heap", "return 1.5 if state.heap", "score answers '1.5' for player"),
    "texts that do not tell moves apart": ("return str(move + 1)", "return 'x'", "0 and 1 have the same text 'x'"),
    "a text with a blank": ("return str(move + 1)", "return f'take {move}'", "must be a word without blanks"),
    "a text that reads back otherwise": ('f"{state.heap} {', 'f"{state.heap // 2 * 2} {', "reads back as State"),
    "a text that cannot be read": ('f"{state.heap} {', 'f"{state.heap}-{', "cannot be read back: .*1 part"),
    "a piece beside the board": ('Piece("heap"', 'Piece("pile"', "pieces has one on 'pile', and there is no such cell"),
    "seeds of no colour": ('colour="brown"', 'colour="pink"', "seeds of the colour 'pink', in .*brown"),
    "clicks that begin with others": (
        "return [(move_to_text(state, move),)]",
        "return [('1',) * (move + 1)]",
        "beginning of",
    ),
    "a rule that raises": (
        LISTING,
        LISTING + " // (state.heap - 12)",
        r"legal_moves raises ZeroDivisionError: .* line \d+",
    ),
}


def write(folder: Path, text: str) -> str:
    file = folder / "mine.py"
    file.write_text(text, encoding="utf-8")
    return str(file)


def edited(before: str, after: str) -> str:
    text = take_away.source()
    assert before in text
    return text.replace(before, after) if before else text + after


def play_games(game: Game, count: int) -> Laws:
    """Random games in plain Python, and what was seen in them."""
    laws = Laws(game, lambda doing, where: None)
    for seed in range(count):
        laws.play_plainly(seed)
    return laws


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_law_is_told_with_the_remedy(case: str, tmp_path: Path) -> None:
    before, after, told = BROKEN[case]
    game = palabre.game(write(tmp_path, edited(before, after)))
    with pytest.raises(LawBroken, match=told) as broken:
        play_games(game, 20)
    message = str(broken.value)
    assert message.endswith((".", ")"))
    assert "\n" not in message


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            edited("return state.heap == 0", "while state.heap == 5:\n        pass\n    return state.heap == 0"),
            "no answer for 5 s",
        ),
        (edited("return state.player\n", "return to_move(state)\n"), "(crashed the process|RecursionError)"),
        (
            edited("MOST = 3", "MOST = 3\nimport os").replace(
                "return state.heap == 0", "return state.heap == 0 or os._exit(3)"
            ),
            "exit code 3",
        ),
    ],
)
def test_what_kills_or_blocks_a_process_becomes_a_sentence(text: str, told: str, tmp_path: Path) -> None:
    done = command("check", write(tmp_path, text), "--games", "5", "--patience", "5")
    assert done.returncode == 1, done.stderr
    assert re.search(told, done.stdout)
    assert len(done.stdout.splitlines()) == 1


def test_compiled_and_plain_answers_are_compared(tmp_path: Path) -> None:
    """A shift that leaves 64 bits on the way is right in plain Python, and wrong compiled."""
    text = edited("return min(MOST, state.heap)\n", "return min(MOST, state.heap << 60 >> 60)\n")
    done = command("check", write(tmp_path, text), "--games", "3", "--json")
    assert done.returncode == 1, done.stderr
    told = json.loads(done.stdout)
    assert told["holds"] is False
    assert re.search(r"in plain Python and .* compiled, in .*signed\(\)", told["broken"])


@pytest.mark.kernels
def test_the_codes_that_compiled_rules_list_are_compared(tmp_path: Path) -> None:
    """Only the third move has another code compiled; it is neither the one played nor the one picked at random."""
    game = palabre.game(write(tmp_path, edited("moves[taken] = taken", "moves[taken] = taken << 62 >> 62")))
    inquiry = Inquiry(game, lambda doing, where: None)
    if is_disabled():
        compare(inquiry, [(game.start().state, 0)])
    else:
        with pytest.raises(LawBroken, match="legal_moves lists other moves compiled than plain"):
            compare(inquiry, [(game.start().state, 0)])


def test_a_game_that_cannot_be_loaded_is_refused_as_elsewhere(tmp_path: Path) -> None:
    done = command("check", write(tmp_path, take_away.source().replace("def cells", "def no_cells")))
    assert (done.returncode, done.stdout) == (2, "")
    assert "lacks cells;" in done.stderr


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("MOST_MOVES = MOVE_CODES = 9", "MOST_MOVES = 9\nMOVE_CODES = 65536", "MOVE_CODES is '65536'; .* 1 to 65,535"),
        ("MOST_MOVES = MOVE_CODES = 9", "MOST_MOVES = 0\nMOVE_CODES = 9", "MOST_MOVES is '0'; it must be from 1"),
        ("MOST_MOVES = MOVE_CODES = 9", "MOST_MOVES = 9.0\nMOVE_CODES = 9", "MOST_MOVES is '9.0'"),
        ("heap: int  #", "heap: float  #", "its field heap is .*float.*; write field: int"),
        (
            "def play(state: State, move: int)",
            "def play(state: State)",
            r"@rule play .* takes \(state\); .* \(state, move\)",
        ),
        ("", "\n\n@rule\ndef ply(state: tuple) -> int:\n    return 0\n", "@rule ply .* is for tuple; annotate"),
        ("return State(options.number", "return (options.number", r"start\(options, 0\) returns '\(12, 0\)'"),
        ('Cell("heap", 0, 0)', 'Cell("1", 0, 0)', "two cells are called '1'"),
    ],
)
def test_what_shows_at_load_is_refused_at_load(before: str, after: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(BadSpec, match=told) as error:
        palabre.game(write(tmp_path, edited(before, after)))
    assert "mine.py" in str(error.value)


@pytest.mark.parametrize(
    "spec", [*registry.names(), "awele:abapa", "penguins:players=3", EXAMPLE, "examples/othello.py"]
)
def test_the_games_we_have_obey_in_plain_python(spec: str) -> None:
    assert len(play_games(palabre.game(spec), 1).visited) > 10


@pytest.mark.kernels
@pytest.mark.parametrize("spec", [*registry.names(), EXAMPLE, "examples/othello.py"])
def test_the_games_we_have_obey_compiled(spec: str) -> None:
    laws = play_games(palabre.game(spec), 1)
    laws.compare_compiled()


def test_the_command_says_what_was_checked(small_game: Path) -> None:
    done = command("check", str(small_game), "--games", "10")
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"10 games, \d+ positions: no law is broken, compiled and plain agree", done.stdout)
