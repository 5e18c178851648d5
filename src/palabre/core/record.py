"""Game records: tags, moves and a result, as text in the shape of PGN, to read, keep and share.

    [Game "awele:abapa"]
    [Player1 "person"]
    [Player2 "random"]
    [Result "1-0"]

    1. C d 2. A b 3. F 1-0

The tag `Start` holds the first position if it is not the game's usual one. A result is each player's share: `1-0`,
`1/2-1/2`, `0-0-1`, or `*` for a game that has not ended. Text in braces is a comment. `Termination` has in English why
a game ended early, and `TerminationMessage` holds the same as a message, for readers in other languages.
"""

import json
import os
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from palabre.core.errors import PalabreError, UnreadableText
from palabre.core.files import errors_of_reading, replace_file
from palabre.core.game import Game
from palabre.core.given import described
from palabre.core.plain import readable
from palabre.core.position import Position
from palabre.core.registry import game as find_game
from palabre.core.registry import is_path, split
from palabre.core.words import Message, say

Trust = bool | str | Callable[[str], bool]  # whether to run the file of a user's own game, named by its spec

UNFINISHED = "*"
TERMINATION, TERMINATION_MESSAGE = "Termination", "TerminationMessage"  # tags
THE_TEXT = say("record.the_text")
FIRST_TAG = b"[Game "  # in every file of records
LINE_WIDTH = 100
_TAG = re.compile(r'\[(\w+) "((?:[^"\\]|\\.)*)"\]\s*')
_TOKEN = re.compile(r"\{(?P<comment>[^}]*)\}|(?P<number>\d+\.+)(?=\s|$)|(?P<word>[^\s{}]+)")
_RESULT = re.compile(r"\*|(0|1|1/[2-9])(-(0|1|1/[2-9]))+")
_REFERENCE = re.compile(r"(.+?)(?:#(\d{1,9}))?(?:@(\d{1,9}))?", re.DOTALL)  # games.txt#3@20


@dataclass(frozen=True)
class Record:
    """One game as it was played."""

    game: Game
    moves: tuple[str, ...]
    start: str | None = None  # the text of the first position, if it is not the usual one
    result: str = UNFINISHED
    tags: dict[str, str] = field(default_factory=dict, hash=False)  # all other tags: players, date, event, …

    @classmethod
    def of(cls, last: Position, **tags: str) -> "Record":
        """The record of the game that led to a position."""
        moves = tuple(move.text for move in last.played)
        return cls(last.game, moves, last.start_text, result_text(last.result), tags)

    def positions(self) -> list[Position]:
        """All positions of the game, including the first; the error for an illegal move gives its number."""
        position = self.game.start() if self.start is None else self.game.position(self.start)
        passed = [position]
        for number, move in enumerate(self.moves, start=1):
            try:
                position = position.play(move)
            except PalabreError as error:
                raise UnreadableText(
                    say("record.move", number=number, game=self.game.spec, error=error.message)
                ) from error
            passed.append(position)
        return passed

    @property
    def why_ended(self) -> Message | str:
        """Why the game ended early, for readers in any language; empty if the record does not say so."""
        ending = self.tags.get(TERMINATION, "")
        try:
            plain = json.loads(self.tags.get(TERMINATION_MESSAGE, ""))
        except (ValueError, RecursionError):
            return ending
        return readable(plain, self.game.words().home, ending)

    def to_text(self) -> str:
        """The record as text, ending in a newline."""
        tags = {"Game": self.game.spec, **self.tags}
        if self.start is not None:
            tags["Start"] = self.start
        tags["Result"] = self.result
        lines = [f'[{name} "{_escape(value)}"]' for name, value in tags.items()]
        moves = textwrap.wrap(" ".join(self._move_words()), LINE_WIDTH, break_long_words=False, break_on_hyphens=False)
        return "\n".join([*lines, "", *moves, ""])

    def _move_words(self) -> Iterator[str]:
        players = self.game.players
        for index, move in enumerate(self.moves):
            if index % players == 0:
                yield f"{index // players + 1}."
            yield move
        yield self.result


def result_text(result: tuple[float, ...] | None) -> str:
    """`1-0`, `1/2-1/2`, … or `*`."""
    if result is None:
        return UNFINISHED
    return "-".join(str(Fraction(share).limit_denominator(9)) for share in result)


def termination_tags(game: Game, ending: str, message: Any) -> dict[str, str]:
    """The tags of a game that ended early: why in English, and as the message that was stored if it says just that."""
    tags = {TERMINATION: ending}
    if str(readable(message, game.words().home, "")) == ending:
        tags[TERMINATION_MESSAGE] = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    return tags


def read_records(text: str | Path, source: Message | str = THE_TEXT, *, trusted: Trust = False) -> list[Record]:
    """All records in a text or in a file, with their moves checked; an `UnreadableText` says what is wrong, and where.

    A file is given as a `Path`: a `str` is always the text itself, which `source` names in errors.

    A record of a user's own game names the file of that game, and reading the record runs that file. This is refused
    unless `trusted` is True, the spec of that game, or a function that returns True for it.
    """
    if isinstance(text, Path):
        return load(text, trusted=trusted)
    if not isinstance(text, str):
        raise PalabreError(say("given.records", given=described(text)))
    if source is THE_TEXT and os.path.isfile(text):  # noqa: PTH113 (a Path raises if it is too long)
        raise PalabreError(say("given.path_of_records", path=text))
    return _read_all(text, source, trusted, None)


def _read_all(text: str, source: Message | str, trusted: Trust, folder: Path | None) -> list[Record]:
    """All records in a text; games of users may also lie beside it, in its folder."""
    records: list[Record] = []
    place = _skip_blank(text, 0)
    while place < len(text):
        try:
            record, end = _read_one(text, place, trusted, folder)
            _check_result(record)
        except PalabreError as error:
            line = text.count("\n", 0, place) + 1
            raise UnreadableText(
                say("record.place", number=len(records) + 1, source=source, line=line, error=error.message)
            ) from error
        records.append(record)
        place = end
    return records


def is_trusted(spec: str, trusted: Trust) -> bool:
    """Whether a game file may be run."""
    return trusted(spec) if callable(trusted) else trusted in (True, spec)


def load(file: Path, *, trusted: Trust = False) -> list[Record]:
    """All records in a file. A game file that is not where a record says may lie beside the records."""
    with errors_of_reading(file):
        content = file.read_bytes()
        if content.strip() and FIRST_TAG not in content:
            raise UnreadableText(say("record.foreign", file=file))
        return _read_all(content.decode("utf-8-sig"), str(file), trusted, file.parent)


def save(records: Iterable[Record], file: Path) -> None:
    """Write records to a file; what was there stays until the new text is safely on disk."""
    replace_file(file, "\n".join(record.to_text() for record in records))


def is_reference(text: str) -> bool:
    """Whether a text such as `games.txt#3@20` names a file of records, rather than a game by its name or its source.

    A file without an ending needs a separator or a number: `./games` or `games#1`, because `awele` is a game.
    """
    name = _split_reference(text)[0]
    file = Path(name)
    is_bare = name == text and not file.suffix and not is_path(name)
    return not is_bare and file.suffix != ".py" and file.is_file()


def find(reference: str, read: Callable[[Path], list[Record]] | None = None) -> tuple[Record, int | None]:
    """The game that `FILE#GAME@PLY` names, and the ply if there is one: `games.txt#3@20` is game 3 after 20 plies.

    Without a number it is the first game of the file, which `read` reads; by default `load`.
    """
    file, game, ply = _split_reference(reference)
    number = int(game or 1)
    records = (read or load)(Path(file))
    if not records:
        raise UnreadableText(say("record.none", file=file))
    if not 1 <= number <= len(records):
        raise UnreadableText(say("record.no_game", file=file, number=number, games=len(records)))
    record = records[number - 1]
    if ply is not None and int(ply) > len(record.moves):
        raise UnreadableText(say("record.no_ply", file=file, number=number, ply=ply, plies=len(record.moves)))
    return record, None if ply is None else int(ply)


def _split_reference(text: str) -> tuple[str, str | None, str | None]:
    match = _REFERENCE.fullmatch(text)
    return (match[1], match[2], match[3]) if match else (text, None, None)


def append(record: Record, file: Path) -> None:
    """Add a record to the end of a file, which need not exist yet."""
    with file.open("ab", buffering=0) as out:
        before = out.tell()
        rest = (("\n" if before else "") + record.to_text()).encode()
        try:
            while rest:
                rest = rest[out.write(rest) :]
            os.fsync(out.fileno())
        except OSError:
            out.truncate(before)  # half a record would make the file unreadable
            raise


def _read_one(text: str, place: int, trusted: Trust, folder: Path | None) -> tuple[Record, int]:
    tags: dict[str, str] = {}
    while tag := _TAG.match(text, place):
        if tag[1] in tags:
            raise UnreadableText(say("record.tag_twice", tag=tag[1]))
        tags[tag[1]] = re.sub(r"\\(.)", r"\1", tag[2])
        place = tag.end()
    if "Game" not in tags:
        raise UnreadableText(say("record.no_game_tag", text=text[place : place + 40]))
    spec = _found_beside(tags.pop("Game"), folder)
    if is_path(split(spec)[0]) and not is_trusted(spec, trusted):
        raise UnreadableText(say("record.not_trusted", game=spec))
    game = find_game(spec)
    start, result = tags.pop("Start", None), tags.pop("Result", None)
    moves, ending, place = _read_moves(text, place)
    if result is not None and result != ending:
        raise UnreadableText(say("record.result_tag", tag=result, ending=ending))
    return Record(game, tuple(moves), start, ending, tags), place


def _found_beside(spec: str, folder: Path | None) -> str:
    """The spec of a user's game with the path of the file beside the records, if there is no other."""
    name, items = split(spec)
    if folder is None or not is_path(name) or os.path.exists(name) or not os.path.exists(folder / Path(name).name):  # noqa: PTH110
        return spec
    return str(folder / Path(name).name) + (f":{items}" if items else "")


def _read_moves(text: str, place: int) -> tuple[list[str], str, int]:
    moves: list[str] = []
    while True:
        place = _skip_blank(text, place)
        token = _TOKEN.match(text, place)
        if token is None or text[place] == "[":
            raise UnreadableText(say("record.no_result", unfinished=UNFINISHED))
        place = token.end()
        word = token["word"]
        if word and _RESULT.fullmatch(word):
            return moves, word, _skip_blank(text, place)
        if word:
            moves.append(word)


def _check_result(record: Record) -> None:
    """If the moves end the game, they decide the result. A game that was stopped may have any result."""
    if record.result != UNFINISHED and len(record.result.split("-")) != record.game.players:
        raise UnreadableText(say("record.wrong_players", result=record.result, players=record.game.players))
    played = result_text(record.positions()[-1].result)
    if played not in (UNFINISHED, record.result):
        raise UnreadableText(say("record.wrong_result", played=played, result=record.result))


def _skip_blank(text: str, place: int) -> int:
    while place < len(text) and text[place].isspace():
        place += 1
    return place


def _escape(value: str) -> str:
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')
