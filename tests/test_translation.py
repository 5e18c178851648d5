"""Everything that people read exists in every language, and every text is used.

The sources are read for what they say: calls of `say("id", name=…)`, where an id may also be an f-string or a choice of
two, of the methods that find a game's words by id, and of `inquiry.expect(law, "id", name=…)`.
"""

import ast
import random
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import palabre
from palabre.bots.bot_words import BotWords
from palabre.bots.specs import bots_for_any_game, named_bots
from palabre.bots.specs import parameters as bot_parameters_of
from palabre.core import board, registry
from palabre.core.errors import IllegalMove
from palabre.core.game import Game
from palabre.core.plain import readable, stored
from palabre.core.spec import Parameter
from palabre.core.words import LANGUAGES, parameters, say, text_of, texts
from tests.messages import holds
from tests.specs import all_specs

PACKAGE = Path(palabre.__file__).parent
GENERAL = PACKAGE / "core" / "words"
HOMES = sorted(file.parent for file in PACKAGE.rglob("words/en.toml"))
OTHERS = [language for language in LANGUAGES if language != "en"]
LONGEST_NAME = 3  # words that may be the same in two languages, as names are
# Words without which hardly any English sentence does, and that are no French ones.
ENGLISH = re.compile(r"\b(the|of|and|with|is|are|was|by|for|you|your|this|that|has|have|from|into|where|what)\b", re.I)
# What bots of others can do wrong, and how the sources tell it: the names of classes and methods, and which argument.
FAILURES = {"PeerFailed": 1, "_failed": 1, "_broken": 0, "_failure": 0, "failure": 0} | dict.fromkeys(
    ("Broken", "EngineDied", "Forfeit", "Rejected", "SandboxBroken"), 0
)
FAILING = ("arena", "bots", "play", "sandbox", "ugi/client.py")
SAMPLES = {
    "f": 1.25,
    "g": 1.5,
    ",": 12000,
    "said": "it's odd",
    "quote": 'a "quoted" text, isn\'t it',
}
# The ids of what can end a game or keep a bot from playing.
ENDINGS = (
    *("game.", "forfeit.", "error.", "ended.", "engine.", "lesson.", "trial.", "submission.", "sandbox.", "spec."),
    *("shortened", "did_you_mean", "the_player"),
)
TRANSLATED_ERRORS = {"UnreadableText", "ImpossiblePosition", "IllegalMove", "Forfeit"}
REFUSALS = {"PalabreError", "BadSpec", "BrokenGame", "LawBroken", *TRANSLATED_ERRORS}


def name_of(home: Path) -> str:
    return home.parent.relative_to(PACKAGE).as_posix()


def facts_ids(home: Path) -> set[str]:
    """The ids whose English is in the facts of a game."""
    if home == PACKAGE / "bots" / "words":
        return bot_ids(bots_for_any_game())
    if home.parent.parent.name != "games":
        return set()
    presets = registry.facts(home.parent.name).presets
    of_presets = {f"preset.{preset}.{part}" for preset in presets for part in ("title", "summary")}
    of_parameters = {f"parameter.{name}.summary" for preset in presets.values() for name in preset.parameters}
    own_bots = getattr(registry.game(home.parent.name).part("bots"), "BOTS", {})
    return {"title", "summary"} | of_presets | of_parameters | {f"bot.{name}.summary" for name in own_bots}


def bot_ids(bots: Iterable[str]) -> set[str]:
    """The ids whose English is in the classes of the bots for any game."""
    known = {parameter.name for _, _, parameter in bot_parameters()}
    return {f"bot.{name}.summary" for name in bots} | {f"parameter.{name}.summary" for name in known}


def bot_parameters() -> Iterator[tuple[Game, str, Parameter]]:
    """Every parameter of every bot in every game."""
    for game in map(registry.game, (*registry.names(), "penguins:players=3")):
        for name, kind in named_bots(game).items():
            yield from ((game, name, parameter) for parameter in bot_parameters_of(kind, game).values())


class Use:
    """One place in the sources that says something: a pattern of ids, and the parameters if they can be read."""

    def __init__(self, file: Path, call: ast.Call, pattern: str, *added: str) -> None:
        self.file, self.line, self.pattern = file, call.lineno, re.compile(pattern)
        names = [*(keyword.arg for keyword in call.keywords), *added]
        self.params = None if None in names else {name for name in names if name}

    @property
    def home(self) -> Path:
        """The folder whose texts come first for a source file."""
        own = self.file.parent / "words"
        return own if (own / "en.toml").is_file() else GENERAL

    def __repr__(self) -> str:
        return f"{self.file.relative_to(PACKAGE)}:{self.line} {self.pattern.pattern}"


def named_in(folder: Path) -> set[str]:
    """What the sources in a folder name in any way, as patterns of ids.

    A literal names the ids that it begins, too: what is behind it may be added elsewhere.
    """
    found = set()
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            found |= set(patterns(node)) if isinstance(node, ast.Constant | ast.JoinedStr) else set()
    for file in folder.rglob("*.js"):
        script = file.read_text(encoding="utf-8")
        found |= {re.escape(plain) for plain in re.findall(r'"([^"\n]*)"', script)}  # also within templates
        found |= {re.sub(r"\\\$\\\{.*?\\\}", ".+", re.escape(text)) for text in re.findall(r"`([^`\n]+)`", script)}
    ids = {pattern for pattern in found if re.match(r"[a-z_]+($|\\\.)", pattern)}
    return {rf"{pattern}([._].+)?" if r"\." in pattern else pattern for pattern in ids}


def patterns(node: ast.expr) -> list[str]:
    """The ids that an argument can be, as regular expressions."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [re.escape(node.value)]
    if isinstance(node, ast.IfExp):
        return patterns(node.body) + patterns(node.orelse)
    if isinstance(node, ast.JoinedStr):
        parts = (re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+" for part in node.values)
        return ["".join(parts)]
    return []


def uses() -> list[Use]:
    found = []
    for file in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args:
                says = isinstance(node.func, ast.Name) and node.func.id == "say"
                finds = isinstance(node.func, ast.Attribute) and node.func.attr in ("_own", "text")
                if says or (finds and file.name == "game_words.py"):
                    found += [Use(file, node, pattern) for pattern in patterns(node.args[0])]
                if isinstance(node.func, ast.Attribute) and node.func.attr == "expect" and len(node.args) == 2:
                    found += [Use(file, node, pattern, "where") for pattern in patterns(node.args[1])]
    return found


USES = uses()


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("home", HOMES, ids=name_of)
def test_every_text_is_translated(home: Path, language: str) -> None:
    english, other = texts(str(home), "en"), texts(str(home), language)
    assert not facts_ids(home) & set(english), "the facts say this already"
    special = {f"bot.{name}.{parameter.name}" for _, name, parameter in bot_parameters()}
    assert set(other) - special == set(english) | facts_ids(home)
    for id, forms in english.items():
        wanted = {name for form in forms for name in parameters(form)}
        assert {name for form in other[id] for name in parameters(form)} == wanted, id


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("home", HOMES, ids=name_of)
def test_no_translation_is_a_copy(home: Path, language: str) -> None:
    english, other = texts(str(home), "en"), texts(str(home), language)
    for id in set(english) & set(other):
        for form in set(english[id]) & set(other[id]):
            bare = re.sub(r"\{[^}]*\}", " ", form)
            assert len(re.findall(r"[^\W\d_]+", bare)) <= LONGEST_NAME, f"{id} is the same in both languages: {form}"


def test_what_the_sources_say_has_a_text_with_the_same_parameters() -> None:
    assert len(USES) > 100
    for use in USES:
        english = {**texts(str(GENERAL), "en"), **texts(str(use.home), "en")}
        if use.file.name == "game_words.py":
            continue  # it looks up the ids of any game
        ids = [id for id in english if use.pattern.fullmatch(id)]
        assert ids, f"{use} has no text"
        wanted = [{name for form in english[id] for name in parameters(form)} | {"count"} for id in ids]
        assert use.params is None or use.params | {"count"} in wanted, f"{use}: {ids}"


@pytest.mark.parametrize("home", HOMES, ids=name_of)
def test_no_text_is_unused(home: Path) -> None:
    is_game = home.parent.parent.name == "games"
    found = [home.parent, PACKAGE / "core"] if is_game else [PACKAGE]
    named = re.compile("|".join(pattern for folder in found for pattern in named_in(folder)))
    assert [id for id in texts(str(home), "en") if not named.fullmatch(id)] == []


@pytest.mark.parametrize("home", HOMES, ids=name_of)
def test_sayings_are_those_that_a_view_can_tell(home: Path) -> None:
    listed = set(re.findall(r"^\| `(\w+)` \|", str(board.__doc__), re.MULTILINE))
    found = {id.removeprefix("story.") for id in texts(str(home), "en") if id.startswith("story.")}
    assert found == listed if home == GENERAL else found <= listed


def test_the_page_says_nothing_without_a_text() -> None:
    known = texts(str(PACKAGE / "web" / "words"), "en")
    pages = sorted((PACKAGE / "web" / "static").glob("*.js"))
    said = {(file.name, id) for file in pages for id in re.findall(r'\bt\("([^"]+)"', file.read_text(encoding="utf-8"))}
    assert said
    assert [(file, id) for file, id in sorted(said) if id not in known] == []


def test_what_is_wrong_with_an_input_is_never_said_in_english_alone() -> None:
    folders = ("core", "games", "bots", "web")  # what browsers reach; programs and the command line speak English
    files = [file for folder in folders for file in sorted((PACKAGE / folder).rglob("*.py"))]
    for file in [*files, *(PACKAGE / "play" / name for name in ("guard.py", "judge.py", "game.py"))]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in TRANSLATED_ERRORS:
                (argument,) = node.args
                place = f"{file.relative_to(PACKAGE)}:{node.lineno}"
                assert isinstance(argument, ast.Call), f"{place} raises a text; use say("
                assert getattr(argument.func, "id", "") == "say", place


def failing_sources() -> list[Path]:
    """The files in which bots of others fail."""
    found = [PACKAGE / name for name in FAILING]
    return [file for place in found for file in (sorted(place.rglob("*.py")) if place.is_dir() else [place])]


def test_no_failure_of_a_bot_is_said_in_english_alone() -> None:
    seen = set()
    for file in failing_sources():
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            name = getattr(node.func, "id", getattr(node.func, "attr", "")) if isinstance(node, ast.Call) else ""
            if name in FAILURES and isinstance(node, ast.Call):
                seen.add(name)
                is_text = isinstance(node.args[FAILURES[name]], ast.Constant | ast.JoinedStr)
                assert not is_text, f"{file.relative_to(PACKAGE)}:{node.lineno} tells a text; use say("
    assert seen == set(FAILURES)


def failures() -> list[str]:
    """The ids of all that a bot of somebody else can fail by: sandbox, supervisor, guard, admission, programs."""
    sources, known = set(failing_sources()), texts(str(GENERAL), "en")
    said = [use for use in USES if use.file in sources]
    found = {id for use in said for id in known if use.pattern.fullmatch(id)}
    return sorted(id for id in found if id.startswith(ENDINGS))


def sample(text: str) -> dict[str, object]:
    """Parameters for a text, of the kinds that it asks for."""
    fields = re.findall(r"\{(\w+)(?::([^}]*))?\}", text)
    found: dict[str, object] = {}
    for name, how in fields:
        kind = how.partition(" ")[0]
        kind = kind if kind in ("said", "quote") else kind[-1:]
        found[name] = say("ended.code", code=3) if name in ("how", "death") else SAMPLES.get(kind, "7")
    return found


@pytest.mark.parametrize("language", OTHERS)
def test_every_failure_in_an_event_file_is_told_in_every_language(language: str) -> None:
    ids = failures()
    assert {"forfeit.memory", "sandbox.ended", "trial.forfeit", "submission.no_name", "engine.silent"} <= set(ids)
    for id in ids:
        message = say(id, **sample(texts(str(GENERAL), "en")[id][0]))
        assert message.text(language) != str(message)
        assert text_of(readable(stored(message), None, ""), language) == message.text(language), id


def test_no_refusal_is_said_in_english_alone() -> None:
    for file in sorted(PACKAGE.rglob("*.py")):
        if file == PACKAGE / "laws" / "template.py":
            continue  # the game that `palabre new game` writes, which is its author's
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in REFUSALS:
                is_text = isinstance(node.args[0], ast.Constant | ast.JoinedStr | ast.BinOp)
                assert not is_text, f"{file.relative_to(PACKAGE)}:{node.lineno} raises a text; use say("


@pytest.mark.parametrize("spec", all_specs())
def test_why_a_move_is_illegal_is_said_in_every_language(spec: str) -> None:
    game = palabre.game(spec)
    names = [cell.name for cell in game.view.cells(game.options)][:25]
    tried = [*names, *(first + last for first in names for last in names), "", "?", "a1b2c3", "99r"]
    luck, position = random.Random(5), game.start(5)
    for _ in range(12):
        if position.is_over:
            break
        legal = {move.text.lower() for move in position.moves()}
        for text in luck.sample(tried, 40):
            if text.lower() not in legal:
                with pytest.raises(IllegalMove) as caught:
                    position.play(text)
                holds(caught.value.message, "error.illegal_move", move=text)
                why = [caught.value.text(language).partition(position.text)[2] for language in LANGUAGES]
                assert len(set(why)) == len(LANGUAGES), why
        position = position.play(luck.choice(position.moves()))


@pytest.mark.parametrize("name", registry.names())
def test_every_choice_has_a_label(name: str) -> None:
    for language in LANGUAGES:
        known = texts(str(PACKAGE / "games" / name / "words"), language)
        for preset in registry.facts(name).presets.values():
            for parameter in preset.parameters.values():
                assert f"parameter.{parameter.name}.title" in known
                words = [] if isinstance(parameter.choices, range) else parameter.choices
                assert all(f"parameter.{parameter.name}.value.{word}" in known for word in words)


def test_every_bot_and_its_parameters_are_told_in_each_language() -> None:
    for game, name, parameter in bot_parameters():
        english, *others = (BotWords(game, language) for language in LANGUAGES)
        for other in others:
            assert other.summary(name) != english.summary(name)
            assert other.parameter_summary(name, parameter) != english.parameter_summary(name, parameter)
            has_zero = parameter.summary.count(" 0 for ")
            assert other.parameter_summary(name, parameter).count(" 0 pour") == has_zero, f"{name} {parameter.name}"
        for language in LANGUAGES:
            assert f"parameter.{parameter.name}.title" in texts(str(PACKAGE / "bots" / "words"), language)


@pytest.mark.parametrize("spec", all_specs())
def test_every_button_has_a_label(spec: str) -> None:
    game = palabre.game(spec)
    cells = {cell.name for cell in game.view.cells(game.options)}
    luck, position = random.Random(3), game.start(3)
    for _ in range(60):
        if position.is_over:
            break
        for move in position.moves():
            for click in {click for path in game.view.clicks(position.state, move.code) for click in path} - cells:
                assert all(game.words(language).button(click) != click for language in LANGUAGES), click
        position = position.play(luck.choice(position.moves()))
