"""`palabre play`: a game in the terminal, between people and bots."""

import shlex
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from palabre.arena.game import PERSON, OngoingGame
from palabre.arena.guard import Forfeit, teach
from palabre.arena.players import seat
from palabre.bots.bot import Bot
from palabre.bots.specs import split_specs
from palabre.cli.clocks import TimePerGame, TimePerMove, read_clock
from palabre.cli.output import PositionText, Seed, console, interruptible, notes, print_board, write_file
from palabre.cli.records import Trust, first_position
from palabre.core import registry
from palabre.core.errors import BadSpec, PalabreError, did_you_mean, listing
from palabre.core.game import Game
from palabre.core.record import append
from palabre.draw import svg
from palabre.draw.terminal import PLAYER_SIGNS, status

# The default opponent: a newcomer can beat it, and it still takes a win that it sees.
OPPONENT = "palabre:level=3"
ANY_LEVEL = "palabre:level=N, N from 1 (a beginner) to 10 (full strength)"
OPPONENT_OF_MANY = "mcts:nodes=200"  # for more than two players, with whom `palabre` cannot play
ANY_NODES = "mcts:nodes=N, the more the stronger"
HELP = """\
Type a move, or one of these words:
  moves        list the legal moves
  undo         take back to your last turn
  text         print the position in one line
  svg FILE     write a picture of the position
  save FILE    add the game so far to a file of records
  help         print this
  quit         stop, and print how to go on later"""


class Quit(Exception):
    """The person at the board wants to stop."""


def play(
    spec: Annotated[
        str | None,
        typer.Argument(
            metavar="[SPEC]", help="A game, or a game on record: games.txt#3@20. If none is given, you are asked."
        ),
    ] = None,
    terminal: Annotated[bool, typer.Option("--terminal", help="Play here, in the terminal.")] = True,
    players: Annotated[
        str | None,
        typer.Option(
            metavar="WHO,WHO…",
            help=f"person or a bot, as in person,palabre:level=5. [default: person,{OPPONENT}]",
            show_default=False,
        ),
    ] = None,
    position: PositionText = None,
    seconds: TimePerMove = None,
    clock: TimePerGame = None,
    seed: Seed = 0,
    record: Annotated[Path | None, typer.Option(metavar="FILE", help="Add the game to this file when it ends.")] = None,
    trust: Trust = False,
) -> None:
    """Play a game in the terminal: people and bots (see palabre bots) in any seats."""
    try:
        start = first_position(spec if spec is not None else _ask_for_game(), position, seed, trust=trust)
    except Quit:
        return
    game = start.game
    limits = {"--time": seconds, "--clock": clock}
    again = [word for option, value in limits.items() if value is not None for word in (option, str(value))]
    seats = _players(players, game)
    table = Table(OngoingGame(start, seats, clock=read_clock(game, seconds, clock), seed=seed), again, record)
    if players is None:
        table.welcome = _welcome(game)
    table.run()


def _players(text: str | None, game: Game) -> list[Bot | None]:
    """Who plays, in turn: bots, and None for a person."""
    words = [PERSON] + [_opponent(game)] * (game.players - 1) if text is None else split_specs(text)
    players = [None if word == PERSON else _bot(word, game) for word in words]
    if len(players) != game.players:
        raise PalabreError(f"--players names {len(players)} player(s), this game has {game.players}")
    return players


def _opponent(game: Game) -> str:
    return OPPONENT if game.players == 2 else OPPONENT_OF_MANY


def _welcome(game: Game) -> str:
    """Who the opponents are, and how to choose others."""
    opponent = _opponent(game)
    choice = ANY_LEVEL if opponent == OPPONENT else ANY_NODES
    seats = ",".join([PERSON, *[opponent] * (game.players - 1)])
    return f"You play against {opponent}. For others, give --players {seats} with {choice}, or any of palabre bots."


def _bot(word: str, game: Game) -> Bot:
    try:
        return seat(word, game)
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
    """Read a line from the person; the end of the input means that they want to stop."""
    try:
        return console.input(prompt, markup=False).strip()
    except EOFError:
        raise Quit from None


class Table:
    """A game in the terminal."""

    welcome: str | None = None  # said once, under the first board

    def __init__(self, game: OngoingGame, limits: list[str], record: Path | None) -> None:
        self.game = game
        self.limits = limits  # the options that set the clocks
        self.record = record
        self.commands: dict[str, Callable[[str], None]] = {
            "moves": lambda argument: console.print(listing(self.game.position.moves()), markup=False),
            "undo": lambda argument: self._undo(),
            "text": lambda argument: console.print(self.game.position.text, markup=False),
            "svg": lambda argument: self._picture(argument),
            "save": lambda argument: self._save(argument),
            "help": lambda argument: console.print(HELP, markup=False),
            "quit": lambda argument: self._quit(),
        }

    def run(self) -> None:
        """Play until the game ends or the person stops."""
        game = self.game
        try:
            self._seat_bots()
            self._show()
            if self.welcome is not None:
                console.print(f"{self.welcome}\n", style="dim")
            while not game.is_over:
                if game.bot_to_move is None:
                    self._ask_person()
                else:
                    with notes.status("thinking…"):
                        answer = interruptible(game.answer)
                    game.accept(*answer)
                    self._show()
            console.print(f"The game is over: {status(game.position)}.", style="bold")
            game.get_up()
        except (Quit, KeyboardInterrupt):
            self._say_how_to_go_on()
        except Forfeit as error:
            self._say_how_to_go_on()
            seat = game.position.to_move
            game.lose(seat, str(error))
            raise PalabreError(f"player {seat + 1} ({game.names[seat]}) has lost. {error}") from error
        finally:
            if self.record is not None and game.moves:
                self._keep(self.record)

    def _seat_bots(self) -> None:
        """Let the bots learn and begin; Ctrl-C stops this, too."""
        for seated in self.game.seats:
            if seated is not None:
                interruptible(teach, seated)
        try:
            interruptible(self.game.sit_down)
        except Forfeit as error:
            seat = self.game.loser or 0
            raise PalabreError(f"{self.game.names[seat]} cannot begin: {error}") from error

    def _ask_person(self) -> None:
        player = self.game.position.to_move
        line = _read(f"{PLAYER_SIGNS[player]} player {player + 1} > ")
        word, _, argument = line.partition(" ")
        try:
            if word.lower() in self.commands:
                self.commands[word.lower()](argument.strip())
            elif line:
                self.game.play(line)
                self._show()
        except PalabreError as error:
            notes.print(f"{error}. Type moves or help.", style="red", markup=False)

    def _show(self) -> None:
        game = self.game
        if console.is_terminal:
            console.clear()
        if game.moves:
            player = game.positions[-2].to_move
            console.print(f"player {player + 1} ({game.names[player]}) played {game.moves[-1]}", markup=False)
        console.print()
        print_board(game.position)
        console.print()

    def _undo(self) -> None:
        if self.game.undo_turn():
            self._show()
        else:
            notes.print("there is nothing to take back", style="red")

    def _picture(self, name: str) -> None:
        if not name:
            notes.print("give a file name: svg board.svg", style="red")
            return
        write_file(Path(name), svg.draw(self.game.position))
        notes.print(f"wrote {name}", style="dim", markup=False)

    def _save(self, name: str) -> None:
        if not name:
            notes.print("give a file name: save game.txt", style="red")
            return
        self._keep(Path(name))

    def _keep(self, file: Path) -> None:
        record = self.game.record({"Date": date.today().isoformat()})
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
        position = self.game.position
        console.print("\nTo go on from here:")
        options = ["--players", ",".join(self.game.names), *self.limits, "--position", position.text]
        console.print("  " + shlex.join(["palabre", "play", "--terminal", position.game.spec, *options]))
