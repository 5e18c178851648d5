"""What the Awélé course project asked for, tried: bots that learn."""

from palabre.games.awele.experiments import learning, rows

EXPERIMENTS = (learning.EXPERIMENT, rows.EXPERIMENT)
