"""`palabre play --terminal`: a game in the terminal, between people and bots."""

import secrets
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import NamedTuple

from palabre.bots.analysis import analyse
from palabre.bots.bot import Bot
from palabre.bots.levels import STRONGEST
from palabre.bots.opponents import opponent
from palabre.bots.specs import bot
from palabre.cli import telling
from palabre.cli.clocks import read_clock
from palabre.cli.keeping import forget, keep, read_kept
from palabre.cli.menu import ask_for_game
from palabre.cli.output import console, interruptible, notes, print_board, print_text
from palabre.cli.paths import write_file
from palabre.cli.prompt import Quit, ask, own_language
from palabre.cli.records import first_position
from palabre.cli.seats import seated
from palabre.core import registry
from palabre.core.errors import IllegalMove, PalabreError, did_you_mean
from palabre.core.game import Game
from palabre.core.game_words import GameWords
from palabre.core.record import append
from palabre.core.words import Message, own_words
from palabre.draw import svg
from palabre.draw.terminal import PLAYER_SIGNS
from palabre.play.failures import Forfeit
from palabre.play.game import OngoingGame
from palabre.play.guard import dismiss, seat_bot, teach

say = own_words(__file__)

HINT_SECONDS = 1.0
# Other words for the commands: short ones, those of other programs, and French.
ALIASES = {
    **{"q": "quit", "exit": "quit", "?": "help", "h": "help"},
    **{
        "coups": "moves",
        "indice": "hint",
        "reprendre": "undo",
        "annuler": "undo",
        "niveau": "level",
        "règles": "rules",
        "regles": "rules",
    },
    **{"texte": "text", "aide": "help", "quitter": "quit"},
}
READ = ("read", "lire")  # after `rules`: explain how the game is played


def play_here(
    spec: str | None,
    players: str | None,
    position: str | None,
    seconds: float | None,
    clock: str | None,
    seed: int | None,
    record: Path | None,
    *,
    trust: bool,
    untrusted: bool,
) -> None:
    """Play a game in the terminal; if none is given, ask which. Without a seed, every game is another."""
    language = own_language()
    luck = secrets.randbelow(1 << 31) if seed is None else seed
    try:
        start = first_position(spec if spec is not None else ask_for_game(language), position, luck, trust=trust)
    except Quit:
        console.print()
        return
    options = Options(seconds, clock, seed, record, untrusted)
    seats = seated(players, start.game, untrusted=untrusted)
    ongoing = OngoingGame(start, seats, clock=read_clock(start.game, seconds, clock), seed=luck)
    Table(ongoing, options, language).run()


def resume_here() -> None:
    """Go on with the game that was played last in the terminal, with all its moves."""
    kept = read_kept()
    game, told = kept.record.game, kept.option("Time")
    options = Options(
        None if told is None else float(told),
        kept.option("Clock"),
        None,
        None if (file := kept.option("Record")) is None else Path(file),
        kept.option("Untrusted") is not None,
    )
    seats = seated(kept.players, game, untrusted=options.untrusted)
    clock, seed = read_clock(game, options.seconds, options.clock), int(kept.option("Seed") or 0)
    ongoing = OngoingGame(kept.record.positions()[0], seats, clock=clock, seed=seed)
    kept.replay(ongoing)
    Table(ongoing, options, own_language()).run()


class Options(NamedTuple):
    """What was said about a game on the command line."""

    seconds: float | None
    clock: str | None
    seed: int | None
    record: Path | None
    untrusted: bool

    def words(self) -> list[str]:
        """The same on the command line."""
        given = {"--time": self.seconds, "--clock": self.clock, "--seed": self.seed, "--record": self.record}
        told = [word for option, value in given.items() if value is not None for word in (option, str(value))]
        return [*told, "--untrusted"] if self.untrusted else told

    def tags(self) -> dict[str, object]:
        """The same as tags of a record."""
        file = None if self.record is None else self.record.resolve()
        return {"Time": self.seconds, "Clock": self.clock, "Record": file, "Untrusted": self.untrusted or None}


class Table:
    """A game in the terminal."""

    def __init__(self, game: OngoingGame, options: Options, language: str) -> None:
        self.game = game
        self.options = options
        self.record = options.record
        self.is_kept = False  # so that it can be resumed
        self.language = language
        self.clocks = game.clocks  # at the beginning
        self.told_turn: str | None = None  # what the moves did of which an example was shown last
        self.commands: dict[str, Callable[[str], None]] = {
            "moves": lambda argument: self._moves(),
            "hint": lambda argument: self._hint(),
            "undo": lambda argument: self._undo(),
            "level": self._level,
            "rules": self._rules,
            "text": lambda argument: console.print(self.game.position.text),
            "svg": self._picture,
            "save": self._save,
            "help": lambda argument: self._say(say("help.text", strongest=STRONGEST)),
            "quit": lambda argument: self._quit(),
        }

    def run(self) -> None:
        """Play until the game ends or the person stops."""
        try:
            self._begin()
            while not self.game.is_over:
                if self.game.bot_to_move is None:
                    self._ask_person()
                else:
                    self._ask_bot()
            print_text(telling.over_line(self.game, self.language), style="bold")
            if self.is_kept:
                forget()
            self.game.get_up()
        except (Quit, KeyboardInterrupt):
            self._say_how_to_go_on()
        except Forfeit as error:
            self._say_how_to_go_on()
            seat = self.game.position.to_move
            self.game.lose(seat, str(error))
            raise PalabreError(say("seat.lost", player=seat + 1, bot=self.game.names[seat], why=str(error))) from error
        finally:
            if self.record is not None and self.game.moves:
                self._keep(self.record)

    def _begin(self) -> None:
        """Let the bots learn and begin, and show the board; Ctrl-C stops this, too."""
        for each in self.game.seats:
            if each is not None:
                interruptible(teach, each)
        try:
            interruptible(self.game.sit_down)
        except Forfeit as error:
            seat = self.game.loser or 0
            raise PalabreError(say("seat.cannot_begin", bot=self.game.names[seat], why=str(error))) from error
        self._show()

    def _ask_bot(self) -> None:
        player = self._words().player(self.game.position.to_move)
        with notes.status(say("table.thinking", player=player).text(self.language)):
            answer = interruptible(self.game.answer)
        self.game.accept(*answer)
        self._show()

    def _ask_person(self) -> None:
        position = self.game.position
        turn = telling.kind_of_turn(position)
        if turn != self.told_turn:
            self.told_turn = turn
            print_text(telling.example_line(position, self.language), style="dim")
        player = position.to_move
        prompt = say("table.prompt", sign=PLAYER_SIGNS[player], player=self._words().player(player))
        line = ask(prompt.text(self.language))
        word, _, argument = line.partition(" ")
        command = self.commands.get(ALIASES.get(word.lower(), word.lower()))
        # A move goes first: somebody's game may have a move that is called like one of our words.
        is_move = any(line.lower() == move.text.lower() for move in position.moves())
        try:
            if command is not None and not is_move:
                command(argument.strip())
            elif line:
                self.game.play(line)
                self._show()
        except IllegalMove as error:
            why = error.message.params["why"] if isinstance(error.message, Message) else error.message
            assert isinstance(why, Message | str)
            self._refuse(say("table.illegal", why=telling.reason_first(why, self.language), move=line))
        except PalabreError as error:
            self._refuse(say("table.wrong", why=telling.reason_first(error.message, self.language)))

    def _show(self) -> None:
        if self.game.moves and None in self.game.seats and not self.game.is_over:
            self.is_kept = keep(self.game, self.options.tags())
        if console.is_terminal:
            console.clear()
        for line in telling.last_round(self.game, self.language):
            print_text(line)
        console.print()
        print_board(self.game.position, self._words())
        console.print()
        movers = [self.game.seats[past.to_move] for past in self.game.positions[:-1]]
        if not movers or (None not in movers and None in self.game.seats):
            self._introduce()

    def _introduce(self) -> None:
        """All that a newcomer needs, under the board until a person has moved."""
        position = self.game.position
        print_text(telling.rules_line(position.game, self.language))
        print_text(telling.seats_line(self.game, self.language))
        for line in (telling.signs_line(position, self.language), say("table.words").text(self.language)):
            print_text(line, style="dim")
        console.print()

    def _moves(self) -> None:
        for line in telling.moves_by_origin(self.game.position, self.language):
            print_text(line)

    def _hint(self) -> None:
        position = self.game.position
        best = interruptible(lambda: analyse(position, HINT_SECONDS))[0]
        told = telling.in_words(position, position.play(best.move), self.language)
        if best.chance is None:
            self._say(say("hint.move", move=best.move.text, told=told))
        else:
            percent = round(100 * best.chance)
            self._say(say("hint.chance", move=best.move.text, percent=percent, told=told))

    def _undo(self) -> None:
        if self.game.undo_turn():
            self._show()
        else:
            self._refuse(say("table.nothing_to_undo"))

    def _level(self, word: str) -> None:
        """Play on against another level, or tell which it is."""
        bots = [each for each in self.game.seats if each is not None]
        if not bots:
            self._refuse(say("level.nobody"))
        elif not word:
            self._say(say("level.now", bots=telling.names_of(bots), strongest=STRONGEST))
        elif not (word.isascii() and word.isdigit() and 1 <= int(word) <= STRONGEST):
            self._refuse(say("level.none", word=word, strongest=STRONGEST))
        else:
            self._change_bots(opponent(self.game.position.game, int(word)))
            self._say(say("level.changed", level=word))

    def _change_bots(self, spec: str) -> None:
        """Put a bot of this spec into every bot's seat, in the middle of the game."""
        seats: list[Bot | None] = []
        for seat, each in enumerate(self.game.seats):
            if each is None:
                seats.append(None)
                continue
            dismiss(each, self.game.position)
            fresh = bot(spec, self.game.position.game)
            interruptible(seat_bot, fresh, self.game.position.game, seat, self.game.seed)
            seats.append(fresh)
        self.game.seats = tuple(seats)

    def _rules(self, word: str) -> None:
        """Tell the rules of this game and which others there are, explain them, or begin anew by others."""
        game, words = self.game.position.game, self._words()
        if word.lower() in READ:
            self._explain(game)
        elif word in game.facts.presets:
            self._begin_anew(word)
        elif word:
            names = list(game.facts.presets)
            hint = did_you_mean(word, names)
            self._refuse(say("rules.unknown", word=word, hint=hint, game=words.title, names=names))
        else:
            now = game.options.preset
            self._say(say("rules.now", title=words.preset_title(now), summary=words.preset_summary(now)))
            others = [preset.name for preset in game.facts.listed_presets if preset.name != now]
            for name in others:
                title, summary = words.preset_title(name), words.preset_summary(name)
                self._say(say("rules.choice", name=name, title=title, summary=summary))
            self._say(say("rules.how" if others else "rules.only"))

    def _explain(self, game: Game) -> None:
        """Print the rules for people, without the pictures."""
        page = game.words(self.language).rules_page()
        if page is None:
            self._refuse(say("rules.unwritten", game=game.title))
            return
        from rich.markdown import Markdown  # slow to import

        lines = (line for line in page.splitlines() if not line.startswith("!["))
        console.print(Markdown("\n".join(lines)), soft_wrap=False)  # which would cut what is longer than a line

    def _begin_anew(self, preset: str) -> None:
        """A new game by other rules, with the same players."""
        old = self.game
        game = registry.game(f"{registry.split(old.position.game.spec)[0]}:{preset}")
        seats = seated(",".join(old.names), game, untrusted=self.options.untrusted)
        old.get_up()
        if self.record is not None and old.moves:
            self._keep(self.record)
        self.game = OngoingGame(game.start(old.seed), seats, clock=self.clocks, seed=old.seed)
        self.told_turn = None
        self._begin()
        self._say(say("rules.began", title=self._words().preset_title(preset)))

    def _picture(self, name: str) -> None:
        if not name:
            self._refuse(say("table.no_svg_name"))
            return
        write_file(Path(name), svg.draw(self.game.position))
        notes.print(say("table.wrote", file=name).text(self.language), style="dim")

    def _save(self, name: str) -> None:
        if not name:
            self._refuse(say("table.no_save_name"))
            return
        self._keep(Path(name))

    def _keep(self, file: Path) -> None:
        record = self.game.record({"Date": date.today().isoformat()})
        try:
            append(record, file)
        except OSError as error:
            self._refuse(say("table.cannot_save", file=file, error=error.strerror))
            console.print(record.to_text())
        else:
            notes.print(say("table.kept", file=file).text(self.language), style="dim")

    def _quit(self) -> None:
        raise Quit

    def _say_how_to_go_on(self) -> None:
        position = self.game.position
        options = ["--players", ",".join(self.game.names), *self.options.words(), "--position", position.text]
        console.print()
        if self.is_kept:
            self._say(say("table.resume"))
            self._print_command(["play", "--terminal", "--resume"])
        self._say(say("table.go_on"))
        self._print_command(["play", "--terminal", position.game.spec, *options])

    def _print_command(self, words: list[str]) -> None:
        words = [*own_command(), *words]
        console.print("  " + (subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)))

    def _words(self) -> GameWords:
        return self.game.position.game.words(self.language)

    def _say(self, message: Message) -> None:
        print_text(message.text(self.language))

    def _refuse(self, message: Message) -> None:
        print_text(message.text(self.language), style="red", on=notes)


def own_command() -> list[str]:
    """The words that start this program where the person is: `palabre`, or its path if it is not found by its name."""
    program = Path(sys.argv[0])
    if program.name == "__main__.py":
        return [sys.executable, "-m", "palabre"]
    found = shutil.which(program.name)
    if found is not None and Path(found).resolve() == program.resolve():
        return [program.name]
    return [str(program)]
