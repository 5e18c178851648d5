"""What a program passes to the public functions: paths and specs in any form, and everything else refused in words."""

from pathlib import Path
from typing import Any

import pytest

import palabre
from palabre.core.words import say
from tests.messages import refuses

AWELE = palabre.game("awele")
START = AWELE.start()
GREEDY = palabre.bot("greedy", AWELE)


class Stubborn(palabre.Bot):
    """A bot of somebody's own, which is in no file that a worker could load."""

    def choose(self, position: palabre.Position, clock: palabre.Clock) -> palabre.Move:
        return position.moves()[0]


@pytest.mark.parametrize(
    ("name", "value", "id"),
    [
        ("depth", 0, "given.count"),
        ("depth", -3, "given.count"),
        ("depth", 2.5, "given.count"),
        ("nodes", 0, "given.count"),
        ("nodes", True, "given.count"),
        ("lines", 0, "given.count"),
        ("lines", None, "given.count"),
        ("time", -1, "given.seconds"),
        ("time", float("nan"), "given.seconds"),
        ("time", "1", "given.seconds"),
    ],
)
def test_limits_that_are_none_are_refused(name: str, value: Any, id: str) -> None:
    limits: Any = {name: value}
    with refuses(id, asker="analyse", name=name, given=repr(value)):
        palabre.analyse(START, **limits)


@pytest.mark.parametrize("limits", [{"depth": 0}, {"nodes": -1}])
def test_a_clock_of_nothing_is_refused(limits: dict[str, int]) -> None:
    [(name, value)] = limits.items()
    with refuses("given.count", asker="Clock", name=name, given=repr(value), least=1):
        palabre.Clock(**limits)


@pytest.mark.parametrize("ask", [palabre.analyse, palabre.play_randomly, lambda it: palabre.count_sequences(it, 1)])
def test_only_positions_are_asked_about(ask: Any) -> None:
    with refuses("given.instance", kind="Position", given="'awele'", remedy=say("given.positions")):
        ask("awele")
    shown = say("given.shown", value="<Game awele>", kind="Game")
    with refuses("given.instance", kind="Position", given=shown, remedy=say("given.start", spec="awele")):
        ask(AWELE)


@pytest.mark.parametrize("depth", [-1, 1.0, None])
def test_a_number_of_plies_is_whole_and_not_negative(depth: Any) -> None:
    with refuses("given.count", name="depth", given=repr(depth), least=0):
        palabre.count_sequences(START, depth)


def test_random_games_without_a_limit_end_after_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palabre.evaluation.playout.USUAL_SECONDS", 0.05)
    assert palabre.play_randomly(START).games > 0
    with refuses("given.count", name="games", given="0"):
        palabre.play_randomly(START, games=0)
    with refuses("given.seconds", name="seconds", given="0"):
        palabre.play_randomly(START, seconds=0)


def test_games_are_named_by_specs_paths_or_themselves(small_game: Path) -> None:
    assert palabre.game(small_game) == palabre.game(str(small_game))
    assert palabre.bot("greedy", "awele").spec == palabre.bot("greedy", AWELE).spec == "greedy"
    assert palabre.play_match("random", "greedy", small_game, 2).games == 2
    for wrong in (None, 5, START):
        with refuses("given.game"):
            palabre.game(wrong)  # type: ignore[arg-type]
        with refuses("given.game"):
            palabre.play_match("greedy", "random", wrong, 2)  # type: ignore[arg-type]
    with refuses("given.bot"):
        palabre.bot(GREEDY, AWELE)  # type: ignore[arg-type]


def test_bots_of_a_match_are_named(tmp_path: Path) -> None:
    with refuses("given.bots", asker="play_match", remedy=say("given.has_spec", spec="greedy")):
        palabre.play_match(GREEDY, "random", AWELE, 2)  # type: ignore[arg-type]
    with refuses("given.bots", asker="play_match", remedy=say("given.own_bot")):
        palabre.play_match("random", Stubborn(), AWELE, 2)  # type: ignore[arg-type]
    with refuses("given.count", name="games", given="'20'"):
        palabre.play_match("greedy", "random", AWELE, "20")  # type: ignore[arg-type]


def test_files_are_texts_or_paths(tmp_path: Path) -> None:
    file = tmp_path / "match.event"
    palabre.play_match("greedy", "random", AWELE, 2, file=str(file))
    for name in (file, str(file)):
        with palabre.read_store(name) as event:
            records = event.records()
    with refuses("given.path", asker="read_store", given="None"):
        palabre.read_store(None)  # type: ignore[arg-type]
    kept = tmp_path / "games.pgn"
    kept.write_text(records[0].to_text(), encoding="utf-8")
    assert palabre.read_records(kept) == palabre.read_records(kept.read_text(encoding="utf-8")) == records[:1]
    with refuses("given.path_of_records", path=str(kept)):
        palabre.read_records(str(kept))
    with refuses("given.records", given="5"):
        palabre.read_records(5)  # type: ignore[arg-type]


def test_a_bot_analyses_whether_it_has_played_or_not() -> None:
    searching = palabre.bot("alphabeta", AWELE)
    assert palabre.analyse(START, depth=3, bot=searching)[0].depth == 3
    assert palabre.analyse(START, depth=2, bot=searching)[0].depth == 2
    with refuses("error.no_analysis", bot="greedy"):
        palabre.analyse(START, bot=GREEDY)


NONE_OF_THEM: Any = (None, 3, 2.5, b"x", [], object())


def refused(ask: Any, id: str, /, **params: object) -> None:
    with refuses(id, **params) as refusal:
        ask()
    assert "given" in str(refusal.value) or " is " in str(refusal.value)


@pytest.mark.parametrize("given", NONE_OF_THEM)
def test_texts_are_texts(given: Any) -> None:
    refused(lambda: AWELE.position(given), "given.text", asker="Game.position")
    refused(lambda: START.move(given), "given.text", asker="Position.move")
    refused(lambda: START.has(given), "given.instance", asker="Position.has", kind="Move")


@pytest.mark.parametrize("given", [None, 3, "awele", START])
def test_bots_begin_games(given: Any) -> None:
    for spec in ("greedy", "alphabeta", "mcts", "palabre"):
        player = palabre.bot(spec, AWELE)
        refused(lambda player=player: player.sit_down(given, 0), "given.instance", kind="Game")
        refused(lambda player=player: player.sit_down(AWELE, "0"), "given.integer", name="seat", given="'0'")
    refused(lambda: palabre.bot("palabre", AWELE).start(given, 0), "given.instance", asker="Palabre.start", kind="Game")


SPECS = ("idiot", "greedy", "minimax", "alphabeta", "maxn", "paranoid", "bestreply", "montecarlo", "mcts", "palabre")
SEARCHING = SPECS[2:]


@pytest.mark.usefixtures("plain_python")
@pytest.mark.parametrize("spec", SPECS)
def test_bots_choose_in_positions_by_clocks(spec: str) -> None:
    player = palabre.bot(spec, AWELE)
    player.sit_down(AWELE, 0)
    clock = palabre.Clock(nodes=10)
    for position in (None, "awele", AWELE):
        refused(lambda position=position: player.choose(position, clock), "given.instance", kind="Position")
    for other in (None, 1.0):
        refused(lambda other=other: player.choose(START, other), "given.instance", kind="Clock")


@pytest.mark.parametrize("spec", [*SEARCHING, "ugi:cat", "pipe:cat"])
def test_bots_are_told_of_the_game_first(spec: str) -> None:
    player: Any = palabre.bot(spec, AWELE)
    with refuses("given.not_begun", bot=spec):
        player.choose(START, palabre.Clock(nodes=10))
    assert not hasattr(player, "search")
    if spec in SEARCHING:
        with refuses("given.not_begun", bot=spec):
            player.think(START, palabre.Clock(nodes=10))
        with pytest.raises(AttributeError, match="nonsense"):
            _ = player.nonsense


@pytest.mark.parametrize("name", ["per_move", "remaining", "increment"])
@pytest.mark.parametrize("given", ["1", [], float("nan"), True])
def test_times_of_clocks_are_numbers(name: str, given: Any) -> None:
    refused(lambda: palabre.Clock(**{name: given}), "given.number", asker="Clock", name=name)


UNTYPED: Any = palabre  # takes wrong values without a word from mypy


@pytest.mark.parametrize(
    ("ask", "id", "params"),
    [
        (lambda: UNTYPED.review(None), "given.list", {"asker": "review", "name": "positions"}),
        (lambda: UNTYPED.review([START, "A"]), "given.list", {"asker": "review", "name": "positions"}),
        (lambda: UNTYPED.review([START, START], 3), "given.instance", {"asker": "review", "kind": "Clock"}),
        (lambda: UNTYPED.rate(None), "given.list", {"asker": "rate", "name": "outcomes"}),
        (lambda: UNTYPED.rate([3]), "given.list", {"asker": "rate", "name": "outcomes"}),
        (lambda: UNTYPED.sprt(None, elo0=0, elo1=1), "given.list", {"asker": "sprt", "name": "counts"}),
        (
            lambda: UNTYPED.sprt((1, 1, 1, 1, 1), elo0=None, elo1=1),
            "given.number",
            {"asker": "sprt", "name": "elo0", "given": "None"},
        ),
        (lambda: UNTYPED.play_randomly(START, games=1, seed=None), "given.integer", {"name": "seed", "given": "None"}),
        (lambda: UNTYPED.play_randomly(START, games=1, threads=-1), "given.count", {"name": "threads", "given": "-1"}),
        (lambda: UNTYPED.analyse(START, watch=3), "given.function", {"name": "watch", "given": "3"}),
        (
            lambda: UNTYPED.play_match("idiot", "idiot", AWELE, 2, clock=3),
            "given.instance",
            {"asker": "play_match", "kind": "Clock"},
        ),
        (
            lambda: UNTYPED.play_match("idiot", "idiot", AWELE, 2, seed=None),
            "given.integer",
            {"name": "seed", "given": "None"},
        ),
        (
            lambda: UNTYPED.play_match("idiot", "idiot", AWELE, 2, workers=-1),
            "given.count",
            {"name": "workers", "given": "-1"},
        ),
        (
            lambda: UNTYPED.play_sprt("idiot", "idiot", AWELE, workers=None),
            "given.count",
            {"name": "workers", "given": "None"},
        ),
        (
            lambda: UNTYPED.read_observations("awele", "x"),
            "given.instance",
            {"asker": "read_observations", "kind": "Game"},
        ),
        (lambda: UNTYPED.read_observations(AWELE, None), "given.path", {"asker": "read_observations"}),
    ],
)
def test_arguments_are_named(ask: Any, id: str, params: dict[str, object]) -> None:
    refused(ask, id, **params)
