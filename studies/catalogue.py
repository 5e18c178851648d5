"""All studies, by the name of the study or of its game."""

from studies import abalone, avalam, awale, awele, penguins
from studies.study import Study

STUDIES: tuple[Study, ...] = (*abalone.STUDIES, *avalam.STUDIES, *awale.STUDIES, *awele.STUDIES, *penguins.STUDIES)


def find(name: str) -> list[Study]:
    """The study of this name, or all studies on the game of this name; none if there is neither."""
    return [study for study in STUDIES if name in (study.name, study.game)]
