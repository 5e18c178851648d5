"""Pictures that stand for themselves: complete, in any theme, for browsers and for converters."""

import itertools
import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

import palabre
from palabre.core import registry
from palabre.draw import svg, terminal
from palabre.draw.frames import contents
from palabre.draw.palette import THEMES, Theme, properties
from tests import take_away
from tests.draw.test_frames import GAMES, somewhere

SVG, XLINK = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}"


@pytest.mark.parametrize("spec", GAMES)
def test_a_picture_is_complete_and_asks_nothing_of_a_converter(spec: str) -> None:
    picture = svg.draw(somewhere(spec))
    root = ElementTree.fromstring(picture)
    names = [element.get("id") for element in root.iter() if element.get("id")]
    used = [str(element.get(f"{XLINK}href")).removeprefix("#") for element in root.iter(f"{SVG}use")]
    painted = re.findall(r"url\(#([^)]+)\)", picture)
    assert len(names) == len(set(names))
    assert set(used) | set(painted) == set(names), "what is used is defined, and nothing else"
    assert "var(" not in picture
    assert "dominant-baseline" not in picture
    assert not list(root.iter(f"{SVG}style"))


@pytest.mark.parametrize("theme", THEMES)
def test_pictures_of_two_themes_can_stand_in_one_page(theme: Theme) -> None:
    pictures = {each: svg.draw(palabre.game("avalam").start(), each) for each in THEMES}
    names = {each: set(re.findall(r' id="([^"]+)"', picture)) for each, picture in pictures.items()}
    assert all(not names[theme] & found for each, found in names.items() if each != theme)
    assert len(set(pictures.values())) == len(THEMES)


def test_the_last_move_is_ringed() -> None:
    start = palabre.game("avalam").start()
    ring = 'stroke-width="3.5"'
    assert svg.draw(start).count(ring) == 0
    assert svg.draw(start.play("c1d1")).count(ring) == 2


def test_a_tower_is_as_many_discs_as_it_is_high_and_flagged_when_settled() -> None:
    late = palabre.game("avalam:official").position(
        "..Ab...../........./........./........./........./........./..EeEeEe./....EeE../......... 1"
    )
    picture = svg.draw(late)
    assert picture.count('"#p-light-layer-0-amber"') == 1 + 5 * 5
    assert picture.count('"#p-light-layer-1-blue"') == 2 + 4 * 5
    assert picture.count('"#p-light-flag-') == 9


def test_seeds_are_counted_in_figures_from_four_on() -> None:
    def figures(text: str) -> list[str]:
        board = svg.draw(palabre.game("awele").position(text)).partition("player 1:")[0]
        return re.findall(r">(\d+)</text>", board)

    assert figures("3,4,5,0,0,0/1,0,0,0,0,0 20,15 1 0") == ["4", "5", "20", "15"]


def test_figures_of_two_digits_leave_room_for_the_next_seed() -> None:
    """A digit is about 8 pixels wide, and a seed beside a figure about as wide."""
    position = palabre.game("awale").position("10.11.12/" + "0.0.0/" * 14 + "0.0.0 33,30 1 0")
    reaches = []
    for group in ElementTree.fromstring(f"<svg>{contents(position)[0]}</svg>").iterfind("g"):
        x = float(group.attrib["transform"].removeprefix("translate(").split()[0])
        seed = float(group[0].attrib["transform"].removeprefix("translate(").split()[0])
        figure = float(group[1].attrib["x"])
        reaches.append((x + seed - 4, x + figure + 8))
        assert reaches[-1][0] + 8 <= x + figure - 7
    assert len(reaches) == 3
    assert all(end <= start for (_, end), (start, _) in itertools.pairwise(reaches))


def test_names_of_cells_stand_at_the_edge_once() -> None:
    texts = re.findall(r">(\w+)</text>", svg.draw(palabre.game("examples/othello.py").start()))
    assert sorted(texts) == sorted("abcdefgh12345678")


def test_a_kind_that_nobody_knows_is_a_disc_with_its_text(tmp_path: Path) -> None:
    source = take_away.source().replace(
        'Piece("heap", "seeds", count=state.heap, colour="brown")', 'Piece("heap", "dragon", 0, text="<D>")'
    )
    (tmp_path / "mine.py").write_text(source, encoding="utf-8")
    picture = svg.draw(registry.game(str(tmp_path / "mine.py")).start())
    assert "disc-0-amber" in picture
    assert "&lt;D&gt;</text>" in picture


def test_a_piece_of_nobody_can_be_seen(tmp_path: Path) -> None:
    source = take_away.source().replace(
        'Piece("heap", "seeds", count=state.heap, colour="brown")', 'Piece("heap", "disc")'
    )
    (tmp_path / "mine.py").write_text(source, encoding="utf-8")
    position = registry.game(str(tmp_path / "mine.py")).start()
    assert terminal.board_lines(position)[0][1] == terminal.Span("◎")
    light = properties("light")
    assert light["--p-nobody"] in svg.draw(position)
    assert light["--p-nobody"] not in (light["--p-plate"], light["--p-hollow"], light["--p-paper"])


def test_a_wall_is_shown_by_its_text() -> None:
    position = palabre.game("examples/trio.py").start()
    assert "#" in str(position)
    assert ">#</text>" in svg.draw(position)


@pytest.mark.parametrize(
    ("piece", "drawn"),
    [
        ('Piece("heap", "seeds", count=10**7, colour="brown")', 60),
        ('Piece("heap", "seeds", count=5, colour="pink")', 5),
        ('Piece("heap", "tower", 0, height=10**7)', 9),
        ('Piece("heap", "fish", count=10**7)', 1),
    ],
)
def test_a_picture_stays_small_whatever_a_game_says(piece: str, drawn: int, tmp_path: Path) -> None:
    source = take_away.source().replace('Piece("heap", "seeds", count=state.heap, colour="brown")', piece)
    (tmp_path / "mine.py").write_text(source, encoding="utf-8")
    found = contents(registry.game(str(tmp_path / "mine.py")).start())
    assert found[0].count("<use") == drawn


def test_a_notebook_shows_the_board() -> None:
    position = palabre.game("awele").start()
    assert position._repr_svg_() == svg.draw(position)


@pytest.mark.needs("rsvg-convert")
@pytest.mark.parametrize("spec", ["abalone", "avalam", "awale", "awele", "penguins"])
def test_a_converter_draws_a_picture_and_finds_nothing_wrong(spec: str, tmp_path: Path) -> None:
    (tmp_path / "board.svg").write_text(svg.draw(somewhere(spec)), encoding="utf-8")
    done = subprocess.run(
        ["rsvg-convert", "-w", "200", str(tmp_path / "board.svg"), "-o", str(tmp_path / "board.png")],
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert len((tmp_path / "board.png").read_bytes()) > 5000
