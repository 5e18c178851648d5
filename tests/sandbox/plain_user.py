"""A program for a user who is not root: plays the bots of the zoo that are named, and prints why each has lost."""

import sys
from contextlib import suppress
from pathlib import Path

import palabre
from palabre.bots.bot import Bot
from palabre.bots.specs import bot
from palabre.play.failures import Forfeit, Limits
from palabre.play.game import OngoingGame
from palabre.play.guard import teach
from palabre.sandbox.players import close_bot, seat
from palabre.sandbox.proxy import SandboxedBot
from palabre.search.clock import Clock

ZOO = Path(__file__).parent / "zoo"
GAME = palabre.game("awele")
PATIENCE = 300.0  # seconds, which only a hang takes
LIMITS = Limits(
    memory=256,
    scratch=8,
    files=500,
    processes=20,
    output=1,
    strikes=0,
    loading=PATIENCE,
    starting=PATIENCE,
    closing=PATIENCE,
)


def beginnings(player: Bot) -> str:
    """What becomes of a bot that plays the first move of three games, one after another."""
    assert isinstance(player, SandboxedBot)
    sandboxes = []
    for number in range(3):
        game = OngoingGame(GAME.start(), [player, None], clock=Clock(per_move=PATIENCE))
        game.sit_down()
        sandboxes.append(player._sandbox)
        try:
            game.ask_bot()
        except Forfeit as forfeit:
            return f"in game {number + 1}: {forfeit}"
        game.get_up()
    return f"nothing noted in {len(set(map(id, sandboxes)))} sandbox(es)"


def why_it_lost(player: Bot, clock: Clock) -> str:
    """Why a game has ended that it plays to the end."""
    game = OngoingGame(GAME.start(), [player, bot("random", GAME)], clock=clock)
    with suppress(Forfeit):
        game.sit_down()
        while not game.is_over:
            game.ask_bot()
    game.get_up()
    return str(game.why_ended)


for name in sys.argv[1:]:
    player = seat(str(ZOO / f"{name}.py"), GAME, limits=LIMITS, untrusted=True)
    try:
        teach(player)
        if name.startswith("notes_"):
            print(f"{name}: {beginnings(player)}")
            continue
        clock = Clock(per_move=0.3 if name == "fork_bomb" else PATIENCE)
        print(f"{name}: {why_it_lost(player, clock)}")
    finally:
        close_bot(player)
