"""Awalé's board: holes 1 to 8 below, left to right, 9 to 16 above, right to left, so that seeds run round."""

import itertools
from collections import Counter

from palabre.author import Board, Cell, Clicks, Message, Options, Piece, Saying, Stage, Travel
from palabre.games.awale.notation import KINDS, hole_name, say, seeds_by_hole
from palabre.games.awale.rules import AS_BLUE, HOLES, RING_HOLES, WITH_CLEAR, State, play, taken, to_move

BOARD = Board("wood", direction="counter-clockwise")
SEED_COLOURS = ("red", "blue", "clear")
STORES = ("store 1", "store 2")
APART = 1.15  # the holes of a row, so that three numbers fit beside each
LOWER_ROW = 1.95
STORE_HEIGHT = 2.8

Seeds = dict[tuple[str, str], int]  # by hole or store, and by colour


def cells(options: Options) -> list[Cell]:
    return [
        *(Cell(str(hole + 1), APART * hole, LOWER_ROW, owner=hole % 2) for hole in range(HOLES)),
        *(Cell(str(RING_HOLES - hole), APART * hole, 0, owner=1 - hole % 2) for hole in reversed(range(HOLES))),
        Cell(STORES[0], APART * HOLES, LOWER_ROW / 2, owner=0, store=True, height=STORE_HEIGHT),
        Cell(STORES[1], -APART, LOWER_ROW / 2, owner=1, store=True, height=STORE_HEIGHT),
    ]


def counts(state: State) -> Seeds:
    """The seeds in the holes; the colours of the seeds in the stores are forgotten."""
    lying = {
        (str(place + 1), colour): count
        for place, hole in enumerate(seeds_by_hole(state))
        for colour, count in zip(SEED_COLOURS, hole, strict=True)
    }
    return lying | {(store, "mixed"): taken(state.tally, player) for player, store in enumerate(STORES)}


def seeds(cell: str, colour: str, count: int) -> Piece:
    return Piece(cell, "seeds", count=count, colour=colour)


def lie(lying: Seeds) -> list[Piece]:
    return [seeds(cell, colour, count) for (cell, colour), count in lying.items()]


def pieces(state: State) -> list[Piece]:
    return lie(counts(state))


def clicks(state: State, move: int) -> list[Clicks]:
    """The hole, then what is played from it."""
    return [(hole_name(to_move(state), move >> 2), KINDS[move & 3])]


def sown(state: State, move: int) -> list[tuple[str, str]]:
    """The colour of each seed and the hole that receives it, in their order: the transparent seeds go first."""
    player, lying = to_move(state), counts(state)
    origin = hole_name(player, move >> 2)
    colour = SEED_COLOURS[move & AS_BLUE]
    hand = ["clear"] * lying[origin, "clear"] if move & WITH_CLEAR else []
    hand += [colour] * lying[origin, colour]
    step = 2 if move & AS_BLUE else 1  # a blue move sows only the opponent's holes
    others = [str((int(origin) - 1 + ahead) % RING_HOLES + 1) for ahead in range(1, RING_HOLES, step)]
    return [(seed, others[number % len(others)]) for number, seed in enumerate(hand)]


def captured(state: State, move: int) -> dict[str, list[Piece]]:
    """The holes that a move empties into the store, the last one first, and the seeds in them."""
    before, after = counts(state), counts(play(state, move))
    for colour, hole in sown(state, move):
        before[hole_name(to_move(state), move >> 2), colour] -= 1
        before[hole, colour] += 1
    last = int(sown(state, move)[-1][1])
    backwards = [str((last - 1 - back) % RING_HOLES + 1) for back in range(RING_HOLES)]
    lost = {
        hole: [
            seeds(hole, colour, before[hole, colour])
            for colour in SEED_COLOURS
            if before[hole, colour] > after[hole, colour]
        ]
        for hole in backwards
    }
    return {hole: pieces for hole, pieces in lost.items() if pieces}


def story(state: State, move: int) -> list[Stage]:
    """The seeds are sown one by one, then the captured holes are emptied one by one."""
    player, lying = to_move(state), counts(state)
    origin, store = hole_name(player, move >> 2), STORES[player]
    stages = []
    for colour, hole in sown(state, move):
        lying[origin, colour] -= 1
        lying[hole, colour] += 1
        stages.append(Stage([Travel(seeds(origin, colour, 1), hole)], lie(lying), weight=1))
    for hole, lost in captured(state, move).items():
        for piece in lost:
            lying[hole, piece.colour] = 0
            lying[store, "mixed"] += piece.count
        stages.append(Stage([Travel(piece, store) for piece in lost], lie(lying)))
    return stages


def tell(state: State, move: int) -> list[Saying]:
    player, taken_from = to_move(state), captured(state, move)
    hand = Counter(colour for colour, _ in sown(state, move))
    cell = hole_name(player, move >> 2)
    sayings = [Saying("sows_colours", {"player": player, "cell": cell, "colours": in_colours(hand)})]
    if taken_from:
        lost: Counter[str] = Counter()
        for piece in itertools.chain(*taken_from.values()):
            lost[piece.colour] += piece.count
        holes = sorted(taken_from, key=int)
        sayings.append(Saying("takes_colours", {"player": player, "cells": holes, "colours": in_colours(lost)}))
    return sayings


def in_colours(amounts: Counter[str]) -> list[Message]:
    """How many seeds there are of each colour."""
    return [say(f"piece.seeds.{colour}", count=amounts[colour]) for colour in SEED_COLOURS if amounts[colour]]
