"""Admission: specs become the bots of an event, with unique names, and with digests that show when one changes."""

import hashlib
import inspect
import json
import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from palabre import __version__
from palabre.arena.rows import BotRow
from palabre.bots.bot import Bot
from palabre.bots.foreign import Foreign
from palabre.bots.specs import parameters
from palabre.bots.submission import Submission
from palabre.core.game import Game
from palabre.core.spec import FileParameter
from palabre.evaluation.names import EvaluationParameter, file_of
from palabre.play.failures import Limits
from palabre.play.guard import name as name_of
from palabre.sandbox.players import close_bot, seat
from palabre.sandbox.proxy import SandboxedBot
from palabre.search.clock import Clock


def admit(
    specs: Sequence[str],
    game: Game,
    clocks: Sequence[Clock],
    *,
    submissions: Mapping[str, Submission] | None = None,
    with_digests: bool = True,
    untrusted: bool = False,
    forbids_engine: bool = False,
    in_process: bool = False,
) -> list[BotRow]:
    """The bots that specs name, each with its clock; a `BadSpec` says what is wrong with one.

    A bot is named by its canonical spec. One that comes twice is numbered: `greedy`, `greedy (2)`. Digests take some
    time, and only an event that may be resumed needs them. `submissions` are those that have been read, by their specs.
    """
    rows: list[BotRow] = []
    for spec, clock in zip(specs, clocks, strict=True):
        submission = (submissions or {}).get(spec)
        limits = Limits(forbids_engine=forbids_engine)
        made = seat(submission or spec, game, limits=limits, untrusted=untrusted, in_process=in_process, rivals=specs)
        if isinstance(made, SandboxedBot):
            made.load()
        called = name_of(made) if submission is None else spec.strip()
        copies = sum(row.spec == called for row in rows)
        name = f"{called} ({copies + 1})" if copies else called
        digest = ""
        if with_digests:
            digest = submission_digest(submission, game, clock) if submission else bot_digest(made, game, clock)
        close_bot(made)
        rows.append(BotRow(name, called, digest, dict(made.options.values), clock))
    return rows


def bot_digest(bot: Bot, game: Game, clock: Clock) -> str:
    """A digest of all that decides how a bot plays: its sources, the game's, its options, its clock, our version."""
    from palabre.compile.digest import source_digest  # slow to import, and needed for events in files only

    if isinstance(bot, SandboxedBot):
        identity = json.dumps([__version__, bot.inside, bot.digest, list(bot.options.values), asdict(clock)])
        return source_digest(game.sources(), identity)
    files = [*_programs(bot), *_files(bot, game)]
    identity = json.dumps([__version__, name_of(bot), list(bot.options.values), asdict(clock), *files])
    return source_digest([Path(inspect.getfile(type(bot))).resolve(), *game.sources()], identity)


def submission_digest(submission: Submission, game: Game, clock: Clock) -> str:
    """A digest of all that decides how a submission plays."""
    from palabre.compile.digest import source_digest  # slow to import

    identity = json.dumps([__version__, submission.digest, submission.main, submission.class_name, asdict(clock)])
    return source_digest(game.sources(), identity)


def _files(bot: Bot, game: Game) -> list[str]:
    """Digests of the files that its parameters name, weights and nets among them."""
    paths: list[Path | None] = []
    for name, known in parameters(type(bot), game).items():
        if isinstance(known, FileParameter) and bot.options.word(name):
            paths.append(Path(bot.options.word(name)))
        elif isinstance(known, EvaluationParameter):
            paths.append(file_of(game, bot.options.word(name)))
    return [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths if path is not None]


def _programs(bot: Bot) -> list[str]:
    """Digests of the program of a foreign engine and of the files on its command line."""
    if not isinstance(bot, Foreign):
        return []
    words = shlex.split(bot.command)
    files = [shutil.which(words[0]) or words[0], *words[1:]]
    return [hashlib.sha256(Path(file).read_bytes()).hexdigest() for file in files if Path(file).is_file()]
