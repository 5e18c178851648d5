"""What the Penguins course project reported, tried again."""

from studies.penguins import levels, placement, treesearch

STUDIES = (levels.STUDY, treesearch.STUDY, placement.STUDY)
