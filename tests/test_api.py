"""The public API: all of it comes from `import palabre`, is documented, and costs nothing before it is used."""

import subprocess
import sys
from pathlib import Path

import pytest

import palabre
from tools import api


def test_the_page_is_up_to_date() -> None:
    assert api.PAGE.read_text(encoding="utf-8") == api.page(), "run: python -m tools.api"


def test_everything_public_has_a_docstring_and_a_place_on_the_page() -> None:
    assert api.missing() == []


@pytest.mark.parametrize("name", palabre.__all__)
def test_every_public_name_can_be_imported(name: str) -> None:
    assert getattr(palabre, name) is not None
    assert name in dir(palabre)


def test_what_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'palabre' has no attribute 'chess'"):
        palabre.chess  # noqa: B018


def test_importing_palabre_loads_only_the_core() -> None:
    code = (
        "import sys, palabre; palabre.game('awele');"
        "loaded = {name.split('.')[1] for name in sys.modules if name.startswith('palabre.')};"
        "print(sorted(loaded), sorted({'numpy', 'numba', 'typer', 'rich'} & set(sys.modules)))"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not set("bots arena search learn cli compile".split()) & set(printed.replace("'", " ").split()), printed
    assert printed.strip().endswith("[]"), printed


def test_a_bot_in_a_file_needs_only_palabre(tmp_path: Path) -> None:
    file = tmp_path / "mybot.py"
    file.write_text(
        "from palabre import Bot, Clock, Decimal, Game, Move, Parameter, Position\n"
        "class MyBot(Bot):\n"
        "    @classmethod\n"
        "    def parameters(cls, game: Game):\n"
        "        return [Parameter('place', 0, range(3), 'which move'), Decimal('x', 0.5, 0, 1, 'nothing')]\n"
        "    def choose(self, position: Position, clock: Clock) -> Move:\n"
        "        return position.moves()[self.options.number('place')]\n",
        encoding="utf-8",
    )
    awele = palabre.game("awele")
    made = palabre.bot(f"{file}:place=2", awele)
    assert str(made.choose(awele.start(), palabre.Clock(per_move=1.0))) == "C"
    assert palabre.play_match(str(file), "random", awele, 2).first.forfeits == 0
