"""`palabre play`: a game in the terminal, between people and bots."""

import shlex
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from palabre.arena.referee import Forfeit, ask, clock_after, seat_bot, teach
from palabre.bots.bot import Bot
from palabre.bots.specs import bot, split_specs
from palabre.cli.clocks import TimePerGame, TimePerMove, read_clock
from palabre.cli.output import PositionText, Seed, console, interruptible, notes, print_board, write_file
from palabre.core import registry
from palabre.core.errors import BadSpec, PalabreError, did_you_mean, listing
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.record import Record, append
from palabre.draw import svg
from palabre.draw.terminal import PLAYER_SIGNS, status
from palabre.search.clock import Clock

PERSON = "person"
OPPONENT = "idiot"  # who plays where nobody is named
HELP = """\
Type a move, or one of these words:
  moves        list the legal moves
  undo         take back to your last turn
  text         print the position in one line
  svg FILE     write a picture of the position
  save FILE    add the game so far to a file of records
  help         print this
  quit         stop; you are told how to go on later"""


class Quit(Exception):
    """The person at the board wants to stop."""


def play(
    spec: Annotated[
        str | None, typer.Argument(metavar="[SPEC]", help="A game; you are asked if there is none.")
    ] = None,
    terminal: Annotated[bool, typer.Option("--terminal", help="Play here, in the terminal.")] = True,
    players: Annotated[
        str | None,
        typer.Option(
            metavar="WHO,WHO…", help="person or a bot, as in person,alphabeta:depth=4. [default: person,idiot]"
        ),
    ] = None,
    position: PositionText = None,
    seconds: TimePerMove = None,
    clock: TimePerGame = None,
    seed: Seed = 0,
    record: Annotated[Path | None, typer.Option(metavar="FILE", help="Add the game to this file when it ends.")] = None,
) -> None:
    """Play a game on this board: people and bots (see palabre bots) in any seats."""
    try:
        game = registry.game(spec if spec is not None else _ask_for_game())
    except Quit:
        return
    start = game.start(seed) if position is None else game.position(position)
    limits = {"--time": seconds, "--clock": clock}
    again = [word for option, value in limits.items() if value is not None for word in (option, str(value))]
    Table(start, _players(players, game), read_clock(game, seconds, clock), again, seed, record).run()


def _players(text: str | None, game: Game) -> list[Bot | None]:
    """Who plays, in turn: bots, and None for a person."""
    words = [PERSON] + [OPPONENT] * (game.players - 1) if text is None else split_specs(text)
    players = [None if word == PERSON else _bot(word, game) for word in words]
    if len(players) != game.players:
        raise PalabreError(f"--players names {len(players)} player(s), this game has {game.players}")
    return players


def _bot(word: str, game: Game) -> Bot:
    try:
        return bot(word, game)
    except BadSpec as error:
        meant = did_you_mean(word, [PERSON])
        if not meant:
            raise
        raise PalabreError(f"there is no player {word!r}{meant}") from error


def _ask_for_game() -> str:
    names = registry.names()
    for number, name in enumerate(names, start=1):
        facts = registry.facts(name)
        console.print(f"  {number}  {facts.title}: {facts.summary}", markup=False)
    while True:
        answer = _read("Which game? ")
        if answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(names):
            return names[int(answer) - 1]
        if answer:
            return answer


def _read(prompt: str) -> str:
    """A line from the person; the end of the input is the wish to stop."""
    try:
        return console.input(prompt, markup=False).strip()
    except EOFError:
        raise Quit from None


class Table:
    """A board with people and bots around it. The bots have clocks; people take the time they like."""

    def __init__(
        self,
        start: Position,
        players: list[Bot | None],
        clock: Clock,
        limits: list[str],
        seed: int,
        record: Path | None,
    ) -> None:
        self.positions = [start]
        self.clocks = [[clock] * len(players)]  # in each of these positions
        self.limits = limits  # the options that set the clocks
        self.moves: list[str] = []
        self.players = players
        self.names = [PERSON if player is None else player.spec for player in players]
        self.seed = seed
        self.record = record
        self.commands: dict[str, Callable[[str], None]] = {
            "moves": lambda argument: console.print(listing(self.position.moves()), markup=False),
            "undo": lambda argument: self._undo(),
            "text": lambda argument: console.print(self.position.text, markup=False),
            "svg": lambda argument: self._picture(argument),
            "save": lambda argument: self._save(argument),
            "help": lambda argument: console.print(HELP, markup=False),
            "quit": lambda argument: self._quit(),
        }

    @property
    def position(self) -> Position:
        return self.positions[-1]

    def run(self) -> None:
        """Play until the game ends or the person stops."""
        try:
            self._seat_bots()
            self._show()
            while not self.position.is_over:
                player = self.players[self.position.to_move]
                if player is None:
                    self._ask()
                else:
                    self._let_play(player)
            console.print(f"The game is over: {status(self.position)}.", style="bold")
        except (Quit, KeyboardInterrupt):
            self._say_how_to_go_on()
        except Forfeit as error:
            self._say_how_to_go_on()
            seat = self.position.to_move
            raise PalabreError(f"player {seat + 1} ({self.names[seat]}) has lost. {error}") from error
        finally:
            if self.record is not None and self.moves:
                self._keep(self.record)

    def _ask(self) -> None:
        player = self.position.to_move
        line = _read(f"{PLAYER_SIGNS[player]} player {player + 1} > ")
        word, _, argument = line.partition(" ")
        try:
            if word.lower() in self.commands:
                self.commands[word.lower()](argument.strip())
            elif line:
                self._play(line)
        except PalabreError as error:
            notes.print(f"{error}. Type moves or help.", style="red", markup=False)

    def _seat_bots(self) -> None:
        for seat, player in enumerate(self.players):
            if player is not None:
                interruptible(teach, player)
                try:
                    interruptible(seat_bot, player, self.position.game, seat, self.seed)
                except Forfeit as error:
                    raise PalabreError(f"{player.spec} cannot begin: {error}") from error

    def _let_play(self, player: Bot) -> None:
        seat = self.position.to_move
        with notes.status("thinking…"):
            move, spent = interruptible(ask, player, self.position, self.clocks[-1][seat])
        self._play(move.text, spent)

    def _play(self, text: str, spent: float | None = None) -> None:
        """Play a move, for which a bot has spent so many seconds."""
        move = self.position.move(text)
        clocks = list(self.clocks[-1])
        if spent is not None:
            clocks[self.position.to_move] = clock_after(clocks[self.position.to_move], spent)
        self.clocks.append(clocks)
        self.positions.append(self.position.play(move))
        self.moves.append(move.text)
        self._show()

    def _show(self) -> None:
        if console.is_terminal:
            console.clear()
        if self.moves:
            player = self.positions[-2].to_move
            console.print(f"player {player + 1} ({self.names[player]}) played {self.moves[-1]}", markup=False)
        console.print()
        print_board(self.position)
        console.print()

    def _undo(self) -> None:
        turns = [ply for ply, past in enumerate(self.positions[:-1]) if self.players[past.to_move] is None]
        if not turns:
            notes.print("there is nothing to take back", style="red")
            return
        del self.positions[turns[-1] + 1 :], self.clocks[turns[-1] + 1 :], self.moves[turns[-1] :]
        self._show()

    def _picture(self, name: str) -> None:
        if not name:
            notes.print("give a file name: svg board.svg", style="red")
            return
        write_file(Path(name), svg.draw(self.position))
        notes.print(f"wrote {name}", style="dim", markup=False)

    def _save(self, name: str) -> None:
        if not name:
            notes.print("give a file name: save game.txt", style="red")
            return
        self._keep(Path(name))

    def _keep(self, file: Path) -> None:
        tags = {f"Player{seat}": name for seat, name in enumerate(self.names, start=1)}
        record = Record.of(self.position, Date=date.today().isoformat(), **tags)
        try:
            append(record, file)
        except OSError as error:
            notes.print(f"cannot write {file}: {error.strerror}; the record follows", style="red", markup=False)
            console.print(record.to_text(), markup=False)
        else:
            notes.print(f"the game is in {file}", style="dim", markup=False)

    def _quit(self) -> None:
        raise Quit

    def _say_how_to_go_on(self) -> None:
        position = self.position
        console.print("\nTo go on from here:")
        options = ["--players", ",".join(self.names), *self.limits, "--position", position.text]
        console.print("  " + shlex.join(["palabre", "play", "--terminal", position.game.spec, *options]))
