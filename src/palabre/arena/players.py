"""Who plays: our own bots in this process, and everybody else's in a sandbox.

A player is a spec (`greedy`, `mybot.py:depth=3`, `ugi:./engine`) or a submission. Where sandboxes do not work, bots of
others run without protection, and people are told so before anybody plays (`check_protection`), unless it is refused.
"""

import logging
import os
import shlex
import shutil
import weakref
from collections.abc import Iterable
from pathlib import Path

from palabre.arena.build import BUILD, build, run_command
from palabre.arena.guard import Forfeit, guard
from palabre.arena.sandbox import bubblewrap
from palabre.arena.sandbox.bubblewrap import BOT, Files
from palabre.arena.sandbox.proxy import SandboxedBot
from palabre.arena.sandbox.report import Limits, SandboxBroken
from palabre.arena.submission import TOML, Submission, read_submission
from palabre.bots.bot import Bot
from palabre.bots.pipe import PREFIX as PIPE
from palabre.bots.pipe import UPPER
from palabre.bots.specs import bot
from palabre.compile.digest import closure
from palabre.core.errors import BadSpec, PalabreError, listing
from palabre.core.game import Game
from palabre.core.registry import is_path, split
from palabre.core.words import say
from palabre.ugi.client import PREFIX as UGI

log = logging.getLogger(__name__)

SUBMISSION = "submission:"  # before a path: what lies there is one submission, and nothing beside it belongs to it

_submissions: "weakref.WeakKeyDictionary[Bot, Submission]" = weakref.WeakKeyDictionary()  # whose files a bot needs

UNPROTECTED = (
    "There is no sandbox for %s (%s). Code without a sandbox can read and change your files, use the network and stop "
    "other programs; nothing limits its memory, Palabre waits for ever if it never answers, and it can think on the "
    "opponent's time"
)


def check_protection(foreign: Iterable[str], *, untrusted: bool) -> bool:
    """Say loudly what these bots of others can do where sandboxes do not work, or refuse them if they are `untrusted`.

    Whoever lets bots play calls this once, before any of them runs. True means that all of them are protected. It is
    then the `untrusted` of `seat`, so that nobody loses protection in the middle of an event.
    """
    titles = list(dict.fromkeys(foreign))
    refusal = bubblewrap.why_not() if titles else None
    if refusal is None:
        return True
    if untrusted:
        raise PalabreError(
            f"there is no sandbox for {listing(titles)} ({refusal}), and --untrusted requires one; leave it out only "
            "if you trust their authors"
        )
    if not bubblewrap.is_off():
        log.warning(UNPROTECTED, listing(titles), refusal)
    return False


def seat(
    player: str | Submission,
    game: Game,
    *,
    limits: Limits | None = None,
    untrusted: bool = False,
    in_process: bool = False,
) -> Bot:
    """The bot that a spec or a submission names, ready to play; close it (`close_bot`) when it has played.

    Where sandboxes do not work, a bot of somebody else plays unprotected; with `untrusted`, a `SandboxBroken` says why
    it cannot be made to play. With `in_process` nobody is put into a sandbox.
    """
    player = _submitted(player)
    if isinstance(player, str) and not is_foreign(player):
        return bot(player, game)
    title = player if isinstance(player, str) else player.name
    refusal = None if in_process else bubblewrap.why_not()
    if refusal is not None and untrusted:
        raise SandboxBroken(say("sandbox.unprotected", bot=title, why=refusal))
    limits = limits or Limits()
    is_protected = refusal is None and not in_process
    if isinstance(player, Submission):
        inside, files = _of_submission(player, limits, is_protected)
    elif is_command(player):
        inside, files = _of_command(player.strip(), game)
    else:
        inside, files = files_of(player.strip())
    made: Bot
    if is_protected:
        files = Files({**files.read, **_of_game(game)}, has_programs=files.has_programs)
        is_kept = isinstance(player, Submission) and player.is_kept
        made = SandboxedBot(title, inside, game, files, limits=limits, is_kept=is_kept)
    else:
        made = bot(inside if isinstance(player, Submission) else player, game)
        made.spec = title
    if isinstance(player, Submission):
        _submissions[made] = player
    return made


def close_bot(player: Bot) -> None:
    """Tell a bot that there will be no more games, and end its sandbox if it has one."""
    try:
        guard(player.end_event)
    except Forfeit as error:
        log.info("%s: %s", player.spec, error)
    if isinstance(player, SandboxedBot):
        player.close()


def is_foreign(spec: str) -> bool:
    """Whether a spec names a bot that is not ours."""
    return is_command(spec) or is_path(split(spec.strip())[0]) or is_submission(spec)


def may_end_us(spec: str) -> bool:
    """Whether a bot runs somebody's own code in the process that plays: it could end or block that process."""
    return is_foreign(spec) and not is_command(spec) and bubblewrap.why_not() is not None


def is_command(spec: str) -> bool:
    """Whether a spec is a command line."""
    return spec.strip().startswith((UGI, PIPE))


def split_command(spec: str) -> tuple[str, str]:
    """What stands before the command line of a spec, and the command line."""
    prefix = UGI if spec.startswith(UGI) else PIPE
    command = spec.removeprefix(prefix).strip()
    if command.startswith(UPPER):
        prefix, command = prefix + UPPER, command.removeprefix(UPPER).strip()
    return prefix, command


def is_submission(spec: str) -> bool:
    """Whether a spec is the path of a zip, or of a folder that is no Python package."""
    name, _ = split(spec.strip())
    has_init, has_toml = (os.path.isfile(os.path.join(name, file)) for file in ("__init__.py", TOML))  # noqa: PTH113, PTH118
    return name.endswith(".zip") or has_toml or (os.path.isdir(name) and not has_init)  # noqa: PTH112


def _submitted(player: str | Submission) -> str | Submission:
    """A spec that is the path of a submission, as the submission that it is."""
    if isinstance(player, Submission) or is_command(player):
        return player
    if player.startswith(SUBMISSION):
        return read_submission(Path(player.removeprefix(SUBMISSION)))
    if not is_submission(player):
        return player
    name, items = split(player.strip())
    if items:
        raise BadSpec(say("spec.takes_none", name=name, items=items))
    return read_submission(Path(name))


def _of_submission(submission: Submission, limits: Limits, is_protected: bool) -> tuple[str, Files]:
    home = BOT if is_protected else submission.folder
    files = Files({str(BOT): submission.folder}, has_programs=submission.kind != "python")
    if submission.kind == "python":
        return f"{home / submission.main}:{submission.class_name}", files
    prefix = UGI if submission.protocol == "ugi" else PIPE + (UPPER if submission.is_upper else "")
    if submission.kind == "program":
        program, *words = shlex.split(submission.main)
        if (submission.folder / program).is_file():
            program = str(home / program)
        return f"{prefix}{shlex.join([program, *words])}", files
    built = build(submission, limits, protected=is_protected)
    command = run_command(submission, BUILD if is_protected else str(built), limits)
    return f"{prefix}{command}", Files({**files.read, BUILD: built}, has_programs=True)


def _of_command(spec: str, game: Game) -> tuple[str, Files]:
    """A command line: the programs of this machine are there, and the files that it names, and no others."""
    bot(spec, game)  # a `BadSpec` if it cannot be run
    prefix, command = split_command(spec)
    read: dict[str, Path] = {}
    words = []
    for number, word in enumerate(shlex.split(command)):
        found = shutil.which(word) if number == 0 else word
        if found is not None and Path(found).is_file():
            place = Path(os.path.abspath(found))  # noqa: PTH100 (links must stay)
            read[str(place)] = place.resolve()
            words.append(str(place))
        else:
            words.append(word)
    return f"{prefix}{shlex.join(words)}", Files(read, has_programs=True)


def files_of(spec: str) -> tuple[str, Files]:
    """A Python file, with those files beside it that it imports, or a folder; and the spec of what is seen inside."""
    name, items = split(spec)
    path = Path(name)
    if not os.path.exists(name):  # noqa: PTH110 (a Path raises if it is too long)
        raise BadSpec(say("spec.no_bot_file", path=name))
    colon = f":{items}" if items else ""
    folder = path.resolve().parent
    if path.is_dir():
        title = path.resolve().name
        return f"{BOT}/{title}/{colon}", Files({f"{BOT}/{title}": path.resolve()})
    beside = [file for file in closure([path.resolve()]) if file.is_relative_to(folder)]
    read = {str(BOT / file.relative_to(folder)): file for file in beside}
    return f"{BOT}/{path.resolve().name}{colon}", Files(read)


def _of_game(game: Game) -> dict[str, Path]:
    """The files of a game that is not ours, where they are: compiled code is kept by their place."""
    package = bubblewrap.package()
    sources = [file for file in game.sources() if not file.is_relative_to(package)]
    if not sources:
        return {}
    if len(sources) > 1 or sources[0].name == "__init__.py":
        return {str(sources[0].parent): sources[0].parent}
    folder = sources[0].parent
    return {str(file): file for file in closure(sources) if file.is_relative_to(folder)}
