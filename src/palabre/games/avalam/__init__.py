"""Avalam: towers of at most five, 48 counters."""

from palabre.author import GameFacts, Preset

GAME = GameFacts(
    "avalam",
    "Avalam",
    "pile towers on their neighbours, five counters high at most, and own the most in the end; 48 counters",
    Preset(
        "course",
        "own towers onto enemy ones only. Every move costs the opponent one tower, so the final difference is 0 or +1 "
        "for player 1, who can never lose: a parity fight for the last move",
        title="the course project's rules",
    ),
    Preset(
        "official",
        "any tower onto any tower; towers of height 5 break a tie",
        title="the published rules",
        official=True,
    ),
    unit="towers",
)
