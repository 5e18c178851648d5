"""What the server sends to browsers, as a schema; `requests.py` has what they ask. Together they are the protocol.

The server answers each request with one `Answer` or one `Refusal` of the same number. What it sends without being asked
are pushes: `RoomChanged`, `Thoughts`, `ReviewGrew`, `EventChanged`, `Farewell`. Texts for people are in the language of
the browser's last `Hello`. Players, seats and cells are numbers from 0. For the page, the `Shown` of some names, which
other classes have, is left out.
"""

from typing import Any, Literal

import msgspec
from msgspec import Struct

from palabre.web.requests import Allowed, Place

# ------------------------------------------------------------------------------------------- parts of what is answered


class ShownCell(Struct, frozen=True):
    """A cell of a board: where to draw, where to click."""

    name: str
    label: str  # what people call it
    x: float  # pixels of the picture
    y: float
    radius: float  # of the circle in it
    outline: str  # the path of its shape round (0, 0): what can be hit, and what is ringed
    is_store: bool = False


class Upright(Struct, frozen=True):
    """A long board on a phone: turned by a quarter, and all that lies on it as it is."""

    width: float
    height: float
    board: str
    places: list[tuple[float, float]]  # of the cells; stores are beyond the picture


class ShownGround(Struct, frozen=True):
    """What all positions of a game have in common; its colours are in /board.css."""

    width: float
    height: float
    defs: str  # the symbols, to be put once into <defs>
    board: str  # markup of the empty board
    cells: list[ShownCell]
    swatches: list[str]  # a small sign of each player as markup, of radius 9 round (0, 0)
    colours: list[str]  # and the name of the colour: `var(--p-NAME)` in /board.css
    bottom: int  # the player who sits at the lower edge
    upright: Upright | None = None  # of long boards


class Flight(Struct, frozen=True):
    """Something that moves, appears (from nowhere) or vanishes (to nowhere)."""

    look: str  # markup round (0, 0)
    origin: int | None  # a cell
    target: int | None


class ShownStep(Struct, frozen=True):
    """Things that move at the same time, and what lies on the cells when they set out and when they have arrived."""

    lift: list[tuple[int, str]]  # cell and markup
    flights: list[Flight]
    then: list[tuple[int, str]]
    weight: float = 1.0  # of its time, beside the other steps: 1 for a seed that is sown, 2 for a move


class Ply(Struct, frozen=True, omit_defaults=True):
    """A position, and the move that led to it."""

    contents: list[tuple[int, str, str]]  # cell, markup, and what that is in words; those that have changed, or all
    scores: list[int]
    counted: list[str]  # the scores with what they count: 12 seeds
    to_move: int
    status: str  # who is to move, or who has won
    move: str = ""
    mover: int = -1
    told: str = ""  # what the move did, in words
    steps: list[ShownStep] = []  # how the move looks
    origins: list[int] = []  # cells to mark as left by the move
    targets: list[int] = []  # and as reached
    seconds: float | None = None  # how long the move took


class ClickPath(Struct, frozen=True):
    """The clicks that enter a move: cells by number, and words, which are buttons."""

    clicks: list[int | str]
    move: str


class Now(Struct, frozen=True):
    """What can be done in the last position."""

    paths: list[ClickPath]
    labels: dict[str, str]  # what to write on the buttons of words
    is_over: bool
    shares: list[float] | None  # of an ended game
    why: str  # why it has ended


class Seat(Struct, frozen=True):
    """A player in a room."""

    name: str
    who: Literal["person", "bot"]
    bot: str  # its spec
    is_you: bool
    is_taken: bool  # by a person, or by a bot
    is_here: bool  # connected now; bots always are
    left: float | None  # seconds on the clock, None without one


class Offer(Struct, frozen=True):
    """What a player has asked the others."""

    what: Literal["undo", "draw", "rematch"]
    seat: int


class Thinking(Struct, frozen=True):
    """A bot that thinks."""

    seat: int
    preparing: float | None = None  # how much of compiling is done, 0 to 1, while that goes on
    seconds: float | None = None  # about how long that takes, if it is known


class ShownStanding(Struct, frozen=True):
    """What changes in a room beside the board."""

    seats: list[Seat]
    running: int | None  # whose clock runs
    thinking: Thinking | None
    offer: Offer | None
    can: list[
        str
    ]  # what this browser may do: move, undo, draw, resign, claim, rematch, hint, analyse, invite, answer, stop
    next_room: str | None = None  # where the rematch is played


class ThoughtFacts(Struct, frozen=True):
    """One line of an analysis; see `palabre.search.thought.Thought`."""

    move: str
    line: list[str]
    rank: int
    depth: int
    nodes: int
    seconds: float
    points: float | None
    chance: float | None  # of the player to move
    shares: list[float] | None  # of each player
    proven: int | None  # 1 the player to move wins, -1 loses, 0 neither does
    plies_to_end: int | None
    clicks: list[int]  # the cells of the move, for an arrow


class ShownReviewedMove(Struct, frozen=True):
    """What a move of a game was worth."""

    ply: int
    mover: int
    move: str
    best: str
    line: list[str]
    chances: list[float]  # of each player before the move, with best play
    chances_after: list[float]
    lost: float  # winning chance
    points_lost: float | None
    mistake: Literal["inaccuracy", "mistake", "blunder"] | None


# ------------------------------------------------------------------------------------------------------------- answers


class Welcome(Struct, frozen=True, tag_field="kind", tag="Welcome"):
    """Who the browser is, and the limits."""

    role: Literal["operator", "player", "watcher"]
    version: str
    seconds: float  # the most that a bot may think about a move
    name: str = ""


class ParameterChoice(Struct, frozen=True):
    """A parameter of rules or of a bot."""

    name: str
    label: str
    about: str
    default: int | float | str
    lowest: float | None = None
    highest: float | None = None
    choices: list[tuple[str, str]] = []  # value and label
    is_decimal: bool = False  # whether numbers between the whole ones may be chosen, too


class PresetChoice(Struct, frozen=True):
    """A rule set."""

    name: str
    spec: str
    label: str
    about: str
    parameters: list[ParameterChoice]


class GameEntry(Struct, frozen=True):
    """A game on the first page."""

    name: str
    title: str
    about: str
    spec: str  # of the rules that are offered first
    picture: str  # a whole SVG
    presets: list[PresetChoice]
    broken: str = ""  # why a file of the operator's folders cannot be played; it has nothing else but its name


class BotChoice(Struct, frozen=True):
    """A bot that plays a game."""

    name: str
    about: str
    parameters: list[ParameterChoice]
    can_analyse: bool  # whether it searches, and so has an opinion of a position


class GameChoices(Struct, frozen=True):
    """What can be chosen for one variant."""

    spec: str
    players: int
    player_names: list[str]
    picture: str
    bots: list[BotChoice]
    levels: list[str]  # specs of the opponents, from a beginner to full strength
    clock: float | None  # seconds for a game, if the rules say so
    has_random_start: bool


class RulesPage(Struct, frozen=True):
    """The rules of a game, and its lessons."""

    title: str
    markup: str  # HTML
    lessons: str  # HTML; empty if there are none


class Opened(Struct, frozen=True):
    """The name of a new room or event."""

    name: str


class RoomEntry(Struct, frozen=True):
    """A room in a list."""

    room: str
    title: str
    players: list[str]
    status: str
    plies: int
    is_over: bool
    seconds_ago: float


class RoomState(Struct, frozen=True):
    """A room, whole."""

    room: str
    version: int
    place: Place  # the first position and all moves
    title: str
    rules: str  # the rule set in words
    player_names: list[str]
    ground: ShownGround
    plies: list[Ply | msgspec.Raw]
    now: Now
    standing: ShownStanding
    allowed: Allowed


class LineShown(Struct, frozen=True):
    """Positions outside any room."""

    place: Place  # with its game's canonical spec
    title: str
    rules: str
    player_names: list[str]
    since: int
    ground: ShownGround
    plies: list[Ply]
    now: Now


class Reason(Struct, frozen=True):
    """Why something cannot be played, in words."""

    text: str


class Written(Struct, frozen=True):
    """A place as texts."""

    position: str
    game: str  # a record


class Invitation(Struct, frozen=True):
    """A link for another person."""

    path: str
    address: str  # of the server, as others reach it; empty if only this machine does
    qr: str  # the whole link as a picture for telephones; empty likewise


class Hinted(Struct, frozen=True):
    """A good move."""

    thought: ThoughtFacts


class EventEntry(Struct, frozen=True):
    """An event, or a file of records, in a list."""

    event: str
    title: str
    game: str
    format: str  # match, a format of championships, or records
    bots: int
    games: int
    is_running: bool
    message: str = ""  # why it cannot be shown, if it cannot


class FormatChoice(Struct, frozen=True):
    """A way to decide who meets whom."""

    name: str
    most_players: int | None  # at a board


class EventList(Struct, frozen=True):
    """All events, the newest first, and what can be begun."""

    events: list[EventEntry]
    formats: list[FormatChoice]
    can_start: bool  # whether this browser may begin one


class EventRow(Struct, frozen=True):
    """A bot in the table of an event."""

    rank: int | None  # None for one that does not compete
    name: str
    games: int
    wins: int
    draws: int
    losses: int
    forfeits: int
    score: float  # 0 to 1
    low: float  # of the score, 95 %
    high: float
    rating: float | None = None  # Elo; None while there are too few games
    rating_error: float | None = None  # 95 %
    points: float | None = None  # as the format counts
    authors: str = ""  # in reports alone, and not in all
    replayed: int = 0  # games that were played again because it was late, in reports alone


class EventGameEntry(Struct, frozen=True):
    """A game in the list of an event."""

    number: int
    players: list[str]
    result: str
    scores: list[int]
    plies: int
    ending: str


class EventGameUnderWay(Struct, frozen=True):
    """A game of an event that is being played, as far as it has come."""

    place: Place
    players: list[str]


class EventState(Struct, frozen=True):
    """An event, whole."""

    event: str
    title: str
    game: str
    rules: str
    format: str
    is_running: bool
    played: int
    planned: int | None
    seconds_left: float | None
    table: list[EventRow]
    cross: list[list[tuple[float, int] | None]]  # points and games of each row of the table against each; empty if long
    games: list[EventGameEntry]  # the newest first, at most 200
    fair_share: float = 0.5  # the score of a bot that is as good as the others
    under_way: list[EventGameUnderWay] = []  # only games that take long
    titles: dict[str, str] = {}  # what to call bots, by their names, where that is something else
    can: list[str] = []  # what this browser may do: stop, resume
    notes: list[str] = []  # what a reader of the table should know
    message: str = ""  # what went wrong, if something did


class GameOfEvent(Struct, frozen=True):
    """A game of an event or a file of records."""

    place: Place
    players: list[str]
    result: str
    ending: str
    seconds: list[float | None]


class Interrupted(Struct, frozen=True):
    """What would be interrupted if the server ended now. All of it is kept, and can go on."""

    games: int  # that a browser shows
    guests: int  # other browsers that are connected
    events: int


class Answer(Struct, frozen=True, tag_field="kind", tag="Answer"):
    """What was asked for; None where there is nothing to say but that it was done."""

    ask: int
    result: Any = None


class Refusal(Struct, frozen=True, tag_field="kind", tag="Refusal"):
    """Why something was not done, in words, and the id of the message.

    What goes on after its answer, such as an analysis, may still end in one.
    """

    ask: int
    id: str
    text: str


# -------------------------------------------------------------------------------------------------------------- pushes


class RoomChanged(Struct, frozen=True, tag_field="kind", tag="RoomChanged"):
    """What has changed in a room: plies from number `since` on are replaced by these.

    `version` is one more than the last one sent; if it is not, something was missed: enter the room again.
    """

    room: str
    version: int
    standing: ShownStanding
    since: int | None = None  # None if the board has not changed
    plies: list[Ply | msgspec.Raw] = []
    moves: list[str] = []
    now: Now | None = None


class Thoughts(Struct, frozen=True, tag_field="kind", tag="Thoughts"):
    """What is thought of a place so far: all lines, the best first."""

    ask: int
    lines: list[ThoughtFacts]
    is_done: bool
    preparing: float | None = None
    seconds: float | None = None


class ReviewGrew(Struct, frozen=True, tag_field="kind", tag="ReviewGrew"):
    """How far a review has come; its moves when it is done."""

    ask: int
    done: int
    total: int
    moves: list[ShownReviewedMove] | None = None
    preparing: float | None = None


class EventChanged(Struct, frozen=True, tag_field="kind", tag="EventChanged"):
    """An event that has gone on."""

    state: EventState


class Farewell(Struct, frozen=True, tag_field="kind", tag="Farewell"):
    """The server ends."""


Push = RoomChanged | Thoughts | ReviewGrew | EventChanged | Farewell

_ENCODER = msgspec.json.Encoder()


def write(message: Answer | Refusal | Push) -> bytes:
    """A message for a browser."""
    return _ENCODER.encode(message)
