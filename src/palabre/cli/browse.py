"""`palabre play` in the browser: the options of the command line as settings of the server, and a game to open."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from palabre.cli.clocks import read_clock
from palabre.cli.output import console, notes
from palabre.cli.records import first_position
from palabre.cli.seats import check_number, read_players, suggest_person
from palabre.core.errors import BrokenGame, PalabreError
from palabre.core.record import is_reference
from palabre.core.registry import is_path, split
from palabre.core.words import own_words
from palabre.laws.first_use import check_first_use
from palabre.play.game import PERSON
from palabre.web.limits import COMMANDS, Folders, ServerLimits, read_bot, read_game
from palabre.web.requests import ClockWish, OpenRoom, Place, SeatWish
from palabre.web.run import ServerSettings, serve
from palabre.web.server import make_app

say = own_words(__file__)


def browse(
    spec: str | None,
    players: str | None,
    position: str | None,
    clock: str | None,
    seed: int | None,
    served: Mapping[str, Any],
    *,
    trust: bool,
    opens_browser: bool,
) -> None:
    """Serve the page until the server is ended. `served` are settings of it; None stands for the default."""
    given: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in served.items() if value is not None
    }
    settings = ServerSettings(**given, opens_browser=opens_browser)
    for option, folders in (("bots", settings.bots), ("games", settings.games), ("events", settings.events)):
        for folder in folders:
            if not folder.is_dir():
                raise PalabreError(say("option.no_folder", option=option, folder=folder))
    settings = replace(settings, broken=tuple(_broken_games(settings.games)))
    if spec is not None:
        settings = _opening(settings, spec, players, position, clock, seed, trust=trust)
    else:
        for option, value in (("players", players), ("position", position), ("clock", clock), ("seed", seed)):
            if value is not None:
                raise PalabreError(say("option.needs_game", option=option, value=value))
    serve(settings, make_app, _print)


def _broken_games(folders: tuple[Path, ...]) -> Iterator[tuple[Path, str]]:
    """The games of these folders that break a law, each with its sentence, which the terminal and the page show."""
    for file in Folders(games=folders).game_files().values():
        try:
            check_first_use(str(file))
        except BrokenGame as error:
            notes.print(str(say("option.not_offered", error=error.message)))
            yield file, str(error)


def _opening(
    settings: ServerSettings,
    spec: str,
    players: str | None,
    position: str | None,
    clock: str | None,
    seed: int | None,
    *,
    trust: bool,
) -> ServerSettings:
    """The settings, with a game to open; a mistake is an error here, not in the browser."""
    start = first_position(spec, position, seed or 0, trust=trust)
    game = start.game
    name, offered = _offer(game.spec)
    settings = replace(settings, games=(*settings.games, *offered))
    seats = []
    for word in read_players(players, game):
        if word == PERSON:
            seats.append(SeatWish("me"))
            continue
        if word.strip().startswith(COMMANDS):
            raise PalabreError(say("seat.program", word=word))
        bot, offered = _offer(word.strip())
        settings = replace(settings, bots=(*settings.bots, *offered))
        seats.append(SeatWish("bot", bot))
    folders = Folders(settings.bots, settings.games, settings.broken)
    known = read_game(name, folders)
    for seat in seats:
        if seat.who == "bot":
            with suggest_person(seat.bot):
                read_bot(seat.bot, known, ServerLimits(seconds=settings.seconds), folders)
    check_number(seats, game)
    is_usual = position is None and not is_reference(spec)  # then the room's own seed decides what is left to chance
    place = Place(name) if is_usual else Place(name, start.start_text, [move.text for move in start.played])
    wish = None
    if clock is not None:
        read = read_clock(game, None, clock)
        wish = ClockWish(read.remaining or 0.0, read.increment)
    return replace(settings, opening=OpenRoom(0, place, seats, wish, seed))


def _offer(spec: str) -> tuple[str, tuple[Path, ...]]:
    """The spec by which the page names a bot or a game, and the files that must be offered for that."""
    name, items = split(spec)
    if not is_path(name):
        return spec, ()
    file = Path(name).resolve()
    return f"{file.parent.name}/{file.name}" + (f":{items}" if items else ""), (file,)


def _print(line: str) -> None:
    console.print(line)
    sys.stdout.flush()  # a program may wait for the link at the other end of a pipe
