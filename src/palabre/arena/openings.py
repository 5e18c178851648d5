"""Openings: the positions from which bots meet. All pairings of an event play the same ones.

An opening depends on the event's seed and on its own number alone, so it does not matter who plays it, or when.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path

from palabre.arena.balance import Judge, draw_balanced
from palabre.arena.rows import Beginning, GivenOpenings, Opening, RandomOpenings
from palabre.core.bits import combine
from palabre.core.dice import roll, shake
from palabre.core.errors import PalabreError, UnreadableText
from palabre.core.files import errors_of_reading
from palabre.core.game import Game
from palabre.core.given import given_count, given_integer
from palabre.core.position import Position
from palabre.core.record import load
from palabre.core.words import say
from palabre.laws.first_use import given_game

OPENING_PLIES = RandomOpenings().plies
OPENINGS = 3  # the family of seeds of openings


def opening_policy(
    plies: int, balanced: bool, given: Sequence[Opening] = (), after: Position | None = None
) -> RandomOpenings | GivenOpenings:
    """What an event keeps of how its openings come about: they are the given ones, or random ones, perhaps balanced.

    Those after a given position are not balanced, nor are those without a random ply.
    """
    if given:
        return GivenOpenings(sha256(repr(given).encode()).hexdigest()[:16])
    beginning = None if after is None else Beginning(after.start_text, tuple(move.text for move in after.played))
    return RandomOpenings(plies, balanced and plies > 0 and after is None, beginning)


def draw_openings(
    game: Game,
    count: int,
    plies: int,
    seed: int,
    *,
    first: int = 0,
    after: Position | None = None,
    judge: Judge | None = None,
) -> list[Opening]:
    """Openings of so many random plies, with the numbers from `first` on.

    They begin where the game does, or go on from the given position. With a judge they are balanced.
    """
    openings = []
    for number in range(first, first + count):
        luck = combine(combine(OPENINGS, seed), number)
        if judge is None:
            position = _drawn(game, plies, luck, after)
            openings.append(_opening(number, position, f"{plies} random plies"))
        else:
            chosen = draw_balanced(partial(_candidate, game, plies, luck, after), judge)
            how = f"balanced, of {chosen.candidates}" if chosen.is_even else f"the most even of {chosen.candidates}"
            opening = _opening(number, chosen.position, f"{plies} random plies, {how}")
            openings.append(replace(opening, value=chosen.shares[0]))
    if judge is not None:
        judge.save()
    return openings


def random_openings(
    game: Game | str | Path, count: int, *, seed: int = 0, first: int = 0, plies: int = OPENING_PLIES
) -> list[Position]:
    """The positions after random openings, the same for the same seed: those of a match that does not balance them.

    `first` is the number of the first one; `plies` are random moves that do not end the game.
    """
    checked = given_game(game)
    for name, number, least in (("count", count, 1), ("first", first, 0), ("plies", plies, 0)):
        given_count("random_openings", name, number, least)
    given_integer("random_openings", "seed", seed)
    return [play_opening(checked, one) for one in draw_openings(checked, count, plies, seed, first=first)]


def _candidate(game: Game, plies: int, luck: int, after: Position | None, number: int) -> Position:
    """One of the random openings among which a balanced one is chosen; the first is the one drawn without a choice."""
    return _drawn(game, plies, combine(luck, number) if number else luck, after)


def _drawn(game: Game, plies: int, luck: int, after: Position | None) -> Position:
    position = game.start(luck) if after is None else after
    for move in random_opening(position, plies, luck):
        position = position.play(move)
    return position


def _opening(number: int, position: Position, source: str) -> Opening:
    return Opening(number, position.start_text, tuple(move.text for move in position.played), source=source)


def random_opening(start: Position, plies: int, seed: int) -> list[str]:
    """The first moves of a game, drawn from those that do not end it; fewer if there are none."""
    position = start
    for _ in range(plies):
        choices = [after for after in map(position.play, position.moves()) if not after.is_over]
        if not choices:
            break
        seed = shake(seed)
        position = choices[roll(seed, len(choices))]
    return [move.text for move in position.played[len(start.played) :]]


def read_openings(game: Game, file: Path, plies: int | None = None) -> list[Opening]:
    """The openings in a file of records, or of positions, one in a line; `#` begins a comment.

    Of a record all moves are the opening, or at most so many plies.
    """
    with errors_of_reading(file):
        text = file.read_text(encoding="utf-8-sig")
    openings = _from_records(game, file, plies) if text.lstrip().startswith("[") else _from_lines(game, file, text)
    if not openings:
        raise PalabreError(say("openings.none", file=file))
    return openings


def _from_records(game: Game, file: Path, plies: int | None) -> list[Opening]:
    openings = []
    for number, record in enumerate(load(file, trusted=game.spec)):
        if record.game != game:
            params = {"number": number + 1, "file": file, "found": record.game.spec, "game": game.spec}
            raise PalabreError(say("openings.other_game", **params))
        opening = Opening(number, record.start, record.moves[:plies], source=f"record {number + 1}")
        if play_opening(game, opening).is_over:
            raise PalabreError(say("openings.record_over", number=number + 1, file=file))
        openings.append(opening)
    return openings


def _from_lines(game: Game, file: Path, text: str) -> list[Opening]:
    openings: list[Opening] = []
    for line, words in enumerate(text.splitlines(), start=1):
        written = words.partition("#")[0].strip()
        if not written:
            continue
        try:
            position = game.position(written)
        except PalabreError as error:
            raise UnreadableText(say("observations.place", file=file, line=line, error=error.message)) from error
        if position.is_over:
            raise PalabreError(say("openings.position_over", file=file, line=line))
        openings.append(Opening(len(openings), position.start_text, (), source=f"line {line}"))
    return openings


def start_of(game: Game, opening: Opening) -> Position:
    """The first position of a game from an opening."""
    return game.start() if opening.start is None else game.position(opening.start)


def play_opening(game: Game, opening: Opening) -> Position:
    """The position after an opening."""
    position = start_of(game, opening)
    for move in opening.moves:
        position = position.play(move)
    return position
