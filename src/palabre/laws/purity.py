"""The laws of purity: a rule answers by its arguments alone, so that it answers the same whenever it is asked.

Searches, records and compiled code rely on it. The source of a rule shows chance, clocks and variables that change;
calling it twice shows what the source hides.
"""

import dis
import random
from types import FunctionType, ModuleType

from palabre.core.verbs import (
    State,
    final_score,
    is_over,
    key,
    legal_moves,
    play,
    repetition_key,
    reversible_plies,
    score,
    to_move,
)
from palabre.laws.inquiry import Inquiry

# Modules that no pure function uses, and what must not be used of others; `posix` and `nt` are what `os` is made of.
IMPURE = {"random", "time", "datetime", "secrets", "uuid"}
IMPURE_PARTS = {"urandom", "getrandom", "environ", "getenv", "getpid", "random"}
PARTLY = {"os", "posix", "nt", "numpy"}


def check_source(inquiry: Inquiry, function: FunctionType, *, may_seed: bool = False) -> None:
    """A function uses no chance, no clock and no variable that changes; `may_seed` allows `random.Random(seed)`."""
    steps = list(dis.get_instructions(function.__code__))
    for number, step in enumerate(steps):
        name = str(step.argval)
        if step.opname == "STORE_GLOBAL":
            inquiry.expect(False, "purity.variable", function=function.__name__, name=name)
        if step.opname not in ("LOAD_GLOBAL", "IMPORT_NAME"):
            continue
        parts = [str(after.argval) for after in steps[number + 1 : number + 3]]
        used = name if step.opname == "IMPORT_NAME" else function.__globals__.get(name)
        is_pure = not _is_impure(used, parts) or (may_seed and _is_generator(used, parts))
        inquiry.expect(is_pure, "purity.source", function=function.__name__, name=name)


def _is_impure(used: object, parts: list[str]) -> bool:
    """Whether a module, or what was imported from one, is chance or a clock; `parts` is what is taken from it next."""
    if isinstance(used, str | ModuleType):
        name = used if isinstance(used, str) else used.__name__
        return name in IMPURE or (name in PARTLY and not IMPURE_PARTS.isdisjoint(parts))
    if isinstance(getattr(used, "__self__", used), random.Random):
        return True
    home = str(getattr(used, "__module__", None) or "")
    return home in IMPURE or (home in PARTLY and getattr(used, "__name__", "") in IMPURE_PARTS)


def _is_generator(used: object, parts: list[str]) -> bool:
    # What is imported within the function cannot be followed; calling it twice must do.
    return used == "random" or used is random.Random or (used is random and parts[:1] == ["Random"])


def check_purity(inquiry: Inquiry, state: State) -> None:
    """The rules answer the same when they are called again."""
    for (name, first), (_, again) in zip(_answers(inquiry, state), _answers(inquiry, state), strict=True):
        inquiry.expect(first == again, "purity.again", verb=name, first=repr(first), again=repr(again))


def _answers(inquiry: Inquiry, state: State) -> list[tuple[str, object]]:
    buffer = inquiry.new_buffer()
    count = inquiry.ask("legal_moves", legal_moves, state, buffer)
    moves = list(buffer[:count]) if type(count) is int else []
    asked = (is_over, to_move, key, repetition_key, reversible_plies)
    answers: list[tuple[str, object]] = [("legal_moves", moves)]
    answers += [(verb.__name__, inquiry.ask(verb.__name__, verb, state)) for verb in asked]
    for player in range(inquiry.game.players):
        answers += [(verb.__name__, inquiry.ask(verb.__name__, verb, state, player)) for verb in (score, final_score)]
    if moves and not answers[1][1]:
        answers.append(("play", inquiry.ask("play", play, state, moves[len(moves) // 2])))
    return answers
