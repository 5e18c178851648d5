"""What the Avalam course project reported, wished for and did not know, tried."""

from studies.avalam import pairings, parity, wishes

STUDIES = (pairings.STUDY, parity.STUDY, wishes.STUDY)
