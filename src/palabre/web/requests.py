"""What browsers ask the server, as a schema; `messages.py` has what it sends. Together they are the protocol.

Requests go as JSON over one WebSocket, each with a number of its own in `ask`. `read` checks one completely: its kind,
its fields, their types and their sizes. Nothing that a browser sends is evaluated or used as a path, and nothing of it
reaches a game before the server's limits have been applied. A kind is called by the name of its class, without the
`Request` at the end that some have because other classes have their names.

A *room* is a game with its seats and the people in it. A *place* is a position and how it came about, which the page
can also ask about outside any room. Seats and cells are numbers from 0; a *ply* counts positions from 0, the first one.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

LONGEST_MESSAGE = 100_000  # bytes; the longest is a pasted game
MOST_SEATS = 8
MOST_PLIES = 2_000
MOST_CLICKS = 10  # that enter a move

Ask = Annotated[int, Meta(ge=0, le=2**31)]
Word = Annotated[str, Meta(max_length=100)]  # a move, a name, a code
Spec = Annotated[str, Meta(max_length=500)]
Text = Annotated[str, Meta(max_length=2_000)]
Game = Annotated[str, Meta(max_length=50_000)]  # a record
Count = Annotated[int, Meta(ge=0, le=10**9)]
Seconds = Annotated[float, Meta(ge=0, le=86_400)]
Moves = Annotated[list[Word], Meta(max_length=MOST_PLIES)]
Names = Annotated[list[Spec], Meta(max_length=MOST_SEATS)]  # of the players; none for what the game calls them
Language = Literal["en", "fr"]


class Place(Struct, frozen=True, forbid_unknown_fields=True):
    """A position: a game, its first position if that is not the usual one, and the moves since."""

    game: Spec
    start: Text | None = None
    moves: Moves = []


class SeatWish(Struct, frozen=True, forbid_unknown_fields=True):
    """Who is to sit in a seat: the person who asks, another person (by invitation), or a bot."""

    who: Literal["me", "guest", "bot"]
    bot: Spec = ""  # its spec, for a bot
    name: Annotated[str, Meta(max_length=40)] = ""  # what to call a person


class ClockWish(Struct, frozen=True, forbid_unknown_fields=True):
    """Seconds for each player's whole game, and seconds added after each move."""

    game: Seconds
    increment: Seconds = 0.0


class Allowed(Struct, frozen=True, forbid_unknown_fields=True):
    """What a room allows."""

    undo: Literal["free", "asked", "never"] = "asked"  # against bots, asked means free
    help: bool = False  # hints and analysis for people who play against people; against bots they are always there
    bots_resign: bool = True


class Request(Struct, forbid_unknown_fields=True, tag_field="kind", tag=lambda name: name.removesuffix("Request")):
    """What a browser asks. `ask` is its number, which the answer repeats."""

    ask: Ask


class Hello(Request):
    """The first request, and again when the language changes: answered by a `Welcome`."""

    language: Language


class Catalogue(Request):
    """What can be played: answered by `GameEntry`s."""


class Choices(Request):
    """What can be chosen for a game of this spec: answered by a `GameChoices`."""

    game: Spec


class RulesRequest(Request):
    """The rules of a game, for people to read: answered by a `RulesPage`."""

    game: Spec


class OpenRoom(Request):
    """Begin a game: answered by an `Opened`."""

    place: Place
    seats: Annotated[list[SeatWish], Meta(max_length=MOST_SEATS)]
    clock: ClockWish | None = None
    seed: Count | None = None  # None for a new one
    allowed: Allowed = Allowed()


class ReadText(Request):
    """A position or a game that a person has pasted: answered by a `Place`."""

    text: Game
    game: Spec | None = None  # which game a bare position is of


class WriteText(Request):
    """A place as texts to copy: answered by a `Written`."""

    place: Place


class Enter(Request):
    """Be shown a room from now on: answered by a `RoomState`, followed by `RoomChanged`s."""

    room: Word


class Leave(Request):
    """No longer be shown a room."""

    room: Word


class RoomsRequest(Request):
    """The rooms of this browser, and for the operator all: answered by `RoomEntry`s."""


class Invite(Request):
    """A link by which another person takes a seat, once: answered by an `Invitation`."""

    room: Word
    seat: Count


class PlayMove(Request):
    """Play a move in the position of this ply."""

    room: Word
    ply: Count
    move: Word


class Undo(Request):
    """Take back to the last own turn, or ask the opponents whether one may."""

    room: Word


class OfferDraw(Request):
    """Offer a draw."""

    room: Word


class AnswerOffer(Request):
    """Answer what an opponent has asked: to take back, a draw, or to play once more."""

    room: Word
    accept: bool


class Resign(Request):
    """Give up."""

    room: Word


class ClaimRequest(Request):
    """Claim the win against an opponent who has been gone for long."""

    room: Word


class StopThinking(Request):
    """Have the bot to move play the best move that it knows by now."""

    room: Word


class Rematch(Request):
    """Play once more with the seats exchanged: answered by an `Opened`, or with an offer between people."""

    room: Word


class Hint(Request):
    """A good move in the position of a room, or of a place: answered by a `Hinted`."""

    room: Word | None = None
    place: Place | None = None


class ShowLine(Request):
    """Positions outside any room, for analysis and variations: answered by a `LineShown`."""

    place: Place
    since: Count = 0  # the first ply that is wanted
    names: Names = []


class WhyNot(Request):
    """Why no move of a place begins with these clicks, cells by number and words: answered by a `Reason`."""

    place: Place
    clicks: Annotated[list[Count | Word], Meta(min_length=1, max_length=MOST_CLICKS)]
    names: Names = []


class Analyse(Request):
    """Think about a place and send the best lines as they are found: `Thoughts` follow until `StopAnalysis`.

    It is refused if the place is of a running game of this browser against people. A refusal may also come later.
    """

    place: Place
    bot: Spec | None = None  # which one thinks; None for the usual one of the game
    lines: Annotated[int, Meta(ge=1, le=10)] = 3
    seconds: Seconds | None = None  # None for as long as the server allows


class StopAnalysis(Request):
    """End the analysis, review or hint that was asked for with this number."""

    asked: Ask


class ReviewRequest(Request):
    """Go through a whole game and show what each move cost: `ReviewGrew`s follow."""

    place: Place


class EventsRequest(Request):
    """The matches and championships that this server knows: answered by an `EventList`."""


class StartEvent(Request):
    """Begin a match or championship; for the operator alone. Answered by an `Opened` with its name."""

    game: Spec
    format: Word  # match, or a format of championships; the first bots are the fixed opponents of a gauntlet
    bots: Annotated[list[Spec], Meta(min_length=1, max_length=100)]
    games: Annotated[int, Meta(ge=1, le=100_000)] = 10  # per pair
    seconds: Seconds | None = None  # for a move
    seed: Count = 0


class StopEvent(Request):
    """Interrupt an event, which can go on later; for the operator alone."""

    event: Word


class ResumeEvent(Request):
    """Go on with an event that was interrupted; for the operator alone."""

    event: Word


class WatchEvent(Request):
    """Be shown an event from now on: answered by an `EventState`, followed by `EventChanged`s."""

    event: Word


class LeaveEvent(Request):
    """No longer be shown an event."""

    event: Word


class EventGame(Request):
    """A game of an event: answered by a `GameOfEvent`."""

    event: Word
    number: Count  # from 1


class EventGames(Request):
    """The games of an event in which all these bots play, the newest first: answered by `EventGameEntry`s."""

    event: Word
    bots: Annotated[list[Spec], Meta(max_length=MOST_SEATS)] = []


class UnderWayRequest(Request):
    """What would be interrupted if the server ended now; for the operator alone. Answered by `Interrupted`."""


class QuitServer(Request):
    """End the server; for the operator alone."""


AnyRequest = (
    Hello | Catalogue | Choices | RulesRequest | OpenRoom | ReadText | WriteText | Enter | Leave | RoomsRequest
    | Invite | PlayMove | Undo | OfferDraw | AnswerOffer | Resign | ClaimRequest | StopThinking | Rematch | Hint
    | ShowLine | WhyNot | Analyse | StopAnalysis | ReviewRequest | EventsRequest | StartEvent | StopEvent
    | ResumeEvent | WatchEvent | LeaveEvent | EventGame | EventGames | UnderWayRequest | QuitServer
)  # fmt: skip

_DECODER: msgspec.json.Decoder[AnyRequest] = msgspec.json.Decoder(AnyRequest)


def read(data: str | bytes) -> AnyRequest:
    """The request that a browser has sent; a `msgspec.ValidationError` or `DecodeError` says what is wrong."""
    return _DECODER.decode(data)
