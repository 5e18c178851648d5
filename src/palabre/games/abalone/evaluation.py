"""Abalone's evaluations, `greedy`, `frabalon` and `standard`, and the hints that its rules can give a search.

`greedy` is the course's: its greedy player takes the move with the best score at once. `frabalon` is the authors', a
sum of six terms. It sees a position from one player's side: threats and scattered marbles count for their own marbles
only, so what is good for one player need not be as bad for the other. The authors' report describes the terms; the
weights, the danger map and the divisors are in the program they published
(github.com/Inky19-School/POLYMTL_INF8175-Projet, src/utils/utils.py and src/alphabeta_abalone_player_atk.py, their
final agent). Where the two differ, the report is followed:

- *threat*: the weight falls with the turn, as the report says; in the program it grows.
- *pieces*: the report has no factor; in the program one grows with the turn from 1 to 2.
- *score*: own minus enemy score, which fills the report's interval [-6, 6] under our rules. The course's library
  counts a player's own losses only, from -6 to 0.
- *cluster*: divided by 29, the most pairs of neighbours that 14 marbles can make, to stay in [0, 1]. The authors divide
  by 27.

Both leave three things open. Here a turn is a ply, as in their 50 turns. A game of another length is scaled to fifty
turns, so that every weight changes in the same way from start to end. A win is worth more than all terms together.

`standard` is ours, for a deep search: eight terms in marbles that treat both sides alike.
"""

import math
from typing import NamedTuple

from palabre.author import (
    FAR,
    USUAL_PLIES,
    Moves,
    answer,
    evaluate,
    final_score,
    is_over,
    kernel,
    lowest,
    margin_bounds,
    plies_left,
    popcount,
    score,
    tactical_moves,
    win_draw_loss,
)
from palabre.games.abalone.rules import (
    AXES,
    BEATEN,
    BEYOND,
    CELL_AT,
    CELLS,
    DIRECTIONS,
    EDGE,
    FARTHEST,
    FORESIGHT,
    IN_LINE,
    INNER,
    LANES,
    MARBLES,
    OFFICIAL,
    STEP,
    SUICIDE,
    TURNS,
    State,
    behind,
    neighbour,
)

CENTRE = CELL_AT[4, 5]  # e5
TO_WIN = MARBLES - BEATEN  # the highest score
MOST_PAIRS = math.floor(3 * MARBLES - math.sqrt(12 * MARBLES - 3))  # 29: Harborth, "Lösung zu Problem 664A", 1974
RIM: int = BEYOND[3]
# A corner has three neighbours, any other cell of the rim four.
CORNERS = sum(1 << cell for cell in range(CELLS) if sum(neighbour(cell, d) >= 0 for d in range(len(DIRECTIONS))) == 3)
USUAL_TURNS = 50  # the length of the game that the authors' turn numbers are meant for

# The first codes of the three kinds of moves that can eject: two push one, three push one, three push two.
TWO_PUSH_ONE, THREE_PUSH_ONE, THREE_PUSH_TWO = (
    IN_LINE.index(kind) * len(DIRECTIONS) * CELLS for kind in ((2, 1), (3, 1), (3, 2))
)
DRIFT = 5  # the most a move changes the tie-break of `course`: it shifts five marbles by one step
EJECTION = FARTHEST + 1  # the most an ejection changes: the marble, minus its four steps, plus four others
LATE = 30.0  # this many plies before the limit, marbles begin to be worth more
NEARLY_OVER = 12  # plies to the limit; with more left, no lead is proven safe
# In `official` the positional terms of `standard` taper over the last plies, in a shorter game over its last quarter.
# In 60 games of the engine against itself, 1,500 nodes a move, a point of them predicted the result as well as a marble
# up to ply 280, half as well at plies 280 to 320 and a quarter as well at plies 360 to 400. The key tells these plies
# apart.
TAPER_PLIES = float(FORESIGHT)
TAPER_PART = 0.25


class Greedy(NamedTuple):
    """The weight of `greedy`."""

    point: float = 1.0  # for each point of score more than the opponent's


class Frabalon(NamedTuple):
    """The weights of `frabalon`; those of the six terms are in [0, 1]."""

    score: float = 1.0
    pieces: float = 1.0
    centre: float = 1.0
    threat: float = 0.8
    cluster: float = 0.4
    distance: float = 1.0
    centre_until: float = 45.0  # the turn from which the centre is worth nothing (report)
    cluster_mean: float = 20.0  # the turn when formation counts most (report)
    cluster_deviation: float = 5.0  # in turns (report)
    cluster_scale: float = 10.0  # the authors' table is ten times the normal density, 0.8 at its peak
    enemy_fading: float = 0.25  # the part of its weight that the enemy's danger loses by the end; the own loses all
    danger_1: float = 2.0  # the danger one, two, three steps from the centre, where it is 0
    danger_2: float = 4.0
    danger_3: float = 6.0
    danger_rim: float = 9.0
    danger_corner: float = 11.0
    win: float = 100.0  # ours; the terms reach 5


class Standard(NamedTuple):
    """The weights of `standard`, in marbles.

    `centre`, `push` and `press` are fitted on self-play, the others are set by hand. All are checked by match
    (docs/reports/engine.md).
    """

    marble: float = 1.0  # material: for each own marble on the board
    late_marble: float = 0.5  # in addition at the limit of plies, where marbles decide; grows over the last LATE plies
    step: float = -0.08  # for each step from an own marble to the centre
    pair: float = 0.02  # for each pair of own neighbours
    tempo: float = 0.033  # for being to move
    centre: float = 0.085  # for holding the central cell
    push: float = 0.055  # for each way to push enemies
    press: float = 0.1  # for each direction in which an own marble keeps an enemy at the edge
    win: float = 1000.0
    odds: float = 4.9  # log-odds of winning for each point; not part of the value


@kernel
def marbles_of(state: State, player: int) -> int:
    return state.own if player == state.player else state.other


@kernel
def progress(state: State) -> float:
    """The part of the game that has been played, from 0 to 1."""
    return state.ply / (state.rules & TURNS)


@kernel
def turn(state: State) -> float:
    """The ply, as if the game had the usual number of turns."""
    return state.ply * USUAL_TURNS / (state.rules & TURNS)


# ------------------------------------------------- frabalon's terms, from a player's side, each with its own tapering


@kernel
def score_term(state: State, player: int) -> float:
    """1. The rules' score, own minus enemy, in [-1, 1]."""
    return (score(state, player) - score(state, 1 - player)) / TO_WIN


@kernel
def pieces_term(state: State, player: int) -> float:
    """2. Own minus enemy marbles on the board, in [-1, 1]."""
    return (popcount(marbles_of(state, player)) - popcount(marbles_of(state, 1 - player))) / MARBLES


@kernel
def centre_term(weights: Frabalon, state: State, player: int) -> float:
    """3. 1 or -1 for the player who holds the central cell; 0 if nobody does, and towards the end."""
    if turn(state) >= weights.centre_until:
        return 0.0
    own = marbles_of(state, player) >> CENTRE & 1
    other = marbles_of(state, 1 - player) >> CENTRE & 1
    return float(own - other)


@kernel
def threat_term(state: State, player: int) -> float:
    """4. Own marbles on the rim with an enemy beside them, in [-1, 0]; tapers to 0 at the end."""
    enemies = marbles_of(state, 1 - player)
    beside = 0
    for direction in range(len(DIRECTIONS)):
        beside |= behind(enemies, STEP[direction]) & INNER[direction]
    return -popcount(marbles_of(state, player) & RIM & beside) / MARBLES * (1.0 - progress(state))


@kernel
def cluster_term(weights: Frabalon, state: State, player: int) -> float:
    """5. Pairs of own neighbours, in [0, 1], times the scaled normal density of the turn."""
    pairs = pairs_in(marbles_of(state, player))
    away = (turn(state) - weights.cluster_mean) / weights.cluster_deviation
    density = math.exp(-away * away / 2.0) / (weights.cluster_deviation * math.sqrt(2.0 * math.pi))
    return pairs / MOST_PAIRS * weights.cluster_scale * density


@kernel
def pairs_in(marbles: int) -> int:
    """How many pairs of marbles are neighbours."""
    pairs = 0
    for axis in range(AXES):
        pairs += popcount(marbles & behind(marbles, STEP[axis]) & INNER[axis])
    return pairs


@kernel
def danger(weights: Frabalon, marbles: int) -> float:
    """The danger to a player's marbles, from 0 for nine of them round the centre to 1 for all fourteen on the rim."""
    total = (
        weights.danger_1 * popcount(marbles & BEYOND[0] & ~BEYOND[1])
        + weights.danger_2 * popcount(marbles & BEYOND[1] & ~BEYOND[2])
        + weights.danger_3 * popcount(marbles & BEYOND[2] & ~BEYOND[3])
        + weights.danger_rim * popcount(marbles & RIM & ~CORNERS)
        + weights.danger_corner * popcount(marbles & CORNERS)
    )
    least = 6 * weights.danger_1 + 2 * weights.danger_2  # a running game has at least nine marbles a side
    most = 6 * weights.danger_corner + (MARBLES - 6) * weights.danger_rim
    return (total - least) / (most - least)  # with the authors' numbers this is their (danger - 20) / 118


@kernel
def distance_term(weights: Frabalon, state: State, player: int) -> float:
    """6. Enemies near the edge and own marbles near the centre, in [-1, 1]; the own part tapers to 0 at the end."""
    enemy = danger(weights, marbles_of(state, 1 - player)) * (1.0 - weights.enemy_fading * progress(state))
    return enemy - danger(weights, marbles_of(state, player)) * (1.0 - progress(state))


# ------------------------------------------------------------------------------------------------------ the evaluations


@answer(evaluate)
def greedy(weights: Greedy, state: State, player: int) -> float:
    return weights.point * (score(state, player) - score(state, 1 - player))


@answer(evaluate)
def frabalon(weights: Frabalon, state: State, player: int) -> float:
    value = (
        weights.score * score_term(state, player)
        + weights.pieces * pieces_term(state, player)
        + weights.centre * centre_term(weights, state, player)
        + weights.threat * threat_term(state, player)
        + weights.cluster * cluster_term(weights, state, player)
        + weights.distance * distance_term(weights, state, player)
    )
    return value + weights.win * win_draw_loss(state, player) if is_over(state) else value


@kernel
def worth(weights: Standard, marbles: int) -> float:
    """What marbles are worth to their owner by their number and their places."""
    steps = 0
    for least in range(len(BEYOND)):
        steps += popcount(marbles & BEYOND[least])
    return (
        weights.marble * popcount(marbles)
        + weights.step * steps
        + weights.pair * pairs_in(marbles)
        + weights.centre * (marbles >> CENTRE & 1)
    )


@kernel
def grip(weights: Standard, own: int, other: int) -> float:
    """What a player's hold on the opponent is worth: pushes they could make, enemies they keep at the edge."""
    pushes = 0
    presses = 0
    for direction in range(len(DIRECTIONS)):
        step, inner = STEP[direction], INNER[direction]
        mine = own & inner
        last = other & ~(behind(own | other, step) & inner)  # enemies with nobody behind them
        before_last = behind(last, step)
        two = mine & behind(mine & before_last, step)
        three = mine & behind(mine & behind(mine & behind(other & inner & before_last, step), step), step)
        pushes += popcount(two | three)
        presses += popcount(mine & behind(other & EDGE[direction], step))
    return weights.push * pushes + weights.press * presses


@answer(evaluate)
def standard(weights: Standard, state: State, player: int) -> float:
    if is_over(state):
        return weights.marble * (score(state, player) - score(state, 1 - player)) + weights.win * win_draw_loss(
            state, player
        )
    own, other = marbles_of(state, player), marbles_of(state, 1 - player)
    late = max(0.0, 1.0 - ((state.rules & TURNS) - state.ply) / LATE)
    lead = popcount(own) - popcount(other)
    value = worth(weights, own) - worth(weights, other)
    value += grip(weights, own, other) - grip(weights, other, own)
    value += weights.late_marble * late * lead
    value += weights.tempo if player == state.player else -weights.tempo
    material = (weights.marble + weights.late_marble * late) * lead
    return value - (1.0 - taper(state)) * (value - material)


@kernel
def taper(state: State) -> float:
    """The part of the positional terms that still counts.

    In `official` it falls to 0 at the limit of plies, where only marbles decide. In `course` the better position often
    wins the tie-break, and counts to the end.
    """
    if state.rules >> OFFICIAL & 1 == 0:
        return 1.0
    limit = state.rules & TURNS
    return min(1.0, (limit - state.ply) / min(TAPER_PLIES, TAPER_PART * limit))


# ------------------------------------------------------------------------------------------- hints for a search


@answer(tactical_moves)
def ejections(state: State, moves: Moves) -> int:
    """The moves that push an enemy off the board.

    Most positions have none. The first loop finds out whether there are any, in all six directions at once, as in the
    rules.
    """
    pushers = 0
    for lane in range(LANES):
        own = state.own & INNER[lane]
        before_one = behind(state.other & EDGE[lane], STEP[lane])
        before_two = own & behind(state.other & INNER[lane] & before_one, STEP[lane])
        pushers |= own & behind(own & (before_one | behind(before_two, STEP[lane])), STEP[lane])
    if pushers == 0:
        return 0
    count = 0
    for direction in range(len(DIRECTIONS)):
        step = STEP[direction]
        own = state.own & INNER[direction]
        before_one = behind(state.other & EDGE[direction], step)
        before_two = behind(state.other & INNER[direction] & before_one, step)
        two = own & behind(own & before_one, step)
        three = own & behind(own & behind(own & before_two, step), step)
        code = direction * CELLS
        count = write_moves(TWO_PUSH_ONE + code, two, moves, count)
        count = write_moves(THREE_PUSH_ONE + code, own & behind(two, step), moves, count)
        count = write_moves(THREE_PUSH_TWO + code, three, moves, count)
    return count


@kernel
def write_moves(code: int, cells: int, moves: Moves, count: int) -> int:
    """Append the moves of one kind and direction from these cells; returns the new number of moves."""
    while cells:
        moves[count] = code + lowest(cells)
        count += 1
        cells &= cells - 1
    return count


@answer(margin_bounds)
def bounds_near_the_limit(state: State) -> tuple[int, int]:
    """A turn ejects one marble at most, so a lead can be too large for the plies left."""
    left = (state.rules & TURNS) - state.ply
    if left > NEARLY_OVER:
        return -FAR, FAR
    lead = final_score(state, state.player) - final_score(state, 1 - state.player)
    own_turns, other_turns = (left + 1) // 2, left // 2
    if state.rules >> OFFICIAL & 1:
        return lead - other_turns, lead + own_turns
    if state.rules >> SUICIDE & 1:  # either player may eject a marble of either
        return lead - EJECTION * left, lead + EJECTION * left
    return lead - EJECTION * other_turns - DRIFT * own_turns, lead + EJECTION * own_turns + DRIFT * other_turns


@answer(plies_left)
def plies_to_the_limit(state: State) -> int:
    return min(USUAL_PLIES, (state.rules & TURNS) - state.ply)


EVALUATIONS = {"greedy": Greedy(), "frabalon": Frabalon(), "standard": Standard()}
TEXTBOOK = "frabalon"  # the default evaluation of the textbook searches
