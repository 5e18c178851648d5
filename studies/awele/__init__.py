"""What the Awélé course project asked for, tried: bots that learn."""

from studies.awele import learning, rows

STUDIES = (learning.STUDY, rows.STUDY)
