"""The pages for authors: what happened to their bot, why it forfeited games, and how to see that again.

The folders have numbers, because nothing that a bot says about itself is ever a file name. `bots.csv` beside them says
whose they are.
"""

from collections.abc import Sequence
from pathlib import Path

from palabre.arena.report.exports import write_csv
from palabre.arena.report.markup import Markup, copy_static, page, shown, table, tag
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
        rows.append((place.name, bot.name, bot.authors, bot.state, bot.note))
    write_csv(folder / "bots.csv", ("folder", "bot", "authors", "state", "note"), rows)


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
    if bot.state == "rejected":
        return tag("p", f"Not admitted: {shown(bot.note, 1000)}")
    own = facts.tallies.get(bot.name)
    if own is None or not own.games:
        return tag("p", "Admitted; it has not played yet.")
    rank = [rating.bot for rating in facts.ratings.bots].index(bot.name) + 1
    rating = facts.ratings.of(bot.name)
    return tag(
        "p",
        f"Rank {rank} of {len(facts.ratings.bots)}; Elo {rating.elo:+.0f} ± {NORMAL_95 * rating.error:.0f} (95 %); "
        f"{own.wins} wins, {own.draws} draws, {own.losses} losses, of these {own.forfeits} forfeits.",
    )


def _failure(bot: BotRow, game: Game, number: int, row: GameRow, event: str) -> list[Markup]:
    """One forfeit: the reason, the position, what the bot left behind, and the command that plays it again."""
    position = row.record(game).positions()[-1]
    command = f"palabre debug {bot.spec} --event {event} --game {number} --ply {row.plies}"
    told = [
        tag("h3", f"Game {number}, after ply {row.plies}"),
        tag("p", shown(row.ending, 1000)),
        tag("pre", str(position)),
        tag("p", "Position: ", tag("code", position.text)),
        tag("p", "To see it again: ", tag("code", shown(command, 500))),
    ]
    return [*told, tag("pre", _lines(row.details))] if row.details else told


def _lines(text: str) -> str:
    return "\n".join(shown(line, 500) for line in text[-LONGEST_DETAILS:].splitlines())


def _games(bot: BotRow, played: Sequence[tuple[int, GameRow]]) -> Markup:
    rows = []
    for number, row in played:
        seat = row.bots.index(bot.name)
        against = " – ".join(shown(other) for place, other in enumerate(row.bots) if place != seat)
        rows.append((number, against, shown(row.ending, 200), seat + 1, result_text((row.shares[seat],)), row.plies))
    return table(("game", "against", "end", "seat", "share", "plies"), rows, numbers_from=3)
