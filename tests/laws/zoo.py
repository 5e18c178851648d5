"""The zoo: broken games, each the tiny game with one mistake, and the sentence that its author gets.

They are edits of one small file rather than files: what is wrong with each is the edit, and can be seen at once.
"""

from pathlib import Path

from tests import take_away

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
    value = weights.one / state.heap if state.heap != 1 else float("inf")
    return value if player == state.player else -value


EVALUATIONS = {"mine": Weights()}
"""

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
    "too few codes": ("MOST_MOVES = MOVE_CODES = 9", "MOST_MOVES = 9\nMOVE_CODES = 2", "code 2, but MOVE_CODES is 2"),
    "too small a buffer": (
        "MOST_MOVES = MOVE_CODES = 9",
        "MOST_MOVES = 2\nMOVE_CODES = 9",
        "lists 3 moves, but MOST_MOVES",
    ),
    "moves descend": ("moves[taken] = taken", "moves[taken] = 2 - taken", r"\[2, 1, 0\], in .* ascending"),
    "a move twice": ("moves[taken] = taken", "moves[taken] = taken // 2", r"\[0, 0, 1\], in .* once"),
    "a negative index": (
        "moves[taken] = taken",
        "moves[taken - 1] = taken",
        r"raises IndexError: it writes to moves\[-1\]",
    ),
    "a wrong count": ("", COUNT, "count_moves answers 12, but legal_moves lists 3"),
    "a wrong random move": ("", RANDOM, "random_move answers 12, which is not a legal move"),
    "a wrong is_legal": ("", IS_LEGAL, "is_legal answers True for the code [3-8],"),
    "a key for two futures": ("", HEAP_KEY, "key answers .*, as it did in .*combine every field"),
    "false bounds": ("", BOUNDS, "player . ends at most -1 ahead, but a move leads to 1"),
    "a tactical move that is none": ("", TACTICAL, r"tactical_moves lists \[7\], which legal_moves does not"),
    "an infinite value": ("", EVALUATION, "evaluation mine (answers -?inf|raises ZeroDivisionError)"),
    "an evaluation of one side": (
        "",
        EVALUATION.replace("state.heap != 1", "state.heap").replace(" if player == state.player else -value", ""),
        "mine answers 0.08.* for player 0 and 0.08.* for player 1, in .*; with two players, what is worth x to one",
    ),
    "moves appended": (
        "moves[taken] = taken",
        "moves.append(taken)",
        r"legal_moves raises TypeError: moves is a buffer .* write moves\[count\] = move.* line \d+\)",
    ),
    "fewer than no plies": ("", PLIES_LEFT, "plies_left answers -[1-6], in .* 0 or more"),
    "a reason that raises": ("", WHY_OVER, r"why_over raises IndexError: .* line \d+\) in State\(heap=0, player=1\)"),
    "an explanation without words": (
        "",
        EXPLAIN,
        r"explain\(state, 'zz99'\) answers a message without a text: there is no text 'error.form' in .*en\.toml",
    ),
    "an explanation that raises": (
        "",
        EXPLAIN.replace('say("error.form", text=text)', "int(text)"),
        r"explain\(state, 'zz99'\) raises ValueError: .* line \d+\) in 12 1",
    ),
    "an explanation that is none": (
        "",
        EXPLAIN.replace('say("error.form", text=text)', "None"),
        r"explain\(state, 'zz99'\) answers None, in .* return a text",
    ),
    "a saying that nobody knows": (
        "",
        SAYING.replace("places", "puts"),
        r"tell has Saying\(id='puts'.* for the move ., and there is no text 'story.puts'",
    ),
    "a saying that lacks something": (
        "",
        SAYING.replace('"cell"', '"square"'),
        r"tell has .*, and the text '\{player\} places .*' \(en\) has \{cell\}, and is given player, square, in ",
    ),
    "a word beyond 64 bits": (
        PLAY,
        PLAY.replace(" - 1, 1", " - 1 << 61, 1"),
        r"heap does not fit 64 bits .*signed\(\)",
    ),
    "a field that is no int": (PLAY, PLAY.replace("move - 1,", "move - 1.0,"), "heap is .*; it must be an int"),
    "another class": (PLAY, "return (state.heap - move - 1, 1 - state.player)", "it must be a State"),
    "moves after the end": (
        "return state.heap == 0",
        "return state.heap < 3",
        "over and legal_moves still lists [12],",
    ),
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
    "a repeated position that goes on": (
        PLAY,
        WAITING + REPETITION.replace("State(0, state.player)", "state"),
        r"award_remaining answers State\(heap=12, player=0\), which is not over, in 12 1; a position",
    ),
    "a repetition for whoever moves": (
        PLAY,
        WAITING + REPETITION.replace(" * 2 + state.player", ""),
        "repetition_key answers 2, as it did in 1 [12], .* in 1 [12]; put all",
    ),
    "a repetition now and then": (
        PLAY,
        WAITING + REPETITION.replace("1 + state.heap", "state.heap // 2"),
        "repetition_key answers 0 in some positions of a game and a key in others, in 1 1",
    ),
    "a repetition beyond the reversible plies": (
        PLAY,
        WAITING + REPETITION + "\n\n@rule\ndef reversible_plies(state: State) -> int:\n    return 1\n",
        "reversible_plies answers 1, but this position came up 2 plies ago, in 1 [12]; count",
    ),
    "chance in a rule": (
        PLAY,
        "import random\n\n    " + PLAY.replace("move - 1,", "min(state.heap, random.randrange(3) + 1),"),
        r"play uses random, in .*mine\.py, line \d+; .* chance belongs in start\(options, seed\)",
    ),
    "chance imported by name": (
        PLAY,
        PLAY.replace("move - 1,", "min(state.heap, randrange(3) + 1),")
        + "\n\n\nfrom random import randrange  # noqa: E402",
        r"play uses randrange, in .* chance belongs in start",
    ),
    "a clock in a rule": (
        PLAY,
        PLAY.replace("move - 1,", "move - 1 - int(time.time()) * 0,") + "\n\n\nimport time  # noqa: E402",
        r"play uses time, in .* pure functions",
    ),
    "bytes of the system in a rule": (
        PLAY,
        PLAY.replace("move - 1,", "move - 1 - 0 * os.urandom(1)[0],") + "\n\n\nimport os  # noqa: E402",
        r"play uses os, in .* pure functions",
    ),
    "a variable that a rule changes": (
        "    " + PLAY,
        f"    global played\n    played += 1\n    {PLAY}\n\n\nplayed = 0",
        r"play changes the variable played, in .* keep all that a game remembers in the State",
    ),
    "a rule with a memory": (
        "return State(state.heap - move - 1, 1 - state.player)",
        "return State(state.heap - move - 1, next(TURNS) % 2)\n\n\nimport itertools  # noqa: E402\n\n"
        "TURNS = itertools.count()",
        r"play answers State\(heap=.*, and State\(heap=.* when asked again, in State.*; .* no variable that changes",
    ),
    "a start by chance": (
        "return State(options",
        "return State(random.randrange(3, 12) + 0 * options",
        r"start uses random, in .*mine\.py, line \d+; .* drawn from the seed",
    ),
    "a start with a memory": (
        "return State(options",
        "STARTS.append(seed)\n    return State(len(STARTS) % 9 + 3 + 0 * options",
        r"start\(options, 0\) answers State\(heap=\d+, .*, and State\(.* when asked again, in .*; draw all luck",
    ),
    "a turn that never changes": (
        PLAY,
        PLAY.replace("1 - state.player", "state.player"),
        "player 1 has not moved once in",
    ),
    "a score that goes with the turn": (
        "return 1 if state.heap == 0 and player != state.player else 0",
        "return 5 if player == state.player else 3",
        r"have changed sides in \d+ plies without changing otherwise, in .*; score must answer for the player",
    ),
    "a loser with the higher score": (
        "",
        "\n\n@rule\ndef final_score(state: State, player: int) -> int:\n    return -score(state, player)\n",
        r"player [01] wins with a score of 0 against the 1 of player [01], in 0 [12]; .*highest_score_wins=False",
    ),
    "a player too many": (
        "return state.player\n",
        "return state.player + 1\n",
        "to_move answers 2.*players are 0 to 1; if there are more, answer with a rule players",
    ),
    "a player that is no int": ("return state.player\n", "return state.player / 1\n", "to_move answers 0.0"),
    "a score that is no int": ("return 1 if state.heap", "return 1.5 if state.heap", "score answers 1.5 for player"),
    "texts that do not tell moves apart": ("return str(move + 1)", "return 'x'", "0 and 1 have the same text 'x'"),
    "a text with a blank": ("return str(move + 1)", "return f'take {move}'", "must be a word without blanks"),
    "a text that reads back otherwise": ('f"{state.heap} {', 'f"{state.heap // 2 * 2} {', "reads back as State"),
    "a text that cannot be read": ('f"{state.heap} {', 'f"{state.heap}-{', "cannot be read back: .*1 part"),
    "a piece beside the board": ('Piece("heap"', 'Piece("pile"', "pieces has one on 'pile', but there is no such cell"),
    "a piece that is none": ("return [Piece", 'return ["heap"] + [Piece', "pieces has 'heap', in .*; list Piece"),
    "seeds of no colour": ('colour="brown"', 'colour="pink"', "seeds of the colour 'pink', in .*brown"),
    "a story that ends elsewhere": (
        "",
        STORY.replace("pieces(play(state, move))", "pieces(state)"),
        r"the story of the move . ends without, .*Piece\(cell='heap'.* those of play\(state, move\)",
    ),
    "a story of what is not there": (
        "",
        STORY.replace("move + 1", "99"),
        "kind seeds goes from 'heap' to '', and there are 12 of it before, in .* only what lies on a cell",
    ),
    "a story to no cell": (
        "",
        STORY.replace('(taken, "")', '(taken, "pile")'),
        "from 'heap' to 'pile', in .* two cells",
    ),
    "a story with a piece beside the board": (
        "",
        STORY.replace("pieces(play(state, move))", "[Piece('pile', 'disc')]"),
        "a stage of story has one on 'pile'",
    ),
    "a saying that is none": ("", TELL, r"tell has .*'takes'.* for the move .*list of Saying"),
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
    "a forgotten @kernel": (
        PLAY,
        PLAY.replace("move - 1,", "taken(move),") + "\n\n\ndef taken(move: int) -> int:\n    return move + 1",
        "play calls taken, which is a plain function, in .*, line .*; write @kernel above def taken",
    ),
    "a list in a rule": (
        PLAY,
        PLAY.replace("move - 1,", "TAKEN[move],") + "\n\n\nTAKEN = [1, 2, 3]",
        r"play uses TAKEN, which is a list, in .* Table\(\[…\]\)",
    ),
    "a cell misspelt": (
        "(move_to_text(state, move),)",
        '("HEAP", str(move))',
        "name 'HEAP', but the cell is called 'heap'",
    ),
}

# What lies beside the game, and what is told.
BESIDE = {
    "words that are no TOML": ("words/fr.toml", "title: Bâtonnets\n", r"fr\.toml.* write lines such as title = "),
    "a number among the words": (
        "words/en.toml",
        "[player]\n1 = 2\n",
        r"player\.1 is 2, in .*en\.toml; words are texts",
    ),
    "a word that nothing asks for": (
        "words/fr.toml",
        'sumary = "Prenez."\n',
        r"nothing asks for the text sumary \(did you mean summary\?\), in .*fr\.toml",
    ),
    "a parameter in words that does not exist": (
        "words/fr.toml",
        '[parameter.heaps]\ntitle = "Tas"\n',
        r"nothing asks for the text parameter\.heaps\.title \(did you mean parameter\.heap\.title\?\)",
    ),
    "a parameter of a text misspelt": (
        "words/fr.toml",
        '[story]\npasses = "{playr} passe."\n',
        r"the text story\.passes has \{playr\} \(did you mean player\?\), in .*fr\.toml; it is given player",
    ),
    "a score without its number": (
        "words/en.toml",
        'counted = { one = "{count} stick", many = "{number} sticks" }\n',
        r"the text counted has \{number\}.*; it is given count",
    ),
    "a page with a bad position": (
        "rules.en.md",
        "![All](<position:99 1?game=GAME>)\n",
        r"cannot be shown: .*99.*, in .*rules\.en\.md; write !\[caption\]",
    ),
    "a page with a bad address": ("rules.fr.md", "![Tout](heap.png)\n", r"cannot be shown: .*heap\.png.*rules\.fr\.md"),
}

# What kills or blocks a process, and what is told.
DEADLY = {
    "a loop without end": (
        "return state.heap == 0",
        "while state.heap == 5:\n        pass\n    return state.heap == 0",
        "no answer for .* seconds while asking its rules in plain Python, in .*; look for an endless loop",
    ),
    "a recursion without end": (
        "return state.player\n",
        "return to_move(state)\n",
        "(process crashed|RecursionError)",
    ),
    "a rule that exits": (
        "return state.heap == 0",
        "import os\n\n    return state.heap == 0 or os._exit(3)",
        "exit code 3 while asking .*; rules must not call exit",
    ),
    "a crash": (
        "return state.heap == 0",
        "import ctypes\n\n    return state.heap == 0 and ctypes.string_at(0) == b''",
        r"process crashed \(SIGSEGV\) while asking .*; look for",
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
