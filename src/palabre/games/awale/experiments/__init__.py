"""What the Awalé course project reported, tried again."""

from palabre.games.awale.experiments import depth

EXPERIMENTS = (depth.EXPERIMENT,)
