"""What the Penguins course project reported, tried again."""

from palabre.games.penguins.experiments import levels, placement, treesearch

EXPERIMENTS = (levels.EXPERIMENT, treesearch.EXPERIMENT, placement.EXPERIMENT)
