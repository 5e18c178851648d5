"""Who plays: our own bots in this process, and everybody else's in a sandbox.

A player is a spec (`greedy`, `mybot.py:depth=3`, `ugi:./engine`) or a submission. Where sandboxes do not work, bots of
others run without protection, and a warning says so before any game (`check_protection`), unless it is refused.
"""

import logging
import os
import shlex
import shutil
import weakref
from collections.abc import Iterable
from pathlib import Path

from palabre.bots.bot import Bot
from palabre.bots.pipe import PREFIX as PIPE
from palabre.bots.pipe import UPPER
from palabre.bots.specs import bot
from palabre.bots.submission import Rejected, Submission, read_submission, submission_of, summary_of
from palabre.compile.digest import closure
from palabre.core.errors import BadSpec, PalabreError, listing
from palabre.core.game import Game
from palabre.core.registry import is_path, split
from palabre.core.words import say
from palabre.play.failures import Forfeit, Limits, SandboxBroken
from palabre.play.guard import guard
from palabre.play.stacks import BOT
from palabre.play.watched import WatchedBot
from palabre.sandbox import bubblewrap
from palabre.sandbox.bubblewrap import Files
from palabre.sandbox.build import BUILD, build, run_command
from palabre.sandbox.proxy import SandboxedBot
from palabre.sandbox.readable import readable
from palabre.ugi.client import PREFIX as UGI

log = logging.getLogger(__name__)

SUBMISSION = "submission:"  # before a path: what lies there is one submission, and nothing beside it belongs to it

_submissions: "weakref.WeakKeyDictionary[Bot, Submission]" = weakref.WeakKeyDictionary()  # whose files a bot needs


def check_protection(foreign: Iterable[str], *, untrusted: bool, forbids_engine: bool = False) -> bool:
    """Say loudly what these bots of others can do where sandboxes do not work, or refuse them if they are `untrusted`.

    Whoever lets bots play calls this once, before any of them runs. True means that all of them are protected. It is
    then the `untrusted` of `seat`, so that no bot loses protection in the middle of an event.
    """
    titles = list(dict.fromkeys(foreign))
    refusal = bubblewrap.why_not() if titles else None
    if refusal is None:
        return True
    for option, is_given in (("--untrusted", untrusted), ("--forbid-engine", forbids_engine)):
        if is_given:
            raise PalabreError(say("sandbox.required", bots=listing(titles), why=refusal, option=option))
    if not bubblewrap.is_off():
        log.warning("%s", say("sandbox.none", bots=listing(titles), why=refusal))
    return False


def seat(
    player: str | Submission,
    game: Game,
    *,
    limits: Limits | None = None,
    untrusted: bool = False,
    in_process: bool = False,
    rivals: Iterable[str] = (),
) -> Bot:
    """The bot that a spec or a submission names, ready to play; close it (`close_bot`) when it has played.

    Where sandboxes do not work, a bot of another user plays unprotected; with `untrusted`, a `SandboxBroken` says why
    it cannot be made to play. With `in_process` no bot is in a sandbox; all are watched by the same clocks. `rivals`
    are the specs of those that it may meet, whose files it must not see.
    """
    player = _submitted(player)
    if isinstance(player, str) and not is_foreign(player):
        return bot(player, game)
    title = player if isinstance(player, str) else player.name
    limits = limits or Limits()
    if in_process:
        return _watched(player, title, game, limits)
    refusal = bubblewrap.why_not()
    if refusal is not None and untrusted:
        raise SandboxBroken(say("sandbox.unprotected", bot=title, why=refusal))
    is_protected = refusal is None
    if isinstance(player, Submission):
        inside, files = _of_submission(player, limits, is_protected)
    elif is_command(player):
        inside, files = _of_command(player.strip(), game)
    else:
        inside, files = files_of(player.strip(), rivals)
    made: Bot
    if is_protected:
        files = readable(Files({**files.read, **_of_game(game)}, has_programs=files.has_programs))
        is_kept = isinstance(player, Submission) and player.is_kept
        made = SandboxedBot(title, inside, game, files, limits=limits, is_kept=is_kept)
    else:
        made = bot(inside if isinstance(player, Submission) else player, game)
        made.spec = title
    if isinstance(player, Submission):
        _submissions[made] = player
    return made


def place_of(submission: Submission) -> str:
    """The spec by which a worker finds our copy of a submission."""
    return f"{SUBMISSION}{submission.folder}"


def _watched(player: str | Submission, title: str, game: Game, limits: Limits) -> Bot:
    """A bot in this process, for its author. A program has a process of its own, and keeps its time by itself."""
    spec = _of_submission(player, limits, False)[0] if isinstance(player, Submission) else player
    made = bot(spec, game) if is_command(spec) else WatchedBot(lambda: bot(spec, game), title, limits)
    made.spec = title
    if isinstance(player, Submission):
        _submissions[made] = player
    return made


def close_bot(player: Bot) -> None:
    """End the event for a bot, and its sandbox if it has one."""
    try:
        guard(player.end_event)
    except Forfeit as error:
        log.info("%s: %s", player.spec, error)
    if isinstance(player, SandboxedBot):
        player.close()


def is_foreign(spec: str) -> bool:
    """Whether a spec names a bot that is not ours."""
    return is_command(spec) or is_path(split(spec.strip())[0])


def may_end_us(spec: str) -> bool:
    """Whether a bot runs a user's own code in the process that plays: it could end or block that process."""
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


def _submitted(player: str | Submission) -> str | Submission:
    """A spec that is the path of a submission, as the submission that it is."""
    if isinstance(player, Submission) or is_command(player):
        return player
    if player.startswith(SUBMISSION):
        return read_submission(Path(player.removeprefix(SUBMISSION)))
    return submission_of(player) or player


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
        file = shutil.which(word) if number == 0 else word
        if file is not None and Path(file).is_file():
            place = Path(os.path.abspath(file))  # noqa: PTH100 (links must stay)
            read[str(place)] = place.resolve()
            words.append(str(place))
        else:
            words.append(word)
    return f"{prefix}{shlex.join(words)}", Files(read, has_programs=True)


def files_of(spec: str, rivals: Iterable[str] = ()) -> tuple[str, Files]:
    """A Python file, with those files beside it that it imports, or a folder; and the spec of what is seen inside.

    Beside a file of a rival, a file is alone: what lies there need not be its own.
    """
    name, items = split(spec)
    path = Path(name)
    if not os.path.exists(name):  # noqa: PTH110 (a Path raises if it is too long)
        raise BadSpec(say("spec.no_bot_file", path=name))
    for part in [path.resolve(), *path.rglob("*")]:
        if not (part.is_symlink() or part.is_file() or part.is_dir()):
            raise Rejected(say("submission.no_file", path=path, name=part.name))
    colon = f":{items}" if items else ""
    folder = path.resolve().parent
    if path.is_dir():
        title = path.resolve().name
        return f"{BOT}/{title}/{colon}", Files({f"{BOT}/{title}": path.resolve()})
    beside = [path.resolve()]
    if not any(file.is_relative_to(folder) for file in _files_of(rivals) if file != path.resolve()):
        imported = closure(beside, lambda file: summary_of(_within(file, folder)))
        beside = [file for file in imported if file.is_relative_to(folder)]
    read = {str(BOT / file.relative_to(folder)): _within(file, folder) for file in beside}
    return f"{BOT}/{path.resolve().name}{colon}", Files(read)


def _within(file: Path, folder: Path) -> Path:
    """What a file beside a bot is; it may be a link, but none that leads out of the folder."""
    target = file.resolve()
    if not target.is_relative_to(folder):
        raise Rejected(say("submission.link", path=file))
    return target


def _files_of(specs: Iterable[str]) -> list[Path]:
    """The files and folders that specs of bots name."""
    names = (spec.strip().removeprefix(SUBMISSION) for spec in specs if not is_command(spec))
    return [Path(split(name)[0]).resolve() for name in names if is_foreign(name)]


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
