"""What the Awalé course project reported, tried again.

Its bots are `adaptive` (6 to 10 plies, by the seeds captured) and `adaptive:depth=6`, with the evaluations `raw`,
`corrected` and `defence`. Both search promising moves first and evaluate no position twice, as the authors' bots did.
"""

from studies.awale import depth, effort, evaluations, first_player, tables, wandering

STUDIES = (
    tables.STUDY,
    first_player.STUDY,
    evaluations.STUDY,
    depth.STUDY,
    effort.STUDY,
    wandering.STUDY,
)
