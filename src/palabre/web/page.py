"""Positions as the page shows them: pictures, words and clicks, in the language of a browser.

The page knows no game. It puts markup that is drawn here into cells, plays the steps of a move, follows paths of
clicks, and shows sentences.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from palabre.core.board import Stage
from palabre.core.game import Game
from palabre.core.game_words import GameWords
from palabre.core.position import Position
from palabre.core.words import DEFAULT
from palabre.draw.descriptions import fact_in_words, move_in_words
from palabre.draw.frames import cell_facts, contents, ground, upright_ground
from palabre.draw.layout import layout
from palabre.draw.motion import motion
from palabre.draw.story import stages, touched
from palabre.web import messages, requests
from palabre.web.messages import ClickPath, Flight, Now, Ply, ShownCell, ShownGround, ShownStep, Upright
from palabre.web.refusal import in_language

LONGEST_SHOWN = 400  # plies whose motion is sent at once; longer games are stepped through without motion


@lru_cache(maxsize=64)
def ground_of(game: Game) -> ShownGround:
    """The board of a game without what lies on it."""
    first = game.start()
    known = ground(first)
    cells = [
        ShownCell(cell["name"], cell["label"], cell["x"], cell["y"], cell["radius"], cell["outline"], cell["store"])
        for cell in known["cells"]
    ]
    swatches = [player["swatch"] for player in known["players"]]
    colours = [player["colour"] for player in known["players"]]
    size = known["width"], known["height"]
    turned = upright_ground(game)
    upright = Upright(**turned) if turned else None
    return ShownGround(*size, known["defs"], known["board"], cells, swatches, colours, _bottom(first), upright)


def _bottom(first: Position) -> int:
    """The player whose cells and pieces lie lowest on the board at the start: the one who sits there."""
    view, players = first.game.view, range(first.game.players)
    cells = view.cells(first.game.options)
    heights = {cell.name: cell.y for cell in cells}
    owned = [(cell.owner, cell.y) for cell in cells]
    owned += [(piece.player, heights[piece.cell]) for piece in view.pieces(first.state)]
    own = [[y for owner, y in owned if owner == player] for player in players]
    return max(players, key=lambda player: sum(own[player]) / len(own[player]) if own[player] else 0.0)


def plies(
    positions: Sequence[Position],
    language: str,
    since: int = 0,
    seconds: Sequence[float | None] = (),
    names: Sequence[str] = (),
) -> list[Ply]:
    """The positions from number `since` on; the first of a game shows all cells, the others those that change.

    `names` are those of the players, in all texts about them.
    """
    has_motion = len(positions) <= LONGEST_SHOWN
    words = positions[0].game.words(language, names)
    shown: list[Ply] = []
    looks: Sequence[str | None] = contents(positions[since - 1]) if since else [None] * len(contents(positions[0]))
    for number in range(since, len(positions)):
        before = positions[number - 1] if number else None
        took = seconds[number - 1] if 0 < number <= len(seconds) else None
        is_last = number == len(positions) - 1
        old, looks = looks, contents(positions[number])
        changes = {cell: look for cell, look in enumerate(looks) if look != old[cell]}
        shown.append(_ply(positions[number], before, changes, words, took, has_motion=has_motion or is_last))
    return shown


def _ply(
    after: Position,
    before: Position | None,
    changes: Mapping[int, str],
    words: GameWords,
    took: float | None,
    *,
    has_motion: bool,
) -> Ply:
    """A position, with the cells that look different now and the move that led to it."""
    changed = [
        (cell, look, ", ".join(fact_in_words(*fact, words) for fact in facts))
        for (cell, look), facts in zip(changes.items(), cell_facts(after, changes), strict=True)
    ]
    scores, status = list(after.scores), words.status(after)
    counted = [words.counted(score) for score in scores]
    if before is None:
        return Ply(changed, scores, counted, after.to_move, status)
    how = stages(before, after)
    marks = touched(after.game, how)
    return Ply(
        changed,
        scores,
        counted,
        after.to_move,
        status,
        move=after.played[-1].text,
        mover=before.to_move,
        told=move_in_words(before, after, words),
        steps=_steps(before, how) if has_motion else [],
        origins=marks["origins"],
        targets=marks["targets"],
        seconds=took,
    )


def _steps(before: Position, how: Sequence[Stage]) -> list[ShownStep]:
    return [
        ShownStep(
            step["lift"],
            [Flight(flight["look"], flight["from"], flight["to"]) for flight in step["flights"]],
            step["then"],
            step["weight"],
        )
        for step in motion(before, how)
    ]


def now(position: Position, language: str, shares: Sequence[float] | None, why: str) -> Now:
    """What can be done in a position, and how the game has ended if it has."""
    game = position.game
    numbers = {cell.name: number for number, cell in enumerate(layout(game).cells)}
    words = game.words(language)
    paths: list[ClickPath] = []
    labels: dict[str, str] = {}
    for move in () if shares is not None else position.moves():
        for path in game.view.clicks(position.state, move.code):
            paths.append(ClickPath([numbers.get(click, click) for click in path], move.text))
            labels.update({click: words.button(click) for click in path if click not in numbers})
    return Now(paths, labels, shares is not None, None if shares is None else list(shares), why)


def names_of(game: Game, clicks: Sequence[int | str]) -> list[str]:
    """Clicks as a view names them; a number that no cell has is no name of one."""
    cells = game.view.cells(game.options)
    return [click if isinstance(click, str) else cells[click].name if click < len(cells) else "" for click in clicks]


def cells_of_move(position: Position, move: str) -> list[int]:
    """The cells that one clicks for a move, for an arrow; empty if the move is not entered on cells."""
    game = position.game
    numbers = {cell.name: number for number, cell in enumerate(game.view.cells(game.options))}
    paths = game.view.clicks(position.state, position.move(move).code)
    return [numbers[click] for click in paths[0] if click in numbers] if paths else []


def rules_in_words(game: Game, language: str) -> str:
    """The rule set of a game and what was chosen about it."""
    words = game.words(language)
    preset = game.facts.presets[game.options.preset]
    chosen = [
        in_language(
            "listed.chosen",
            language,
            parameter=words.parameter_title(name),
            value=words.value(name, value) if isinstance(value, str) else value,
        )
        for name, value in game.options.values
        if value != preset.parameters[name].default
    ]
    return ", ".join([words.preset_title(preset.name), *chosen])


def player_names(game: Game, language: str = DEFAULT) -> list[str]:
    """What the game calls its players."""
    words = game.words(language)
    return [words.player(seat) for seat in range(game.players)]


def line_shown(
    positions: Sequence[Position], since: int, language: str, names: Sequence[str] = ()
) -> messages.LineShown:
    """Positions outside any room; `names` are those of the players, one for each, or none."""
    first, last = positions[0], positions[-1]
    game = last.game
    called = names if len(names) == game.players else player_names(game, language)
    why = "" if last.result is None else game.words(language, called).message_text(last.why_over or "")
    return messages.LineShown(
        place_of(last),
        game.words(language).title,
        rules_in_words(game, language),
        list(called),
        since,
        ground_of(first.game),
        plies(positions, language, since, names=called),
        now(last, language, last.result, why),
    )


def place_of(position: Position) -> requests.Place:
    """A position and how it came about."""
    return requests.Place(position.game.spec, position.start_text, [move.text for move in position.played])
