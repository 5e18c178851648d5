"""What the Avalam course project reported, wished for and did not know, tried."""

from palabre.games.avalam.experiments import pairings, parity, wishes

EXPERIMENTS = (pairings.EXPERIMENT, parity.EXPERIMENT, wishes.EXPERIMENT)
