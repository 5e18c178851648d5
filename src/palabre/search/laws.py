"""The laws of a game, checked along random games: what `palabre check` runs in a process of its own.

First the rules are asked in plain Python, where every mistake can be seen. Then the same positions are asked of the
compiled rules, and both must give the same answers. The first law that is broken is told with its position and the
remedy, and nothing is checked after it.
"""

import itertools
import json
import math
import random
import sys
from collections.abc import Callable, MutableSequence
from typing import Any

from palabre.compile.compiler import compiled, is_disabled, words
from palabre.core import registry
from palabre.core.contract import check_state
from palabre.core.errors import BadSpec, PalabreError, clip
from palabre.core.game import Game
from palabre.core.kernels import kernel
from palabre.core.verbs import (
    FAR,
    MAX_PLAYERS,
    Moves,
    State,
    award_remaining,
    count_moves,
    evaluate,
    final_score,
    gain,
    is_legal,
    is_over,
    key,
    legal_moves,
    margin_bounds,
    play,
    players,
    plies_left,
    ply,
    random_move,
    repetition_key,
    reversible_plies,
    score,
    tactical_moves,
    to_move,
    value_for,
)
from palabre.draw.svg import SEED_FILLS
from palabre.evaluation.names import own_evaluations

MOST_PLIES = 5000  # a random game that is longer is one that does not end
ROOM = 4096  # words of a buffer beyond MOST_MOVES: a rule that lists too many moves writes there, and is found out
STRANGERS = 8  # codes that are not among the legal moves and must not be called legal, for each position
UNREADABLE = set("{} \t\n")  # a record could not be read if a move had these in its text

# What `answers` writes, by place; `score` and `final_score` follow for each player, and then the state after the move.
ANSWERS = (
    "legal_moves",
    "is_over",
    "to_move",
    "players",
    "ply",
    "count_moves",
    "key",
    "repetition_key",
    "reversible_plies",
    "plies_left",
    "margin_bounds",
    "margin_bounds",
    "random_move",
    "is_legal",
    "tactical_moves",
    "gain",
)
SCORES = len(ANSWERS)
FINAL_SCORES = SCORES + MAX_PLAYERS
AFTER = FINAL_SCORES + MAX_PLAYERS


class LawBroken(Exception):
    """A game breaks a law; the message is a sentence with the position and the remedy."""


class GuardedBuffer(list[int]):
    """A move buffer that refuses a negative index, which a list would take for one from its end."""

    def __setitem__(self, index: Any, value: Any) -> None:
        if index < 0:
            raise IndexError(f"it writes to moves[{index}]")
        super().__setitem__(index, value)


@kernel
def answers(state: State, move: int, seed: int, moves: Moves, told: MutableSequence[int]) -> None:
    """Ask every verb, and write what it answers; `move` is legal, or -1 if the game is over."""
    told[0] = legal_moves(state, moves)
    told[1] = 1 if is_over(state) else 0
    told[2] = to_move(state)
    told[3] = players(state)
    told[4] = ply(state)
    told[5] = count_moves(state)
    told[6] = key(state)
    told[7] = repetition_key(state)
    told[8] = reversible_plies(state)
    for player in range(players(state)):
        told[SCORES + player] = score(state, player)
        told[FINAL_SCORES + player] = final_score(state, player)
    if move >= 0:
        told[9] = plies_left(state)
        if players(state) == 2:
            low, high = margin_bounds(state)
            told[10] = low
            told[11] = high
        told[12] = random_move(state, seed)
        told[13] = 1 if is_legal(state, move) else 0
        told[15] = gain(state, move)
        place = AFTER
        for word in play(state, move):
            told[place] = word
            place += 1
        told[14] = tactical_moves(state, moves)


class Laws:
    """The laws of one game; `tell` is called with what is being done, and where, before anything can go wrong."""

    def __init__(self, game: Game, tell: Callable[[str, str], None]) -> None:
        self.game = game
        self.tell = tell
        self.cells = {cell.name for cell in game.view.cells(game.options)}
        self.most: int = game.rules.MOST_MOVES
        self.codes: int = game.rules.MOVE_CODES
        self.visited: list[tuple[State, int]] = []  # the positions so far, each with the move that was played in it
        self.futures: dict[int, tuple[object, ...]] = {}  # what is known of the position with a key
        self.doing = ""
        self.where = ""

    # ------------------------------------------------------------------------------------------------- plain Python

    def play_plainly(self, seed: int) -> None:
        """Play one random game, and look at each of its positions."""
        dice = random.Random(seed)
        game = self.game
        self.where = "the first position"
        state = self._ask("start", game.rules.start, game.options, seed)
        check_state(game.rules, state, "start returns")
        seen: set[int] = set()
        before: tuple[int, int] | None = None  # who moved last, and the most that `margin_bounds` promised them
        for _ in range(MOST_PLIES):
            if is_over(state):
                state = self._ask("award_remaining", award_remaining, state)
            moves = self._look(state, dice)
            if not moves:
                self.visited.append((state, -1))
                self._check_bounds(state, before)
                return
            if game.players == 2:
                before = self._check_bounds(state, before)
            move = dice.choice(moves)
            self.visited.append((state, move))
            state = self._ask("play", play, state, move)
            self._check_state(state, move)
            mark = self._ask("repetition_key", repetition_key, state)
            if mark and mark in seen:
                state = self._ask("award_remaining", award_remaining, state)
                self._check_text(state)
                return
            seen.add(mark)
        told = f"a random game has not ended after {MOST_PLIES:,} plies"
        self._law(False, told, "count plies in the state and end the game at a limit, or answer repetition_key")

    def _look(self, state: State, dice: random.Random) -> list[int]:
        """Check all laws of one position; its legal moves."""
        self._check_text(state)
        moves = self._check_moves(state)
        over = bool(self._ask("is_over", is_over, state))
        player = self._ask("to_move", to_move, state)
        among = f"the players are 0 to {self.game.players - 1}"
        is_player = type(player) is int and 0 <= player < self.game.players
        self._law(is_player, f"to_move answers {clip(repr(player))}", among)
        count = self._ask("players", players, state)
        self._law(
            count == self.game.players, f"players answers {count}, and {self.game.players} at the start", "it stays"
        )
        told = f"the game is over and legal_moves still lists {len(moves)}"
        self._law(not (over and moves), told, "return 0 from legal_moves when the game is over")
        remedy = "let is_over answer True there, or add a move that passes"
        self._law(over or bool(moves), "the game is not over and there is no legal move", remedy)
        scores = []
        for verb in (score, final_score):
            for each in range(self.game.players):
                value = self._ask(verb.__name__, verb, state, each)
                is_number = type(value) is int and abs(value) < FAR
                told = f"{verb.__name__} answers {clip(repr(value))} for player {each}"
                self._law(is_number, told, f"it must be an int smaller than {FAR:,}")
                scores.append(value)
        if not over:
            self._check_answers(state, moves, dice)
        self._check_key(state, (player, over, moves, scores))
        self._check_view(state, moves)
        self._check_evaluations(state)
        return moves

    def _check_state(self, state: object, move: int) -> None:
        """What `play` returned is a state of 64-bit words."""
        try:
            check_state(self.game.rules, state, f"after the move {move} play returns")
        except BadSpec as error:
            raise LawBroken(f"{error} (in {self.where})") from error

    def _check_text(self, state: State) -> None:
        """A position's text reads back as the same position."""
        self.where = repr(state)
        text = self._ask("state_to_text", self.game.notation.state_to_text, state)
        self._law(isinstance(text, str), f"state_to_text returns {clip(repr(text))}", "return a str")
        self.where = text
        self.tell("its rules in plain Python", text)
        remedy = "what state_to_text writes, text_to_state must read as the same State"
        self._law(text == text.strip() and "\n" not in text, "its text has blanks around it or several lines", remedy)
        try:
            again = self.game.position(text).state
        except PalabreError as error:
            raise LawBroken(
                f"the text of a reached position cannot be read back: {error} (in {text}); {remedy}."
            ) from error
        self._law(again == state, f"its text reads back as {again}, and it was {state}", remedy)

    def _check_moves(self, state: State) -> list[int]:
        """The moves that `legal_moves` lists: not too many, in range, in ascending order."""
        buffer = GuardedBuffer([-1] * (self.most + ROOM))
        count = self._ask("legal_moves", legal_moves, state, buffer)
        is_count = type(count) is int and count >= 0
        self._law(is_count, f"legal_moves returns {clip(repr(count))}", "it must return how many moves it has written")
        told = f"legal_moves lists {count} moves, and MOST_MOVES is {self.most}"
        self._law(count <= self.most, told, f"raise MOST_MOVES to the most that any position has, here {count}")
        beyond = max((place for place, code in enumerate(buffer) if code != -1), default=-1)
        told = f"legal_moves writes to moves[{beyond}], and MOST_MOVES is {self.most}"
        self._law(beyond < self.most, told, "raise MOST_MOVES, or write only what there is room for")
        moves = list(buffer[:count])
        for code in moves:
            told = f"legal_moves lists the code {clip(repr(code))}, and MOVE_CODES is {self.codes}"
            remedy = "codes are integers from 0 to MOVE_CODES - 1; raise MOVE_CODES or number the moves otherwise"
            self._law(type(code) is int and 0 <= code < self.codes, told, remedy)
        is_rising = all(first < second for first, second in itertools.pairwise(moves))
        told = f"legal_moves lists {clip(str(moves), 200)}"
        self._law(is_rising, told, "list every move once, in ascending order of the codes")
        return moves

    def _check_answers(self, state: State, moves: list[int], dice: random.Random) -> None:
        """The rules that could have been left to their defaults agree with `legal_moves`."""
        count = self._ask("count_moves", count_moves, state)
        remedy = "leave the rule out, and Palabre counts what legal_moves lists"
        self._law(count == len(moves), f"count_moves answers {count}, and legal_moves lists {len(moves)}", remedy)
        for _ in range(3):
            code = self._ask("random_move", random_move, state, dice.getrandbits(63))
            remedy = "leave the rule out, and Palabre picks one of the moves that legal_moves lists"
            self._law(code in moves, f"random_move answers {code}, which is not a legal move", remedy)
        for code in [*moves, *(dice.randrange(self.codes) for _ in range(STRANGERS))]:
            told = self._ask("is_legal", is_legal, state, code)
            remedy = "leave the rule out, and Palabre looks for the code in what legal_moves lists"
            self._law(bool(told) == (code in moves), f"is_legal answers {told} for the code {code}", remedy)
        buffer = GuardedBuffer([-1] * (self.most + ROOM))
        count = self._ask("tactical_moves", tactical_moves, state, buffer)
        strangers = [code for code in buffer[:count] if code not in moves]
        told = f"tactical_moves lists {clip(str(strangers))}, which legal_moves does not"
        self._law(not strangers and count <= self.most, told, "list only legal moves")

    def _check_key(self, state: State, future: tuple[object, ...]) -> None:
        """Positions with the same key have the same player to move, the same moves and the same scores."""
        word = self._ask("key", key, state)
        known = self.futures.setdefault(word, (*future, self.where))
        told = f"key answers {word}, as it did in {known[-1]}, which has another player to move, other moves or scores"
        remedy = "combine every field into the key that has a part in what follows, or leave the rule out"
        self._law(known[:-1] == future, told, remedy)

    def _check_view(self, state: State, moves: list[int]) -> None:
        """The texts and clicks of all moves are different, and pieces lie on cells that there are."""
        texts: dict[str, int] = {}
        paths: list[tuple[tuple[str, ...], int]] = []
        for code in moves:
            text = self._ask("move_to_text", self.game.notation.move_to_text, state, code)
            is_word = isinstance(text, str) and text and not UNREADABLE & set(text)
            self._law(
                bool(is_word), f"the text of the move {code} is {clip(repr(text))}", "it must be a word without blanks"
            )
            told = f"the moves {texts.get(text)} and {code} have the same text {clip(text)}"
            self._law(text not in texts, told, "move_to_text must tell the legal moves of a position apart")
            texts[text] = code
            paths += [(tuple(path), code) for path in self._ask("clicks", self.game.view.clicks, state, code)]
        lower = {name.lower(): name for name in self.cells}
        for path, code in paths:
            self._law(bool(path), f"clicks has an empty path for the move {code}", "a path is at least one click")
            for click in path:
                meant = lower.get(str(click).lower(), click)
                told = f"clicks of the move {code} name {clip(str(click))}, and there is a cell {clip(str(meant))}"
                self._law(click in self.cells or meant == click, told, "spell a cell as in cells(options)")
        paths.sort()
        for (first, code), (second, other) in itertools.pairwise(paths):
            told = f"the clicks {first} of the move {code} are the beginning of {second} of the move {other}"
            remedy = "no path may begin with another move's: add a click that tells them apart"
            self._law(code == other or second[: len(first)] != first, told, remedy)
        for piece in self._ask("pieces", self.game.view.pieces, state):
            told = f"pieces has one on {clip(str(piece.cell))}, and there is no such cell"
            self._law(piece.cell in self.cells, told, "name a cell of cells(options)")
            is_player = piece.player is None or 0 <= piece.player < self.game.players
            self._law(is_player, f"pieces has one of player {piece.player}", f"there are {self.game.players} players")
            told = f"pieces has seeds of the colour {clip(piece.colour)}"
            self._law(piece.kind != "seeds" or piece.colour in SEED_FILLS, told, f"take one of {', '.join(SEED_FILLS)}")

    def _check_evaluations(self, state: State) -> None:
        """Every evaluation answers with a finite number for every player."""
        for name, weights in own_evaluations(self.game).items():
            for player in range(self.game.players):
                value = self._ask(f"evaluation {name}", evaluate, weights, state, player)
                is_number = isinstance(value, int | float) and math.isfinite(value)
                told = f"the evaluation {name} answers {clip(repr(value))} for player {player}"
                self._law(is_number, told, "return a finite float, also where the game is over")

    def _check_bounds(self, state: State, before: tuple[int, int] | None) -> tuple[int, int] | None:
        """No move leads to more than `margin_bounds` said was possible; who is to move, and the most it says now."""
        player = to_move(state)
        if is_over(state):
            low = high = final_score(state, player) - final_score(state, 1 - player) if self.game.players == 2 else 0
        else:
            low, high = self._ask("margin_bounds", margin_bounds, state)
            self._law(low <= high, f"margin_bounds answers {low} and {high}", "the least must come before the most")
        if before is not None:
            mover, promised = before
            least = low if mover == player else -high
            told = f"margin_bounds said that player {mover} ends at most {promised} ahead, and a move leads to {least}"
            self._law(least <= promised, told, "bounds are proofs; leave the hint out if in doubt")
        return player, high

    # ------------------------------------------------------------------------------------------------------ compiled

    def compare_compiled(self) -> None:
        """Ask the compiled rules about all positions so far; they must answer as the plain ones do."""
        size = AFTER + len(self.game.state_class.__annotations__)
        moves, told = words([0] * (self.most + ROOM)), words([0] * size)
        fast = compiled(answers, self.game)
        values = {name: compiled(value_for, self.game, type(each)) for name, each in own_evaluations(self.game).items()}
        self.tell("compiling its rules", "")
        for number, (state, move) in enumerate(self.visited):
            self.where = self.game.notation.state_to_text(state)
            if number:
                self.tell("its compiled rules", self.where)
            plain_moves, plain = [0] * (self.most + ROOM), [0] * size
            told[:] = [0] * size
            self._ask("plain Python", answers, state, move, number, plain_moves, plain)
            self._ask("compiled code", fast, state, move, number, moves, told)
            for place, (one, other) in enumerate(zip(plain, told, strict=True)):
                self._law(one == int(other), *_difference(self.game, place, one, int(other)))
            told_moves = [int(code) for code in moves[: plain[14] if move >= 0 else plain[0]]]
            same = told_moves == plain_moves[: len(told_moves)]
            self._law(same, "legal_moves lists other moves compiled than plain", _SAME)
            for name, weights in own_evaluations(self.game).items():
                for player in range(self.game.players):
                    value = float(evaluate(weights, state, player))
                    compiled_value = self._ask(f"evaluation {name}, compiled", values[name], state, weights, player)
                    told_values = f"the evaluation {name} is {value} plain and {compiled_value} compiled"
                    self._law(value == compiled_value, told_values, _SAME)

    # ------------------------------------------------------------------------------------------------------- telling

    def _ask(self, doing: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """What a function of the game answers; whatever it raises breaks a law."""
        self.doing = doing
        try:
            return function(*arguments)
        except BadSpec as error:
            raise LawBroken(f"{error}; write rules with integers, plain loops and one type per variable.") from error
        except Exception as error:
            told = f"{doing} raises {registry.in_one_line(error)} in {self.where}"
            raise LawBroken(f"{told}; rules answer for every position that can be reached, and never raise.") from error

    def _law(self, holds: bool, told: str, remedy: str) -> None:
        if not holds:
            raise LawBroken(f"{told}, in {self.where}; {remedy}.")


_SAME = "keep every word within 64 bits with signed() and shift_right(), and use no floats or negative indices"


def _difference(game: Game, place: int, plain: int, other: int) -> tuple[str, str]:
    """The sentence for an answer that is not the same compiled."""
    if place >= AFTER:
        name = f"play, field {game.rules.State._fields[place - AFTER]},"
    elif place >= SCORES:
        name = "score" if place < FINAL_SCORES else "final_score"
    else:
        name = ANSWERS[place]
    return f"{name} answers {plain} in plain Python and {other} compiled", _SAME


def main() -> None:
    """Check the game of a spec, so many games from a seed, and tell all of it on standard output, a JSON line each."""
    spec, games, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])

    def tell(doing: str, where: str, **more: object) -> None:
        print(json.dumps({"doing": doing, "where": where, **more}), flush=True)

    try:
        tell("loading the file", "")
        laws = Laws(registry.game(spec), tell)
        for number in range(games):
            laws.play_plainly(seed + number)
        if not is_disabled():
            laws.compare_compiled()
    except LawBroken as broken:
        tell("", "", broken=str(broken))
    except PalabreError as refused:
        tell("", "", refused=str(refused))
    else:
        tell("", "", games=games, positions=len(laws.visited), compiled=not is_disabled())
