"""The words of UGI, the Universal Game Interface, for both sides of a conversation; docs/ugi.md explains them.

The interface is UCI's, the one of chess programs, made general by cutegames (https://github.com/kz04px/cutegames).
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from palabre.core.errors import UnreadableText
from palabre.core.spec import Decimal, FileParameter, Parameter
from palabre.core.words import say
from palabre.search.clock import Clock
from palabre.search.thought import Thought

NO_MOVE = "(none)"  # the answer if there is no move
GAME_OPTION = "Game"  # the option of our engine that names the game, by its spec
UNLIMITED_SECONDS = 1e7  # more than any driver will wait
MOST_NODES = 1 << 60


class Go(NamedTuple):
    """What a `go` asks for."""

    clock: Clock
    is_infinite: bool  # the answer is to be kept until `stop`
    unknown: tuple[str, ...]  # words that are not known here


def go_command(clock: Clock, players: int) -> str:
    """The `go` for a player with this clock. Only this clock is known, so the opponents get the same."""
    words = ["go"]
    if clock.per_move is not None:
        words.append(f"movetime {_milliseconds(clock.per_move)}")
    if clock.remaining is not None:
        seats = range(1, players + 1)
        words += [f"p{seat}time {_milliseconds(clock.remaining)}" for seat in seats]
        words += [f"p{seat}inc {round(1000 * clock.increment)}" for seat in seats]
    if clock.depth is not None:
        words.append(f"depth {clock.depth}")
    if clock.nodes is not None:
        words.append(f"nodes {clock.nodes}")
    return " ".join(words)


def _milliseconds(seconds: float) -> int:
    return max(1, int(1000 * seconds))


def read_go(words: Sequence[str], seat: int) -> Go:
    """The limits in the words after `go`, for the player in this seat."""
    given: dict[str, int] = {}
    unknown = []
    coming = iter(words)
    for word in coming:
        if word == "infinite":
            given[word] = 1
        elif re.fullmatch(r"movetime|depth|nodes|p[1-9](time|inc)", word):
            given[word] = _number(word, next(coming, ""))
        else:
            unknown.append(word)
    per_move = _seconds(given.get("movetime"))
    if "infinite" in given and per_move is None:
        per_move = UNLIMITED_SECONDS
    remaining = _seconds(given.get(f"p{seat + 1}time"))
    increment = _seconds(given.get(f"p{seat + 1}inc")) or 0.0
    clock = Clock(
        per_move=per_move,
        remaining=remaining,
        increment=0.0 if remaining is None else increment,  # a clock that does not run has no increment
        depth=max(1, given["depth"]) if "depth" in given else None,
        nodes=min(MOST_NODES, max(1, given["nodes"])) if "nodes" in given else None,
    )
    return Go(clock, "infinite" in given, tuple(unknown))


def _number(word: str, text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,18}", text):
        raise UnreadableText(say("ugi.number", word=word, text=text))
    return max(0, int(text))  # some drivers send a negative time when a clock has run out


def _seconds(milliseconds: int | None) -> float | None:
    return None if milliseconds is None else min(UNLIMITED_SECONDS, milliseconds / 1000)


def read_position(words: Sequence[str]) -> tuple[str | None, tuple[str, ...]]:
    """The text of a position, None for the game's first, and the moves from there, from the words after `position`."""
    place = words.index("moves") if "moves" in words else len(words)
    head, moves = words[:place], tuple(words[place + 1 :])
    if list(head) == ["startpos"]:
        return None, moves
    if len(head) > 1 and head[0] == "fen":
        return " ".join(head[1:]), moves
    raise UnreadableText(say("ugi.position", line=" ".join(["position", *words])))


EMPTY = "<empty>"  # what UCI writes for an empty text


def read_option(words: Sequence[str]) -> tuple[str, str]:
    """The name and the value in the words after `setoption`."""
    place = words.index("value") if "value" in words else len(words)
    if len(words[:place]) < 2 or words[0] != "name":
        raise UnreadableText(say("ugi.setoption", line=" ".join(["setoption", *words])))
    return " ".join(words[1:place]), " ".join(words[place + 1 :])


def option_line(parameter: Parameter, value: object) -> str:
    """The line in which an engine declares an option and its present value."""
    line = f"option name {parameter.name} type"
    if isinstance(parameter, Decimal):  # UCI has no type for such numbers
        return f"{line} string default {value} min {parameter.lowest} max {parameter.highest}"
    if isinstance(parameter, FileParameter):
        return f"{line} string default {value or EMPTY}"
    if isinstance(parameter.choices, range):
        return f"{line} spin default {value} min {parameter.choices[0]} max {parameter.choices[-1]}"
    return " ".join([f"{line} combo default {value}", *(f"var {choice}" for choice in parameter.choices)])


def info_line(thought: Thought) -> str:
    """The line in which an engine reports what it thinks.

    A search that estimates each player's share of the game adds `shares` and a number from 0 to 1 for each player, the
    first player's first. UCI has no such word; programs that speak it ignore words that they do not know. The words
    `pv` and the moves come last, as they should.
    """
    words = [
        f"info depth {thought.depth}",
        *([f"multipv {thought.rank}"] if thought.rank > 1 else []),
        f"score {_score(thought)} nodes {thought.nodes}",
        f"nps {int(thought.nodes / max(thought.seconds, 1e-6))} time {int(1000 * thought.seconds)}",
    ]
    if thought.shares is not None:
        words.append(" ".join(["shares", *(f"{share:.3f}" for share in thought.shares)]))
    words.append(f"pv {' '.join(move.text for move in thought.line)}")
    return " ".join(words)


def read_effort(words: Sequence[str]) -> tuple[int, int] | None:
    """The depth and the nodes in an engine's `info`, 0 for what is missing; None if both are."""
    texts = {name: words[words.index(name) + 1] for name in ("depth", "nodes") if name in words[:-1]}
    numbers = {name: int(text) for name, text in texts.items() if re.fullmatch("[0-9]{1,18}", text)}
    return (numbers.get("depth", 0), numbers.get("nodes", 0)) if numbers else None


def _score(thought: Thought) -> str:
    """For the player to move: hundredths of a point of the evaluation, or the plies to a proven win or loss.

    A share of the game is given in the points that are worth as much.
    """
    plies = thought.plies_to_win
    if plies is not None:
        return f"win {plies}" if thought.value > 0 else f"loss {abs(plies)}"
    return f"cp {round(100 * thought.points)}"
