"""What browsers may do in a room, and what they do: functions of the room, pure as the room itself.

They change the room, or raise `Refused`. Each is registered for its request, with the ability that it needs.
"""

from typing import Literal

from palabre.core.words import say
from palabre.web import requests
from palabre.web.handling import Handlers
from palabre.web.messages import Offer
from palabre.web.refusal import Refused
from palabre.web.room import BOT, Room

HANDLERS = Handlers()


@HANDLERS.changes(requests.PlayMove)
def play(room: Room, browser: str, request: requests.PlayMove) -> None:
    """Play a move."""
    check_turn(room, browser, request.ply)
    room.play(request.move)


def check_turn(room: Room, browser: str, ply: int) -> None:
    """Refuse a move of a browser whose turn it is not, or in a position that is no longer on the board."""
    if room.ongoing.is_over:
        raise Refused("game_over")
    if ply != room.ply:
        raise Refused("too_late")
    if room.to_move not in room.seats_of(browser):
        raise Refused("not_your_turn")


@HANDLERS.changes(requests.Undo)
def undo(room: Room, browser: str, request: requests.Undo) -> None:
    """Take back, or ask the opponents whether one may."""
    if not _may_undo(room, browser):
        raise Refused("no_undo")
    if room.is_between_people() and room.allowed.undo == "asked":
        _ask(room, "undo", browser)
    else:
        room.undo(room.seats_of(browser))


def _may_undo(room: Room, browser: str) -> bool:
    """Whether a browser may take back, or ask for it."""
    if room.allowed.undo == "never" or room.undo_target(room.seats_of(browser)) is None:
        return False
    return not (room.ongoing.is_over and room.is_between_people())


@HANDLERS.changes(requests.OfferDraw, "draw")
def offer_draw(room: Room, browser: str, request: requests.OfferDraw) -> None:
    """Offer a draw; people at one screen agree with themselves."""
    if len(room.seats_of(browser)) == len(room.seats):
        room.draw()
    else:
        _ask(room, "draw", browser)


@HANDLERS.changes(requests.AnswerOffer, "answer")
def answer(room: Room, browser: str, request: requests.AnswerOffer) -> None:
    """Answer what an opponent has asked."""
    offer, room.offer = room.offer, None
    if offer is None or not request.accept:
        return
    if offer.what == "draw":
        room.draw()
    elif offer.what == "undo":
        room.undo([offer.seat])
    else:
        room.play_again(browser)


@HANDLERS.changes(requests.Resign, "resign")
def resign(room: Room, browser: str, request: requests.Resign) -> None:
    """Give up. Of people at one screen, the one whose turn it is."""
    own = room.seats_of(browser)
    room.resign(room.to_move if room.to_move in own else own[0])


@HANDLERS.changes(requests.ClaimRequest, "claim")
def claim(room: Room, browser: str, request: requests.ClaimRequest) -> None:
    """Win against an opponent who has been gone for long."""
    room.lose(room.claimable(browser)[0], say("game.left"))


def rematch(room: Room, browser: str) -> None:
    """Play once more; between people it is an offer."""
    if room.is_between_people():
        _ask(room, "rematch", browser)
    else:
        room.play_again(browser)


def _ask(room: Room, what: Literal["undo", "draw", "rematch"], browser: str) -> None:
    if room.offer is not None:
        raise Refused("offer_open")
    room.offer = Offer(what, room.seats_of(browser)[0])


def abilities(room: Room, browser: str, is_thinking: bool) -> list[str]:
    """What a browser may do in a room now, in which a bot may be thinking."""
    own = room.seats_of(browser)
    running = not room.ongoing.is_over
    two = len(room.seats) == 2
    opposed = [seat for number, seat in enumerate(room.seats) if number not in own and seat.who != BOT]
    is_host = bool(own) or room.row.opener == browser
    can = {
        "move": running and room.to_move in own,
        "undo": bool(own) and _may_undo(room, browser) and room.offer is None,
        "draw": running and two and bool(own) and (bool(opposed) or len(own) == 2) and room.offer is None,
        "resign": running and bool(own) and (two or not opposed),
        "claim": bool(room.claimable(browser)),
        "rematch": not running and bool(own) and room.offer is None and room.next_room is None,
        "hint": running and bool(own) and room.allows_help(browser),
        "analyse": room.allows_help(browser),
        "invite": room.waits_for_guests and is_host,
        "answer": room.offer is not None and bool(own) and room.offer.seat not in own,
        "stop": is_thinking and is_host,
    }
    return [name for name, may in can.items() if may]
