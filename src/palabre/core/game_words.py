"""What a game calls its things in a language: its title, presets, parameters, players, buttons, what it counts.

In English a game's facts (`GameFacts`) say most of it. What they do not say, and every other language, is in the files
`words/en.toml`, `words/fr.toml`, … in its folder; a game in the single file `othello.py` has `othello.words/fr.toml`:

    title = "…"  summary = "…"  counted = { one = "{count} …", many = "{count} …" }
    [preset.NAME]     title  summary          [parameter.NAME]  title  summary  and  value.WORD
    [player]          1 = "…"  2 = "…"        [button]          WORD = "…", for clicks that are not cells

All of it may be missing: then the game is shown in the words of its facts. The rules for people are in `rules.en.md`
and `rules.fr.md` beside them, and lessons in `lessons.en.md` and `lessons.fr.md`.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from palabre.core.spec import GameFacts, Value
from palabre.core.words import DEFAULT, Message, beside, find, text_of, typeset, with_names

if TYPE_CHECKING:
    from palabre.core.position import Position


class GameWords:
    """The words of one game in one language; `Game.words` and `registry.words` make them.

    `names` are those of the people and bots at a table, if they are to be called by them.
    """

    def __init__(self, module: ModuleType, language: str = DEFAULT, names: Sequence[str] = ()) -> None:
        self.facts: GameFacts = module.GAME
        self.language = language
        self._names = tuple(names)
        self._file = Path(str(module.__file__))
        self.home = _words_of(self._file)

    def text(self, id: str, /, **params: object) -> str:
        """Any text by its id: the game's own or, if it has none, a general one."""
        return Message(id, params, self.home).text(self.language)

    @property
    def title(self) -> str:
        return self._own("title", self.facts.title)

    @property
    def summary(self) -> str:
        """The game in one sentence."""
        return self._own("summary", sentence(self.facts.summary))

    def counted(self, count: int) -> str:
        """A score with what it counts: `12 seeds`."""
        return self._own("counted", f"{count} {self.facts.unit}", count=count)

    def player(self, seat: int) -> str:
        """The name of the player in a seat, 0, 1, …, or else what the game calls them."""
        return self._names[seat] if seat < len(self._names) else self._usual_player(seat)

    def _usual_player(self, seat: int) -> str:
        return self._own(f"player.{seat + 1}", self.text("player", number=seat + 1))

    def saying(self, id: str, params: Mapping[str, object]) -> str:
        """What a move does in one sentence, from the id and parameters of a saying (`core/board.py`)."""
        return self.text(f"story.{id}", **self.named(params))

    def message_text(self, message: Message | str) -> str:
        """A message of the rules or of a table, with the players by their names."""
        return text_of(with_names(message, self._names), self.language)

    def named(self, params: Mapping[str, object]) -> dict[str, object]:
        """Parameters of a message, with the player by name instead of by seat."""
        seat = params.get("player")
        return {**params, "player": self.player(seat)} if isinstance(seat, int) else dict(params)

    def status(self, position: "Position", shares: Sequence[float] | None = None) -> str:
        """Who is to move, or who has won: by these shares, if the game was ended before its rules ended it."""
        shares = position.result if shares is None else shares
        if shares is not None:
            return self.result(shares)
        number = position.to_move + 1
        name = self.player(position.to_move)
        has_name = name != self._usual_player(position.to_move) or self._own(f"player.{number}", "")
        return (
            self.text("result.to_move", player=name) if has_name else self.text("result.number_to_move", number=number)
        )

    def result(self, shares: Sequence[float], names: Sequence[str] | None = None) -> str:
        """Who has won an ended game, given each player's share of it; `names` are those of people and bots."""
        called = [self.player(seat) for seat in range(len(shares))] if names is None else names
        best = [name for name, share in zip(called, shares, strict=True) if share > 0]
        if len(best) == 1:
            return self.text("result.wins", player=best[0])
        if len(best) == len(shares) == 2:
            return self.text("result.draw")
        return self.text("result.shared", players=best) if best else self.text("result.nobody")

    def button(self, word: str) -> str:
        """What is written on the button for a click that is not a cell."""
        return self._own(f"button.{word}", word)

    def preset_title(self, preset: str) -> str:
        """What people call a rule set."""
        known = self.facts.presets[preset]
        return self._own(f"preset.{preset}.title", capital(known.title or spelled(preset)))

    def preset_summary(self, preset: str) -> str:
        """What is special about a rule set, in one sentence."""
        return self._own(f"preset.{preset}.summary", sentence(self.facts.presets[preset].summary))

    def parameter_title(self, parameter: str) -> str:
        """The label of a parameter."""
        return self._own(f"parameter.{parameter}.title", capital(spelled(parameter)))

    def parameter_summary(self, preset: str, parameter: str) -> str:
        """What a parameter decides, in one sentence."""
        known = self.facts.presets[preset].parameters[parameter]
        return self._own(f"parameter.{parameter}.summary", sentence(known.summary))

    def value(self, parameter: str, value: Value) -> str:
        """What people call a value of a parameter."""
        return self._own(f"parameter.{parameter}.value.{value}", capital(spelled(str(value))))

    def rules_page(self) -> str | None:
        """The rules for people as Markdown, in English if there is no translation; None if there are none at all."""
        return self._page("rules")

    def lessons_page(self) -> str | None:
        """The lessons for players, likewise."""
        return self._page("lessons")

    def _page(self, name: str) -> str | None:
        for known in dict.fromkeys((self.language, DEFAULT)):
            file = beside(self._file, f"{name}.{known}.md")
            if file.is_file():
                return typeset(file.read_text(encoding="utf-8"), known)
        return None

    def _own(self, id: str, otherwise: str, /, **params: object) -> str:
        """A text of the game itself, or else what its facts say."""
        text = find((self.home,), id, params, self.language)
        return otherwise if text is None else text


@cache  # the folder of a module is looked up once, and not for every move that is shown
def _words_of(file: Path) -> str:
    return str(beside(file, "words"))


def spelled(word: str) -> str:
    """The name of a parameter or of a value as one or more words."""
    return word.replace("-", " ").replace("_", " ")


def capital(text: str) -> str:
    """A text with a capital letter."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """A summary as a sentence."""
    return capital(text) + ("" if text.endswith((".", "!", "?")) else ".")
