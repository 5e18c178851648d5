"""The law that compiled and plain rules agree: both are asked the same questions about the same positions."""

from collections.abc import Iterable, MutableSequence

from palabre.compile.compiler import compiled, integers
from palabre.core.game import Game
from palabre.core.kernels import kernel
from palabre.core.verbs import (
    MAX_PLAYERS,
    Moves,
    State,
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
    weight_classes,
)
from palabre.core.words import own_words
from palabre.laws.evaluation import own_and_net
from palabre.laws.features import compare_features
from palabre.laws.inquiry import ROOM, Inquiry

say = own_words(__file__)
REMEDY = say("compiled.remedy")
NO_MOVE = -1  # in a position where the game is over

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


@kernel
def answers(state: State, move: int, seed: int, moves: Moves, tactical: Moves, answer: MutableSequence[int]) -> None:
    """Ask every verb, and write what it answers; `move` is legal, or NO_MOVE."""
    answer[0] = legal_moves(state, moves)
    answer[1] = 1 if is_over(state) else 0
    answer[2] = to_move(state)
    answer[3] = players(state)
    answer[4] = ply(state)
    answer[5] = count_moves(state)
    answer[6] = key(state)
    answer[7] = repetition_key(state)
    answer[8] = reversible_plies(state)
    for player in range(players(state)):
        answer[SCORES + player] = score(state, player)
        answer[FINAL_SCORES + player] = final_score(state, player)
    if move != NO_MOVE:
        answer[9] = plies_left(state)
        if players(state) == 2:
            low, high = margin_bounds(state)
            answer[10] = low
            answer[11] = high
        answer[12] = random_move(state, seed)
        answer[13] = 1 if is_legal(state, move) else 0
        answer[14] = tactical_moves(state, tactical)
        answer[15] = gain(state, move)
        place = AFTER
        for word in play(state, move):
            answer[place] = word
            place += 1


def compare(inquiry: Inquiry, visited: Iterable[tuple[State, int]]) -> None:
    """Ask the compiled rules about positions, each with the move played there: they answer as the plain ones do."""
    game = inquiry.game
    room = game.rules.MOST_MOVES + ROOM
    size = AFTER + len(game.state_class.__annotations__)
    buffers = [integers([0] * length) for length in (room, room, size)]
    fast = compiled(answers, game)
    inquiry.on_step("step.compiling", "")
    for number, (state, move) in enumerate(visited):
        inquiry.where = where = game.notation.state_to_text(state)
        if number:
            inquiry.on_step("step.compiled", where)
        plain_buffers = [[0] * length for length in (room, room, size)]
        for buffer in buffers:
            buffer[:] = integers([0] * len(buffer))
        inquiry.ask("plain Python", answers, state, move, number, *plain_buffers)
        inquiry.ask("compiled code", fast, state, move, number, *buffers)
        *plain_lists, plain = plain_buffers
        *lists, fast_answers = ([int(word) for word in buffer] for buffer in buffers)
        for place, (one, other) in enumerate(zip(plain, fast_answers, strict=True)):
            verb = _verb(game, place)
            inquiry.expect(one == other, "compiled.answers", verb=verb, plain=one, other=other, remedy=REMEDY)
        for verb, plain_moves, moves in zip(("legal_moves", "tactical_moves"), plain_lists, lists, strict=True):
            inquiry.expect(plain_moves == moves, "compiled.moves", verb=verb, remedy=REMEDY)
        if move != NO_MOVE:
            compare_features(inquiry, state, REMEDY)
        compare_evaluations(inquiry, state)


def compare_evaluations(inquiry: Inquiry, state: State) -> None:
    """Every evaluation of the game has the same value compiled."""
    for name, weights in own_and_net(inquiry.game).items():
        fast = compiled(value_for, inquiry.game, *weight_classes(weights))
        for player in range(inquiry.game.players):
            plain = float(evaluate(weights, state, player))
            other = inquiry.ask(f"evaluation {name}, compiled", fast, state, weights, player)
            inquiry.expect(plain == other, "compiled.evaluation", name=name, plain=plain, other=other, remedy=REMEDY)


def _verb(game: Game, place: int) -> str:
    """The verb whose answer is at a place."""
    if place >= AFTER:
        return f"play, field {game.rules.State._fields[place - AFTER]},"
    if place >= SCORES:
        return "score" if place < FINAL_SCORES else "final_score"
    return ANSWERS[place]
