"""Files to start from: a bot that already plays, a small game that already works."""

import re
import shlex
from pathlib import Path

from palabre import laws
from palabre.bots import templates
from palabre.core.errors import PalabreError, did_you_mean, listing
from palabre.core.game_words import capital, spelled
from palabre.core.given import given_path
from palabre.core.words import say

FIRST_TEMPLATE = next(iter(templates.TEMPLATES))
COMMAND_LINE = re.compile(r"((?:palabre|python) .*?) {2,}(\S.*)")


def new_bot(file: str | Path, template: str = FIRST_TEMPLATE) -> None:
    """Write a bot that already plays to a new Python file; an unknown template lists those that there are."""
    path = given_path("new_bot", file)
    if template not in templates.TEMPLATES:
        meant = did_you_mean(template, templates.TEMPLATES)
        raise PalabreError(say("template.unknown", name=template, hint=meant, templates=listing(templates.TEMPLATES)))
    text = Path(templates.__file__).with_name(f"{template}.py").read_text(encoding="utf-8")
    named = text.replace("person,FILE", shlex.quote(f"person,{path.as_posix()}"))
    _write_new(path, _aligned(named.replace("FILE", shlex.quote(path.as_posix()))))


def new_game(file: str | Path) -> None:
    """Write a small game that already works to a new Python file."""
    path = given_path("new_game", file)
    text = (Path(laws.__file__).parent / "template.py").read_text(encoding="utf-8")
    words = spelled(path.stem)
    _write_new(path, text.replace("my-game", words.replace(" ", "-").lower()).replace("My Game", capital(words)))


def _aligned(text: str) -> str:
    """A template whose first lines, commands and what each is for, stand in columns whatever the file is called."""
    head, quotes, rest = text.partition('\n"""\n')
    pairs = [COMMAND_LINE.fullmatch(line) or line for line in head.split("\n")]
    width = max(len(pair[1]) for pair in pairs if not isinstance(pair, str))
    return (
        "\n".join(pair if isinstance(pair, str) else f"{pair[1]:<{width}}  {pair[2]}" for pair in pairs) + quotes + rest
    )


def _write_new(file: Path, text: str) -> None:
    """Write a new file; the commands in its text name it, quoted for a shell."""
    if file.suffix != ".py":
        raise PalabreError(say("path.no_python", path=file))
    try:
        with file.open("x", encoding="utf-8") as out:
            out.write(text.replace("FILE", shlex.quote(file.as_posix())))
    except FileExistsError as error:
        raise PalabreError(say("path.exists", path=file)) from error
    except OSError as error:
        raise PalabreError(say("database.unwritable", file=file, error=error.strerror)) from error
