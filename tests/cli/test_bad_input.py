"""Bad input to every command: one line that names it, exit code 2, and never a traceback.

The commands and their numbers are read from the program itself, so that a new option cannot be forgotten.
"""

from pathlib import Path
from typing import Any

import pytest
import typer
from typer.exceptions import TyperException

from palabre.cli import main
from tests.cli.test_paths import commands
from tests.command import PLAIN, palabre

NUMBERS = [(name, parameter) for name, parameter in commands() if hasattr(parameter.type, "min")]
OTHERS = [(name, parameter) for name, parameter in commands() if "Float" in type(parameter.type).__name__]
IMPOSSIBLE = ("nan", "inf", "-inf", "1e99", "-1e99", str(10**30), "", "two", "1,5")


def outside(parameter: Any) -> list[str]:
    """Values that a number may not have: what is no number, and what is just outside its range."""
    low, high = parameter.type.min, parameter.type.max
    assert low is not None
    assert high is not None
    step = 1 if isinstance(low, int) else max(abs(low), 1.0) / 2
    return [*IMPOSSIBLE, str(low - step), str(high + step), *(["0"] if low > 0 else []), *(["-1"] if low >= 0 else [])]


@pytest.mark.parametrize(("name", "parameter"), NUMBERS, ids=[f"{name} {each.name}" for name, each in NUMBERS])
def test_every_number_has_limits_and_refuses_what_is_none(name: str, parameter: Any) -> None:
    """Nothing is begun: the parameter alone is asked. The program names the option; `test_cli.py` shows that."""
    command = typer.main.get_command(main.app)

    def parse(value: str) -> object:
        with typer.Context(command) as context:
            return parameter.process_value(context, value)

    for value in outside(parameter):
        with pytest.raises(TyperException):
            parse(value)
    assert parse(str(parameter.type.min)) == parameter.type.min
    assert parse(str(parameter.type.max)) == parameter.type.max


def test_every_number_with_a_point_has_limits() -> None:
    assert len(NUMBERS) > 40
    assert [f"{name} {each.name}" for name, each in OTHERS if not hasattr(each.type, "min")] == []


# Commands that take a game or a bot, with BAD in its place, and what each of them calls it.
SPECS = {
    "show": ["show", "BAD"],
    "play": ["play", "BAD", "--terminal"],
    "play --players": ["play", "awele", "--terminal", "--players", "BAD,random"],
    "bots": ["bots", "BAD"],
    "match": ["match", "BAD", "random", "--game", "awele", "--games", "2"],
    "match --game": ["match", "random", "idiot", "--game", "BAD", "--games", "2"],
    "match --openings": ["match", "random", "idiot", "--game", "awele", "--openings", "BAD"],
    "match --data": ["match", "random", "idiot", "--game", "awele", "--data", "BAD"],
    "sprt": ["sprt", "BAD", "random", "--game", "awele"],
    "championship": ["championship", "BAD", "random", "--game", "awele", "--event", "EVENT"],
    "championship --game": ["championship", "random", "idiot", "--game", "BAD", "--event", "EVENT"],
    "analyse": ["analyse", "BAD"],
    "analyse --bot": ["analyse", "awele", "--bot", "BAD", "--depth", "1"],
    "analyse --eval": ["analyse", "awele", "--eval", "BAD", "--depth", "1"],
    "analyse --position": ["analyse", "awele", "--position", "BAD"],
    "fit": ["fit", "BAD", "--eval", "standard"],
    "fit --eval": ["fit", "awele", "--eval", "BAD"],
    "train": ["train", "BAD"],
    "train --with": ["train", "penguins", "--with", "BAD"],
    "calibrate": ["calibrate", "BAD"],
    "check": ["check", "BAD"],
    "check --game": ["check", "random", "--game", "BAD"],
    "ugi": ["ugi", "BAD"],
    "ugi --bot": ["ugi", "awele", "--bot", "BAD"],
    "perft": ["perft", "BAD", "1"],
    "playouts": ["playouts", "BAD", "--games", "1"],
    "warmup": ["warmup", "BAD"],
    "bench": ["bench", "BAD"],
}


@pytest.mark.parametrize("command", SPECS)
def test_a_bad_name_is_named_in_one_line(command: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "picture.py").write_bytes(b"\x89PNG\r\n\x1a\n\0")
    for bad in ("nowhere/none.py", "folder/", "picture.py", "no-such-name", "awele:stop=1e99"):
        if bad == "awele:stop=1e99" and "--game" not in command and SPECS[command][0] == "match":
            continue
        words = [bad if word == "BAD" else word.replace("BAD", bad) for word in SPECS[command]]
        words = [str(tmp_path / "kept.event") if word == "EVENT" else word for word in words]
        done = palabre(*words, settings=PLAIN, cwd=tmp_path)
        named = bad.rstrip("/").split("/")[-1].partition(":")[0].removesuffix(".py")
        assert done.returncode == 2 or (done.returncode == 1 and "rejected" in done.stdout), f"{bad}: {done.stderr}"
        assert "Traceback" not in done.stderr + done.stdout
        assert named in done.stderr + done.stdout, bad
