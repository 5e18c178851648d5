"""The laws of a game's files: functions that rules call, words in each language, rules for people."""

import dis
import tomllib
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

from palabre.core.errors import PalabreError
from palabre.core.kernels import KERNELS
from palabre.core.words import LANGUAGES, beside, own_words, typeset
from palabre.draw.rulebook import pictures
from palabre.laws.inquiry import Inquiry
from palabre.laws.purity import check_source
from palabre.laws.texts import check_texts

say = own_words(__file__)


def check_files(inquiry: Inquiry) -> None:
    """Check what can be seen without a position."""
    file = Path(str(inquiry.game.module.__file__))
    check_kernels(inquiry, inquiry.game.module)
    for language in LANGUAGES:
        check_words(inquiry, beside(file, "words") / f"{language}.toml")
        check_texts(inquiry, beside(file, "words"), language)
        check_page(inquiry, beside(file, f"rules.{language}.md"), language)


def check_kernels(inquiry: Inquiry, module: ModuleType) -> None:
    """Rules call kernels, and no plain functions of the game; nor do they look things up in what cannot be compiled."""
    kernels = {function for function in KERNELS if _is_of(function, module)}
    for function in sorted(kernels, key=lambda each: (each.__code__.co_filename, each.__code__.co_firstlineno)):
        inquiry.where = say("asked.line", file=function.__code__.co_filename, line=function.__code__.co_firstlineno)
        check_source(inquiry, function)
        for name in _globals_of(function.__code__):
            used = function.__globals__.get(name)
            is_plain = isinstance(used, FunctionType) and _is_of(used, module) and used not in kernels
            about = {"function": function.__name__, "name": name}
            inquiry.expect(not is_plain, "kernels.plain", **about)
            inquiry.expect(
                not isinstance(used, list | dict | set), "kernels.container", kind=type(used).__name__, **about
            )


def check_words(inquiry: Inquiry, file: Path) -> None:
    """A file of words is TOML, and has only texts in it."""
    if not file.is_file():
        return
    inquiry.where = str(file)
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:  # it is no TOML, or no UTF-8
        wrong = " ".join(str(error).split())
        inquiry.expect(False, "texts.no_toml", error=wrong)
        return
    waiting = list(table.items())
    while waiting:
        name, entry = waiting.pop()
        inquiry.expect(isinstance(entry, str | dict), "texts.no_texts", name=name, entry=repr(entry))
        waiting += [(f"{name}.{inner}", value) for inner, value in entry.items()] if isinstance(entry, dict) else []


def check_page(inquiry: Inquiry, file: Path, language: str) -> None:
    """Every picture on a page of rules shows a position that there is."""
    if not file.is_file():
        return
    inquiry.where = str(file)
    try:
        pictures(typeset(file.read_text(encoding="utf-8"), language))
    except (PalabreError, UnicodeDecodeError) as error:
        why = error.message if isinstance(error, PalabreError) else str(error)
        inquiry.expect(False, "texts.picture", error=why)


def _is_of(function: FunctionType, module: ModuleType) -> bool:
    """Whether a function is from a game's file, or from a part of its folder."""
    return function.__module__ == module.__name__ or function.__module__.startswith(f"{module.__name__}.")


def _globals_of(code: CodeType) -> list[str]:
    """The global names that a function reads, in their order."""
    return list(dict.fromkeys(str(step.argval) for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"))
