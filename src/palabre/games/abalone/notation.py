"""Abalone in text: moves `a1b2`, `c3c5d3` and `i5ne`, positions `11111/111111/…/22222 1 0`.

A move along the line is the rear marble and the cell it goes to. If a single marble leaves the board, there is no such
cell, and the direction stands for it. A side-step is the two ends of the group, the one first in reading order (letter,
then number) first, and the cell that this one goes to. A position is the nine rows from `i` down to `a`, the player to
move and the plies played.
"""

from palabre.author import (
    ImpossiblePosition,
    Message,
    Options,
    UnreadableText,
    fields,
    listing,
    number,
    own_words,
    player_from_text,
    popcount,
    the_player,
)
from palabre.games.abalone.rules import (
    AXES,
    BEATEN,
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
    TURNS,
    State,
    axis_of,
    line,
    marbles_of,
    neighbour,
    rules_word,
)

say = own_words(__file__)

NAMES = {cell: f"{ROWS[row]}{along}" for cell, (row, along) in PLACES.items()}
CELLS_BY_NAME = {name: cell for cell, name in NAMES.items()}
FORM = say("form")
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
            raise UnreadableText(say("error.row", letter=letter, row=row, cells=len(numbers)))
    for side in "12":
        count = board.count(side)
        if count > MARBLES:
            raise ImpossiblePosition(say("error.too_many_marbles", player=int(side), marbles=count, most=MARBLES))
    sides = marbles_of("1", rows), marbles_of("2", rows)
    player = player_from_text(player_text, 2)
    return State(sides[player], sides[1 - player], player, number(ply_text, MOST_PLIES, FORM), rules_word(options))


# ------------------------------------------------------------------------------------------ why a move is not legal


def explain(state: State, text: str) -> Message:
    """Why a text is not a legal move."""
    text = text.lower()
    form = say("error.form_official" if state.rules >> OFFICIAL & 1 else "error.form_course")
    names = [text[:2]] if text[2:] in DIRECTIONS else [text[at : at + 2] for at in range(0, len(text), 2)]
    if text[2:] not in DIRECTIONS and len(text) not in (4, 6):
        return form
    for name in names:
        if name not in CELLS_BY_NAME:
            return say("error.no_cell", name=name, form=form)
    cells = [CELLS_BY_NAME[name] for name in names]
    if not state.own >> cells[0] & 1:
        return _not_yours(state, cells[0])
    if len(cells) == 3:
        return _why_no_side_step(state, *cells)
    if len(cells) == 2:
        return _why_no_push(state, cells[0], _direction_to(cells[0], cells[1]), names[1])
    direction = DIRECTIONS.index(text[2:])
    if neighbour(cells[0], direction) != OFF:
        return say("error.write_cell", move=names[0] + step_name(cells[0], direction))
    return say("error.leaves_board")


def _not_yours(state: State, cell: int) -> Message:
    return say("error.not_yours" if state.other >> cell & 1 else "error.empty_cell", cell=NAMES[cell])


def _direction_to(cell: int, target: int) -> int:
    """The direction in which the target is the next cell, or OFF."""
    return next((way for way in range(len(DIRECTIONS)) if neighbour(cell, way) == target), OFF)


def _leading(signs: str, wanted: str) -> int:
    """How many times a sign is repeated at the beginning."""
    return len(signs) - len(signs.lstrip(wanted))


def _why_no_push(state: State, rear: int, direction: int, target: str) -> Message:
    if direction == OFF:
        return say("error.not_adjacent", target=target, cell=NAMES[rear])
    signs = "".join(sign(state, cell) for cell in line(rear, direction, len(ROWS)) if cell != OFF)
    group = _leading(signs, str(state.player + 1))
    ahead = signs[group:]
    enemies = _leading(ahead, str(2 - state.player))
    if group > LARGEST_GROUP:
        return say("error.long_line", marbles=group, cell=NAMES[rear], most=LARGEST_GROUP)
    if not ahead:
        return say("error.pushes_own_off")
    if enemies >= group:
        return say("error.too_weak", group=group, enemies=enemies)
    return say("error.own_marble_behind")


def _why_no_side_step(state: State, first: int, last: int, target: int) -> Message:
    if not state.rules >> OFFICIAL & 1:
        return say("error.no_side_steps")
    axis = next((way for way in range(len(DIRECTIONS)) if last in line(first, way, LARGEST_GROUP)[1:]), OFF)
    if axis == OFF:
        return say("error.not_the_ends", first=NAMES[first], last=NAMES[last])
    group = [cell for cell in line(first, axis, LARGEST_GROUP) if cell != OFF]
    group = group[: group.index(last) + 1]
    for cell in group:
        if not state.own >> cell & 1:
            return _not_yours(state, cell)
    if axis >= AXES:
        return say("error.reading_order", cell=NAMES[last])
    direction = _direction_to(first, target)
    if direction == OFF:
        return say("error.not_adjacent", target=NAMES[target], cell=NAMES[first])
    if direction % AXES == axis:
        return say("error.on_the_line", target=NAMES[target])
    goals = [neighbour(cell, direction) for cell in group]
    if OFF in goals:
        return say("error.would_leave", cell=NAMES[group[goals.index(OFF)]])
    return say("error.not_empty", cells=listing(NAMES[cell] for cell in goals if sign(state, cell) != "."))


# ---------------------------------------------------------------------------------------------- why the game has ended


def why_over(state: State) -> Message:
    """Why the game has ended."""
    for marbles in (state.own, state.other):
        if popcount(marbles) <= BEATEN:
            return say("over.marbles", marbles=MARBLES - popcount(marbles))
    turns = state.rules & TURNS
    return (
        say("over.plies", count=turns) if state.ply >= turns else say("over.blocked", player=the_player(state.player))
    )
