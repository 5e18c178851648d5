"""The pages for authors: what happened to their bot, why it forfeited games, and how to see that again.

The folders have numbers, because nothing that a bot says about itself is ever a file name. `bots.csv` beside them says
whose they are.
"""

import shlex
from collections.abc import Sequence
from pathlib import Path

from palabre.arena.report.exports import write_csv
from palabre.arena.report.markup import Markup, copy_static, join, page, shown, table, tag
from palabre.arena.report.public import Facts
from palabre.arena.result import NORMAL_95
from palabre.arena.rows import BotRow, GameRow
from palabre.core.game import Game
from palabre.core.record import result_text

MOST_FAILURES = 20  # forfeits that are told in full
LONGEST_DETAILS = 20_000  # characters


def write_private(folder: Path, game: Game, facts: Facts, event: str) -> None:
    """Write a folder for each bot, and the list of whose it is."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for number, bot in enumerate(facts.bots, start=1):
        place = folder / f"bot-{number:03d}"
        place.mkdir(exist_ok=True)
        copy_static(place, "report.css")
        (place / "index.html").write_text(_page(bot, game, facts, event), encoding="utf-8")
        rows.append((place.name, bot.name, bot.authors, bot.state, bot.reason))
    write_csv(folder / "bots.csv", ("folder", "bot", "authors", "state", "note"), rows)
    if facts.board is not None and facts.board.marks is not None:
        given = [
            (line.bot.authors, line.bot.name, facts.rank(line.bot.name) if line.standing else "rejected", line.mark)
            for line in facts.board.lines
            if line.mark is not None
        ]
        write_csv(folder / "marks.csv", ("authors", "bot", "rank", "mark"), given)


def _page(bot: BotRow, game: Game, facts: Facts, event: str) -> str:
    played = [(number, row) for number, row in enumerate(facts.games, start=1) if bot.name in row.bots]
    parts: list[object] = [
        tag("h1", shown(bot.name)),
        tag("p", shown(bot.authors, 200), class_="facts"),
        _verdict(bot, facts),
    ]
    lost = [(number, row) for number, row in played if row.forfeit is not None and row.bots[row.forfeit] == bot.name]
    if lost:
        parts.append(tag("h2", f"Games that it forfeited: {len(lost)}"))
        for number, row in lost[:MOST_FAILURES]:
            parts += _failure(bot, game, number, row, event)
    parts += [tag("h2", "Parameters"), table(("name", "value"), sorted(bot.options.items()), numbers_from=2)]
    parts += [tag("h2", "All its games"), _games(bot, played)]
    return page(shown(bot.name), *parts)


def _verdict(bot: BotRow, facts: Facts) -> Markup:
    mark = _mark(bot, facts)
    if bot.state == "rejected":
        reason, _, details = bot.note.partition("\n")
        told = tag("p", f"Not admitted: {shown(reason, 1000)}{mark}")
        return join([told, tag("pre", _lines(details))]) if details else told
    own = facts.tallies.get(bot.name)
    if own is None or not own.games:
        return tag("p", "Admitted; it has not played yet.")
    rank, rating = facts.rank(bot.name), facts.ratings.of(bot.name)
    return tag(
        "p",
        f"Rank {rank} of {len(facts.ratings.bots)}; Elo {rating.elo:+.0f} ± {NORMAL_95 * rating.error:.0f} (95 %); "
        f"{own.wins} wins, {own.draws} draws, {own.losses} losses, of these {own.forfeits} forfeits.{mark}",
    )


def _mark(bot: BotRow, facts: Facts) -> str:
    found = next((line.mark for line in facts.board.lines if line.bot.name == bot.name), None) if facts.board else None
    return "" if found is None else f" Mark: {found:g}."


def _failure(bot: BotRow, game: Game, number: int, row: GameRow, event: str) -> list[Markup]:
    """One forfeit: the reason, the position, what the bot left behind, and the command that plays it again."""
    position = row.record(game).positions()[-1]
    command = shlex.join(debug_words(bot.spec, event, number, row.plies))
    told = [
        tag("h3", f"Game {number}, after ply {row.plies}"),
        tag("p", shown(row.ending, 1000)),
        tag("pre", str(position)),
        tag("p", "Position: ", tag("code", position.text)),
        tag("p", "To see it again: ", tag("code", shown(command, 500))),
    ]
    return [*told, tag("pre", _lines(row.details))] if row.details else told


def debug_words(spec: str, event: str, number: int, ply: int) -> list[str]:
    """The command that shows again what a bot did."""
    return ["palabre", "debug", spec, "--event", event, "--game", str(number), "--ply", str(ply)]


def _lines(text: str) -> str:
    return "\n".join(shown(line, 500) for line in text[-LONGEST_DETAILS:].splitlines())


def _games(bot: BotRow, played: Sequence[tuple[int, GameRow]]) -> Markup:
    rows = []
    for number, row in played:
        seat = row.bots.index(bot.name)
        against = " – ".join(shown(other) for place, other in enumerate(row.bots) if place != seat)
        rows.append((number, against, shown(row.ending, 200), seat + 1, result_text((row.shares[seat],)), row.plies))
    return table(("game", "against", "end", "seat", "share", "plies"), rows, numbers_from=3)
