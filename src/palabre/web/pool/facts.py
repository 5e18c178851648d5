"""Thoughts and reviews of `palabre.bots` as messages."""

from typing import Literal, cast

from palabre.bots import review
from palabre.search import thought as thoughts
from palabre.search.thought import Thought
from palabre.web.messages import ShownReviewedMove, ThoughtFacts

Mistake = Literal["inaccuracy", "mistake", "blunder"] | None


def thought_facts(thought: Thought) -> ThoughtFacts:
    """A thought as a message; the clicks of its move are filled in by the server."""
    facts = thoughts.thought_facts(thought)
    proven = facts["proven"] or {"result": None, "plies": None}
    return ThoughtFacts(
        **{name: facts[name] for name in ThoughtFacts.__struct_fields__ if name in facts and name != "proven"},
        proven=proven["result"],
        plies_to_end=proven["plies"],
        clicks=[],
    )


def reviewed_move(reviewed: review.ReviewedMove) -> ShownReviewedMove:
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
