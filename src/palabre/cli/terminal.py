"""`palabre play --terminal`: a game in the terminal, between people and bots."""

import secrets
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path

from palabre.bots.analysis import analyse
from palabre.bots.levels import STRONGEST
from palabre.bots.opponents import opponent
from palabre.bots.specs import bot
from palabre.cli import board_text
from palabre.cli.output import console, interruptible, notes, print_board, print_text
from palabre.cli.paths import write_file
from palabre.cli.prompt import Quit, ask, ask_for_game, own_language
from palabre.cli.records import first_position
from palabre.cli.saved_game import GameOptions, delete_game, load_game, save_game
from palabre.cli.seats import read_players
from palabre.core import registry
from palabre.core.errors import IllegalMove, PalabreError, did_you_mean
from palabre.core.game import Game
from palabre.core.game_words import GameWords
from palabre.core.position import Position
from palabre.core.record import append
from palabre.core.words import Message, own_words
from palabre.draw import svg
from palabre.draw.descriptions import kind_of_turn, move_in_words
from palabre.draw.terminal import PLAYER_SIGNS
from palabre.play.failures import Forfeit
from palabre.play.game import OngoingGame
from palabre.play.guard import teach

say = own_words(__file__)

HINT_SECONDS = 1.0
# Other words for the commands: short ones, those of other programs, and French.
ALIASES = {
    **{"q": "quit", "exit": "quit", "?": "help", "h": "help"},
    **{"coups": "moves", "indice": "hint", "reprendre": "undo", "annuler": "undo", "niveau": "level"},
    **{"règles": "rules", "regles": "rules", "texte": "text", "aide": "help", "quitter": "quit"},
}
READ = ("read", "lire")  # after `rules`: explain how the game is played


def play_in_terminal(
    spec: str | None, players: str | None, position: str | None, options: GameOptions, *, trust: bool
) -> None:
    """Play a game; if none is given, ask which. Without a seed, every game is another."""
    language = own_language()
    seed = secrets.randbelow(1 << 31) if options.seed is None else options.seed
    try:
        start = first_position(spec if spec is not None else ask_for_game(language), position, seed, trust=trust)
    except Quit:
        console.print()
        return
    game = options.new_game(start, read_players(players, start.game), seed)
    TerminalGame(game, options, language).run()


def resume_in_terminal() -> None:
    """Resume the game that was played last in the terminal, with all its moves."""
    TerminalGame(*load_game(), own_language()).run()


class TerminalGame:
    """A game in the terminal."""

    def __init__(self, game: OngoingGame, options: GameOptions, language: str) -> None:
        self.game = game
        self.options = options
        self.is_saved = False  # so that it can be resumed
        self.language = language
        self.shown_turn: str | None = None  # the kind of turn of the last example
        self.commands: dict[str, Callable[[str], None]] = {
            "moves": lambda _: self._print_lines(board_text.moves(self.position, self.language)),
            "hint": lambda _: self._hint(),
            "undo": lambda _: self._show() if self.game.undo_turn() else self._refuse("table.nothing_to_undo"),
            "level": self._level,
            "rules": self._rules,
            "text": lambda _: console.print(self.position.text),
            "svg": self._picture,
            "save": lambda name: self._append_record(Path(name)) if name else self._refuse("table.no_save_name"),
            "help": lambda _: self._print("help.text", strongest=STRONGEST),
            "quit": self._quit,
        }

    @property
    def position(self) -> Position:
        return self.game.position

    @property
    def words(self) -> GameWords:
        return self.position.game.words(self.language)

    def run(self) -> None:
        """Play until the game ends or the person stops."""
        try:
            self._begin()
            while not self.game.is_over:
                if self.game.bot_to_move is None:
                    self._ask_person()
                else:
                    self._ask_bot()
            print_text(board_text.ending(self.game, self.language), style="bold")
            if self.is_saved:
                delete_game()
            self.game.get_up()
        except (Quit, KeyboardInterrupt):
            self._print_how_to_resume()
        except Forfeit as error:
            self._print_how_to_resume()
            seat = self.position.to_move
            self.game.lose(seat, str(error))
            raise PalabreError(say("seat.lost", player=seat + 1, bot=self.game.names[seat], why=str(error))) from error
        finally:
            self._append_game()

    def _begin(self) -> None:
        """Let the bots learn and begin, and show the board; Ctrl-C stops this, too."""
        for seated_bot in filter(None, self.game.seats):
            interruptible(teach, seated_bot)
        try:
            interruptible(self.game.sit_down)
        except Forfeit as error:
            name = self.game.names[self.game.loser or 0]
            raise PalabreError(say("seat.cannot_begin", bot=name, why=str(error))) from error
        self._show()

    def _ask_bot(self) -> None:
        player = self.words.player(self.position.to_move)
        with notes.status(say("table.thinking", player=player).text(self.language)):
            answer = interruptible(self.game.answer)
        self.game.accept(*answer)
        self._show()

    def _ask_person(self) -> None:
        position = self.position
        turn = kind_of_turn(position)
        if turn != self.shown_turn:
            self.shown_turn = turn
            print_text(board_text.example(position, self.language), style="dim")
        player = position.to_move
        prompt = say("table.prompt", sign=PLAYER_SIGNS[player], player=self.words.player(player))
        line = ask(prompt.text(self.language))
        word, _, argument = line.partition(" ")
        command = self.commands.get(ALIASES.get(word.lower(), word.lower()))
        # A move goes first: a user's game may have a move that is called like one of our words.
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
            self._refuse("table.illegal", why=board_text.reason_first(why, self.language), move=line)
        except PalabreError as error:
            self._refuse("table.wrong", why=board_text.reason_first(error.message, self.language))

    def _show(self) -> None:
        game = self.game
        if game.moves and None in game.seats and not game.is_over:
            self.is_saved = save_game(game, self.options)
        if console.is_terminal:
            console.clear()
        self._print_lines(board_text.last_round(game, self.language))
        console.print()
        print_board(self.position, self.words)
        console.print()
        movers = [game.seats[past.to_move] for past in game.positions[:-1]]
        if not movers or (None not in movers and None in game.seats):
            # All that a newcomer needs, under the board until a person has moved.
            print_text(board_text.rules(self.position.game, self.language))
            print_text(board_text.seats(game, self.language))
            print_text(board_text.signs(self.position, self.language), style="dim")
            print_text(say("table.words").text(self.language), style="dim")
            console.print()

    def _hint(self) -> None:
        position = self.position
        best = interruptible(lambda: analyse(position, HINT_SECONDS))[0]
        effect = move_in_words(position, position.play(best.move), self.words)
        if best.chance is None:
            self._print("hint.move", move=best.move.text, told=effect)
        else:
            self._print("hint.chance", move=best.move.text, percent=round(100 * best.chance), told=effect)

    def _level(self, word: str) -> None:
        """Play on against another level, or print which it is."""
        names = [name for name, seated_bot in zip(self.game.names, self.game.seats, strict=True) if seated_bot]
        if not names:
            self._refuse("level.nobody")
        elif not word:
            self._print("level.now", bots=list(dict.fromkeys(names)), strongest=STRONGEST)
        elif not (word.isascii() and word.isdigit() and 1 <= int(word) <= STRONGEST):
            self._refuse("level.none", word=word, strongest=STRONGEST)
        else:
            game = self.position.game
            spec = opponent(game, int(word))
            interruptible(self.game.replace_bots, lambda: bot(spec, game))
            self._print("level.changed", level=word)

    def _rules(self, word: str) -> None:
        """Print the rules of this game and which others there are, explain them, or begin anew by others."""
        game, words = self.position.game, self.words
        if word.lower() in READ:
            self._explain(game)
        elif word in game.facts.presets:
            self._begin_anew(word)
        elif word:
            names = list(game.facts.presets)
            hint = did_you_mean(word, names)
            self._refuse("rules.unknown", word=word, hint=hint, game=words.title, names=names)
        else:
            now = game.options.preset
            self._print("rules.now", title=words.preset_title(now), summary=words.preset_summary(now))
            others = [preset.name for preset in game.facts.listed_presets if preset.name != now]
            for name in others:
                title, summary = words.preset_title(name), words.preset_summary(name)
                self._print("rules.choice", name=name, title=title, summary=summary)
            self._print("rules.how" if others else "rules.only")

    def _explain(self, game: Game) -> None:
        """Print the rules for people, without the pictures."""
        page = self.words.rules_page()
        if page is None:
            self._refuse("rules.unwritten", game=game.title)
            return
        from rich.markdown import Markdown  # slow to import

        lines = (line for line in page.splitlines() if not line.startswith("!["))
        console.print(Markdown("\n".join(lines)), soft_wrap=False)  # which would cut what is longer than a line

    def _begin_anew(self, preset: str) -> None:
        """A new game by other rules, with the same players."""
        old = self.game
        game = registry.game(f"{registry.split(old.position.game.spec)[0]}:{preset}")
        new = self.options.new_game(game.start(old.seed), old.names, old.seed)
        old.get_up()
        self._append_game()
        self.game, self.shown_turn = new, None
        self._begin()
        self._print("rules.began", title=self.words.preset_title(preset))

    def _picture(self, name: str) -> None:
        if not name:
            self._refuse("table.no_svg_name")
            return
        write_file(Path(name), svg.draw(self.position))
        notes.print(say("table.wrote", file=name).text(self.language), style="dim")

    def _append_game(self) -> None:
        if self.options.record is not None and self.game.moves:
            self._append_record(self.options.record)

    def _append_record(self, file: Path) -> None:
        record = self.game.record({"Date": date.today().isoformat()})
        try:
            append(record, file)
        except OSError as error:
            self._refuse("table.cannot_save", file=file, error=error.strerror)
            console.print(record.to_text())
        else:
            notes.print(say("table.kept", file=file).text(self.language), style="dim")

    def _quit(self, argument: str) -> None:
        raise Quit

    def _print_how_to_resume(self) -> None:
        console.print()
        if self.is_saved:
            self._print("table.resume")
            _print_command(["play", "--terminal", "--resume"])
        self._print("table.go_on")
        options = ["--players", ",".join(self.game.names), *self.options.arguments(), "--position", self.position.text]
        _print_command(["play", "--terminal", self.position.game.spec, *options])

    def _print_lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            print_text(line)

    def _print(self, id: str, /, **params: object) -> None:
        print_text(say(id, **params).text(self.language))

    def _refuse(self, id: str, /, **params: object) -> None:
        print_text(say(id, **params).text(self.language), style="red", on=notes)


def _print_command(arguments: list[str]) -> None:
    words = [*own_command(), *arguments]
    console.print("  " + (subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)))


def own_command() -> list[str]:
    """The words that start this program where the person is: `palabre`, or its path if it is not found by its name."""
    program = Path(sys.argv[0])
    if program.name == "__main__.py":
        return [sys.executable, "-m", "palabre"]
    path = shutil.which(program.name)
    if path is not None and Path(path).resolve() == program.resolve():
        return [program.name]
    return [str(program)]
