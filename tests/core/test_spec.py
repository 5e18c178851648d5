"""Specs: what names a game, what does not, and how a mistake is told."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import palabre
from palabre.core.errors import BadSpec
from palabre.core.spec import GameFacts, Parameter, Preset
from palabre.core.words import Message, say
from tests.messages import refuses

FACTS = GameFacts(
    "sample",
    "Sample",
    "a game with every kind of parameter",
    Preset(
        "plain",
        "the default",
        Parameter("turns", 50, range(1, 401), "a number from a wide range"),
        Parameter("players", 2, range(2, 5), "a number from a narrow range"),
        Parameter("layout", "classic", ("classic", "alien", "german-daisy"), "a word"),
    ),
    Preset("bare", "no parameters"),
)


@pytest.mark.parametrize(
    ("spec", "canonical"),
    [
        ("awele", "awele"),
        (" awele ", "awele"),
        ("awele:", "awele"),
        ("awele:course", "awele"),
        ("awele:stop=6", "awele"),
        ("awele:course,stagnation=1000,stop=6", "awele"),
        ("awele:stop=7", "awele:stop=7"),
        ("awele: course , stop = 7 ", "awele:stop=7"),
        ("awele:stagnation=20,stop=0", "awele:stop=0,stagnation=20"),
        ("awele:abapa", "awele:abapa"),
    ],
)
def test_a_spec_has_one_canonical_spelling(spec: str, canonical: str) -> None:
    assert palabre.game(spec).spec == canonical
    assert palabre.game(canonical) == palabre.game(spec)
    assert hash(palabre.game(canonical)) == hash(palabre.game(spec))


PRESETS = "course, abapa"
PARAMETERS = say("spec.parameters", names="stop, stagnation")
UP_TO_48 = say("spec.range", least=0, most=48)
BAD = ("", "49", "-1", "6.0", "007", "1_0", "٦", "5=6")


def meant(choice: str) -> Message:
    return say("did_you_mean", choice=choice)


@pytest.mark.parametrize(
    ("spec", "id", "params"),
    [
        ("", "spec.no_game", {"name": ""}),
        ("awelle", "spec.no_game", {"name": "awelle", "hint": meant("awele")}),
        (":course", "spec.no_game", {"name": ""}),
        ("awele:Course", "spec.unknown_preset", {"name": "Course", "hint": meant("course"), "presets": PRESETS}),
        ("awele:cours", "spec.unknown_preset", {"name": "cours", "hint": meant("course"), "presets": PRESETS}),
        ("awele:,", "spec.unknown_preset", {"name": "", "presets": PRESETS}),
        ("awele:course,", "spec.misplaced", {"word": ""}),
        ("awele:stop=6,course", "spec.misplaced", {"word": "course", "presets": PRESETS}),
        ("awele:course,abapa", "spec.misplaced", {"word": "abapa", "presets": PRESETS}),
        ("awele:abapa,stop=6", "spec.unknown_parameter", {"name": "stop", "valid": say("spec.no_parameters")}),
        ("awele:stops=6", "spec.unknown_parameter", {"name": "stops", "hint": meant("stop"), "valid": PARAMETERS}),
        ("awele:=6", "spec.unknown_parameter", {"name": "", "valid": PARAMETERS}),
        ("awele:stop=6,stop=6", "spec.given_twice", {"name": "stop"}),
        *[("awele:stop=" + text, "spec.bad_value", {"name": "stop", "value": text, "valid": UP_TO_48}) for text in BAD],
        ("awele:stagnation=" + "9" * 400, "spec.bad_value", {"name": "stagnation", "value": "9" * 400}),
        ("awele:course:stop=6", "spec.unknown_parameter", {"name": "course:stop", "valid": PARAMETERS}),
        ("awele" * 1000, "spec.game_too_long", {}),
    ],
)
def test_a_bad_spec_is_named_with_what_would_be_right(spec: str, id: str, params: dict[str, object]) -> None:
    with refuses(id, **params) as told:
        palabre.game(spec)
    assert "\n" not in str(told.value)
    assert len(str(told.value)) < 400


@settings(deadline=None)
@example("a" * 300 + "/b")  # a name that no file system takes
@example("x/\0.py")
@example("\ud800/a.py")
@example("awele:\n=")
@example("C:\\games\\mine.py:stop=6")
@given(st.text(max_size=40) | st.from_regex(r"awele:[a-z=,0-9 ]*") | st.from_regex(r"[./\\~a-z]*(\.py)?(:.*)?"))
def test_any_text_is_a_game_or_a_palabre_error(text: str) -> None:
    try:
        found = palabre.game(text)
    except palabre.PalabreError:
        return
    assert palabre.game(found.spec) == found


@given(
    preset=st.sampled_from(["", "plain"]),
    values=st.fixed_dictionaries(
        {},
        optional={
            "turns": st.integers(1, 400),
            "players": st.integers(2, 4),
            "layout": st.sampled_from(["classic", "alien", "german-daisy"]),
        },
    ),
)
def test_options_survive_being_spelled(preset: str, values: dict[str, int | str]) -> None:
    items = ",".join([preset] * bool(preset) + [f"{name}={value}" for name, value in values.items()])
    options = FACTS.read_options(items)
    assert dict(options.values) == {"turns": 50, "players": 2, "layout": "classic", **values}
    spec = FACTS.spec(options)
    assert FACTS.read_options(spec.partition(":")[2]) == options
    assert len(spec) <= len(f"sample:{items}")


@pytest.mark.parametrize(
    ("items", "valid"),
    [
        ("players=5", "players is 2, 3, 4"),
        ("turns=0", "turns is 1 to 400"),
        ("layout=Alien", "classic, alien, german-"),
    ],
)
def test_valid_values_are_listed_as_a_person_would(items: str, valid: str) -> None:
    with pytest.raises(BadSpec, match=valid):
        FACTS.read_options(items)


def test_options_are_read_by_their_kind() -> None:
    options = FACTS.read_options("turns=7,layout=alien")
    assert (options["turns"], options.number("players"), options.word("layout")) == (7, 2, "alien")
    with pytest.raises(KeyError):
        options["nothing"]
    assert FACTS.read_options("bare").values == ()
