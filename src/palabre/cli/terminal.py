"""`palabre play --terminal`: a game in the terminal, between people and bots."""

from datetime import date
from pathlib import Path

from rich.console import Console

from palabre.bots.analysis import analyse
from palabre.bots.levels import STRONGEST
from palabre.bots.opponents import opponent
from palabre.bots.specs import bot
from palabre.cli import board_text
from palabre.cli.output import console, interruptible, notes, own_language, print_board, print_text
from palabre.cli.paths import write_file
from palabre.cli.prompt import Quit, ask, ask_for_game, command_in
from palabre.cli.records import first_position
from palabre.cli.saved_game import GameOptions, delete_game, save_game
from palabre.cli.seats import read_players
from palabre.core import registry
from palabre.core.errors import IllegalMove, PalabreError
from palabre.core.game_words import GameWords, capital
from palabre.core.position import Position
from palabre.core.record import append
from palabre.core.words import Message, own_words, text_of
from palabre.draw import svg
from palabre.draw.descriptions import kind_of_turn, move_in_words
from palabre.draw.terminal import PLAYER_SIGNS
from palabre.play.failures import Forfeit
from palabre.play.game import OngoingGame
from palabre.play.guard import teach

say = own_words(__file__)

HINT_SECONDS = 1.0
READ = ("read", "lire")  # after `rules`: explain how the game is played


def play_in_terminal(
    spec: str | None, players: str | None, position: str | None, options: GameOptions, *, trust: bool
) -> None:
    """Play a game; if none is given, ask which."""
    try:
        spec = ask_for_game(own_language()) if spec is None else spec
    except Quit:
        console.print()
        return
    start = first_position(spec, position, options.seed, trust=trust)
    TerminalGame(options.new_game(start, read_players(players, start.game)), options).run()


class TerminalGame:
    """A game in the terminal."""

    def __init__(self, game: OngoingGame, options: GameOptions) -> None:
        self.game = game
        self.options = options
        self.is_saved = False  # so that it can be resumed
        self.shown_turn: str | None = None  # the kind of turn of the last example

    @property
    def position(self) -> Position:
        return self.game.position

    @property
    def words(self) -> GameWords:
        return self.position.game.words(own_language())

    def run(self) -> None:
        """Play until the game ends or the person stops."""
        try:
            self._begin()
            while not self.game.is_over:
                if self.game.bot_to_move is None:
                    self._ask_person()
                else:
                    self._ask_bot()
            self._print_lines(board_text.ending(self.game, self.words), style="bold")
            if self.is_saved:
                delete_game()
                self.is_saved = False
            self.game.get_up()
        except (Quit, KeyboardInterrupt):
            console.print()
        except Forfeit as error:
            has_begun = self.game.loser is None
            seat = self.position.to_move if self.game.loser is None else self.game.loser
            if has_begun:
                self.game.lose(seat, error.message)
            id = "seat.lost" if has_begun else "seat.cannot_begin"
            raise PalabreError(say(id, player=seat + 1, bot=self.game.names[seat], why=error.message)) from error
        finally:
            self._append_to_record()
            if self.is_saved:
                self._print("table.resume")

    def _begin(self) -> None:
        """Let the bots learn and begin, and show the board; Ctrl-C stops this, too."""
        for seated in filter(None, self.game.seats):
            interruptible(teach, seated)
        interruptible(self.game.sit_down)
        self._show()

    def _ask_bot(self) -> None:
        player = self.words.player(self.position.to_move)
        with notes.status(say("table.thinking", player=player).text(self.words.language)):
            answer = interruptible(self.game.answer)
        self.game.accept(*answer)
        self._show()

    def _ask_person(self) -> None:
        turn = kind_of_turn(self.position)
        if turn != self.shown_turn:
            self.shown_turn = turn
            self._print_lines(board_text.example(self.position, self.words), style="dim")
        player = self.position.to_move
        prompt = say("table.prompt", sign=PLAYER_SIGNS[player], player=self.words.player(player))
        line = ask(prompt.text(self.words.language))
        try:
            self._obey(line)
        except IllegalMove as error:
            self._refuse("table.illegal", why=capital(text_of(error.why, self.words.language)), move=line)
        except PalabreError as error:
            self._refuse("table.wrong", why=capital(error.text(self.words.language)))

    def _obey(self, line: str) -> None:
        """Play a move or carry out a command."""
        # A move goes first: a user's game may have a move that is called like one of our words.
        is_move = any(line.lower() == move.text.lower() for move in self.position.moves())
        match ("", "") if is_move else command_in(line):
            case "quit", _:
                raise Quit
            case "help", _:
                self._print("help.text", strongest=STRONGEST)
            case "moves", _:
                self._print_lines(*board_text.moves(self.position, self.words))
            case "hint", _:
                self._hint()
            case "undo", _ if self.game.undo_turn():
                self._show()
            case "undo", _:
                self._refuse("table.nothing_to_undo")
            case "level", number:
                self._level(number)
            case "rules", "":
                self._list_rules()
            case "rules", word if word.lower() in READ:
                self._explain_rules()
            case "rules", preset:
                self._begin_anew(preset)
            case "text", _:
                console.print(self.position.text)
            case "svg" | "save" as command, "":
                self._refuse("table.no_file_name", command=command)
            case "svg", file:
                write_file(Path(file), svg.draw(self.position))
                self._print_lines(say("table.wrote", file=file), style="dim", on=notes)
            case "save", file:
                self._append_record(Path(file))
            case _ if line:
                self.game.play(line)
                self._show()

    def _show(self) -> None:
        """Print the board, with all that a newcomer needs until a person has moved; save the game."""
        game = self.game
        if game.moves and None in game.seats and not game.is_over:
            self.is_saved = save_game(game, self.options)
        if console.is_terminal:
            console.clear()
        self._print_lines(*board_text.last_round(game, self.words), "")
        print_board(self.position, self.words)
        console.print()
        movers = [game.seats[past.to_move] for past in game.positions[:-1]]
        if not movers or (None not in movers and None in game.seats):
            self._print_lines(*board_text.introduction(game, self.words), "", style="dim")

    def _hint(self) -> None:
        position = self.position
        best = interruptible(analyse, position, HINT_SECONDS)[0]
        effect = move_in_words(position, position.play(best.move), self.words)
        percent = None if best.chance is None else round(100 * best.chance)
        id = "hint.move" if percent is None else "hint.chance"
        self._print(id, move=best.move.text, percent=percent, effect=effect)

    def _level(self, number: str) -> None:
        """Play on against another level, or print which it is."""
        game = self.position.game
        names = dict.fromkeys(name for name, seated in zip(self.game.names, self.game.seats, strict=True) if seated)
        if not names:
            self._refuse("level.no_bot")
        elif not number:
            self._print("level.now", bots=list(names), strongest=STRONGEST)
        else:
            spec = opponent(game, number)
            interruptible(self.game.replace_bots, lambda: bot(spec, game))
            self._print("level.changed", level=number)

    def _list_rules(self) -> None:
        """Print the rules of this game and which others there are."""
        game, words = self.position.game, self.words
        presets = [preset.name for preset in game.facts.listed_presets]
        for name in sorted(presets, key=game.options.preset.__ne__):
            id = "rules.now" if name == game.options.preset else "rules.choice"
            self._print(id, name=name, title=words.preset_title(name), summary=words.preset_summary(name))
        self._print("rules.how" if len(presets) > 1 else "rules.only")

    def _explain_rules(self) -> None:
        """Print the rules for people, without the pictures."""
        page = self.words.rules_page()
        if page is None:
            raise PalabreError(say("rules.unwritten", game=self.words.title))
        from rich.markdown import Markdown  # slow to import

        lines = (line for line in page.splitlines() if not line.startswith("!["))
        console.print(Markdown("\n".join(lines)), soft_wrap=False)  # which would cut what is longer than a line

    def _begin_anew(self, rules: str) -> None:
        """A new game by other rules, with the same players."""
        old = self.game
        game = registry.game(f"{registry.split(old.position.game.spec)[0]}:{rules}")
        new = self.options.new_game(game.start(old.seed), old.names)
        old.get_up()
        self._append_to_record()
        self.game, self.shown_turn = new, None
        self._begin()
        self._print("rules.began", title=self.words.preset_title(game.options.preset))

    def _append_to_record(self) -> None:
        if self.options.record is not None and self.game.moves:
            self._append_record(Path(self.options.record))

    def _append_record(self, file: Path) -> None:
        record = self.game.record({"Date": date.today().isoformat()})
        try:
            append(record, file)
        except OSError as error:
            self._refuse("table.cannot_save", file=file, error=error.strerror)
            console.print(record.to_text())
        else:
            self._print_lines(say("table.kept", file=file), style="dim", on=notes)

    def _print(self, id: str, /, **params: object) -> None:
        self._print_lines(say(id, **params))

    def _refuse(self, id: str, /, **params: object) -> None:
        self._print_lines(say(id, **params), style="red", on=notes)

    def _print_lines(self, *lines: Message | str, style: str = "", on: Console = console) -> None:
        for line in lines:
            print_text(text_of(line, self.words.language), style=style, on=on)
