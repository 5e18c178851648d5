"""A program for a user who is not root: plays the bots of the zoo that are named, and prints why each has lost."""

import sys
from pathlib import Path

import palabre
from palabre.arena.guard import teach
from palabre.arena.players import close_bot, seat
from palabre.arena.referee import play_game
from palabre.arena.sandbox.report import Limits
from palabre.bots.specs import bot
from palabre.search.clock import Clock

ZOO = Path(__file__).parent / "zoo"
GAME = palabre.game("awele")
LIMITS = Limits(memory=256, scratch=8, files=500, processes=20, output=1, strikes=0)

for name in sys.argv[1:]:
    player = seat(str(ZOO / f"{name}.py"), GAME, limits=LIMITS, untrusted=True)
    try:
        teach(player)
        clock = Clock(per_move=0.3 if name in ("loops", "fork_bomb", "ignores_signals") else 3.0)
        print(f"{name}: {play_game([player, bot('random', GAME)], GAME.start(), clock=clock).reason}")
    finally:
        close_bot(player)
