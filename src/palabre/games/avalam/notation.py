"""Avalam in text: moves `c1d2`, positions `..Aa...../.AaAa..../…/.....aA.. 1`.

A position is the nine rows from the top, `A`–`E` a tower of player 1 of height 1–5, `a`–`e` one of player 2, `.` no
tower, and the player to move. An impossible position is refused: counters stay on the board, so the heights add up to
48, and no player has more towers than their 24 counters can top. Nothing else about the counters can be checked, since
a text does not say which colours lie below the top. Any player to move is accepted, even if the number of moves played
says otherwise.
"""

from palabre.author import ImpossiblePosition, Message, Options, UnreadableText, fields, own_words, player_from_text
from palabre.games.avalam.rules import (
    COUNTERS,
    HIGHEST,
    ORIGIN,
    PLACES,
    PLAYER,
    START,
    TARGET,
    State,
    height,
    official,
    owner,
    rules_bit,
    to_move,
)

say = own_words(__file__)

COLUMNS = "abcdefghi"
ROWS = "123456789"
NAMES = {cell: COLUMNS[column] + ROWS[row] for cell, (column, row) in PLACES.items()}
CELLS = {name: cell for cell, name in NAMES.items()}
LETTERS = (".ABCDE", ".abcde")  # of a player's towers, by height
TOWERS = {letter: (player, LETTERS[player].index(letter)) for player in (0, 1) for letter in LETTERS[player][1:]}
EACH = COUNTERS // 2
FORM = say("form", start=START)


def move_to_text(state: State, move: int) -> str:
    """The cell that a tower leaves and the one it lands on."""
    return NAMES[ORIGIN[move]] + NAMES[TARGET[move]]


def state_to_text(state: State) -> str:
    board = [["."] * len(COLUMNS) for _ in ROWS]
    for cell, (column, row) in PLACES.items():
        board[row][column] = LETTERS[owner(state, cell)][height(state, cell)]
    return f"{'/'.join(''.join(row) for row in board)} {to_move(state) + 1}"


def text_to_state(text: str, options: Options) -> State:
    board, player_text = fields(text, 2, FORM)
    towers = _towers(board)
    total = sum(tall for _, tall in towers.values())
    if total != COUNTERS:
        raise ImpossiblePosition(say("error.total", total=total, counters=COUNTERS))
    for player in (0, 1):
        count = sum(top == player for top, _ in towers.values())
        if count > EACH:
            raise ImpossiblePosition(say("error.too_many_towers", player=player + 1, towers=count, most=EACH))
    ones, twos, fours = (sum((tall >> digit & 1) << cell for cell, (_, tall) in towers.items()) for digit in range(3))
    tops = sum(top << cell for cell, (top, _) in towers.items())
    return State(ones, twos, fours, tops | player_from_text(player_text, 2) << PLAYER | rules_bit(options))


def _towers(board: str) -> dict[int, tuple[int, int]]:
    """The owner and the height of each tower, by cell."""
    towers = {}
    for row, letters in zip(ROWS, fields(board, len(ROWS), FORM, separator="/"), strict=True):
        if len(letters) != len(COLUMNS):
            raise UnreadableText(say("error.row", row=row, letters=letters, length=len(letters), form=FORM))
        for column, letter in zip(COLUMNS, letters, strict=True):
            name = column + row
            if letter == ".":
                continue
            if letter not in TOWERS:
                raise UnreadableText(say("error.letter", letter=letter, cell=name, form=FORM))
            if name not in CELLS:
                raise ImpossiblePosition(say("error.tower_off_board", cell=name))
            towers[CELLS[name]] = TOWERS[letter]
    return towers


def explain(state: State, text: str) -> Message:
    """Why a text is not a legal move."""
    names = text[:2].lower(), text[2:].lower()
    for name in names:
        if len(name) != 2 or name[0] not in COLUMNS or name[1] not in ROWS:
            return say("error.form")
        if name not in CELLS:
            return say("error.no_cell", cell=name)
    origin, target = CELLS[names[0]], CELLS[names[1]]
    for name, cell in zip(names, (origin, target), strict=True):
        if height(state, cell) == 0:
            return say("error.no_tower", cell=name)
    return _why_not(state, origin, target)


def _why_not(state: State, origin: int, target: int) -> Message:
    """Why one tower may not go onto another."""
    (column, row), (other_column, other_row) = PLACES[origin], PLACES[target]
    if max(abs(column - other_column), abs(row - other_row)) != 1:
        return say("error.not_adjacent", target=NAMES[target], origin=NAMES[origin])
    if not official(state) and owner(state, origin) != to_move(state):
        return say("error.not_yours", cell=NAMES[origin])
    if not official(state) and owner(state, target) == to_move(state):
        return say("error.yours", cell=NAMES[target])
    together = height(state, origin) + height(state, target)
    return say("error.too_high", height=together, most=HIGHEST)


def why_over(state: State) -> Message:
    """Why the game has ended: there is only one way."""
    return say("over.no_moves")
