"""Sequential tests, openings and learning from Python, and what a notebook shows of the results."""

from pathlib import Path
from typing import Any

import pytest

import palabre
from tests.messages import refuses

LIMITS = {"elo0": 0, "elo1": 200, "max_games": 400, "seed": 3}


def test_it_is_played_until_it_is_decided(small_game: Path, tmp_path: Path) -> None:
    """Greedy takes the last stick if it can, which decides Take-Away often enough."""
    test, result = palabre.play_sprt("greedy", "random", small_game, **LIMITS)  # type: ignore[arg-type]
    assert (test.decision, 2 * test.pairs) == ("H1", result.games)
    assert result.games < 400
    assert palabre.sprt(result.pairs, elo0=0, elo1=200) == test
    file = tmp_path / "test.event"
    for _ in range(2):  # the second time, everything has been played
        kept, again = palabre.play_sprt("greedy", "random", str(small_game), file=str(file), **LIMITS)  # type: ignore[arg-type]
        assert (kept, again.pairs) == (test, result.pairs)


def test_it_is_given_up_undecided(small_game: Path) -> None:
    test, result = palabre.play_sprt("random", "random", small_game, elo0=0, elo1=1, max_games=5)
    assert (test.decision, result.games) == ("continue", 4)


@pytest.mark.parametrize(
    ("game", "limits", "id", "params"),
    [
        ("penguins:players=3", {}, "pairing.not_for_two", {"asker": "play_sprt", "players": 3}),
        ("awele", {"elo0": 10}, "sprt.elo", {"elo0": 10}),
        ("awele", {"max_games": 1}, "given.count", {"name": "max_games", "least": 2}),
        ("awele", {"file": 7}, "given.path", {"asker": "play_sprt"}),
    ],
)
def test_what_makes_no_sense_is_refused_before_the_first_game(
    game: str, limits: dict[str, Any], id: str, params: dict[str, object]
) -> None:
    with refuses(id, **params):
        palabre.play_sprt("greedy", "random", game, **limits)


def test_openings_come_from_a_file_if_one_is_given(small_game: Path, tmp_path: Path) -> None:
    book = tmp_path / "book.txt"
    book.write_text("5 1\n6 2\n", encoding="utf-8")
    file = tmp_path / "match.event"
    palabre.play_match("greedy", "random", small_game, 4, openings=str(book), file=file)
    with palabre.read_store(file) as event:
        assert {row.start for row in event.games()} == {"5 1", "6 2"}
        moves = event.moves_to_dataframe()
        assert len(moves) == sum(row.plies for row in event.games())
        assert list(moves.columns[:5]) == ["game", "ply", "seat", "bot", "move"]


def test_results_are_shown_in_a_line(small_game: Path) -> None:
    result = palabre.play_match("greedy", "random", small_game, 4, seed=1)
    assert repr(result).startswith("<MatchResult greedy against random in ")
    assert len(repr(result)) < 250
    [thought] = palabre.analyse(palabre.game("awele").start(), depth=2)
    assert repr(thought).startswith("<Thought 1: ")
    assert len(repr(thought)) < 120


def test_there_are_only_public_names_in_a_notebook() -> None:
    assert set(dir(palabre)) - set(palabre.__all__) == {"__doc__", "__version__"}


def test_only_records_are_fitted() -> None:
    with refuses("fit.no_games"):
        palabre.fit([])
    with pytest.raises(palabre.PalabreError, match="fit takes records"):
        palabre.fit("games.pgn")  # type: ignore[arg-type]
    with pytest.raises(palabre.PalabreError, match="games is 0"):
        palabre.self_play("awele", 0)


def test_a_series_of_games_of_the_engine_is_continued() -> None:
    games = palabre.self_play("awele", 3, nodes=20, seed=4)
    assert palabre.self_play("awele", 2, nodes=20, seed=4, first=1) == games[1:]
