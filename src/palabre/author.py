"""For authors of games: all that the files of a game import from Palabre.

    from palabre.author import Cell, GameFacts, Moves, Options, Piece, kernel, popcount, rule

- facts: `GameFacts`, with `Preset`, `Parameter` and `Decimal`; the `Options` of a spec
- rules: `rule`, `kernel`, `Table`, `answer`; `move_buffer`, `row_buffer`; all verbs, such as `play`; `share`,
  `win_draw_loss`
- bits: `popcount`, `lowest`, `nth`, `signed`, `shift_right`, `add`, `multiply`, `mix`, `combine`
- vectors: `spread`, `add_lanes`, `store_lanes`
- chance: `shake`, `roll`, `chance`
- texts: `fields`, `number`, `numbers`, `player_from_text`, the errors, `own_words`, `the_player`
- the board: `Cell`, `Piece`, `Clicks`, `Board`, `Label`; what a move does: `Stage`, `Travel`, `Saying`
- observations: `Form`, `Cells`, `BadCell`

docs/adding_a_game.md writes a game with them, docs/api.md describes each. Bots, and `compiled` kernels, come from
`import palabre`. Importing this loads neither NumPy nor Numba.
"""

from typing import TYPE_CHECKING, Any

from palabre.core.bits import add, combine, lowest, mix, multiply, nth, popcount, shift_right, signed
from palabre.core.board import Board, Cell, Clicks, Label, Piece, Saying, Stage, Travel
from palabre.core.dice import chance, roll, shake
from palabre.core.errors import ImpossiblePosition, PalabreError, UnreadableText, listing
from palabre.core.game import Game
from palabre.core.kernels import Table, answer, kernel, rule
from palabre.core.lanes import Lanes, add_lanes, spread, store_lanes
from palabre.core.position import Move, Position
from palabre.core.spec import Decimal, GameFacts, Options, Parameter, Preset
from palabre.core.text import fields, number, numbers, player_from_text
from palabre.core.verbs import (
    FAR,
    MANY_PLIES,
    MAX_MOVE_CODES,
    MAX_PLAYERS,
    USUAL_PLIES,
    Moves,
    Rows,
    State,
    Weights,
    award_remaining,
    count_moves,
    evaluate,
    features,
    final_score,
    gain,
    is_legal,
    is_over,
    key,
    legal_moves,
    margin_bounds,
    move_buffer,
    phase,
    play,
    players,
    plies_left,
    ply,
    random_move,
    repetition_key,
    reversible_plies,
    row_buffer,
    score,
    share,
    tactical_moves,
    to_move,
    win_draw_loss,
)
from palabre.core.words import Message, own_words, the_player

if TYPE_CHECKING:
    from palabre.core.observations import BadCell, Cells, Form

__all__ = [
    "FAR",
    "MANY_PLIES",
    "MAX_MOVE_CODES",
    "MAX_PLAYERS",
    "USUAL_PLIES",
    "BadCell",
    "Board",
    "Cell",
    "Cells",
    "Clicks",
    "Decimal",
    "Form",
    "Game",
    "GameFacts",
    "ImpossiblePosition",
    "Label",
    "Lanes",
    "Message",
    "Move",
    "Moves",
    "Options",
    "PalabreError",
    "Parameter",
    "Piece",
    "Position",
    "Preset",
    "Rows",
    "Saying",
    "Stage",
    "State",
    "Table",
    "Travel",
    "UnreadableText",
    "Weights",
    "add",
    "add_lanes",
    "answer",
    "award_remaining",
    "chance",
    "combine",
    "count_moves",
    "evaluate",
    "features",
    "fields",
    "final_score",
    "gain",
    "is_legal",
    "is_over",
    "kernel",
    "key",
    "legal_moves",
    "listing",
    "lowest",
    "margin_bounds",
    "mix",
    "move_buffer",
    "multiply",
    "nth",
    "number",
    "numbers",
    "own_words",
    "phase",
    "play",
    "player_from_text",
    "players",
    "plies_left",
    "ply",
    "popcount",
    "random_move",
    "repetition_key",
    "reversible_plies",
    "roll",
    "row_buffer",
    "rule",
    "score",
    "shake",
    "share",
    "shift_right",
    "signed",
    "spread",
    "store_lanes",
    "tactical_moves",
    "the_player",
    "to_move",
    "win_draw_loss",
]


def __getattr__(name: str) -> Any:
    if name not in ("BadCell", "Cells", "Form"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from palabre.core import observations  # few games have observations of their own

    return getattr(observations, name)
