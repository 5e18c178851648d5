"""What a board looks like and what a move does to it, as facts: nothing here, and nothing in a `view.py`, draws.

A game's `view.py` states the facts. The terminal, pictures, reports and the browser draw any game from them. It has

- `cells(options)`: the cells, each with a name, a place (x to the right, y down, neighbours about 1 apart) and a shape;
- `pieces(state)`: what lies on the cells;
- `clicks(state, move)`: the paths of clicks that enter a move. A click is the name of a cell, or any other word,
  which is then shown as a button. No path may be the beginning of another move's.

It may also say more, and the board looks and moves better for it:

- `BOARD`: what the board is made of, a `Board`;
- `story(state, move)`: the stages in which a move happens, so that it can be shown in motion. The pieces after the last
  stage are `pieces` of the next state. Without it, pieces that are gone here and new there are taken to have moved;
- `tell(state, move)`: what the move does, as `Saying`s that are put into words elsewhere.

The sayings, with their words in English. `player` is a number from 0, `cell`, `origin`, `target` and `cells` are names
of cells, `things` is what is counted: seeds, marbles, fish, and `colours` are messages such as "3 red seeds".

| id | parameters | in words |
|---|---|---|
| `plays` | player, move | {player} plays {move}. (of any game without sayings of its own) |
| `passes` | player | {player} passes. |
| `places` | player, cell | {player} places a piece on {cell}. |
| `moves` | player, origin, target | {player} moves from {origin} to {target}. |
| `steps` | player, count, things, cells | {player} moves {count} {things} to {cells}. |
| `sows` | player, cell, count, things | {player} sows {count} {things} from {cell}. |
| `takes` | player, count, things, cells | {player} takes {count} {things} from {cells}. |
| `sows_colours` | player, cell, colours | {player} sows {colours} from {cell}. |
| `takes_colours` | player, cells, colours | {player} takes {colours} from {cells}. |
| `takes_nothing` | player, count, things | {player} may not take all {count} {things}, and takes nothing. |
| `pushes` | player, count, things, cells | {player} pushes {count} {things} to {cells}. |
| `pushes_off` | player, cell, things | {player} pushes one of the {things} off the board from {cell}. |
| `drops` | player, cell, things | {player} drops one of their own {things} off the board from {cell}. |
| `stacks` | player, origin, target, height | {player} makes a tower of {height} on {target}. |
| `gives` | player, cell | The piece on {cell} is {player}'s. |
| `settles` | player, cell | The piece of {player} on {cell} can never change again. |
| `skipped` | player | {player} cannot move and is skipped. |
| `collects` | player, count, things | {player} collects what is left: {count} {things}. |
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

Shape = Literal["circle", "hexagon", "square"]
Material = Literal["plain", "wood", "slate", "ice", "felt"]
Direction = Literal["", "clockwise", "counter-clockwise"]
# What the players' pieces look like by default; one for each of MAX_PLAYERS.
PLAYER_COLOURS = ("amber", "blue", "green", "purple", "red", "grey", "sky", "pink")
ALL_PLAYER_COLOURS = (*PLAYER_COLOURS, "black", "white")
SEED_COLOURS = ("red", "blue", "clear", "brown", "silver", "mixed")

Clicks = tuple[str, ...]  # a path of clicks: names of cells, or other words, which become buttons


@dataclass(frozen=True)
class Cell:
    """A place on the board, or a store beside it."""

    name: str
    x: float
    y: float
    shape: Shape = "circle"
    owner: int | None = None  # the player it belongs to, where cells belong to players
    size: float = 1.0  # width, in units of x and y
    label: str = ""  # what to write beside it; if it is empty, its name
    store: bool = False  # a rectangle for what its owner has taken; the terminal shows the score instead
    height: float = 0.0  # of a store, in units of x and y; if it is 0, its width


class Piece(NamedTuple):
    """Something on a cell. A kind that is not known is drawn as a disc with its text.

    disc: a counter of a player, with an optional text on it.
    marble: a ball of a player.
    tower: counters of a player, `height` of them one on the other.
    penguin: a penguin of a player.
    seeds: a number of small equal things of one colour.
    fish: a number of fish.
    tile: what others stand on, where the ground itself can vanish; listed before what stands on it.
    label: a text in the cell.
    """

    cell: str
    kind: str
    player: int | None = None
    count: int = 1  # type: ignore[assignment]  # instead of the method of tuples
    text: str = ""
    colour: str = ""  # of seeds: one of SEED_COLOURS
    faded: bool = False  # out of play: a penguin that can never move again
    height: int = 1  # of a tower
    settled: bool = False  # nothing will change it any more: a finished tower


@dataclass(frozen=True)
class Label:
    """A text at the edge of the board: the name of a row or of a column."""

    text: str
    x: float
    y: float


@dataclass(frozen=True)
class Board:
    """What a board is made of.

    plain: a plate that follows the cells; wood: a plank with carved pits; slate: a plate with hollows for marbles;
    ice: water, with tiles where there are pieces; felt: squares of one cloth.
    """

    material: Material = "plain"
    direction: Direction = ""  # in which pieces go round, shown by arrows
    players: tuple[str, ...] = PLAYER_COLOURS  # of the players' pieces: ALL_PLAYER_COLOURS
    labels: tuple[Label, ...] | None = None  # None: rows and columns if the names have them, or else every name


@dataclass(frozen=True)
class Travel:
    """A piece on its way: from `piece.cell`, or appearing if that is empty, to a cell, or leaving if `to` is empty."""

    piece: Piece
    to: str


@dataclass(frozen=True)
class Stage:
    """A part of a move: what travels at the same time, and all the pieces that are on the board afterwards."""

    travels: list[Travel]
    pieces: list[Piece]
    weight: float = 2.0  # how long it takes beside other stages; sowing a seed takes 1


@dataclass(frozen=True)
class Saying:
    """Something that a move does, as the id of a sentence and what to put into it.

    docs/game_reference.md lists the ids.
    """

    id: str
    params: Mapping[str, Any] = field(default_factory=dict)
