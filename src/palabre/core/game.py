"""Game: one variant of one game, ready to start; and how it finds the parts of a game.

A game is a package with `rules.py`, `notation.py` and `view.py`, or one file that has everything in it. Either way its
module has `GAME = GameFacts(…)`, and Palabre finds the rest by name. A package may also have `endgame.py`,
`evaluation.py` and `features.py`, which are loaded with the game, and `bots.py` and `training.py`, which later layers
load.
"""

import importlib
import importlib.util
import logging
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from palabre.core import contract, verbs
from palabre.core.culprit import USER_MODULE_PREFIX, in_one_line
from palabre.core.errors import BadSpec, UnreadableText
from palabre.core.game_words import GameWords
from palabre.core.position import Position
from palabre.core.spec import GameFacts, Options
from palabre.core.words import DEFAULT, LANGUAGES, Message, say

log = logging.getLogger(__name__)

LONGEST_POSITION = 2000  # characters; real position texts have up to about 170
# These parts answer verbs, so they are loaded with the game: what a game answers never depends on other imports.
OPTIONAL = ("endgame", "evaluation", "features")


class Game:
    """A game in one variant. Two games are equal when their specs are."""

    def __init__(self, module: ModuleType, options: Options, name: str | None = None) -> None:
        self.module = module
        self.facts: GameFacts = module.GAME
        self.options = options
        self.spec = self.facts.spec(options, name)
        self.rules: Any = _part(module, "rules")
        self.notation: Any = _part(module, "notation")
        self.view: Any = _part(module, "view")
        for part in OPTIONAL:
            optional_part(module, part)
        self.players = contract.check_game(self)

    @property
    def title(self) -> str:
        """The game's name as people write it."""
        return self.facts.title

    @property
    def state_class(self) -> type:
        """The NamedTuple class of this game's states."""
        state_class: type = self.rules.State
        return state_class

    def part(self, name: str) -> ModuleType | None:
        """The module with a further part of the game: `evaluation`, `bots`, …; for a game in one file, that file."""
        return optional_part(self.module, name)

    def start(self, seed: int = 0) -> Position:
        """The first position; the seed decides everything that a game leaves to chance."""
        return Position.first(self, self.rules.start(self.options, seed))

    @cached_property
    def has_random_start(self) -> bool:
        """Whether the first position depends on the seed."""
        return bool(self.start(seed=1).state != self.start(seed=2).state)

    @cached_property
    def usual_start(self) -> verbs.State | None:
        """The state that every game begins from, or None if it depends on the seed."""
        usual: verbs.State | None = None if self.has_random_start else self.start().state
        return usual

    def position(self, text: str) -> Position:
        """The position that a text describes; an `UnreadableText` or `ImpossiblePosition` says what is wrong."""
        if not isinstance(text, str):
            from palabre.core.given import given_text  # which imports this module

            given_text("Game.position", text, f"{self.start().text!r}")
        if len(text) > LONGEST_POSITION:
            raise UnreadableText(say("error.position_too_long", text=text, game=self.spec))
        return Position.first(self, self.notation.text_to_state(text.strip(), self.options))

    def explain(self, state: verbs.State, text: str) -> Message | str:
        """Why a text is not a legal move, in the game's own words if it has any."""
        own = getattr(self.notation, "explain", None)
        usual = say("error.not_among_moves")
        return self._answered(usual, own, state, text) if own else usual

    def why_over(self, state: verbs.State) -> Message | str:
        """Why a game has ended by its rules, in the game's own words if it has any; the ending has awarded nothing."""
        own = getattr(self.notation, "why_over", None)
        usual = say("over.rules")
        return self._answered(usual, own, state) if own else usual

    def _answered(self, usual: Message, function: Callable[..., object], *arguments: object) -> Message | str:
        """The answer of the game's own code, or the usual one: an author's mistake must not end a game."""
        try:
            reason = function(*arguments)
            if not isinstance(reason, Message):
                return str(reason)
            for language in LANGUAGES if self.module.__name__.startswith(USER_MODULE_PREFIX) else ():
                reason.text(language)
        except Exception as error:
            log.warning("%s cannot say why: %s", function.__name__, in_one_line(error))
            return usual
        return reason

    def words(self, language: str = DEFAULT, names: Sequence[str] = ()) -> GameWords:
        """The game's texts in a language, with the names of the players if they have some."""
        return GameWords(self.module, language, names)

    def sources(self) -> list[Path]:
        """The files that the game is made of."""
        file = Path(str(self.module.__file__)).resolve()
        return sorted(file.parent.glob("*.py")) if file.name == "__init__.py" else [file]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.spec == other.spec and self.module is other.module

    def __hash__(self) -> int:
        return hash(self.spec)

    def __reduce__(self) -> tuple[Any, ...]:
        from palabre.core.registry import game  # the registry makes games, so it imports this module

        return game, (self.spec,)

    def __repr__(self) -> str:
        return f"<Game {self.spec}>"


def _part(module: ModuleType, name: str) -> ModuleType:
    """The module that holds a part of a game: a submodule of a package, or the one file itself."""
    part = optional_part(module, name)
    if part is None:
        folder = Path(str(module.__file__)).parent
        raise BadSpec(say("contract.lacks", file=folder, missing=f"{name}.py"))
    return part


def optional_part(module: ModuleType, name: str) -> ModuleType | None:
    """The submodule of a package with this name, or None if it has none; a game in one file has all parts in itself."""
    if not hasattr(module, "__path__"):
        return module
    full = f"{module.__name__}.{name}"
    return importlib.import_module(full) if importlib.util.find_spec(full) is not None else None
