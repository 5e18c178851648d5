"""`palabre games` and `palabre show`: what there is to play, and what a position looks like."""

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from palabre.cli.output import (
    Json,
    PositionText,
    Seed,
    Spec,
    add_parameter,
    console,
    notes,
    parameter_document,
    print_board,
    print_json,
    table,
)
from palabre.cli.paths import output_file, write_file
from palabre.cli.records import first_position
from palabre.core import registry
from palabre.core.spec import GameFacts
from palabre.draw import svg
from palabre.draw.palette import Theme


def games(as_json: Json = False) -> None:
    """List all games, their presets and their parameters."""
    all_facts = [registry.facts(name) for name in registry.names()]
    if as_json:
        print_json([_facts_document(facts) for facts in all_facts])
        return
    listing = table("spec", "what it is")
    for facts in all_facts:
        listing.add_row(Text(facts.name, "bold"), f"{facts.title}: {facts.summary}")
        for preset in facts.listed_presets:
            is_default = preset.name == facts.default_preset
            listing.add_row(f"  {facts.name}:{preset.name}{' *' if is_default else ''}", preset.line)
            for parameter in preset.parameters.values():
                add_parameter(listing, parameter, indent=4)
    console.print(listing)
    console.print("* the default rules, used if you name only the game; menus list published rules first", style="dim")


def _facts_document(facts: GameFacts) -> dict[str, object]:
    return {
        "name": facts.name,
        "title": facts.title,
        "summary": facts.summary,
        "presets": [
            {
                "name": preset.name,
                "spec": f"{facts.name}:{preset.name}",
                "is_default": preset.name == facts.default_preset,
                "summary": preset.line,
                "parameters": [parameter_document(parameter) for parameter in preset.parameters.values()],
            }
            for preset in facts.listed_presets
        ],
    }


def show(
    spec: Spec,
    position: PositionText = None,
    seed: Seed = 0,
    svg_file: Annotated[
        Path | None,
        typer.Option(
            "--svg", callback=output_file, metavar="FILE", help="Write a picture of the position to this file."
        ),
    ] = None,
    theme: Annotated[Theme, typer.Option("--theme", help="The colours of the picture.")] = "light",
    as_json: Json = False,
) -> None:
    """Show a position: the board, the score, the legal moves."""
    shown = first_position(spec, position, seed)
    if svg_file is not None:
        write_file(svg_file, svg.draw(shown, theme))
    if as_json:
        print_json(
            {
                "game": shown.game.spec,
                "position": shown.text,
                "to_move": shown.to_move + 1,
                "ply": shown.ply,
                "is_over": shown.is_over,
                "scores": shown.scores,
                "result": shown.result,
                "moves": [move.text for move in shown.moves()],
            }
        )
        return
    print_board(shown)
    console.print(f"\n{shown.text}", style="dim", markup=False)
    if svg_file is not None:
        notes.print(f"wrote {svg_file}", style="dim", markup=False)
