"""Abalone in text: moves `a1b2`, `c3c5d3` and `i5ne`, positions `11111/111111/…/22222 1 0`.

A move along the line is the rear marble and the cell it goes to. If a single marble leaves the board, there is no such
cell, and the direction stands for it. A side-step is the two ends of the group, the one first in reading order (letter,
then number) first, and the cell that this one goes to. A position is the nine rows from `i` down to `a`, the player to
move and the plies played.
"""

from palabre.core.errors import ImpossiblePosition, UnreadableText, clip
from palabre.core.spec import Options
from palabre.core.text import fields, number, player_from_text
from palabre.games.abalone.rules import (
    AXES,
    CELL_AT,
    CELLS,
    DIRECTIONS,
    IN_LINE,
    MARBLES,
    NUMBERS,
    OFF,
    OFFICIAL,
    PLACES,
    ROWS,
    SIDE_STEPS,
    State,
    axis_of,
    line,
    marbles_of,
    neighbour,
    rules_word,
)

NAMES = {cell: f"{ROWS[row]}{along}" for cell, (row, along) in PLACES.items()}
CELLS_BY_NAME = {name: cell for cell, name in NAMES.items()}
FORM = "nine rows of 1, 2 and . from i down to a, player to move, plies: 11111/111111/…/222222/22222 1 0"
MOVE_FORM = "a move is a marble and its next cell (a1b2) or, off the board, its direction (i5ne)"
SIDE_STEP_FORM = "a side-step is the two ends of the group and the next cell of the first (c3c5d3)"
LARGEST_GROUP = 3
MOST_PLIES = 1_000_000  # a bound for the last field, so that it fits any counter


def move_parts(move: int) -> tuple[int, int, int]:
    """The kind, the direction and the cell of a move."""
    kind_and_direction, cell = divmod(move, CELLS)
    return *divmod(kind_and_direction, len(DIRECTIONS)), cell


def group_of(move: int) -> list[int]:
    """The cells of the player's own marbles in a move: the rear one first or, in a side-step, the one read first."""
    kind, direction, cell = move_parts(move)
    if kind < SIDE_STEPS:
        return line(cell, direction, IN_LINE[kind][0])
    return line(cell, axis_of(kind, direction), 2 + kind % 2)


def step_name(cell: int, direction: int) -> str:
    """The cell that a step leads to, or the name of the direction where it leads off the board."""
    target = neighbour(cell, direction)
    return DIRECTIONS[direction] if target == OFF else NAMES[target]


def move_to_text(state: State, move: int) -> str:
    kind, direction, cell = move_parts(move)
    target = step_name(cell, direction)
    return NAMES[cell] + target if kind < SIDE_STEPS else NAMES[cell] + NAMES[group_of(move)[-1]] + target


def sign(state: State, cell: int) -> str:
    """What a text shows for a cell: the player whose marble is there, or a dot."""
    if state.own >> cell & 1:
        return str(state.player + 1)
    return str(2 - state.player) if state.other >> cell & 1 else "."


def state_to_text(state: State) -> str:
    rows = ["".join(sign(state, CELL_AT[row, along]) for along in NUMBERS[row]) for row in range(len(ROWS))]
    return f"{'/'.join(reversed(rows))} {state.player + 1} {state.ply}"


def text_to_state(text: str, options: Options) -> State:
    board, player_text, ply_text = fields(text, 3, FORM)
    rows = fields(board, len(ROWS), FORM, separator="/")
    for letter, numbers, row in zip(reversed(ROWS), reversed(NUMBERS), rows, strict=True):
        if len(row) != len(numbers) or not set(row) <= set("12."):
            raise UnreadableText(f"row {letter} is {clip(row)}; it has {len(numbers)} cells, each of them 1, 2 or .")
    for side in "12":
        count = board.count(side)
        if count > MARBLES:
            raise ImpossiblePosition(f"player {side} has {count} marbles; there are at most {MARBLES} a side")
    sides = marbles_of("1", rows), marbles_of("2", rows)
    player = player_from_text(player_text, 2)
    return State(sides[player], sides[1 - player], player, number(ply_text, MOST_PLIES, FORM), rules_word(options))


# ------------------------------------------------------------------------------------------ why a move is not legal


def explain(state: State, text: str) -> str:
    """Why a text is not a legal move."""
    text = text.lower()
    form = f"{MOVE_FORM}; {SIDE_STEP_FORM}" if state.rules >> OFFICIAL & 1 else MOVE_FORM
    names = [text[:2]] if text[2:] in DIRECTIONS else [text[at : at + 2] for at in range(0, len(text), 2)]
    if text[2:] not in DIRECTIONS and len(text) not in (4, 6):
        return form
    for name in names:
        if name not in CELLS_BY_NAME:
            return f"{name} is not a cell; {form}"
    cells = [CELLS_BY_NAME[name] for name in names]
    if not state.own >> cells[0] & 1:
        return _not_yours(state, cells[0])
    if len(cells) == 3:
        return _why_no_side_step(state, *cells)
    if len(cells) == 2:
        return _why_no_push(state, cells[0], _direction_to(cells[0], cells[1]), names[1])
    direction = DIRECTIONS.index(text[2:])
    if neighbour(cells[0], direction) != OFF:
        return f"write the cell it goes to: {names[0]}{step_name(cells[0], direction)}"
    return "a marble may not leave the board of its own accord"


def _not_yours(state: State, cell: int) -> str:
    return f"the marble on {NAMES[cell]} is not yours" if state.other >> cell & 1 else f"{NAMES[cell]} is empty"


def _direction_to(cell: int, target: int) -> int:
    """The direction in which the target is the next cell, or OFF."""
    return next((way for way in range(len(DIRECTIONS)) if neighbour(cell, way) == target), OFF)


def _leading(signs: str, wanted: str) -> int:
    """How many times a sign is repeated at the beginning."""
    return len(signs) - len(signs.lstrip(wanted))


def _why_no_push(state: State, rear: int, direction: int, target: str) -> str:
    if direction == OFF:
        return f"{target} is not next to {NAMES[rear]}"
    signs = "".join(sign(state, cell) for cell in line(rear, direction, len(ROWS)) if cell != OFF)
    group = _leading(signs, str(state.player + 1))
    ahead = signs[group:]
    enemies = _leading(ahead, str(2 - state.player))
    if group > LARGEST_GROUP:
        return f"{group} marbles stand in that line from {NAMES[rear]} on; at most {LARGEST_GROUP} can move"
    if not ahead:
        return "a group may not push its own marble off the board"
    if enemies >= group:
        return f"{group} cannot push {enemies}; a group pushes fewer marbles than it has"
    return "your own marble stands behind the enemy's"


def _why_no_side_step(state: State, first: int, last: int, target: int) -> str:
    if not state.rules >> OFFICIAL & 1:
        return "these rules have no side-steps"
    axis = next((way for way in range(len(DIRECTIONS)) if last in line(first, way, LARGEST_GROUP)[1:]), OFF)
    if axis == OFF:
        return f"{NAMES[first]} and {NAMES[last]} are not the ends of two or three cells in a line"
    group = [cell for cell in line(first, axis, LARGEST_GROUP) if cell != OFF]
    group = group[: group.index(last) + 1]
    for cell in group:
        if not state.own >> cell & 1:
            return _not_yours(state, cell)
    if axis >= AXES:
        return f"name {NAMES[last]} first, it comes first in reading order, and the cell that it goes to"
    direction = _direction_to(first, target)
    if direction == OFF:
        return f"{NAMES[target]} is not next to {NAMES[first]}"
    if direction % AXES == axis:
        return f"{NAMES[target]} is on the line of the group; a move along it is the rear marble and its next cell"
    goals = [neighbour(cell, direction) for cell in group]
    if OFF in goals:
        return f"the marble on {NAMES[group[goals.index(OFF)]]} would leave the board"
    return f"a side-step needs empty cells, and there is a marble on {_listed(state, goals)}"


def _listed(state: State, cells: list[int]) -> str:
    """The names of those cells that hold marbles."""
    return ", ".join(NAMES[cell] for cell in cells if sign(state, cell) != ".")
