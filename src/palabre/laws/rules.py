"""The laws of rules and notation, for one position in plain Python."""

import itertools
import random

from palabre.core.contract import check_state
from palabre.core.errors import BadSpec, PalabreError, shown
from palabre.core.kernels import VERBS
from palabre.core.verbs import (
    FAR,
    State,
    count_moves,
    final_score,
    is_legal,
    is_over,
    key,
    legal_moves,
    margin_bounds,
    players,
    plies_left,
    random_move,
    score,
    tactical_moves,
    to_move,
)
from palabre.core.words import own_words
from palabre.laws.inquiry import Inquiry, LawBroken

say = own_words(__file__)

READING = say("rules.reading")

FOREIGN_CODES = 8  # random codes a position; `is_legal` must refuse those that are not legal moves

Future = tuple[object, ...]  # who is to move, whether the game is over, the legal moves, the scores


def check_reached(inquiry: Inquiry, state: object, move: int) -> None:
    """What `play` returns is a state of 64-bit words."""
    try:
        check_state(inquiry.game.rules, state, say("contract.origin.play", move=move))
    except BadSpec as error:
        raise LawBroken(say("rules.reached", error=error.message, where=inquiry.where)) from error


def check_player(inquiry: Inquiry, state: State) -> None:
    """Whose turn it is, and how many players there are, make sense; nearly everything else depends on it."""
    most = inquiry.game.players
    player = inquiry.ask("to_move", to_move, state)
    inquiry.expect(type(player) is int and 0 <= player < most, "rules.player", answer=shown(player), last=most - 1)
    count = inquiry.ask("players", players, state)
    inquiry.expect(count == most, "rules.players", answer=shown(count), players=most)


def check_text(inquiry: Inquiry, state: State) -> None:
    """A position's text reads back as the same position. From here on, errors name the position by its text."""
    inquiry.where = repr(state)
    text = inquiry.ask("state_to_text", inquiry.game.notation.state_to_text, state)
    inquiry.expect(isinstance(text, str), "rules.no_text", answer=shown(text))
    inquiry.where = text
    inquiry.on_step("step.position", text)
    is_line = text == text.strip() and "\n" not in text
    inquiry.expect(is_line, "rules.blanks", remedy=READING)
    try:
        again = inquiry.game.position(text).state
    except PalabreError as error:
        raise LawBroken(say("rules.unread", error=error.message, where=text, remedy=READING)) from error
    states = {"again": repr(again), "state": repr(state)}
    inquiry.expect(again == state, "rules.read_otherwise", **states, remedy=READING)


def check_rules(inquiry: Inquiry, state: State) -> tuple[list[int], Future]:
    """The answers of the rules agree with each other; returns the legal moves and all that the future depends on."""
    moves = check_moves(inquiry, state)
    over = bool(inquiry.ask("is_over", is_over, state))
    inquiry.expect(not (over and moves), "rules.goes_on", moves=len(moves))
    inquiry.expect(over or bool(moves), "rules.stuck")
    scores = check_scores(inquiry, state)
    if over:
        check_order(inquiry, scores)
    return moves, (to_move(state), over, moves, scores)


def check_moves(inquiry: Inquiry, state: State) -> list[int]:
    """The moves that `legal_moves` lists: not too many, in range, in ascending order."""
    most: int = inquiry.game.rules.MOST_MOVES
    codes: int = inquiry.game.rules.MOVE_CODES
    buffer = inquiry.new_buffer()
    count = inquiry.ask("legal_moves", legal_moves, state, buffer)
    is_count = type(count) is int and count >= 0
    inquiry.expect(is_count, "rules.no_count", answer=shown(count))
    inquiry.expect(count <= most, "rules.too_many", moves=count, most=most)
    is_clean = buffer[most:] == [-1] * (len(buffer) - most)
    beyond = -1 if is_clean else max(place for place, code in enumerate(buffer) if code != -1)
    inquiry.expect(beyond < most, "rules.beyond", place=beyond, most=most)
    moves = list(buffer[:count])
    for code in moves:
        inquiry.expect(type(code) is int and 0 <= code < codes, "rules.code", code=shown(code), codes=codes)
    is_rising = all(first < second for first, second in itertools.pairwise(moves))
    inquiry.expect(is_rising, "rules.order", moves=shown(moves, 200))
    return moves


def check_scores(inquiry: Inquiry, state: State) -> list[int]:
    """The score and the final score of every player are integers of a size that searches can count with."""
    scores: list[int] = []
    for verb in (score, final_score):
        for player in range(inquiry.game.players):
            value = inquiry.ask(verb.__name__, verb, state, player)
            params = {"verb": verb.__name__, "answer": shown(value), "player": player, "most": FAR}
            is_number = type(value) is int and abs(value) < FAR
            inquiry.expect(is_number, "rules.score", **params)
            scores.append(value)
    return scores


def check_order(inquiry: Inquiry, scores: list[int]) -> None:
    """The winner of an ended game has the highest score, unless the facts of the game allow otherwise."""
    if not inquiry.game.facts.highest_score_wins:
        return
    shown_scores, final = scores[: inquiry.game.players], scores[inquiry.game.players :]
    for one, other in itertools.permutations(range(inquiry.game.players), 2):
        params = {"winner": one, "score": shown_scores[one], "loser": other, "more": shown_scores[other]}
        is_just = final[one] <= final[other] or shown_scores[one] >= shown_scores[other]
        inquiry.expect(is_just, "scores.order", **params)


def check_counts(inquiry: Inquiry, state: State, moves: list[int], dice: random.Random) -> None:
    """The rules that have defaults agree with `legal_moves`."""
    count = inquiry.ask("count_moves", count_moves, state)
    inquiry.expect(count == len(moves), "rules.counted", answer=count, moves=len(moves))
    for _ in range(3):
        code = inquiry.ask("random_move", random_move, state, dice.getrandbits(63))
        inquiry.expect(code in moves, "rules.picked", answer=code)
    is_own = inquiry.game.state_class in VERBS["is_legal"].answers  # the default looks among the moves, once for each
    for code in (
        [*moves, *(dice.randrange(inquiry.game.rules.MOVE_CODES) for _ in range(FOREIGN_CODES))] if is_own else []
    ):
        answer = inquiry.ask("is_legal", is_legal, state, code)
        inquiry.expect(bool(answer) == (code in moves), "rules.legal", answer=answer, code=code)
    buffer = inquiry.new_buffer()
    count = inquiry.ask("tactical_moves", tactical_moves, state, buffer)
    foreign = [code for code in buffer[:count] if code not in moves]
    inquiry.expect(not foreign and count <= inquiry.game.rules.MOST_MOVES, "rules.tactical", moves=shown(foreign))
    left = inquiry.ask("plies_left", plies_left, state)
    inquiry.expect(type(left) is int and left >= 0, "rules.plies", answer=shown(left))


def check_key(inquiry: Inquiry, state: State, future: Future, known: dict[int, Future]) -> None:
    """Positions with the same key have the same future; `known` collects what has been seen under each key."""
    word = inquiry.ask("key", key, state)
    before = known.setdefault(word, (*future, inquiry.where))
    inquiry.expect(before[:-1] == future, "rules.key", key=word, other=before[-1])


def check_bounds(inquiry: Inquiry, state: State, before: tuple[int, int] | None) -> tuple[int, int]:
    """In a game of two, no move leads to more than `margin_bounds` allowed.

    `before` is the player who moved last and the most that they were promised; the same is returned for this position.
    """
    player = to_move(state)
    if is_over(state):
        low = high = final_score(state, player) - final_score(state, 1 - player)
    else:
        low, high = inquiry.ask("margin_bounds", margin_bounds, state)
        inquiry.expect(low <= high, "rules.bounds", low=low, high=high)
    if before is not None:
        mover, promised = before
        least = low if mover == player else -high
        inquiry.expect(least <= promised, "rules.promise", player=mover, promised=promised, least=least)
    return player, high
