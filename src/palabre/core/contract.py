"""The contract, checked at load: mistakes in a game that show before a single move is played.

Every error names the file, the mistake and the remedy. `palabre check GAME` finds the mistakes that show only in play.
"""

import inspect
import sys
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, get_args

from palabre.core import verbs
from palabre.core.board import ALL_PLAYER_COLOURS, Board, Cell, Direction, Material
from palabre.core.culprit import in_one_line
from palabre.core.errors import BadSpec, BrokenGame, PalabreError, listing, shown
from palabre.core.kernels import VERBS, Verb
from palabre.core.spec import GameFacts, Options
from palabre.core.words import Message, say

if TYPE_CHECKING:
    from palabre.core.game import Game

NEEDED = {
    "rules": ("State", "MOST_MOVES", "MOVE_CODES", "start"),
    "notation": ("move_to_text", "state_to_text", "text_to_state"),
    "view": ("cells", "pieces", "clicks"),
}
# What Palabre passes to the plain functions of a game, those included that it may leave out.
ARGUMENTS = {
    "start": ("options", "seed"),
    "move_to_text": ("state", "move"),
    "state_to_text": ("state",),
    "text_to_state": ("text", "options"),
    "explain": ("state", "text"),
    "why_over": ("state",),
    "cells": ("options",),
    "pieces": ("state",),
    "clicks": ("state", "move"),
    "story": ("state", "move"),
    "tell": ("state", "move"),
}
MAX_MOST_MOVES = 1 << 16  # a move buffer lies on the stack of every ply of a search
MAX_FEATURES = 1 << 16
MAX_MOST_FEATURES = 1 << 10  # a row buffer lies on the stack, and each feature costs a search time
MAX_PHASES = 64
WORD = range(-(2**63), 2**63)
_ONLY_INTEGERS = frozenset({int})
_checked: set[ModuleType] = set()  # modules whose rules and evaluations are in order; a module does not change


def check_game(game: "Game") -> int:
    """Refuse a game with any of these mistakes; the number of its players."""
    for name in NEEDED:
        check_names(getattr(game, name), name)
    check_parameters(game.facts, str(game.module.__file__))
    check_rules(game.rules)
    check_features(game.rules)
    check_evaluations(game.part("evaluation"))
    return check_start(game.rules, game.view, game.options)


def check_names(part: ModuleType, name: str) -> None:
    """Refuse a part of a game that lacks something that every game needs, or whose functions take something else."""
    _refuse_incomplete(part, [needed for needed in NEEDED[name] if not hasattr(part, needed)])
    for function, arguments in ARGUMENTS.items():
        _check_function(getattr(part, function, None), arguments)


def check_rules(rules: ModuleType) -> None:
    """Refuse rules with a wrong state class, constant or signature, or without a required rule."""
    if rules in _checked:
        return
    state_class = rules.State
    if not (isinstance(state_class, type) and issubclass(state_class, tuple) and hasattr(state_class, "_fields")):
        raise BadSpec(say("contract.no_tuple", file=rules.__file__))
    others = [name for name, kind in _annotations(state_class).items() if kind not in (int, "int")]
    if others:
        kind = _annotations(state_class)[others[0]]
        params = {"field": others[0], "kind": getattr(kind, "__name__", kind)}
        raise BadSpec(say("contract.wrong_field", file=rules.__file__, **params))
    if not state_class._fields:
        raise BadSpec(say("contract.no_field", file=rules.__file__))
    _check_constant(rules, rules.MOST_MOVES, MAX_MOST_MOVES, "contract.most_moves")
    _check_constant(rules, rules.MOVE_CODES, verbs.MAX_MOVE_CODES, "contract.move_codes")
    asked = [verb for verb in VERBS.values() if verb.required and verb.is_for_states]
    _refuse_incomplete(rules, [f"@rule {verb.name}" for verb in asked if state_class not in verb.answers])
    if state_class in VERBS["repetition_key"].answers and state_class not in VERBS["award_remaining"].answers:
        raise BadSpec(say("contract.no_ending", file=rules.__file__, remedy=say("contract.ending")))
    for verb in VERBS.values():
        for kind, function in verb.answers.items():
            if function.__module__.startswith(rules.__name__.removesuffix(".rules")):
                _check_answer(rules, verb, kind, function)
    _checked.add(rules)


def check_features(rules: ModuleType) -> None:
    """Refuse a game that answers `features` without saying how many there are, or that has too many."""
    answers = VERBS["features"].answers
    if rules.State not in answers:
        return
    part = sys.modules[answers[rules.State].__module__]
    _refuse_incomplete(part, [name for name in ("FEATURES", "MOST_FEATURES") if not hasattr(part, name)])
    limits = verbs.feature_limits(rules.State)
    _check_constant(part, limits.features, MAX_FEATURES, "contract.features")
    _check_constant(part, limits.most_features, MAX_MOST_FEATURES, "contract.most_features")
    _check_constant(part, limits.phases, MAX_PHASES, "contract.phases")


def check_evaluations(part: ModuleType | None) -> None:
    """Refuse EVALUATIONS, unless it maps names to weights that have an `evaluate`."""
    own = getattr(part, "EVALUATIONS", {})
    if not isinstance(own, dict) or not all(isinstance(name, str) for name in own):
        raise BadSpec(say("contract.evaluations", file=_file(part)))
    for name, weights in own.items():
        kind = type(weights)
        if not hasattr(kind, "_fields") or not all(type(value) in (int, float) for value in weights):
            raise BadSpec(say("contract.weights", file=_file(part), name=name, weights=shown(weights)))
        if kind not in VERBS["evaluate"].answers:
            raise BadSpec(say("contract.no_evaluate", file=_file(part), name=name, kind=kind.__name__))


def check_start(rules: ModuleType, view: ModuleType, options: Options) -> int:
    """The number of players; a start, a number of players or a board that no game can have is refused."""
    state = _call(rules, "start(options, 0)", rules.start, options, 0)
    check_state(rules, state, say("contract.origin.start"))
    count = _call(rules, "@rule players", verbs.players, state)
    if type(count) is not int or not 2 <= count <= verbs.MAX_PLAYERS:
        raise BadSpec(say("contract.players", file=rules.__file__, count=count, most=verbs.MAX_PLAYERS))
    cells = _call(view, "cells(options)", view.cells, options)
    names = [cell.name for cell in cells if isinstance(cell, Cell)]
    if not names or len(names) < len(cells):
        raise BadSpec(say("contract.no_cells", file=view.__file__))
    twice = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
    if twice:
        raise BadSpec(say("contract.same_cells", file=view.__file__, cell=twice[0]))
    _check_board(view, count)
    return count


def check_parameters(facts: GameFacts, file: str) -> None:
    """Refuse a parameter whose default is not among its values."""
    for preset in facts.presets.values():
        for name, parameter in preset.parameters.items():
            if parameter.read(str(parameter.default)) != parameter.default:
                params = {"name": name, "value": shown(parameter.default), "valid": parameter.valid}
                raise BadSpec(say("contract.default", file=file, **params))


def _call(part: ModuleType, name: str, function: Callable[..., Any], *arguments: object) -> Any:
    """Call a function of a game; what it raises is its author's mistake, and is reported with its line."""
    try:
        return function(*arguments)
    except PalabreError:
        raise
    except Exception as error:
        raise BrokenGame(say("contract.raises", file=part.__file__, asked=name, error=in_one_line(error))) from error


def _check_function(function: object, arguments: tuple[str, ...]) -> None:
    """Refuse a plain function of a game that does not take these arguments."""
    if not isinstance(function, FunctionType):
        return
    try:
        inspect.signature(function).bind(*arguments)
    except TypeError:
        takes = ", ".join(inspect.signature(function).parameters)
        given = ", ".join(arguments)
        raise BadSpec(say("contract.arguments", **_place(function), takes=takes, given=given)) from None


def _check_board(view: ModuleType, players: int) -> None:
    """Refuse a BOARD of an unknown material or colour. In one file the name may mean something else."""
    board = getattr(view, "BOARD", None)
    if not isinstance(board, Board):
        return
    materials, directions = get_args(Material), get_args(Direction)
    if board.material not in materials:
        raise BadSpec(
            say("contract.material", file=view.__file__, material=str(board.material), materials=listing(materials))
        )
    if board.direction not in directions:
        params = {"direction": str(board.direction), "directions": listing(directions[1:])}
        raise BadSpec(say("contract.direction", file=view.__file__, **params))
    unknown = [colour for colour in board.players if colour not in ALL_PLAYER_COLOURS]
    about = {"file": view.__file__, "players": players, "known": listing(ALL_PLAYER_COLOURS)}
    if unknown:
        raise BadSpec(say("contract.colour", colour=str(unknown[0]), **about))
    if len(board.players) < players:
        raise BadSpec(say("contract.colours", count=len(board.players), **about))


def is_state(rules: ModuleType, state: Any) -> bool:
    """Whether `check_state` would accept a state. It is fast, as every position is checked."""
    is_whole = type(state) is rules.State and _ONLY_INTEGERS.issuperset(map(type, state))
    return is_whole and min(state) in WORD and max(state) in WORD


def check_state(rules: ModuleType, state: Any, origin: Message) -> None:
    """Refuse a state of another class, or with anything but 64-bit integers in it; `origin` is where it is from."""
    file = rules.__file__
    if type(state) is not rules.State:
        raise BrokenGame(say("contract.no_state", file=file, origin=origin, state=shown(state)))
    for name, word in zip(rules.State._fields, state, strict=True):
        if type(word) is not int:
            raise BrokenGame(say("contract.no_int", file=file, origin=origin, field=name, word=shown(word)))
        if word not in WORD:
            raise BrokenGame(say("contract.wide", file=file, origin=origin, field=name, word=word))


def ended_by_repetition(rules: ModuleType, state: Any) -> Any:
    """The state that a repeated position becomes, which is over; a `BrokenGame` if the game would go on."""
    ended = verbs.award_remaining(state)
    if not verbs.is_over(ended):
        made = {"ended": shown(ended), "repeated": shown(state)}
        raise BrokenGame(say("contract.goes_on", file=rules.__file__, **made, remedy=say("contract.ending")))
    return ended


def _check_constant(rules: ModuleType, value: object, most: int, id: str) -> None:
    if type(value) is not int or not 1 <= value <= most:
        raise BadSpec(say(id, file=rules.__file__, value=shown(value), most=most))


def _check_answer(rules: ModuleType, verb: Verb, kind: type, function: FunctionType) -> None:
    """A rule takes as many arguments as its verb, and the first is of this game's State."""
    asked = list(inspect.signature(verb.default).parameters)
    given = inspect.signature(function).parameters.values()
    if len(given) != len(asked) or any(each.kind is not each.POSITIONAL_OR_KEYWORD for each in given):
        takes = ", ".join(str(each).partition(":")[0] for each in given)
        raise BadSpec(say("contract.verb", **_place(function), takes=takes, verb=verb.name, given=", ".join(asked)))
    if verb.is_for_states and kind is not rules.State:
        raise BadSpec(say("contract.no_state_first", **_place(function), kind=kind.__name__))


def _place(function: FunctionType) -> dict[str, object]:
    code = function.__code__
    return {"file": code.co_filename, "function": function.__name__, "line": code.co_firstlineno}


def _annotations(state_class: type) -> dict[str, Any]:
    annotations: dict[str, Any] = inspect.get_annotations(state_class)
    return annotations


def _file(part: ModuleType | None) -> str:
    return str(getattr(part, "__file__", ""))


def _refuse_incomplete(part: ModuleType, missing: list[str]) -> None:
    if missing:
        raise BadSpec(say("contract.lacks", file=part.__file__, missing=", ".join(missing)))
