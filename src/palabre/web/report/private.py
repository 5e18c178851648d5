"""The pages for authors: what happened to their bot, why it forfeited games, and how to see that again.

The folders have numbers, because nothing that a bot says about itself is ever a file name. `index.html` and `bots.csv`
beside them are for the organiser of the event: whose folder is which, why bots were rejected, and which bots are alike.
"""

import shlex
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from palabre.arena.result import NORMAL_95
from palabre.arena.rows import BotRow, GameRow, Settings, clock_options
from palabre.arena.store import open_store
from palabre.core.game import Game
from palabre.core.record import result_text
from palabre.core.registry import is_path, split
from palabre.core.words import say
from palabre.web.report.exports import write_csv
from palabre.web.report.facts import Facts, public_ending
from palabre.web.report.markup import STYLE, Markup, counted, join, page, shown, style, table, tag

MOST_FAILURES = 20  # forfeits that are shown in full
LONGEST_DETAILS = 20_000  # characters
FAILURES = "failures.event"  # the games that a bot forfeited, for `palabre debug`
MOST_ALIKE = 100  # pairs of bots that played the same moves


def write_private(folder: Path, game: Game, facts: Facts, settings: Settings) -> None:
    """Write a folder for each bot, as pages and as a zip to send, and the list of whose it is."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for number, bot in enumerate(facts.bots, start=1):
        place = folder / f"bot-{number:03d}"
        place.mkdir(exist_ok=True)
        (place / STYLE).write_text(style(), encoding="utf-8")
        lost = [(at, row) for at, row in _played(bot, facts) if _is_forfeited_by(bot, row)][:MOST_FAILURES]
        if lost:
            _write_failures(place / FAILURES, bot, facts, settings, [row for _, row in lost])
        (place / "index.html").write_text(_page(bot, game, facts, lost), encoding="utf-8")
        _pack(place)
        rows.append((place.name, bot.file, bot.name, bot.authors, bot.state, bot.reason))
    write_csv(folder / "bots.csv", ("folder", "file", "bot", "authors", "state", "note"), rows)
    (folder / STYLE).write_text(style(), encoding="utf-8")
    (folder / "index.html").write_text(_overview(facts), encoding="utf-8")
    if facts.board is not None and facts.board.marks is not None:
        given = [
            (
                line.bot.file,
                line.bot.authors,
                line.bot.name,
                facts.rank(line.bot.name) if line.standing else "rejected",
                line.mark,
            )
            for line in facts.board.lines
            if line.mark is not None
        ]
        write_csv(folder / "marks.csv", ("file", "authors", "bot", "rank", "mark"), given)


def _pack(place: Path) -> None:
    """The folder of an author as a file that can be sent."""
    with zipfile.ZipFile(place.with_suffix(".zip"), "w", zipfile.ZIP_DEFLATED) as packed:
        for file in sorted(place.iterdir()):
            packed.write(file, f"{place.name}/{file.name}")


def _write_failures(file: Path, bot: BotRow, facts: Facts, settings: Settings, rows: Sequence[GameRow]) -> None:
    """An event of nothing but the games that a bot forfeited; of the other bots it has names and clocks."""
    file.unlink(missing_ok=True)
    names = {name for row in rows for name in row.bots}
    players = [one for one in facts.bots if one.name in names]
    with open_store(file) as store:
        store.begin(settings)
        store.admit(
            replace(bot, digest="", spec=_given(bot)) if one is bot else BotRow(one.name, "", "", clock=one.clock)
            for one in players
        )
        for row in rows:
            store.add_game(row)


def _given(bot: BotRow) -> str:
    """How the author of a bot names it on the command line."""
    return bot.file or bot.spec


def _played(bot: BotRow, facts: Facts) -> list[tuple[int, GameRow]]:
    return [(number, row) for number, row in enumerate(facts.games, start=1) if bot.name in row.bots]


def _is_forfeited_by(bot: BotRow, row: GameRow) -> bool:
    return row.forfeit is not None and row.bots[row.forfeit] == bot.name


# ------------------------------------------------------------------------------------------------------- for an author


def _page(bot: BotRow, game: Game, facts: Facts, lost: Sequence[tuple[int, GameRow]]) -> str:
    played = _played(bot, facts)
    file = f"{bot.file}, {bot.authors}" if bot.file and bot.authors else bot.file or bot.authors
    parts: list[object] = [
        tag("h1", shown(bot.name)),
        tag("p", shown(file, 200), class_="quiet"),
        _verdict(bot, facts),
    ]
    if lost:
        forfeits = sum(_is_forfeited_by(bot, row) for _, row in played)
        parts.append(tag("h2", f"Games that it forfeited: {forfeits}"))
        parts.append(
            tag(
                "p",
                "The commands are for a terminal in this folder, with your bot copied into it; it runs unprotected.",
            )
        )
        for at, (number, row) in enumerate(lost, start=1):
            parts += _failure(bot, game, number, at, row)
    parts += [tag("h2", "Parameters"), table(("name", "value"), sorted(bot.options.items()), numbers_from=2)]
    parts += [tag("h2", "All its games"), _games(bot, played)]
    replayed = [row for row in facts.replayed if bot.name in row.bots]
    if replayed:
        parts += [tag("h2", str(say("report.replayed"))), _replayed(bot, replayed)]
    return page(shown(bot.name), *parts)


def _verdict(bot: BotRow, facts: Facts) -> Markup:
    mark = _mark(bot, facts)
    if bot.state == "rejected":
        reason, _, details = bot.note.partition("\n")
        command = ["palabre", "check", _given(bot), "--game", facts.spec, *clock_options(bot.clock)]
        verdict = [
            tag("p", f"Not admitted: {shown(reason, 1000)}{mark}"),
            tag("p", "To see it again: ", tag("code", shown(shlex.join(command), 500))),
        ]
        return join([*verdict, tag("pre", _lines(details))]) if details else join(verdict)
    own = facts.rows.get(bot.name)
    if own is None or not own.games:
        return tag("p", "Admitted; it has not played yet.")
    rank, rating = facts.rank(bot.name), facts.ratings.of(bot.name)
    place = f"Rank {rank} of {facts.ranked}" if isinstance(rank, int) else rank.capitalize()
    results = [
        counted(own.games, "game", "games"),
        counted(own.wins, "win", "wins"),
        counted(own.draws, "draw", "draws"),
        counted(own.losses, "loss", "losses"),
    ]
    forfeits = f" ({own.forfeits} by forfeit)" if own.forfeits else ""
    error = f"{NORMAL_95 * rating.error:.0f}"
    return tag("p", f"{place}; Elo {round(rating.elo):+d} ± {error} (95 %); {', '.join(results)}{forfeits}.{mark}")


def _mark(bot: BotRow, facts: Facts) -> str:
    mark = next((line.mark for line in facts.board.lines if line.bot.name == bot.name), None) if facts.board else None
    return "" if mark is None else f" Mark: {mark:g}."


def _failure(bot: BotRow, game: Game, number: int, at: int, row: GameRow) -> list[Markup]:
    """One forfeit: the reason, the position, what the bot left behind, and the command that plays it again."""
    position = row.record(game).positions()[-1]
    command = shlex.join(debug_words(_given(bot), FAILURES, at, row.plies, trust=is_path(split(game.spec)[0])))
    parts = [
        tag("h3", f"Game {number}, after ply {row.plies}"),
        tag("p", shown(row.ending, 1000)),
        tag("pre", str(position)),
        tag("p", "Position: ", tag("code", position.text)),
        tag("p", "To see it again: ", tag("code", shown(command, 500))),
    ]
    return [*parts, tag("pre", _lines(row.details))] if row.details else parts


def debug_words(spec: str, event: str, number: int, ply: int, *, trust: bool = False) -> list[str]:
    """The command that shows again what a bot did; with `trust` it may run the game file that the event names."""
    words = ["palabre", "debug", spec, "--event", event, "--game", str(number), "--ply", str(ply)]
    return [*words, "--trust"] if trust else words


def _lines(text: str) -> str:
    return "\n".join(shown(line, 500) for line in text[-LONGEST_DETAILS:].splitlines())


def _games(bot: BotRow, played: Sequence[tuple[int, GameRow]]) -> Markup:
    rows = []
    for number, row in played:
        seat = row.bots.index(bot.name)
        against = " – ".join(shown(other) for place, other in enumerate(row.bots) if place != seat)
        ending = row.ending if row.forfeit == seat else public_ending(row)  # why others failed is private
        rows.append((number, against, shown(ending, 200), seat + 1, result_text((row.shares[seat],)), row.plies))
    return table(("game", "against", "end", "seat", "share", "plies"), rows, numbers_from=3)


def _replayed(bot: BotRow, rows: Sequence[GameRow]) -> Markup:
    lines = []
    for row in rows:
        seat = row.bots.index(bot.name)
        ending = row.ending if row.forfeit == seat else public_ending(row)
        names = " – ".join(map(shown, row.bots))
        lines.append((names, shown(ending, 200), row.superseded, row.attempt, row.plies))
    return table(("game", "end", "why it was played again", "attempt", "plies"), lines, numbers_from=3)


# ------------------------------------------------------------------------------------------- for who holds the event


def _overview(facts: Facts) -> str:
    marks = {line.bot.name: line.mark for line in facts.board.lines} if facts.board else {}
    rows = []
    for number, bot in enumerate(facts.bots, start=1):
        rank = facts.rank(bot.name) if bot.name in facts.names else bot.state
        mark = marks.get(bot.name)
        place = tag("a", f"bot-{number:03d}", href=f"bot-{number:03d}/index.html")
        reason = shown(bot.reason, 400) if bot.state == "rejected" else ""
        names = (shown(bot.file), shown(bot.name), shown(bot.authors, 200))
        rows.append((place, *names, reason, rank, "" if mark is None else f"{mark:g}"))
    head = ("folder", "file", "bot", "authors", "why it was rejected", "rank", "mark")
    machine = ", ".join(f"{key} {value}" for key, value in facts.machine.items() if value)
    parts = [
        tag("h1", facts.title),
        tag("p", "For the organiser of the event: do not publish this folder.", class_="quiet"),
        table(head, rows, numbers_from=5),
        *_alike(facts),
        tag("p", machine, class_="quiet"),
    ]
    return page(facts.title, *parts)


def _alike(facts: Facts) -> list[Markup]:
    """Which bots are copies of each other or played alike, which proves nothing: two may have one good idea."""
    groups = [
        f"The same files, except for names: {', '.join(shown(name) for name in group)}" for group in facts.same_files
    ]
    groups += [
        f"The same move in all {one.positions} positions that both met: {', '.join(map(shown, one.bots))}"
        for one in facts.same_moves[:MOST_ALIKE]
    ]
    if not groups:
        return [tag("h2", "Bots that are alike"), tag("p", "None.")]
    return [tag("h2", "Bots that are alike"), tag("ul", *(tag("li", line) for line in groups))]
