"""The laws of rules and notation, for one position asked in plain Python."""

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

FOREIGN_CODES = 8  # random codes a position, of which those that are not legal moves must not be called legal

Future = tuple[object, ...]  # who is to move, whether the game is over, the legal moves, the scores


def check_reached(inquiry: Inquiry, state: object, move: int) -> None:
    """What `play` returns is a state of 64-bit words."""
    try:
        check_state(inquiry.game.rules, state, say("contract.origin.play", move=move))
    except BadSpec as error:
        raise LawBroken(f"{error} (in {inquiry.where})") from error


def check_player(inquiry: Inquiry, state: State) -> None:
    """Whose turn it is, and how many players there are, make sense; nearly everything else depends on it."""
    most = inquiry.game.players
    player = inquiry.ask("to_move", to_move, state)
    remedy = f"the players are 0 to {most - 1}; if there are more, answer with a rule players(state)"
    inquiry.require(type(player) is int and 0 <= player < most, f"to_move answers {shown(player)}", remedy)
    count = inquiry.ask("players", players, state)
    told = f"players answers {shown(count)}, but {most} at the start"
    inquiry.require(count == most, told, "the number of players must not change")


def check_text(inquiry: Inquiry, state: State) -> None:
    """A position's text reads back as the same position. From here on, the text says where something is wrong."""
    inquiry.where = repr(state)
    text = inquiry.ask("state_to_text", inquiry.game.notation.state_to_text, state)
    inquiry.require(isinstance(text, str), f"state_to_text returns {shown(text)}", "return a str")
    inquiry.where = text
    inquiry.tell("asking its rules in plain Python", text)
    remedy = "text_to_state must read what state_to_text writes as the same State"
    is_line = text == text.strip() and "\n" not in text
    inquiry.require(is_line, "its text has leading or trailing blanks, or several lines", remedy)
    try:
        again = inquiry.game.position(text).state
    except PalabreError as error:
        told = f"the text of a reached position cannot be read back: {error} (in {text})"
        raise LawBroken(f"{told}; {remedy}.") from error
    inquiry.require(again == state, f"its text reads back as {again}, but it was {state}", remedy)


def check_rules(inquiry: Inquiry, state: State) -> tuple[list[int], Future]:
    """The answers of the rules agree with each other; returns the legal moves and all that the future depends on."""
    moves = check_moves(inquiry, state)
    over = bool(inquiry.ask("is_over", is_over, state))
    told = f"the game is over and legal_moves still lists {len(moves)}"
    inquiry.require(not (over and moves), told, "return 0 from legal_moves when the game is over")
    remedy = "let is_over answer True there, or add a move that passes"
    inquiry.require(over or bool(moves), "the game is not over and there is no legal move", remedy)
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
    inquiry.require(is_count, f"legal_moves returns {shown(count)}", "return the number of moves written")
    told = f"legal_moves lists {count} moves, but MOST_MOVES is {most}"
    inquiry.require(count <= most, told, f"raise MOST_MOVES to the most that any position has, here {count}")
    is_clean = buffer[most:] == [-1] * (len(buffer) - most)
    beyond = -1 if is_clean else max(place for place, code in enumerate(buffer) if code != -1)
    told = f"legal_moves writes to moves[{beyond}], but MOST_MOVES is {most}"
    inquiry.require(beyond < most, told, "raise MOST_MOVES, or write only what there is room for")
    moves = list(buffer[:count])
    for code in moves:
        told = f"legal_moves lists the code {shown(code)}, but MOVE_CODES is {codes}"
        remedy = "codes are integers from 0 to MOVE_CODES - 1; raise MOVE_CODES, or number the moves differently"
        inquiry.require(type(code) is int and 0 <= code < codes, told, remedy)
    is_rising = all(first < second for first, second in itertools.pairwise(moves))
    told = f"legal_moves lists {shown(moves, 200)}"
    inquiry.require(is_rising, told, "list every move once, in ascending order of the codes")
    return moves


def check_scores(inquiry: Inquiry, state: State) -> list[int]:
    """The score and the final score of every player are integers of a size that searches can count with."""
    scores: list[int] = []
    for verb in (score, final_score):
        for player in range(inquiry.game.players):
            value = inquiry.ask(verb.__name__, verb, state, player)
            told = f"{verb.__name__} answers {shown(value)} for player {player}"
            is_number = type(value) is int and abs(value) < FAR
            inquiry.require(is_number, told, f"it must be an int between -{FAR:,} and {FAR:,}")
            scores.append(value)
    return scores


def check_order(inquiry: Inquiry, scores: list[int]) -> None:
    """The winner of an ended game has the highest score, unless the facts of the game say that it need not be so."""
    if not inquiry.game.facts.highest_score_wins:
        return
    shown_scores, final = scores[: inquiry.game.players], scores[inquiry.game.players :]
    for one, other in itertools.permutations(range(inquiry.game.players), 2):
        params = {"winner": one, "score": shown_scores[one], "loser": other, "more": shown_scores[other]}
        is_just = final[one] <= final[other] or shown_scores[one] >= shown_scores[other]
        inquiry.expect(is_just, say("scores.order", **params, where=inquiry.where))


def check_counts(inquiry: Inquiry, state: State, moves: list[int], dice: random.Random) -> None:
    """The rules that have defaults agree with `legal_moves`."""
    count = inquiry.ask("count_moves", count_moves, state)
    remedy = "leave the rule out, and Palabre counts what legal_moves lists"
    inquiry.require(count == len(moves), f"count_moves answers {count}, but legal_moves lists {len(moves)}", remedy)
    for _ in range(3):
        code = inquiry.ask("random_move", random_move, state, dice.getrandbits(63))
        remedy = "leave the rule out, and Palabre picks one of the moves that legal_moves lists"
        inquiry.require(code in moves, f"random_move answers {code}, which is not a legal move", remedy)
    is_own = inquiry.game.state_class in VERBS["is_legal"].answers  # the default looks among the moves, once for each
    for code in (
        [*moves, *(dice.randrange(inquiry.game.rules.MOVE_CODES) for _ in range(FOREIGN_CODES))] if is_own else []
    ):
        told = inquiry.ask("is_legal", is_legal, state, code)
        remedy = "leave the rule out, and Palabre looks for the code in what legal_moves lists"
        inquiry.require(bool(told) == (code in moves), f"is_legal answers {told} for the code {code}", remedy)
    buffer = inquiry.new_buffer()
    count = inquiry.ask("tactical_moves", tactical_moves, state, buffer)
    foreign = [code for code in buffer[:count] if code not in moves]
    told = f"tactical_moves lists {shown(foreign)}, which legal_moves does not"
    inquiry.require(not foreign and count <= inquiry.game.rules.MOST_MOVES, told, "list only legal moves")
    left = inquiry.ask("plies_left", plies_left, state)
    told = f"plies_left answers {shown(left)}"
    inquiry.require(type(left) is int and left >= 0, told, "it is a number of plies, 0 or more")


def check_key(inquiry: Inquiry, state: State, future: Future, known: dict[int, Future]) -> None:
    """Positions with the same key have the same future; `known` collects what has been seen under each key."""
    word = inquiry.ask("key", key, state)
    before = known.setdefault(word, (*future, inquiry.where))
    told = f"key answers {word}, as it did in {before[-1]}, which has another player to move, other moves or scores"
    remedy = "combine every field that the future depends on into the key, or leave the rule out"
    inquiry.require(before[:-1] == future, told, remedy)


def check_bounds(inquiry: Inquiry, state: State, before: tuple[int, int] | None) -> tuple[int, int]:
    """In a game of two, no move leads to more than `margin_bounds` said was possible.

    `before` is the player who moved last and the most that they were promised; the same is returned for this position.
    """
    player = to_move(state)
    if is_over(state):
        low = high = final_score(state, player) - final_score(state, 1 - player)
    else:
        low, high = inquiry.ask("margin_bounds", margin_bounds, state)
        inquiry.require(low <= high, f"margin_bounds answers {low} and {high}", "the least must come before the most")
    if before is not None:
        mover, promised = before
        least = low if mover == player else -high
        told = f"margin_bounds said that player {mover} ends at most {promised} ahead, but a move leads to {least}"
        inquiry.require(least <= promised, told, "bounds are proofs; leave the hint out if in doubt")
    return player, high
