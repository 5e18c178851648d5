"""What the Abalone course project reported, left open and wished for, tried."""

from palabre.games.abalone.experiments import agents, terms, tournament, wishes

EXPERIMENTS = (agents.EXPERIMENT, tournament.EXPERIMENT, terms.EXPERIMENT, wishes.EXPERIMENT)
