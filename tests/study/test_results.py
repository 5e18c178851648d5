"""What claims ask of games: scores by bot, opponent and seat, and errors by opening."""

from pathlib import Path

import pytest

from palabre.arena.rows import BotRow, GameRow, Meeting, Settings
from palabre.arena.store import open_store
from palabre.study import Experiment, Games, Results, mean_share
from tests.messages import refuses

BOTS = ("strong", "weak", "odd")
EXPERIMENT = Experiment(
    name="trial", game="awele", steps=[Games("games", {name: f"{name}.py" for name in BOTS})], claims=[]
)


def kept(folder: Path, openings: int, missing: int = 0) -> Results:
    """Games of three bots: strong beats weak, and odd wins all its games as player 2; the last ones are missing."""
    rows = []
    for repeat in range(openings):
        for one, other in (("strong", "weak"), ("strong", "odd"), ("weak", "odd")):
            meeting = Meeting(0, (f"{one}.py", f"{other}.py"), repeat)
            for rotation, bots in enumerate(meeting.lineups()):
                second_wins = "odd.py" in bots or bots[1] == "strong.py"
                shares = (0.0, 1.0) if second_wins else (1.0, 0.0)
                rows.append(_row(meeting, rotation, bots, shares))
    with open_store(folder / "games.event") as store:
        store.begin(Settings("a game", "experiment"))
        store.admit(BotRow(f"{name}.py", f"{name}.py", "") for name in BOTS)
        for row in rows[: len(rows) - missing]:
            store.add_game(row)
    return Results(EXPERIMENT, folder)


def _row(meeting: Meeting, rotation: int, bots: tuple[str, ...], shares: tuple[float, ...]) -> GameRow:
    return GameRow(
        meeting=meeting,
        rotation=rotation,
        attempt=1,
        bots=bots,
        shares=shares,
        scores=(0, 0),
        margin=0,
        moves=(),
        movers=(),
        seconds=(),
        depths=(),
        nodes=(),
        ending="by the rules",
        digests=("", ""),
    )


def test_scores_are_those_of_the_games_asked_for(tmp_path: Path) -> None:
    results = kept(tmp_path, 5)
    assert results.score("games", "strong").value == 0.75
    assert results.score("games", "strong", against="weak").value == 1.0
    assert results.score("games", "odd", seat=1).value == 1.0
    assert results.score("games", "odd", seat=0).value == 0.0
    assert results.seat_share("games", 0).value == pytest.approx(1 / 6)
    assert results.score("games", "strong").samples == 5
    difference = results.difference(
        "games", lambda games: mean_share(games, "strong", seat=1) - mean_share(games, "weak", seat=1)
    )
    assert difference.value == 0.5


def test_openings_that_not_all_have_played_do_not_count(tmp_path: Path) -> None:
    results = kept(tmp_path, 5, missing=1)
    assert len(results.games("games")) == 29
    assert results.score("games", "strong").samples == 4


def test_without_games_there_is_nothing_to_judge(tmp_path: Path) -> None:
    results = kept(tmp_path, 1, missing=1)
    with refuses("experiment.not_played", step="games"):
        results.score("games", "strong")
    with refuses("experiment.stranger", bot="nobody"):
        mean_share(results.games("games"), "nobody")
