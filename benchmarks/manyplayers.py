"""Which search plays best where there are more than two players: Penguins with three and with four.

    python -m benchmarks.manyplayers [--boards 16] [--time 0.02]

On each board every choice of bots plays from every rotation of the seats. A bot's share of a game is 1 for a win and
1/k for each of k bots that share it. Standard errors come from the spread over the boards.
"""

import argparse
import itertools
import sys
import time
from collections import defaultdict
from statistics import fmean

import palabre
from palabre.arena.openings import OPENING_PLIES, random_opening
from palabre.arena.result import standard_error
from palabre.bots.specs import bot
from palabre.play.referee import play_game
from palabre.search.clock import Clock

BOTS = ("maxn", "paranoid", "bestreply", "mcts", "greedy")


def shares_on_a_board(players: int, board: int, seconds: float) -> dict[str, float]:
    """The mean share of each bot over all games on one board."""
    game = palabre.game(f"penguins:players={players}")
    start = game.start(board)
    opening = random_opening(start, OPENING_PLIES, board + 1)
    shares = defaultdict(list)
    for chosen in itertools.combinations(BOTS, players):
        for first in range(players):
            names = chosen[first:] + chosen[:first]
            bots = [bot(name, game) for name in names]
            played = play_game(bots, start, opening=opening, clock=Clock(per_move=seconds), seed=board)
            for name, share in zip(names, played.shares, strict=True):
                shares[name].append(share)
    return {name: fmean(values) for name, values in shares.items()}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.manyplayers", description=__doc__.split("\n")[0])
    parser.add_argument("--boards", type=int, default=16)
    parser.add_argument("--time", type=float, default=0.02, help="seconds a move")
    options = parser.parse_args()
    cells: dict[str, list[str]] = {name: [f"`{name}`"] for name in BOTS}
    for players in (3, 4):
        begin = time.monotonic()
        boards = []
        for board in range(options.boards):
            boards.append(shares_on_a_board(players, board, options.time))
            left = (time.monotonic() - begin) / len(boards) * (options.boards - len(boards))
            print(f"{players} players: {len(boards)} of {options.boards} boards, {left:.0f} s left", file=sys.stderr)
        for name in BOTS:
            shares = [values[name] for values in boards]
            error = standard_error(shares)
            cells[name].append(f"{fmean(shares):.3f}" + ("" if error is None else f" ± {error:.3f}"))
    print("| bot | 3 players | 4 players |\n|---|---|---|")
    for row in cells.values():
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
