"""What the Abalone course project reported, left open and wished for, tried."""

from studies.abalone import agents, terms, tournament, wishes

STUDIES = (agents.STUDY, tournament.STUDY, terms.STUDY, wishes.STUDY)
