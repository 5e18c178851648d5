"""Awélé's board: player 2's pits above, right to left, player 1's below, left to right, so that seeds run round."""

from palabre.author import Board, Cell, Clicks, Options, Piece, Saying, Stage, Travel
from palabre.games.awele.notation import PIT_NAMES, move_to_text
from palabre.games.awele.rules import PITS, State, play, seeds_in, taken

BOARD = Board("wood", direction="counter-clockwise")
RING = PIT_NAMES + PIT_NAMES.lower()  # the names of the pits in sowing order
STORES = ("store 1", "store 2")
APART = 1.1  # the pits of a row
LOWER_ROW = 1.9
STORE_HEIGHT = 2.8


def cells(options: Options) -> list[Cell]:
    return [
        *(Cell(PIT_NAMES[pit].lower(), APART * (PITS - 1 - pit), 0, owner=1) for pit in range(PITS)),
        *(Cell(PIT_NAMES[pit], APART * pit, LOWER_ROW, owner=0) for pit in range(PITS)),
        Cell(STORES[0], APART * PITS, LOWER_ROW / 2, owner=0, store=True, height=STORE_HEIGHT),
        Cell(STORES[1], -APART, LOWER_ROW / 2, owner=1, store=True, height=STORE_HEIGHT),
    ]


def counts(state: State) -> dict[str, int]:
    """The seeds in each pit and store."""
    sides = (state.own, state.other) if state.player == 0 else (state.other, state.own)
    pits = [seeds_in(word, pit) for word in sides for pit in range(PITS)]
    return dict(zip((*RING, *STORES), (*pits, *map(taken, sides)), strict=True))


def seeds(cell: str, count: int) -> Piece:
    return Piece(cell, "seeds", count=count, colour="brown")


def lie(lying: dict[str, int]) -> list[Piece]:
    return [seeds(cell, count) for cell, count in lying.items()]


def pieces(state: State) -> list[Piece]:
    return lie(counts(state))


def clicks(state: State, move: int) -> list[Clicks]:
    return [(move_to_text(state, move),)]


def sown(state: State, move: int) -> list[str]:
    """The pits that receive a seed, in their order."""
    origin = PITS * state.player + move
    others = [RING[(origin + step) % len(RING)] for step in range(1, len(RING))]
    return [others[seed % len(others)] for seed in range(seeds_in(state.own, move))]


def ripe(state: State, move: int) -> dict[str, int]:
    """The opponent's pits of two or three seeds in which a sowing ends, the last one first, and the seeds in them."""
    lying, run = counts(state), {}
    for pit in sown(state, move):
        lying[pit] += 1
    theirs = RING[PITS:] if state.player == 0 else RING[:PITS]
    place = theirs.find(sown(state, move)[-1])
    while place >= 0 and lying[theirs[place]] in (2, 3):
        run[theirs[place]] = lying[theirs[place]]
        place -= 1
    return run


def captured(state: State, move: int) -> dict[str, int]:
    """The pits that a move empties into the store: the ripe ones, or none if that would be a grand slam."""
    return ripe(state, move) if taken(play(state, move).other) > taken(state.own) else {}


def story(state: State, move: int) -> list[Stage]:
    """The seeds are sown one by one, then the captured pits are emptied one by one."""
    lying, origin, store = counts(state), move_to_text(state, move), STORES[state.player]
    stages = []
    for pit in sown(state, move):
        lying[origin] -= 1
        lying[pit] += 1
        stages.append(Stage([Travel(seeds(origin, 1), pit)], lie(lying), weight=1))
    for pit, count in captured(state, move).items():
        lying[pit] = 0
        lying[store] += count
        stages.append(Stage([Travel(seeds(pit, count), store)], lie(lying)))
    return stages


def tell(state: State, move: int) -> list[Saying]:
    lost, would_lose = captured(state, move), ripe(state, move)
    who = {"player": state.player, "things": "seeds"}
    sayings = [Saying("sows", {**who, "cell": move_to_text(state, move), "count": seeds_in(state.own, move)})]
    if lost:
        sayings.append(Saying("takes", {**who, "count": sum(lost.values()), "cells": sorted(lost)}))
    elif would_lose:
        sayings.append(Saying("takes_nothing", {**who, "count": sum(would_lose.values())}))
    return sayings
