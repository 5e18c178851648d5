"""Game: one variant of one game, ready to start; and how the parts of a game are found.

A game is a package with `rules.py`, `notation.py` and `view.py`, or one file that has all of it. Either way its
module says `GAME = GameFacts(…)`, and Palabre finds everything else by name. A package may also have `endgame.py` and
`evaluation.py`, which are loaded with it, and `bots.py` and `training.py`, which are loaded by whoever asks for them.
"""

import importlib
import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

from palabre.core.errors import BadSpec, UnreadableText, clip
from palabre.core.kernels import VERBS
from palabre.core.position import Position
from palabre.core.spec import GameFacts, Options
from palabre.core.verbs import MAX_MOVE_CODES

LONGEST_POSITION = 2000  # characters; the longest true position text has about 170

NEEDED = {
    "rules": ("State", "MOST_MOVES", "MOVE_CODES", "start"),
    "notation": ("move_to_text", "state_to_text", "text_to_state"),
    "view": ("cells", "pieces", "clicks"),
}
# Loaded with the game where they are there: they answer verbs, and what a game answers depends on nothing else.
OPTIONAL = ("endgame", "evaluation")


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
        for name in OPTIONAL:
            self.part(name)
        self._check_rules()

    @property
    def title(self) -> str:
        return self.facts.title

    @property
    def state_class(self) -> type:
        """The NamedTuple class of this game's states."""
        found: type = self.rules.State
        return found

    @property
    def players(self) -> int:
        """How many players sit at the board."""
        return int(self.options.number("players")) if "players" in dict(self.options.values) else 2

    def part(self, name: str) -> ModuleType | None:
        """The module with a further part of the game: `evaluation`, `bots`, …; of a game in one file, that file."""
        return optional_part(self.module, name)

    def start(self, seed: int = 0) -> Position:
        """The first position; the seed decides what a game draws by lot."""
        return Position.first(self, self.rules.start(self.options, seed))

    @property
    def has_random_start(self) -> bool:
        """Whether the first position depends on the seed."""
        return bool(self.start(seed=1).state != self.start(seed=2).state)

    def position(self, text: str) -> Position:
        """The position that a text describes; an `UnreadableText` or `ImpossiblePosition` says what is wrong."""
        if len(text) > LONGEST_POSITION:
            raise UnreadableText(f"{clip(text)} is too long to be a position of {self.spec}")
        return Position.first(self, self.notation.text_to_state(text.strip(), self.options))

    def explain(self, state: Any, text: str) -> str:
        """Why a text is not a legal move, in the game's own words if it has any."""
        own = getattr(self.notation, "explain", None)
        return str(own(state, text)) if own else "it is not among the legal moves"

    def sources(self) -> list[Path]:
        """The files that the game is made of."""
        file = Path(str(self.module.__file__)).resolve()
        return sorted(file.parent.glob("*.py")) if file.name == "__init__.py" else [file]

    def _check_rules(self) -> None:
        if not hasattr(self.state_class, "_fields"):
            raise BadSpec(f"{self.rules.__file__}: State must be a NamedTuple of integers")
        if not 0 < self.rules.MOVE_CODES <= MAX_MOVE_CODES:
            raise BadSpec(
                f"{self.rules.__file__}: MOVE_CODES is {self.rules.MOVE_CODES}, but must be 1 to {MAX_MOVE_CODES}: "
                "searches keep a move in 16 bits; number the moves without gaps"
            )
        asked = [verb for verb in VERBS.values() if verb.required and verb.is_for_states]
        unanswered = [verb.name for verb in asked if self.state_class not in verb.answers]
        _refuse_incomplete(self.rules, [f"@rule {name}" for name in unanswered])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.spec == other.spec and self.module is other.module

    def __hash__(self) -> int:
        return hash(self.spec)

    def __repr__(self) -> str:
        return f"<Game {self.spec}>"


def _part(module: ModuleType, name: str) -> ModuleType:
    """The module that holds a part of a game: a submodule of a package, or the one file itself."""
    part = importlib.import_module(f"{module.__name__}.{name}") if hasattr(module, "__path__") else module
    _refuse_incomplete(part, [needed for needed in NEEDED[name] if not hasattr(part, needed)])
    return part


def optional_part(module: ModuleType, name: str) -> ModuleType | None:
    """The submodule of a package with this name, or None if it has none; a game in one file has all in itself."""
    if not hasattr(module, "__path__"):
        return module
    full = f"{module.__name__}.{name}"
    return importlib.import_module(full) if importlib.util.find_spec(full) is not None else None


def _refuse_incomplete(part: ModuleType, missing: list[str]) -> None:
    if missing:
        raise BadSpec(f"{part.__file__} lacks {', '.join(missing)}; docs/adding_a_game.md tells what a game needs")
