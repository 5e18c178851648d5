"""What the Awalé course project reported, tried again.

Its bots are `adaptive` (6 to 10 plies, by the seeds captured) and `adaptive:depth=6`, with the evaluations `raw`,
`corrected` and `defence`. Both search promising moves first and evaluate no position twice, as the authors' bots did.
"""

from palabre.games.awale.experiments import depth, effort, evaluations, first_player, tables, wandering

EXPERIMENTS = (
    tables.EXPERIMENT,
    first_player.EXPERIMENT,
    evaluations.EXPERIMENT,
    depth.EXPERIMENT,
    effort.EXPERIMENT,
    wandering.EXPERIMENT,
)
