"""The verdicts of the admission test, for people: who is admitted, who is rejected and why, what was left out."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from rich.console import Console

from palabre.arena.entries import Entry
from palabre.arena.rows import COMPETITOR, BotRow
from palabre.arena.trial import Verdict
from palabre.bots.names import odd_letters
from palabre.cli.output import NOTHING, print_table, table
from palabre.core.errors import listing
from palabre.core.words import own_words

say = own_words(__file__)


def print_admission(
    on: Console,
    bots: Sequence[BotRow],
    verdicts: Mapping[str, Verdict],
    ignored: Iterable[Path],
    look_alikes: Iterable[Entry] = (),
) -> None:
    """A table of the admitted bots, a line on each look-alike and each rejected one, and how many there are of both."""
    admitted = [bot for bot in bots if bot.state == "admitted"]
    rejected = [bot for bot in bots if bot.state == "rejected"]
    if admitted:
        listed = table("admitted", "file", "authors", ">ms a move", ">slowest", ">MB")
        for bot in admitted:
            name = bot.name if bot.role == COMPETITOR else f"{bot.name} ({bot.role})"
            listed.add_row(name, bot.file, bot.authors, *_numbers(verdicts.get(bot.name)))
        print_table(on, listed)
    for entry in look_alikes:
        letters = odd_letters(entry.called)
        known = say("submission.odd_letters", letters=letters) if letters else ""
        note = say("submission.look_alike", bot=entry.row.name, file=entry.row.file, called=entry.called, letters=known)
        on.print(str(note), style="yellow")
    for bot in rejected:
        on.print(rejection(bot), style="yellow")
    on.print(str(say("admission.counts", admitted=len(admitted), rejected=len(rejected))))
    names = [path.name for path in ignored]
    if names:
        on.print(str(say("admission.ignored", names=listing(names))), style="dim")


def rejection(bot: BotRow) -> str:
    """Why a bot is rejected, with the file that its author knows it by."""
    named = bot.name if bot.file in ("", bot.name) or bot.reason.startswith(bot.file) else f"{bot.name} ({bot.file})"
    return str(say("admission.rejected", bot=named, reason=bot.reason))


def _numbers(verdict: Verdict | None) -> tuple[str, str, str]:
    if verdict is None or not verdict.moves:
        return (NOTHING, NOTHING, NOTHING)
    pace = 1000 * verdict.seconds / verdict.moves
    return (f"{pace:.1f}", f"{1000 * verdict.slowest:.1f}", f"{verdict.megabytes:.0f}")
