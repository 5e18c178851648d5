"""Generations of a net: self-play, training, and a match that decides whether the new net is kept.

    FOLDER/learning.json            how this learning goes: the game, the seed and all other settings
    FOLDER/generation-1/            positions.npz, candidate.net, training.json, gate.sqlite, gate.json
    FOLDER/best.net                 the best net so far

Every file is written all or nothing and is the mark that its phase is done, so a command that was ended at any moment
goes on where it stopped. The positions and the candidate of a generation depend on the settings and on which nets
were kept before; so does all else, if the gate limits nodes and not time.
"""

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from palabre.arena.result import MatchResult
from palabre.arena.sequential import Hypotheses, sprt_match
from palabre.core import registry
from palabre.core.bits import combine
from palabre.core.database import lock_file
from palabre.core.errors import PalabreError
from palabre.core.files import replace_file
from palabre.core.game import Game
from palabre.core.verbs import feature_limits
from palabre.core.words import say
from palabre.evaluation.names import default_evaluation, evaluation
from palabre.evaluation.net import features_fingerprint
from palabre.evaluation.net_file import NetHeader, write_net
from palabre.learn.examples import examples_of, fitted_odds
from palabre.learn.labels import Workers, labelled_positions
from palabre.learn.net_training import Epoch, base_loss, split, train_net
from palabre.learn.positions import POSITIONS, USUAL_ODDS, Labelling, Positions, joined, read_positions
from palabre.learn.quantising import in_integers, largest_row, quantised, rounding_error
from palabre.search.clock import Clock

MANIFEST, BEST = "learning.json", "best.net"
CANDIDATE, TRAINING, GATE_EVENT, GATE = "candidate.net", "training.json", "gate.sqlite", "gate.json"
WINDOW = 3  # generations whose positions a net is trained on
MOST_ELO = 800.0  # that one match counts for
BETTER = Hypotheses(elo0=0.0, elo1=10.0, alpha=0.05, beta=0.05)  # what a net must show to be kept


Kind = TypeVar("Kind", bound=msgspec.Struct)


class LearningSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is learned, and how. A folder belongs to one such set."""

    game: str  # its spec
    positions: int = 500_000  # labelled in each generation
    nodes: int = 1_000  # of the search of each position
    lanes: int = 64
    seed: int = 0
    gate_seconds: float = 0.05  # a move, in the match with the best net so far
    gate_nodes: int = 0  # a move; if it is not 0, the match limits nodes instead of time
    gate_games: int = 400  # after which a candidate that has not passed is dropped


class TrainingResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the training of a candidate has shown. Losses are cross-entropies above that of a perfect prediction."""

    positions: int
    odds: float  # log-odds of winning for a point of a search's value, by the results of the games
    base_loss: float  # of the base alone, on the games kept from training
    loss: float  # of the net, on the same games
    epochs: list[tuple[float, float]]  # loss in training, and on the games kept from it
    rounding_mean: float  # points by which the integer net is off from the float one
    rounding_most: float
    skip: float  # the weight of the base
    seconds: float


class GateResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The match of a candidate with the best net so far; all figures are the candidate's."""

    rival: str  # the name of the evaluation or net
    is_kept: bool
    wins: int
    draws: int
    losses: int
    elo: float  # within MOST_ELO, as the intervals are
    elo_95: tuple[float, float]
    seconds: float  # that the whole generation took


class Generation(NamedTuple):
    """A generation that is done."""

    number: int  # from 1
    training: TrainingResult
    gate: GateResult


class LearningStage(NamedTuple):
    """How far the learning is, for whoever watches it."""

    generation: int
    phase: str  # positions, training, gate
    done: int
    total: int
    note: str = ""


OnStage = Callable[[LearningStage], None]


@dataclass(frozen=True)
class Learning:
    """A learning in its folder."""

    folder: Path
    settings: LearningSettings
    workers: Workers
    on_stage: OnStage = lambda stage: None

    @property
    def game(self) -> Game:
        """The game that is learned."""
        return registry.game(self.settings.game)

    def generations(self) -> Iterator[Generation]:
        """All generations without an end: those that are done, then others, each when it is done."""
        number = 1
        while True:
            yield self._generation(number)
            number += 1

    def done(self) -> list[Generation]:
        """The generations that are done."""
        made: list[Generation] = []
        while (self._folder(len(made) + 1) / GATE).exists():
            made.append(self._generation(len(made) + 1))
        return made

    def _folder(self, number: int) -> Path:
        return self.folder / f"generation-{number}"

    def _generation(self, number: int) -> Generation:
        folder = self._folder(number)
        folder.mkdir(exist_ok=True)
        begin = time.monotonic()
        if not (folder / GATE).exists():
            if not (folder / TRAINING).exists():
                self._train(number, self._positions(number))
            gate = self._gate(number, begin)
            if gate.is_kept:
                replace_file(self.folder / BEST, (folder / CANDIDATE).read_bytes())
            _write(folder / GATE, gate)
        return Generation(number, _read(folder / TRAINING, TrainingResult), _read(folder / GATE, GateResult))

    def best(self, number: int) -> str:
        """The evaluation to beat in a generation: the last net that was kept before, or the game's default."""
        for earlier in range(number - 1, 0, -1):
            if _read(self._folder(earlier) / GATE, GateResult).is_kept:
                return str(self._folder(earlier) / CANDIDATE)
        return default_evaluation(self.game)

    def best_net(self) -> Path | None:
        """The best net so far, if one has passed its match."""
        file = self.folder / BEST
        return file if file.exists() else None

    def _positions(self, number: int) -> Positions:
        """The positions of the generation, and those of the ones before that still count."""
        wanted = self.settings.positions
        seed = combine(self.settings.seed, number)
        how = Labelling(self.settings.game, self.best(number), self.settings.nodes, seed)
        positions = labelled_positions(
            self._folder(number),
            how,
            wanted,
            self.workers,
            lambda count: self.on_stage(LearningStage(number, "positions", min(count, wanted), wanted)),
        )
        earlier = [self._folder(one) / POSITIONS for one in range(number - 1, max(0, number - WINDOW), -1)]
        return joined([positions, *map(read_positions, earlier)]).without_repeats()

    def _train(self, number: int, positions: Positions) -> None:
        """Train the candidate, and write it and what its training has shown."""
        begin = time.monotonic()
        game, settings = self.game, self.settings
        limits = feature_limits(game.state_class)
        base_name = default_evaluation(game)
        base = evaluation(game, base_name)
        odds = fitted_odds(positions, float(getattr(base, "odds", USUAL_ODDS)))
        examples = examples_of(game, base, positions, odds)
        net, epochs = train_net(
            examples,
            odds=odds,
            phases=limits.phases,
            lanes=settings.lanes,
            largest_row=largest_row(limits.most_features),
            seed=abs(combine(settings.seed, number)),
            on_epoch=lambda epoch: self.on_stage(LearningStage(number, "training", epoch.number, 0, _loss(epoch))),
        )
        rounded = in_integers(net, limits.most_features)
        _, checking = split(examples)
        error = rounding_error(net, rounded, checking)
        result = TrainingResult(
            len(positions),
            odds,
            base_loss(checking, odds),
            min(epoch.validation for epoch in epochs),
            [(epoch.loss, epoch.validation) for epoch in epochs],
            error.mean,
            error.most,
            rounded.skip,
            time.monotonic() - begin,
        )
        header = NetHeader(
            game=game.spec,
            fingerprint=features_fingerprint(game),
            lanes=settings.lanes,
            features=limits.features,
            phases=limits.phases,
            base=base_name,
            base_weights={name: value for name, value in base._asdict().items() if isinstance(value, float)},
            skip=rounded.skip,
            out_scale=rounded.out_scale,
            odds=odds,
            provenance={
                "command": command(settings),
                "generation": number,
                "positions": result.positions,
                "loss": result.loss,
            },
        )
        write_net(self._folder(number) / CANDIDATE, quantised(rounded, header))
        _write(self._folder(number) / TRAINING, result)

    def _gate(self, number: int, begin: float) -> GateResult:
        """Play the candidate against the best so far until a sequential test decides."""
        settings, rival = self.settings, self.best(number)
        limit = f",nodes={settings.gate_nodes}" if settings.gate_nodes else ""
        clock = Clock() if settings.gate_nodes else Clock(per_move=settings.gate_seconds)
        new, old = (f"palabre:eval={name}{limit}" for name in (self._folder(number) / CANDIDATE, rival))
        event = self._folder(number) / GATE_EVENT
        with sprt_match(
            new, old, self.game, BETTER, settings.gate_games, clocks=clock, seed=settings.seed, file=event
        ) as match:
            for count, _ in enumerate(match.play(self.workers.processes, on=self.workers.on), 1):
                self.on_stage(LearningStage(number, "gate", count, settings.gate_games, score(match.result())))
            result = match.result()
        is_kept = BETTER.judge(result.pairs).decision == "H1"
        return GateResult(
            rival,
            is_kept,
            result.wins,
            result.draws,
            result.losses,
            limited(result.elo),
            (limited(result.elo_95[0]), limited(result.elo_95[1])),
            time.monotonic() - begin,
        )


@contextlib.contextmanager
def open_learning(learning: Learning) -> Iterator[Learning]:
    """Make the folder of a learning, or check that it is the same one that began there; one process has it at a time.

    A `PalabreError` says what is wrong with the game or the folder.
    """
    game, folder, manifest = learning.game, learning.folder, learning.folder / MANIFEST
    if game.players != 2:
        raise PalabreError(say("fit.two_players", game=game.spec, players=game.players))
    if not feature_limits(game.state_class).features:
        raise PalabreError(say("learn.no_features", game=game.spec))
    if folder.exists() and any(folder.iterdir()) and not manifest.exists():
        raise PalabreError(say("learn.not_empty", folder=folder))
    folder.mkdir(parents=True, exist_ok=True)
    if not manifest.exists():
        _write(manifest, learning.settings)
    known = _read(manifest, LearningSettings)
    if known != learning.settings:
        raise PalabreError(say("learn.other_settings", folder=folder, command=command(known)))
    with lock_file(manifest, say("learn.in_use", folder=folder)):
        yield learning


def command(settings: LearningSettings) -> str:
    """The command that learns with these settings; options with their default values are left out."""
    usual = LearningSettings(settings.game)
    options = [
        f"--{name.replace('_', '-')} {getattr(settings, name)}"
        for name in settings.__struct_fields__
        if getattr(settings, name) != getattr(usual, name)
    ]
    return " ".join(["palabre learn", settings.game, *options])


def limited(elo: float) -> float:
    """A difference in Elo that a match of all wins cannot make infinite."""
    return max(-MOST_ELO, min(MOST_ELO, elo))


def score(result: MatchResult) -> str:
    """Wins, draws and losses as a text."""
    return f"{result.wins}-{result.draws}-{result.losses}"


def _loss(epoch: Epoch) -> str:
    return f"loss {epoch.loss:.5f}, {epoch.validation:.5f} on other games"


def _write(file: Path, document: msgspec.Struct) -> None:
    replace_file(file, msgspec.json.format(msgspec.json.encode(document)).decode() + "\n")


def _read(file: Path, kind: type[Kind]) -> Kind:
    """The document in a file; a `PalabreError` names a file that has been edited or damaged."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError) as error:
        raise PalabreError(say("learn.damaged", file=file, error=error)) from error
