"""The zoo: broken games, each the tiny game with one mistake, and what its author is told.

They are edits of one small file rather than files: what is wrong with each is the edit, and can be seen at once.
"""

from pathlib import Path

from palabre.core.words import Message, say
from tests import take_away
from tests.sentences import LAWS, Told

STAGE = Message("view.stage", home=LAWS)


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
    value = weights.one / state.heap if state.heap > 1 else float("inf")
    return value if player == state.player else -value


EVALUATIONS = {"mine": Weights()}
"""

FEATURES = """

FEATURES = 13
MOST_FEATURES = 2


@rule
def features(state: State, rows: Moves) -> int:
    rows[0] = state.heap
    return 1
"""
PHASE = "\n\n@rule\ndef phase(state: State) -> int:\n    return 1\n"

STORY = """
from palabre.core.board import Stage, Travel


def story(state: State, move: int) -> list[Stage]:
    taken = Piece("heap", "seeds", count=move + 1, colour="brown")
    return [Stage([Travel(taken, "")], pieces(play(state, move)))]
"""
TELL = "\n\ndef tell(state: State, move: int) -> list[str]:\n    return ['takes']\n"
SAYING = """
from palabre.core.board import Saying


def tell(state: State, move: int) -> list[Saying]:
    return [Saying("places", {"player": state.player, "cell": "heap"})]
"""
EXPLAIN = """

from palabre.core.words import own_words

say = own_words(__file__)


def explain(state: State, text: str) -> object:
    return say("error.form", text=text)
"""
REPETITION = """

@rule
def repetition_key(state: State) -> int:
    return 1 + state.heap * 2 + state.player


@rule
def award_remaining(state: State) -> State:
    return State(0, state.player)
"""
WHY_OVER = "\n\ndef why_over(state: State) -> str:\n    return ['first', 'second'][state.player + 1]\n"
PLIES_LEFT = "\n\n@rule\ndef plies_left(state: State) -> int:\n    return state.heap - 6\n"
LISTING = """    for taken in range(min(MOST, state.heap)):
        moves[taken] = taken
    return min(MOST, state.heap)"""
PLAY = "return State(state.heap - move - 1, 1 - state.player)"

# The last stick cannot be taken: the game ends when both have waited for the other to try.
WAITING = PLAY.replace("state.heap - move - 1", "max(1, state.heap - move - 1)")

# What is replaced in the tiny game (nothing: added at its end), by what, and what is told.
BROKEN = {
    "too few codes": (
        "MOST_MOVES = MOVE_CODES = 9",
        "MOST_MOVES = 9\nMOVE_CODES = 2",
        Told("rules.code", {"code": "2", "codes": 2}),
    ),
    "too small a buffer": (
        "MOST_MOVES = MOVE_CODES = 9",
        "MOST_MOVES = 2\nMOVE_CODES = 9",
        Told("rules.too_many", {"moves": 3, "most": 2}),
    ),
    "moves descend": ("moves[taken] = taken", "moves[taken] = 2 - taken", Told("rules.order", {"moves": "[2, 1, 0]"})),
    "a move twice": ("moves[taken] = taken", "moves[taken] = taken // 2", Told("rules.order", {"moves": "[0, 0, 1]"})),
    "a negative index": (
        "moves[taken] = taken",
        "moves[taken - 1] = taken",
        Told("asked.raises", {"asked": "legal_moves"}, "IndexError: it writes to moves[-1]"),
    ),
    "a wrong count": ("", COUNT, Told("rules.counted", {"answer": 12, "moves": 3})),
    "a wrong random move": ("", RANDOM, Told("rules.picked", {"answer": 12})),
    "a wrong is_legal": ("", IS_LEGAL, Told("rules.legal", {"answer": True})),
    "a key for two futures": ("", HEAP_KEY, Told("rules.key")),
    "false bounds": ("", BOUNDS, Told("rules.promise", {"promised": -1, "least": 1})),
    "a tactical move that is none": ("", TACTICAL, Told("rules.tactical", {"moves": "[7]"})),
    "an infinite value": ("", EVALUATION, Told("evaluation.no_number", {"name": "mine"})),
    "an evaluation of one side": (
        "",
        EVALUATION.replace("state.heap > 1", "state.heap").replace(" if player == state.player else -value", ""),
        Told("evaluation.one_sided", {"name": "mine", "first": 1 / 12, "second": 1 / 12}),
    ),
    "a feature beyond the last": (
        "",
        FEATURES.replace("= 13", "= 12"),
        Told("features.number", {"feature": "12", "features": 12}),
    ),
    "more features than there is room for": (
        "",
        FEATURES.replace("rows[0]", "rows[3]"),
        Told("features.too_many", {"count": 4, "most": 2}),
    ),
    "a number of features that is none": (
        "",
        FEATURES.replace("return 1", "return state.heap == 12"),
        Told("features.no_count", {"answer": "True"}),
    ),
    "a phase beyond the last": ("", FEATURES + PHASE, Told("features.phase", {"answer": "1", "phases": 1})),
    "a feature before the first": (
        "",
        FEATURES.replace("rows[0]", "rows[-1]"),
        Told("asked.raises", {"asked": "features"}, "IndexError: it writes to rows[-1]"),
    ),
    "moves appended": (
        "moves[taken] = taken",
        "moves.append(taken)",
        Told("asked.raises", {"asked": "legal_moves"}, "write moves[count] = move"),
    ),
    "fewer than no plies": ("", PLIES_LEFT, Told("rules.plies")),
    "a reason that raises": (
        "",
        WHY_OVER,
        Told("asked.raises", {"asked": "why_over", "where": "State(heap=0, player=1)"}, "IndexError: "),
    ),
    "an explanation without words": (
        "",
        EXPLAIN,
        Told("texts.unknown", {"asked": "explain(state, 'zz99')"}, "'error.form'"),
    ),
    "an explanation that raises": (
        "",
        EXPLAIN.replace('say("error.form", text=text)', "int(text)"),
        Told("asked.raises", {"asked": "explain(state, 'zz99')", "where": "12 1"}, "ValueError: "),
    ),
    "an explanation that is none": (
        "",
        EXPLAIN.replace('say("error.form", text=text)', "None"),
        Told("texts.no_text", {"asked": "explain(state, 'zz99')", "answer": "None"}),
    ),
    "a saying that nobody knows": (
        "",
        SAYING.replace("places", "puts"),
        Told("view.unsaid", {}, "'story.puts'"),
    ),
    "a saying that lacks something": (
        "",
        SAYING.replace('"cell"', '"square"'),
        Told("view.unsaid", {}, "{cell}"),
    ),
    "a word beyond 64 bits": (
        PLAY,
        PLAY.replace(" - 1, 1", " - 1 << 61, 1"),
        Told("contract.wide", {"field": "heap"}),
    ),
    "a field that is no int": (
        PLAY,
        PLAY.replace("move - 1,", "move - 1.0,"),
        Told("contract.no_int", {"field": "heap"}),
    ),
    "another class": (PLAY, "return (state.heap - move - 1, 1 - state.player)", Told("contract.no_state")),
    "moves after the end": (
        "return state.heap == 0",
        "return state.heap < 3",
        Told("rules.goes_on"),
    ),
    "no move before the end": (
        "return state.heap == 0",
        "return state.heap < 0",
        Told("rules.stuck"),
    ),
    "no end": (
        PLAY,
        PLAY.replace("state.heap - move - 1", "max(1, state.heap - move - 1)"),
        Told("rules.endless", {"plies": 5000}),
    ),
    "a repeated position that goes on": (
        PLAY,
        WAITING + REPETITION.replace("State(0, state.player)", "state"),
        Told("repetition.goes_on", {"made": "State(heap=12, player=0)", "where": "12 1"}),
    ),
    "a repetition for whoever moves": (
        PLAY,
        WAITING + REPETITION.replace(" * 2 + state.player", ""),
        Told("repetition.differs", {"key": 2}),
    ),
    "a repetition now and then": (
        PLAY,
        WAITING + REPETITION.replace("1 + state.heap", "state.heap // 2"),
        Told("repetition.sometimes", {"where": "1 1"}),
    ),
    "a repetition beyond the reversible plies": (
        PLAY,
        WAITING + REPETITION + "\n\n@rule\ndef reversible_plies(state: State) -> int:\n    return 1\n",
        Told("repetition.too_far", {"reversible": 1, "plies": 2}),
    ),
    "chance in a rule": (
        PLAY,
        "import random\n\n    " + PLAY.replace("move - 1,", "min(state.heap, random.randrange(3) + 1),"),
        Told("purity.source", {"function": "play", "name": "random"}, "mine.py, line "),
    ),
    "chance imported by name": (
        PLAY,
        PLAY.replace("move - 1,", "min(state.heap, randrange(3) + 1),")
        + "\n\n\nfrom random import randrange  # noqa: E402",
        Told("purity.source", {"function": "play", "name": "randrange"}),
    ),
    "a clock in a rule": (
        PLAY,
        PLAY.replace("move - 1,", "move - 1 - int(time.time()) * 0,") + "\n\n\nimport time  # noqa: E402",
        Told("purity.source", {"function": "play", "name": "time"}),
    ),
    "bytes of the system in a rule": (
        PLAY,
        PLAY.replace("move - 1,", "move - 1 - 0 * os.urandom(1)[0],") + "\n\n\nimport os  # noqa: E402",
        Told("purity.source", {"function": "play", "name": "os"}),
    ),
    "a variable that a rule changes": (
        "    " + PLAY,
        f"    global played\n    played += 1\n    {PLAY}\n\n\nplayed = 0",
        Told("purity.variable", {"function": "play", "name": "played"}),
    ),
    "a rule with a memory": (
        "return State(state.heap - move - 1, 1 - state.player)",
        "return State(state.heap - move - 1, next(TURNS) % 2)\n\n\nimport itertools  # noqa: E402\n\n"
        "TURNS = itertools.count()",
        Told("purity.again", {"verb": "play"}),
    ),
    "a start by chance": (
        "return State(options",
        "return State(random.randrange(3, 12) + 0 * options",
        Told("purity.source", {"function": "start", "name": "random"}, "mine.py, line "),
    ),
    "a start with a memory": (
        "return State(options",
        "STARTS.append(seed)\n    return State(len(STARTS) % 9 + 3 + 0 * options",
        Told("start.again", {"seed": 0}),
    ),
    "a turn that never changes": (
        PLAY,
        PLAY.replace("1 - state.player", "state.player"),
        Told("seats.idle", {"player": 1}),
    ),
    "a score that goes with the turn": (
        "return 1 if state.heap == 0 and player != state.player else 0",
        "return 5 if player == state.player else 3",
        Told("scores.swap"),
    ),
    "a loser with the higher score": (
        "",
        "\n\n@rule\ndef final_score(state: State, player: int) -> int:\n    return -score(state, player)\n",
        Told("scores.order", {"score": 0, "more": 1}),
    ),
    "a player too many": (
        "return state.player\n",
        "return state.player + 1\n",
        Told("rules.player", {"answer": "2", "last": 1}),
    ),
    "a player that is no int": (
        "return state.player\n",
        "return state.player / 1\n",
        Told("rules.player", {"answer": "0.0"}),
    ),
    "a score that is no int": (
        "return 1 if state.heap",
        "return 1.5 if state.heap",
        Told("rules.score", {"verb": "score", "answer": "1.5"}),
    ),
    "texts that do not tell moves apart": (
        "return str(move + 1)",
        "return 'x'",
        Told("view.same_text", {"first": 0, "code": 1, "text": "x"}),
    ),
    "a text with a blank": ("return str(move + 1)", "return f'take {move}'", Told("view.no_word")),
    "a text that reads back otherwise": ('f"{state.heap} {', 'f"{state.heap // 2 * 2} {', Told("rules.read_otherwise")),
    "a text that cannot be read": ('f"{state.heap} {', 'f"{state.heap}-{', Told("rules.unread", {}, "1 part")),
    "a piece beside the board": (
        'Piece("heap"',
        'Piece("pile"',
        Told("view.no_cell", {"asked": "pieces", "cell": "pile"}),
    ),
    "a piece that is none": (
        "return [Piece",
        'return ["heap"] + [Piece',
        Told("view.no_piece", {"asked": "pieces", "piece": "'heap'"}),
    ),
    "seeds of no colour": ('colour="brown"', 'colour="pink"', Told("view.no_colour", {"colour": "pink"}, "brown")),
    "a story that ends elsewhere": (
        "",
        STORY.replace("pieces(play(state, move))", "pieces(state)"),
        Told("view.ends", {}, "Piece(cell='heap'"),
    ),
    "a story of what is not there": (
        "",
        STORY.replace("move + 1", "99"),
        Told("view.not_there", {"kind": "seeds", "cell": "heap", "to": "", "found": 12}),
    ),
    "a story to no cell": (
        "",
        STORY.replace('(taken, "")', '(taken, "pile")'),
        Told("view.way", {"cell": "heap", "to": "pile"}),
    ),
    "a story with a piece beside the board": (
        "",
        STORY.replace("pieces(play(state, move))", "[Piece('pile', 'disc')]"),
        Told("view.no_cell", {"asked": STAGE, "cell": "pile"}),
    ),
    "a saying that is none": ("", TELL, Told("view.no_saying", {"saying": "'takes'"})),
    "clicks that begin with others": (
        "return [(move_to_text(state, move),)]",
        "return [('1',) * (move + 1)]",
        Told("view.begins"),
    ),
    "a rule that raises": (
        LISTING,
        LISTING + " // (state.heap - 12)",
        Told("asked.raises", {"asked": "legal_moves"}, "ZeroDivisionError: "),
    ),
    "a forgotten @kernel": (
        PLAY,
        PLAY.replace("move - 1,", "taken(move),") + "\n\n\ndef taken(move: int) -> int:\n    return move + 1",
        Told("kernels.plain", {"function": "play", "name": "taken"}),
    ),
    "a list in a rule": (
        PLAY,
        PLAY.replace("move - 1,", "TAKEN[move],") + "\n\n\nTAKEN = [1, 2, 3]",
        Told("kernels.container", {"function": "play", "name": "TAKEN", "kind": "list"}),
    ),
    "a cell misspelt": (
        "(move_to_text(state, move),)",
        '("HEAP", str(move))',
        Told("view.spelling", {"click": "HEAP", "cell": "heap"}),
    ),
}

# What lies beside the game, and what is told.
BESIDE = {
    "words that are no TOML": ("words/fr.toml", "title: Bâtonnets\n", Told("texts.no_toml", {}, "fr.toml")),
    "a number among the words": (
        "words/en.toml",
        "[player]\n1 = 2\n",
        Told("texts.no_texts", {"name": "player.1", "entry": "2"}, "en.toml"),
    ),
    "a word that nothing asks for": (
        "words/fr.toml",
        'sumary = "Prenez."\n',
        Told("texts.unasked", {"text": "sumary", "hint": say("did_you_mean", choice="summary")}, "fr.toml"),
    ),
    "a parameter in words that does not exist": (
        "words/fr.toml",
        '[parameter.heaps]\ntitle = "Tas"\n',
        Told("texts.unasked", {"hint": say("did_you_mean", choice="parameter.heap.title")}),
    ),
    "a parameter of a text misspelt": (
        "words/fr.toml",
        '[story]\npasses = "{playr} passe."\n',
        Told(
            "texts.parameter",
            {"text": "story.passes", "name": "playr", "hint": say("did_you_mean", choice="player"), "given": "player"},
            "fr.toml",
        ),
    ),
    "a score without its number": (
        "words/en.toml",
        'counted = { one = "{count} stick", many = "{number} sticks" }\n',
        Told("texts.parameter", {"text": "counted", "name": "number", "given": "count"}),
    ),
    "a page with a bad position": (
        "rules.en.md",
        "![All](<position:99 1?game=GAME>)\n",
        Told("texts.picture", {}, "rules.en.md"),
    ),
    "a page with a bad address": ("rules.fr.md", "![Tout](heap.png)\n", Told("texts.picture", {}, "rules.fr.md")),
}

# What kills or blocks a process, and what is told.
DEADLY = {
    "a loop without end": (
        "return state.heap == 0",
        "while state.heap == 5:\n        pass\n    return state.heap == 0",
        Told("apart.silent", {"seconds": 3.0}, "asking its rules in plain Python"),
    ),
    "a recursion without end": (
        "return state.player\n",
        "return to_move(state)\n",
        Told("asked.raises", {"asked": "to_move"}, "RecursionError: "),
    ),
    "a rule that exits": (
        "return state.heap == 0",
        "import os\n\n    return state.heap == 0 or os._exit(3)",
        Told("apart.exited", {"code": 3}),
    ),
    "a crash": (
        "return state.heap == 0",
        "import ctypes\n\n    return state.heap == 0 and ctypes.string_at(0) == b''",
        Told("apart.crashed", {"signal": "SIGSEGV"}),
    ),
}


def write(folder: Path, text: str) -> str:
    """A game in a folder; returns its path."""
    file = folder / "mine.py"
    file.write_text(text, encoding="utf-8")
    return str(file)


def edited(before: str, after: str) -> str:
    """The tiny game with something replaced in it, or added at its end if nothing is."""
    text = take_away.source()
    assert before in text
    edited = text.replace(before, after) if before else text + after
    # What only some of the edits need.
    needed = {"random.randrange": "import random\n", "STARTS": "STARTS: list[int] = []\n"}
    extra = "".join(line for word, line in needed.items() if word in edited and "import random" not in edited)
    return edited.replace("MOST = 3\n", f"{extra}MOST = 3\n")


def write_beside(folder: Path, name: str, text: str) -> str:
    """The tiny game, in order, and a file beside it; returns its path."""
    game = write(folder, take_away.source())
    file = folder / f"mine.{name}"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text.replace("GAME", game), encoding="utf-8")
    return game
