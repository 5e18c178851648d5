"""Awélé, one position and one rule at a time."""

import random

import pytest

import palabre
from palabre.core.verbs import reversible_plies
from tests.messages import holds, refuses, why_illegal

COURSE = palabre.game("awele")
ABAPA = palabre.game("awele:abapa")


def played(text: str, *moves: str, game: palabre.Game = COURSE) -> palabre.Position:
    position = game.position(text)
    for move in moves:
        position = position.play(move)
    return position


def test_sowing_runs_round_the_board() -> None:
    assert played("4,4,4,4,4,4/4,4,4,4,4,4 0,0 1 0", "D").text == "4,4,4,0,5,5/5,5,4,4,4,4 0,0 2 1"


def test_sowing_skips_the_pit_of_origin_on_every_lap() -> None:
    after = played("23,1,1,1,1,1/1,1,1,1,1,1 7,7 1 3", "A")
    assert after.text == "0,4,3,3,3,3/3,3,3,3,3,3 7,7 2 4"


def test_two_and_three_are_captured_backwards() -> None:
    assert played("0,0,0,0,0,4/1,2,2,4,4,1 15,15 1 9", "F").text == "0,0,0,0,0,0/2,3,3,5,4,1 15,15 2 10"
    assert played("0,0,0,0,0,3/1,2,2,4,4,1 15,16 1 9", "F").text == "0,0,0,0,0,0/0,0,0,4,4,1 23,16 2 0"


def test_a_capture_stops_at_the_first_pit_that_holds_another_number() -> None:
    assert played("0,0,0,0,0,4/1,4,2,1,4,1 15,16 1 9", "F").text == "0,0,0,0,0,0/2,5,0,0,4,1 20,16 2 0"


def test_own_pits_are_never_captured() -> None:
    assert played("1,1,0,0,0,0/4,4,4,4,4,4 11,11 1 0", "A").text == "0,2,0,0,0,0/4,4,4,4,4,4 11,11 2 1"


def test_a_grand_slam_is_legal_and_takes_nothing() -> None:
    after = played("9,9,9,9,0,2/1,1,0,0,0,0 4,4 1 5", "F")
    assert after.text == "9,9,9,9,0,0/2,2,0,0,0,0 4,4 2 6"


def test_a_near_slam_takes() -> None:
    assert played("9,9,9,8,0,2/1,1,0,0,0,1 4,4 1 5", "F").scores == (8, 4)


def test_an_opponent_without_seeds_must_be_fed() -> None:
    position = COURSE.position("1,0,3,0,2,1/0,0,0,0,0,0 20,21 1 0")
    assert [move.text for move in position.moves()] == ["E", "F"]
    with refuses("error.must_feed"):
        position.play("A")


def test_a_move_that_leaves_the_opponent_nothing_to_eat_is_allowed_if_he_had_seeds() -> None:
    after = played("0,0,0,0,0,1/1,0,0,0,0,12 17,17 1 0", "F")
    assert after.scores == (19, 17)


def test_course_ends_at_25() -> None:
    after = played("4,0,0,0,0,1/1,5,0,0,0,5 24,8 1 0", "F")
    assert after.is_over
    assert after.scores == (26, 8)
    assert after.result == (1.0, 0.0)
    assert after.text == "4,0,0,0,0,0/0,5,0,0,0,5 26,8 2 0"


def test_course_ends_below_stop_and_the_rest_goes_to_nobody() -> None:
    after = played("1,0,0,0,0,1/1,0,0,0,4,0 20,21 1 0", "F")
    assert after.is_over
    assert after.text == "1,0,0,0,0,0/0,0,0,0,4,0 22,21 2 0"
    assert after.scores == (22, 21)


def test_stop_can_be_chosen() -> None:
    text = "1,0,0,0,0,0/1,0,0,0,3,0 21,22 1 0"
    assert COURSE.position(text).is_over
    assert not palabre.game("awele:stop=5").position(text).is_over


def test_course_ends_after_stagnation_before_looking_for_moves() -> None:
    position = COURSE.position("0,0,0,0,0,0/5,5,5,5,0,0 14,14 1 1000")
    assert position.is_over
    assert position.scores == (14, 14)
    assert position.result == (0.5, 0.5)
    assert not COURSE.position("1,0,0,0,0,0/5,5,5,4,0,0 14,14 1 999").is_over


def test_in_course_a_stuck_player_takes_his_own_seeds() -> None:
    stuck = COURSE.position("3,2,1,0,0,0/0,0,0,0,0,0 21,21 1 0")
    assert stuck.is_over
    assert stuck.text == "0,0,0,0,0,0/0,0,0,0,0,0 27,21 1 0"
    assert stuck.result == (1.0, 0.0)


def test_in_course_a_player_without_seeds_takes_nothing_and_the_others_stay() -> None:
    stuck = COURSE.position("0,0,0,0,0,0/3,2,2,0,0,0 20,21 1 0")
    assert stuck.text == "0,0,0,0,0,0/3,2,2,0,0,0 20,21 1 0"
    assert stuck.scores == (20, 21)


def test_in_abapa_each_side_takes_its_own_at_any_end() -> None:
    assert played("4,0,0,0,0,1/1,5,0,0,0,5 24,8 1 0", "F", game=ABAPA).text == "0,0,0,0,0,0/0,0,0,0,0,0 30,18 2 0"
    assert ABAPA.position("0,0,0,0,0,0/3,2,2,0,0,0 20,21 1 0").scores == (20, 28)


def test_in_abapa_a_repeated_position_ends_the_game() -> None:
    """One seed a side: after six moves each the seeds have changed sides, and six more bring them home."""
    position = ABAPA.position("1,0,0,0,0,0/1,0,0,0,0,0 22,24 1 0")
    for _ in range(12):
        assert not position.is_over
        (only,) = position.moves()
        position = position.play(only)
    assert position.is_over
    assert position.text == "0,0,0,0,0,0/0,0,0,0,0,0 23,25 1 12"


def test_few_seeds_do_not_end_abapa() -> None:
    assert not ABAPA.position("1,0,0,0,0,0/1,0,0,0,0,0 23,23 1 0").is_over


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", palabre.UnreadableText),
        ("4,4,4,4,4,4/4,4,4,4,4,4 0,0 1", palabre.UnreadableText),
        ("4,4,4,4,4/4,4,4,4,4,4 0,0 1 0", palabre.UnreadableText),
        ("4,4,4,4,4,x/4,4,4,4,4,4 0,0 1 0", palabre.UnreadableText),
        ("4,4,4,4,4,04/4,4,4,4,4,4 0,0 1 0", palabre.UnreadableText),
        ("4,4,4,4,4,٤/4,4,4,4,4,4 0,0 1 0", palabre.UnreadableText),
        ("4,4,4,4,4,-4/4,4,4,4,4,4 0,0 1 0", palabre.UnreadableText),
        ("4,4,4,4,4,5/4,4,4,4,4,4 0,0 1 0", palabre.ImpossiblePosition),
        ("4,4,4,4,4,4/4,4,4,4,4,4 1,0 1 0", palabre.ImpossiblePosition),
        ("49,0,0,0,0,0/0,0,0,0,0,0 0,0 1 0", palabre.ImpossiblePosition),
        ("4,4,4,4,4,4/4,4,4,4,4,4 0,0 3 0", palabre.ImpossiblePosition),
        ("4,4,4,4,4,4/4,4,4,4,4,4 0,0 1 99999999", palabre.ImpossiblePosition),
    ],
)
def test_bad_texts_are_refused(text: str, error: type[palabre.PalabreError]) -> None:
    with pytest.raises(error):
        COURSE.position(text)


def test_either_case_means_the_player_to_move() -> None:
    assert COURSE.start().play("c").text == COURSE.start().play("C").text
    assert COURSE.start().play("c").play("D").text == COURSE.start().play("C").play("d").text


def test_a_text_names_the_first_players_pits_and_seeds_first_whoever_moves() -> None:
    position = COURSE.position("1,2,0,0,0,0/0,0,0,0,3,4 18,20 2 0")
    assert [move.text for move in position.moves()] == ["e", "f"]
    assert position.scores == (18, 20)


def test_reasons_are_a_players_reasons() -> None:
    position = COURSE.position("0,4,4,4,4,4/4,4,4,4,4,4 2,2 1 0")
    holds(why_illegal(position, "A"), "error.empty_pit")
    holds(why_illegal(position, "G"), "error.one_letter", first="A", last="F")


def test_what_is_repeated_lies_behind_the_last_capture() -> None:
    chance = random.Random(2)
    repeated = 0
    for _ in range(100):
        position = ABAPA.start()
        while not position.is_over:
            position = position.play(chance.choice(position.moves()))
        *marks, last = position.seen
        before = [place for place, mark in enumerate(marks) if mark == last]
        repeated += len(before)
        assert all(len(marks) - place <= reversible_plies(position.state) for place in before)
    assert repeated > 3
    assert reversible_plies(ABAPA.position("0,0,0,0,0,3/1,2,2,4,4,1 15,16 1 9").play("F").state) == 0
