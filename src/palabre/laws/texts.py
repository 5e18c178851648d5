"""The laws of a game's texts for people: every text that it asks for is there, in every language."""

import ast
import random
import re
from pathlib import Path

from palabre.core import words
from palabre.core.board import Saying
from palabre.core.errors import did_you_mean, shown
from palabre.core.game import Game
from palabre.core.verbs import State
from palabre.core.words import DEFAULT, LANGUAGES, Message, own_words, parameters, text_of, texts
from palabre.laws.inquiry import Inquiry

say = own_words(__file__)

WORDS = say("texts.remedy")

NONSENSE = "zz99"  # a move in no game
GENERAL = str(Path(words.__file__).with_suffix(""))  # the folder of the texts that every game has
FREE = re.compile(r"player\.[1-8]|button\..+|bot\..+")  # ids that depend on no fact of the game
TABLE = re.compile(r"[a-z_]+\.")  # how an id begins that is in a table of a file of words


def check_texts(inquiry: Inquiry, folder: Path, language: str) -> None:
    """Every text in a file of words is used, and has no parameters that its English text lacks."""
    inquiry.where = str(folder / f"{language}.toml")
    own = {**texts(GENERAL, DEFAULT), **texts(str(folder), DEFAULT)}
    facts = ids_of_facts(inquiry.game)
    sources = [source.read_text(encoding="utf-8") for source in inquiry.game.sources()]
    composed = [pattern for source in sources for pattern in composed_ids(source)]
    for id, forms in texts(str(folder), language).items():
        # The game's own functions ask for ids of any name, perhaps put together from parts, as in f"error.{kind}".
        is_asked = id in facts or FREE.fullmatch(id) or id in texts(GENERAL, DEFAULT) or _is_word(id, " ".join(sources))
        is_asked = is_asked or any(pattern.fullmatch(id) for pattern in composed)
        others = [other for other in (*facts, *own) if other != id]
        inquiry.expect(bool(is_asked), "texts.unasked", text=id, hint=did_you_mean(id, others))
        if id not in facts and (language == DEFAULT or id not in own):
            continue
        allowed = {"count"} if id == "counted" else set() if id in facts else _parameters(own[id])
        wrong = sorted(_parameters(forms) - allowed)
        hint = did_you_mean(wrong[0], allowed) if wrong else ""
        given = ", ".join(sorted(allowed)) or say("texts.nothing")
        params = {"text": id, "name": wrong[0] if wrong else "", "hint": hint, "given": given}
        inquiry.expect(not wrong, "texts.parameter", **params)


def ids_of_facts(game: Game) -> set[str]:
    """The ids of texts that replace or translate the facts of a game."""
    ids = {"title", "summary", "counted"}
    for preset in game.facts.presets.values():
        ids |= {f"preset.{preset.name}.{part}" for part in ("title", "summary")}
        for name, parameter in preset.parameters.items():
            ids |= {f"parameter.{name}.{part}" for part in ("title", "summary")}
            ids |= {f"parameter.{name}.value.{value}" for value in parameter.choices if isinstance(value, str)}
    return ids


def composed_ids(source: str) -> list[re.Pattern[str]]:
    """The ids that a source puts together, as in `f"error.surplus_{colour}"`: what begins with a table's name."""
    ids = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            parts = [str(part.value) if isinstance(part, ast.Constant) else None for part in node.values]
            if parts[0] is not None and TABLE.match(parts[0]):
                ids.append(re.compile("".join(".+" if part is None else re.escape(part) for part in parts)))
    return ids


def _is_word(id: str, sources: str) -> bool:
    return re.search(rf"\b{re.escape(id.rpartition('.')[2])}\b", sources) is not None


def _parameters(forms: tuple[str, ...]) -> set[str]:
    return {name for form in forms for name in parameters(form)}


def check_explanations(inquiry: Inquiry, state: State, moves: list[int], dice: random.Random) -> None:
    """`explain` answers for anything that people may type, and its answers can be read."""
    explain = getattr(inquiry.game.notation, "explain", None)
    if explain is None or not moves:
        return
    legal = {inquiry.game.notation.move_to_text(state, code).lower() for code in moves}
    cells = sorted(inquiry.cells)
    typed = [NONSENSE, dice.choice(cells), dice.choice(cells) + dice.choice(cells)]
    for text in typed:
        if text.lower() not in legal:
            answer = inquiry.ask(f"explain(state, {text!r})", explain, state, text)
            check_readable(inquiry, answer, f"explain(state, {text!r})")


def check_reason(inquiry: Inquiry, state: State) -> None:
    """`why_over` answers for an ended game, and its answer can be read."""
    why_over = getattr(inquiry.game.notation, "why_over", None)
    if why_over is not None:
        check_readable(inquiry, inquiry.ask("why_over", why_over, state), "why_over")


def check_readable(inquiry: Inquiry, answer: object, asked: str) -> None:
    """What a function has returned is a text or a message, and has a text in every language."""
    is_text = isinstance(answer, str | Message)
    inquiry.expect(is_text, "texts.no_text", asked=asked, answer=shown(answer))
    for language in LANGUAGES if isinstance(answer, Message) else ():
        try:
            text_of(answer, language)  # type: ignore[arg-type]
        except (KeyError, ValueError) as error:
            inquiry.expect(False, "texts.unknown", asked=asked, error=error.args[0], remedy=WORDS)


def check_saying(inquiry: Inquiry, saying: Saying, code: int) -> None:
    """The sayings of `tell` have a text in every language."""
    for language in LANGUAGES:
        try:
            inquiry.game.words(language).saying(saying.id, saying.params)
        except (KeyError, ValueError) as error:
            params = {"saying": shown(saying), "code": code}
            inquiry.expect(False, "view.unsaid", **params, error=error.args[0], remedy=WORDS)
