"""Specs: the short text that names a game and its variant, as in `abalone:official,layout=alien`.

A spec is a game, and after a colon items separated by commas. The first item may be a preset; all others are
`parameter=value`. The canonical spelling leaves out everything that is a default.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from palabre.core.errors import BadSpec, did_you_mean, listing
from palabre.core.words import Message, say

Value = int | float | str


class Parameter:
    """A parameter of a game or of a bot: a number from a range, or a word from a list."""

    def __init__(self, name: str, default: Value, choices: range | tuple[str, ...], summary: str) -> None:
        self.name = name
        self.default = default
        self.choices = choices
        self.summary = summary

    @property
    def valid(self) -> Message | str:
        """The valid values in words."""
        if isinstance(self.choices, range) and len(self.choices) > 4:
            return say("spec.range", least=self.choices[0], most=self.choices[-1])
        return listing(self.choices)

    def read(self, text: str) -> Value | None:
        """The value that a text names, or None."""
        if isinstance(self.choices, range):
            # Only the usual spelling is read: int() would also take "1_0", "07" or other alphabets' digits.
            is_usual = text.isascii() and text.isdigit() and len(text) < 10 and str(int(text)) == text
            return int(text) if is_usual and int(text) in self.choices else None
        return text if text in self.choices else None

    def accept(self, value: object) -> Value | None:
        """The value that a program passes in, if it is valid, or None; a text is read as in a spec."""
        if isinstance(value, str):
            return self.read(value)
        if not isinstance(value, int) or isinstance(value, bool) or not isinstance(self.choices, range):
            return None
        return value if value in self.choices else None


class Decimal(Parameter):
    """A parameter that is a decimal number between two bounds."""

    def __init__(self, name: str, default: float, lowest: float, highest: float, summary: str) -> None:
        super().__init__(name, default, (), summary)
        self.lowest = lowest
        self.highest = highest

    @property
    def valid(self) -> Message | str:
        return say("spec.decimal_range", least=self.lowest, most=self.highest)

    def read(self, text: str) -> Value | None:
        if len(text) > 20 or not re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", text):  # float() would also take "1e9" or "nan"
            return None
        return self.accept(float(text))

    def accept(self, value: object) -> Value | None:
        if isinstance(value, str):
            return self.read(value)
        if not isinstance(value, int | float) or isinstance(value, bool):
            return None
        return float(value) if self.lowest <= value <= self.highest else None


class FileParameter(Parameter):
    """The path of a file; nothing by default. People in a browser may not give one."""

    def __init__(self, name: str, summary: str) -> None:
        super().__init__(name, "", (), summary)

    @property
    def valid(self) -> Message | str:
        return say("spec.file")

    def read(self, text: str) -> Value | None:
        return text if Path(text).is_file() else None


class Preset:
    """A named rule set with its parameters, and the seconds that a player has for a game, if the rules say so.

    The title is what people call it, if that is not its name. Official rules are listed before all others.
    """

    def __init__(
        self,
        name: str,
        summary: str,
        *parameters: Parameter,
        title: str = "",
        official: bool = False,
        clock: float | None = None,
    ) -> None:
        self.name = name
        self.summary = summary
        self.title = title
        self.official = official
        self.clock = clock
        self.parameters = {parameter.name: parameter for parameter in parameters}

    @property
    def line(self) -> str:
        """The title and what is special about these rules."""
        return f"{self.title}: {self.summary}" if self.title else self.summary


@dataclass(frozen=True)
class Options:
    """A preset and a value for each of its parameters; `options["turns"]` reads one."""

    preset: str
    values: tuple[tuple[str, Value], ...]

    def __getitem__(self, name: str) -> Value:
        values = dict(self.values)
        if name not in values:
            raise KeyError(f"there is no parameter {name}; the parameters are {listing(values) or 'none'}")
        return values[name]

    def number(self, name: str) -> int:
        """The value of a parameter that is a number."""
        return int(self[name])

    def decimal(self, name: str) -> float:
        """The value of a parameter that is a number with a decimal point."""
        return float(self[name])

    def word(self, name: str) -> str:
        """The value of a parameter that is a word."""
        return str(self[name])


def read_values(
    owner: str,
    words: Iterable[str],
    parameters: Mapping[str, Parameter],
    further: Mapping[str, object] = MappingProxyType({}),
) -> tuple[tuple[str, Value], ...]:
    """A value for each parameter, or its default; a `BadSpec` lists what is valid.

    The words are `parameter=value`, from a spec; `further` are values that a program passes in.
    """
    chosen: dict[str, Value] = {}
    for name, value in (*(_name_and_text(owner, word, parameters) for word in words), *further.items()):
        if name not in parameters:
            about = {"name": name, "hint": did_you_mean(name, parameters), "valid": _names(parameters)}
            raise BadSpec(say("spec.unknown_parameter", owner=owner, **about))
        if name in chosen:
            raise BadSpec(say("spec.given_twice", owner=owner, name=name))
        accepted = parameters[name].accept(value)
        if accepted is None:
            valid = parameters[name].valid
            raise BadSpec(say("spec.bad_value", owner=owner, name=name, value=str(value), valid=valid))
        chosen[name] = accepted
    return tuple((name, chosen.get(name, parameter.default)) for name, parameter in parameters.items())


def _name_and_text(owner: str, word: str, parameters: Mapping[str, Parameter]) -> tuple[str, str]:
    name, equals, text = (part.strip() for part in word.partition("="))
    if not equals:
        raise BadSpec(say("spec.no_value", owner=owner, word=word, valid=_names(parameters)))
    return name, text


def _names(parameters: Mapping[str, Parameter]) -> Message:
    return say("spec.parameters", names=listing(parameters)) if parameters else say("spec.no_parameters")


def split_items(text: str) -> list[str]:
    """The items of a spec: what stands between commas, without blanks around it."""
    return [item.strip() for item in text.split(",")] if text.strip() else []


def spell_values(values: Iterable[tuple[str, Value]], parameters: Mapping[str, Parameter]) -> list[str]:
    """The words `parameter=value` for the values that are not the default."""
    return [f"{name}={value}" for name, value in values if value != parameters[name].default]


class GameFacts:
    """What is known of a game before its rules are loaded. The first preset is the default.

    `unit` is what the scoreboard counts. `highest_score_wins` is False where it counts something else than what
    decides, such as points lost.
    """

    def __init__(
        self,
        name: str,
        title: str,
        summary: str,
        *presets: Preset,
        unit: str = "points",
        highest_score_wins: bool = True,
    ) -> None:
        self.name = name
        self.title = title
        self.summary = summary
        self.unit = unit
        self.highest_score_wins = highest_score_wins
        self.presets = {preset.name: preset for preset in presets or (Preset("standard", "The rules."),)}

    @property
    def default_preset(self) -> str:
        """The name of the preset that a spec means which names none."""
        return next(iter(self.presets))

    @property
    def listed_presets(self) -> list[Preset]:
        """The presets in the order in which people are offered them: official rules first."""
        return sorted(self.presets.values(), key=lambda preset: not preset.official)

    def read_options(self, items: str) -> Options:
        """Options from the items of a spec; a `BadSpec` lists what is valid."""
        words = split_items(items)
        preset = self.default_preset
        if words and "=" not in words[0]:
            preset = self._known_preset(words.pop(0))
        misplaced = [word for word in words if "=" not in word]
        if misplaced:
            raise BadSpec(say("spec.misplaced", owner=self.name, word=misplaced[0], presets=listing(self.presets)))
        owner = self.name if preset == self.default_preset else f"{self.name}:{preset}"
        return Options(preset, read_values(owner, words, self.presets[preset].parameters))

    def spec(self, options: Options, name: str | None = None) -> str:
        """The canonical spec of these options; `name` replaces the game's own where it was loaded from a file."""
        items = [] if options.preset == self.default_preset else [options.preset]
        items += spell_values(options.values, self.presets[options.preset].parameters)
        return (name or self.name) + (":" + ",".join(items) if items else "")

    def _known_preset(self, word: str) -> str:
        if word in self.presets:
            return word
        hint = did_you_mean(word, self.presets)
        raise BadSpec(say("spec.unknown_preset", owner=self.name, name=word, hint=hint, presets=listing(self.presets)))
