"""Specs: what names a game, what does not, and how a mistake is told."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import palabre
from palabre.core.errors import BadSpec
from palabre.core.spec import GameFacts, Parameter, Preset

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


@pytest.mark.parametrize(
    ("spec", "names"),
    [
        ("", ["''", "awele"]),
        ("awelle", ["'awelle'", "did you mean awele?", "awele", "examples/connect_four.py"]),
        (":course", ["''", "awele"]),
        ("awele:Course", ["'Course'", "did you mean course?", "course, abapa"]),
        ("awele:cours", ["'cours'", "did you mean course?", "course, abapa"]),
        ("awele:,", ["''", "course, abapa"]),
        ("awele:course,", ["''", "parameter=value"]),
        ("awele:stop=6,course", ["'course'", "parameter=value", "course, abapa"]),
        ("awele:course,abapa", ["'abapa'", "only one", "course, abapa"]),
        ("awele:abapa,stop=6", ["awele:abapa", "'stop'", "it has none"]),
        ("awele:stops=6", ["'stops'", "did you mean stop?", "stop, stagnation"]),
        ("awele:=6", ["''", "stop, stagnation"]),
        ("awele:stop=6,stop=6", ["stop", "twice"]),
        ("awele:stop=", ["stop=''", "0 to 48"]),
        ("awele:stop=49", ["stop='49'", "0 to 48"]),
        ("awele:stop=-1", ["stop='-1'", "0 to 48"]),
        ("awele:stop=6.0", ["stop='6.0'", "0 to 48"]),
        ("awele:stop=007", ["stop='007'", "0 to 48"]),
        ("awele:stop=1_0", ["stop='1_0'", "0 to 48"]),
        ("awele:stop=٦", ["stop='٦'", "0 to 48"]),
        ("awele:stop=5=6", ["stop='5=6'", "0 to 48"]),
        ("awele:stagnation=" + "9" * 400, ["stagnation='999", "(400 characters)", "1 to 10000"]),
        ("awele:course:stop=6", ["'course:stop", "stop, stagnation"]),
        ("awele" * 1000, ["awele", "5,000 characters", "too long"]),
    ],
)
def test_a_bad_spec_is_named_with_what_would_be_right(spec: str, names: list[str]) -> None:
    with pytest.raises(BadSpec) as told:
        palabre.game(spec)
    for name in names:
        assert name in str(told.value)
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
