"""Names of bots: printable anywhere, and of which no two look the same."""

import pytest

from palabre.bots.names import LONGEST_NAME, clean_name, distinct_names, odd_letters, skeleton


@pytest.mark.parametrize(
    ("given", "cleaned"),
    [
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),  # data: whoever shows it escapes it
        ("../../x", "../../x"),  # and no file is ever named by it
        ("=HYPERLINK(0)", "=HYPERLINK(0)"),
        ("\x1b[31mred\x1b[0m", "[31mred [0m"),
        ("a\nb\tc\0d", "a b c d"),
        ("\u202eevil\u202c", "evil"),
        ("  x  ", "x"),
        ("x" * 1_000_000, "x" * LONGEST_NAME),
    ],
)
def test_names_are_made_printable(given: str, cleaned: str) -> None:
    assert clean_name(given) == cleaned


def test_names_are_distinct() -> None:
    names = distinct_names(["Max", "max", "Ｍax", "Max (2)", "Eva"])
    assert names == ["Max", "max (2)", "Ｍax (3)", "Max (2) (2)", "Eva"]


@pytest.mark.parametrize(
    "name",
    [
        "p\u0430l\u0430bre:level=3",  # Cyrillic
        "\u03c1alabre:level=3",  # Greek
        "\uff50\uff41labre:level=3",  # fullwidth
        "\U0001d429alabre:level=3",  # mathematical
        "PALABRE:level=3",
        "pa1abre:level=3",
        "palabre : level = 3",
        "palabre\u2800:level=3",  # Braille's blank
        "palabre\u3164:level=3",  # Hangul's filler
        "palabre\u034f:level=3",  # a joiner of graphemes
        "palabre\ufe00:level=3",  # a variation selector
        "p\u0251labre:level=3",  # Latin, but not ASCII
        "\ua4d1alabre:level=3",  # Lisu
        "palabre\u200b:level=3",  # no width
        "palabre\ua789level=3",  # signs that look like those of a spec
        "palabre\u02f8level\ua78a3",
        "palabre\u2236level\uff1d3",
        "p\u1d00labre:level=3",  # a small capital
        "\u2ca3alabre:level=3",  # Coptic
    ],
)
def test_look_alikes_have_the_same_skeleton(name: str) -> None:
    staff = "palabre:level=3"
    assert skeleton(name) == skeleton(staff)
    assert distinct_names([staff, name])[1] == f"{name} (2)"
    assert skeleton(clean_name(name)) == skeleton(staff)


@pytest.mark.parametrize(
    ("sign", "others"),
    [
        (":", "\u02d0\u02f8\u0589\u05c3\u205a\u2236\ua4fd\ua789\uff1a"),
        ("=", "\u1400\u2e40\u30a0\ua4ff\ua78a\uff1d"),
        (",", "\u060d\u201a\ua4f9\uff0c"),
        (".", "\u0701\u2024\ua4f8\uff0e"),
        ("-", "\u02d7\u2010\u2011\u2012\u2013\u2043\u2212"),
        ("/", "\u2044\u2215\uff0f"),
    ],
)
def test_signs_that_specs_consist_of_have_look_alikes(sign: str, others: str) -> None:
    assert {skeleton(f"a{other}b") for other in others} == {f"a{sign}b"}


def test_other_names_have_other_skeletons() -> None:
    names = ["Max", "Mix", "Zoë", "Zoe", "palabre:level=3", "palabre:level=5", "δέλτα", "Борис", "将棋"]
    assert len({skeleton(name) for name in names}) == len(names)


def test_a_name_of_blanks_that_count_as_letters_is_none() -> None:
    assert clean_name("\u3164 \u2800\u115f") == ""


def test_odd_letters_are_named() -> None:
    assert odd_letters("M\u0430x") == "CYRILLIC SMALL LETTER A"
    assert odd_letters("Max") == odd_letters("Zoë") == ""
