"""The pages of rules: every position on them is one, every move is legal, and both languages show the same."""

import re
from pathlib import Path

import pytest

import palabre
from palabre.core import registry
from palabre.core.errors import PalabreError, UnreadableText
from palabre.core.words import LANGUAGES
from palabre.draw import rulebook, svg

PACKAGE = Path(palabre.__file__).parent
FORM = "position:4,4,4,4,4,4/4,4,4,4,4,4 0,0 1 0?game=awele"


def page_of(name: str, language: str) -> str:
    page = registry.words(name, language).rules_page()
    assert page is not None
    return page


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", registry.names())
def test_every_picture_can_be_drawn(name: str, language: str) -> None:
    found = rulebook.pictures(page_of(name, language))
    assert len(found) >= 4
    for picture in found:
        assert picture.caption
        assert picture.position.game.facts.name == name
        assert svg.draw(picture.position).startswith("<svg")


@pytest.mark.parametrize("name", registry.names())
def test_both_languages_show_the_same(name: str) -> None:
    shown = [[picture.position for picture in rulebook.pictures(page_of(name, language))] for language in LANGUAGES]
    assert all(positions == shown[0] for positions in shown)
    headings = [re.findall("^#+ ", page_of(name, language), re.MULTILINE) for language in LANGUAGES]
    assert all(marks == headings[0] for marks in headings)
    assert len({page_of(name, language) for language in LANGUAGES}) == len(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", registry.names())
def test_every_variant_is_on_the_page(name: str, language: str) -> None:
    presets = registry.facts(name).presets
    page = page_of(name, language)
    for preset in presets.values():
        assert len(presets) == 1 or f"`{name}:{preset.name}`" in page
        for parameter in preset.parameters.values():
            if isinstance(parameter.choices, range) and parameter.name != "players":
                assert f"`{parameter.name}`" in page
                assert str(parameter.default) in page
                assert str(parameter.choices[-1]) in page


def test_a_page_becomes_html_with_figures() -> None:
    told = rulebook.page(f"# Rules\n\n![One & two](<{FORM}>)\n![After C](<{FORM}&move=C>)\n\nText.")
    assert "<h1>Rules</h1>" in told
    assert told.count('<figure class="position"><svg') == 2
    assert "<figcaption>One &amp; two</figcaption>" in told
    assert '<div class="positions">' in told
    assert "<p>Text.</p>" in told
    assert "<p><figure" not in told


def test_pictures_are_drawn_by_whoever_asks() -> None:
    told = rulebook.page(f"![x](<{FORM}&move=C>)", lambda picture: f"[{picture.position.played[-1]}]")
    assert '<figure class="position">[C]<figcaption>x</figcaption></figure>' in told


def test_markup_in_a_page_is_shown_as_text() -> None:
    told = rulebook.page("<script>alert(1)</script>\n\n[x](javascript:alert(1))")
    assert "<script" not in told
    assert "href" not in told


@pytest.mark.parametrize(
    "address",
    [
        "picture.svg",
        "position:start",
        "position:start?game=awele&size=3",
        "position:start?game=awele&seed=x",
        "position:4,4?game=awele",
        "position:start?game=awele&move=X",
        "position:start?game=chess",
    ],
)
def test_a_bad_address_is_refused(address: str) -> None:
    with pytest.raises(PalabreError):
        rulebook.position_at(address)


def test_the_refusal_says_how_to_write_it() -> None:
    with pytest.raises(UnreadableText, match="write position:TEXT"):
        rulebook.position_at("picture.svg")
