"""What others have written is shown as text: nothing of it tells the terminal what to do."""

import ast
import contextlib
import json
import sqlite3
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from rich.console import RenderableType
from rich.live import Live
from rich.markdown import Markdown
from rich.text import Text

import palabre
from palabre.cli import output
from palabre.cli.output import Terminal, print_json, print_table, table
from tests.arena.events import new_event, play
from tests.command import PLAIN
from tests.command import palabre as command

# Escape, the same in one character, carriage return, backspace, bell, "from here on from right to left", an isolate,
# a line of its own, half a character.
SPELLS = "\x1b[2J \x9b31m \r \b \a \u202e \u2066 \u2028 \ud800"
NAME = f"a{SPELLS}b"
HARMLESS = "« Pingouins » 12\u202f345\u00a0% – é ½ ♟️ \n"
READERS = {
    "report": ["report", "EVENT", "--out", "OUT"],
    "debug": ["debug", "greedy", "--event", "EVENT", "--game", "1", "--ply", "1"],
    "debug who is not there": ["debug", "nobody", "--event", "EVENT", "--game", "1", "--ply", "1"],
    "replay": ["replay", "EVENT#1"],
    "stats": ["stats", "EVENT"],
    "stats as JSON": ["stats", "EVENT", "--json"],
    "analyse": ["analyse", "EVENT#1@1", "--bot", "greedy"],
    "match": ["match", "greedy", "idiot", "--event", "EVENT"],
    "sprt": ["sprt", "greedy", "idiot", "--event", "EVENT"],
    "championship": ["championship", "greedy", "idiot", "--event", "EVENT"],
}


def instructions(text: str) -> list[str]:
    """The characters of a text that a terminal does not show as they are."""
    return [sign for sign in text if unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp") and sign != "\n"]


def printed(shown: RenderableType, **options: Any) -> str:
    """What a terminal gets."""
    terminal = Terminal(highlight=False, markup=False, emoji=False, width=60, **options)
    with terminal.capture() as captured:
        terminal.print(shown)
    return captured.get()


def listed(name: str) -> RenderableType:
    made = table("bot", ">score")
    made.add_row(name, "50 %")
    return made


@pytest.mark.parametrize(
    "shown",
    [NAME, Text(NAME), Text.assemble((NAME, "red")), listed(NAME), Markdown(f"# {NAME}\n[{NAME}](x)\n`{NAME}`")],
)
def test_nothing_that_is_printed_instructs_the_terminal(shown: RenderableType) -> None:
    errors = printed(shown)
    assert not instructions(errors), ascii(errors)
    assert "a?" in errors


def test_prompts_and_moving_displays_go_the_same_way(capsys: pytest.CaptureFixture[str]) -> None:
    terminal = Terminal(highlight=False, markup=False, force_terminal=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("builtins.input", lambda: "")
        terminal.input(NAME, markup=False)
    with Live(Text(NAME), console=terminal, auto_refresh=False) as live:
        live.update(listed(NAME), refresh=True)
    assert not instructions(capsys.readouterr().out)


def test_our_own_colours_and_what_is_harmless_stay() -> None:
    assert printed(HARMLESS) == f"{HARMLESS}\n"
    errors = printed(Text(NAME, style="red"), force_terminal=True, color_system="standard")
    assert errors.startswith("\x1b[31m")
    assert not instructions(errors.replace("\x1b[31m", "").replace("\x1b[0m", ""))


def test_a_document_for_programs_says_the_same_in_harmless_characters(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({NAME: NAME})
    errors = capsys.readouterr().out
    assert not instructions(errors)
    assert json.loads(errors) == {NAME: NAME}


def test_columns_are_as_wide_as_what_is_shown_in_them() -> None:
    terminal = Terminal(highlight=False, markup=False, emoji=False, width=60)
    with terminal.capture() as captured:
        print_table(terminal, table("bot", ">score"))
        made = table("bot", ">score")
        for name in ("a\x1b\x1b\x1b\x1b\x1b\x1bb", "plain name"):
            made.add_row(name, "50 %")
        print_table(terminal, made)
    *_, first, second = captured.get().splitlines()
    assert "a??????b" in first
    assert first.index("50 %") == second.index("50 %")


def test_commands_print_by_no_other_way() -> None:
    """Whatever else prints would have to take care of this by itself."""
    found = set()
    for file in Path(output.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            if called.rpartition(".")[2] in ("echo", "secho", "Console") or called in ("print", "input"):
                found.add((file.stem, called))
    # The version; the protocol, which programs read; the line that a person types.
    assert found == {("output", "typer.echo"), ("main", "typer.echo"), ("ugi", "print"), ("prompt", "input")}


@pytest.mark.processes
@pytest.mark.parametrize("reader", READERS)
def test_no_event_instructs_the_terminal(reader: str, tmp_path: Path) -> None:
    """The names of its bots, their files, why games ended: anything may stand in the file of somebody else."""
    file = tmp_path / "some.event"
    with new_event(file, game="awele") as store:
        play(store, 1)
    spoil(file)
    words: Sequence[str] = [
        word.replace("EVENT", str(file)).replace("OUT", str(tmp_path / "out")) for word in READERS[reader]
    ]
    done = command(*words, settings=PLAIN)
    assert "Traceback" not in done.stderr
    assert not instructions(done.stdout + done.stderr), ascii(done)


def spoil(file: Path) -> None:
    """Write instructions for the terminal wherever an event has text that nobody checks."""
    name = NAME.replace("\ud800", "")  # which is no text for the database
    with contextlib.closing(sqlite3.connect(file)) as rows:
        rows.execute("UPDATE bots SET name = ? WHERE name = 'idiot'", (name,))
        rows.execute("UPDATE bots SET spec = ?, authors = ?, note = ?", (name,) * 3)
        old, new = json.dumps("idiot"), json.dumps(name, ensure_ascii=False)
        for column in ("bots", "meeting"):
            rows.execute(f"UPDATE games SET {column} = replace({column}, ?, ?)", (old, new))
        rows.execute("UPDATE games SET ending = ?, details = ?", (name, name))
        rows.commit()
    assert palabre.read_store(file)
