"""Balanced openings: of several random ones, the first in which no player is far ahead.

A match from openings that are nearly decided measures little: the pair of games ends one to one, with any bots. So each
candidate is judged by a search with a fixed number of nodes, which is the same on every machine: by the engine's
calibrated chance where it has one, else by the mean shares of tree search. The draw always ends: if no candidate is
balanced, the most balanced one is taken.
"""

import hashlib
import json
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from palabre.bots.analysis import analysing_bot, default_bot
from palabre.bots.bot import SearchBot
from palabre.compile import cache
from palabre.core.errors import PalabreError
from palabre.core.files import replace_file
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.words import say
from palabre.evaluation.chances import fingerprint
from palabre.evaluation.names import default_evaluation, evaluation
from palabre.search.clock import Clock

NODES = {"palabre": 2_000, "mcts": 1_000}  # that judge a candidate, by the bot that searches
FAR = 0.1  # a player whose share is this much above or below a fair one is far ahead, or behind
CANDIDATES = 50  # at most, for one opening


class Balanced(NamedTuple):
    """A position that was chosen, and how even it is."""

    position: Position
    shares: tuple[float, ...]  # that each player can expect
    candidates: int  # how many were judged

    @property
    def imbalance(self) -> float:
        """How far the shares are from fair ones, at most."""
        return max(abs(share - 1 / len(self.shares)) for share in self.shares)

    @property
    def is_even(self) -> bool:
        """Whether no player is far ahead or behind."""
        return self.imbalance <= FAR


class Judge:
    """Judges positions of a game, and remembers on disk what it found."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.name = default_bot(game)
        self._known = self._read()
        self._is_changed = False

    @cached_property
    def _bot(self) -> SearchBot:
        return analysing_bot(f"{self.name}:memory=1" if self.name == "palabre" else self.name, self.game)

    def shares(self, position: Position) -> tuple[float, ...]:
        """The share that each player can expect; the same for the same position, whatever was judged before."""
        text = position.text
        if text not in self._known:
            self._known[text] = [round(share, 4) for share in self._search(position)]
            self._is_changed = True
        return tuple(self._known[text])

    def _search(self, position: Position) -> tuple[float, ...]:
        self._bot.sit_down(self.game, position.to_move)
        thought = self._bot.think(position, Clock(nodes=NODES[self.name]))
        shares = thought.expected_shares
        if shares is None:
            raise PalabreError(say("openings.no_chances", bot=self._bot.spec, game=self.game.spec))
        return shares

    @cached_property
    def _file(self) -> Path:
        """Where the shares of this game by this evaluation are kept."""
        weights = evaluation(self.game, default_evaluation(self.game))
        parts = [self.game.spec, self.name, str(NODES[self.name]), fingerprint(self.game, weights)]
        return remembered_in() / f"{hashlib.sha256(chr(10).join(parts).encode()).hexdigest()[:16]}.json"

    def _read(self) -> dict[str, list[float]]:
        try:
            known: dict[str, list[float]] = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):  # there is none yet, or it is damaged
            return {}
        return known if isinstance(known, dict) else {}

    def save(self) -> None:
        """Keep what was judged; it is no harm if that fails."""
        if self._is_changed:
            try:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                replace_file(self._file, json.dumps(self._known))
            except OSError:
                return
            self._is_changed = False


def remembered_in() -> Path:
    """The folder of what was judged."""
    return cache.root() / "openings"


def draw_balanced(candidate: Callable[[int], Position], judge: Judge) -> Balanced:
    """The first of the candidates 0, 1, … in which no player is far ahead; after CANDIDATES of them the most even."""
    best: Balanced | None = None
    for number in range(CANDIDATES):
        position = candidate(number)
        judged = Balanced(position, judge.shares(position), number + 1)
        if judged.is_even:
            return judged
        if best is None or judged.imbalance < best.imbalance:
            best = judged
    assert best is not None
    return best._replace(candidates=CANDIDATES)
