"""The laws of what a game's files say: functions that rules call, words in each language, rules for people."""

import dis
import tomllib
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

from palabre.core.errors import PalabreError
from palabre.core.kernels import KERNELS
from palabre.core.words import LANGUAGES, beside, typeset
from palabre.draw.rulebook import pictures
from palabre.laws.inquiry import Inquiry
from palabre.laws.purity import check_source
from palabre.laws.words import check_texts


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
        inquiry.where = f"{function.__code__.co_filename}, line {function.__code__.co_firstlineno}"
        check_source(inquiry, function)
        for name in _globals_of(function.__code__):
            found = function.__globals__.get(name)
            is_plain = isinstance(found, FunctionType) and _is_of(found, module) and found not in kernels
            told = f"{function.__name__} calls {name}, which is a plain function"
            inquiry.require(not is_plain, told, f"write @kernel above def {name}")
            told = f"{function.__name__} uses {name}, which is a {type(found).__name__}"
            remedy = "rules use integers, tuples of integers and Table([…]), which compile"
            inquiry.require(not isinstance(found, list | dict | set), told, remedy)


def check_words(inquiry: Inquiry, file: Path) -> None:
    """A file of words is TOML, and has only texts in it."""
    if not file.is_file():
        return
    inquiry.where = str(file)
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:  # it is no TOML, or no UTF-8
        wrong = f"the words are not TOML ({' '.join(str(error).split())})"
        inquiry.require(False, wrong, 'write lines such as title = "…", in UTF-8')
        return
    waiting = list(table.items())
    while waiting:
        name, entry = waiting.pop()
        told = f"{name} is {entry!r}"
        inquiry.require(isinstance(entry, str | dict), told, "words are texts in quotes, or tables of them")
        waiting += [(f"{name}.{inner}", value) for inner, value in entry.items()] if isinstance(entry, dict) else []


def check_page(inquiry: Inquiry, file: Path, language: str) -> None:
    """Every picture on a page of rules shows a position that there is."""
    if not file.is_file():
        return
    inquiry.where = str(file)
    try:
        pictures(typeset(file.read_text(encoding="utf-8"), language))
    except (PalabreError, UnicodeDecodeError) as error:
        remedy = "write ![caption](<position:TEXT?game=SPEC>) with a text that palabre show prints"
        inquiry.require(False, f"the page has a position that cannot be shown: {error}", remedy)


def _is_of(function: FunctionType, module: ModuleType) -> bool:
    """Whether a function is from a game's file, or from a part of its folder."""
    return function.__module__ == module.__name__ or function.__module__.startswith(f"{module.__name__}.")


def _globals_of(code: CodeType) -> list[str]:
    """The global names that a function reads, in their order."""
    return list(dict.fromkeys(str(step.argval) for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"))
