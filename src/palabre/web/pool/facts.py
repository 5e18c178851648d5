"""Thoughts and reviews of `palabre.bots` as messages."""

from typing import Literal, cast

import msgspec

from palabre.bots import review
from palabre.search.thought import Thought, thought_facts
from palabre.web.messages import ShownReviewedMove, ThoughtFacts

Mistake = Literal["inaccuracy", "mistake", "blunder"] | None


def shown_thought(thought: Thought) -> ThoughtFacts:
    """A thought as a message; the clicks of its move are filled in by the server."""
    facts = thought_facts(thought)
    proven = facts["proven"] or {"result": None, "plies": None}
    more = {"proven": proven["result"], "plies_to_end": proven["plies"], "clicks": []}
    return msgspec.convert(facts | more, ThoughtFacts)


def shown_reviewed_move(reviewed: review.ReviewedMove) -> ShownReviewedMove:
    """A move of a review as a message."""
    return ShownReviewedMove(
        ply=reviewed.ply,
        mover=reviewed.player,
        move=reviewed.move.text,
        best=reviewed.best.move.text,
        line=[move.text for move in reviewed.best.line],
        chances=list(reviewed.shares_before),
        chances_after=list(reviewed.shares_after),
        lost=reviewed.chance_lost,
        points_lost=reviewed.points_lost,
        mistake=cast("Mistake", reviewed.mistake),
    )
