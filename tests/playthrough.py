"""Golden playthroughs: one random game of every preset, written out so that a person can check it.

`python -m tests.playthrough` writes the files in tests/playthroughs anew; look at the difference before you commit it.
"""

from collections.abc import Iterator
from pathlib import Path

import palabre
from palabre.core import registry
from palabre.core.dice import roll, shake

FOLDER = Path(__file__).parent / "playthroughs"
SEED = 2026
DRAWN_EVERY = 12  # plies
MOST_PLIES = 150  # a random game of Abalone would go on to its limit


def write_out(spec: str) -> Iterator[str]:
    """The lines of one game."""
    position = palabre.game(spec).start(SEED)
    dice = SEED
    yield f"game {position.game.spec}"
    while True:
        yield f"{position.ply}: {position.text}"
        if position.ply % DRAWN_EVERY == 0 or position.is_over:
            yield from (f"    {line}".rstrip() for line in str(position).splitlines())
        moves = position.moves()
        if not moves or position.ply == MOST_PLIES:
            break
        dice = shake(dice)
        move = moves[roll(dice, len(moves))]
        yield f"  {len(moves)} moves: {' '.join(move.text for move in moves)}"
        yield f"  player {position.to_move + 1} plays {move.text}"
        position = position.play(move)
    yield f"scores {position.scores} result {position.result}"


def text_of(name: str) -> str:
    """The whole file of a game: a playthrough for each preset, and for each number of players."""
    facts = registry.facts(name)
    specs = [f"{name}:{preset.name}" for preset in facts.presets.values()]
    if name == "penguins":
        specs += [f"{name}:players={players}" for players in (3, 4)]
    return "\n".join("\n".join([*write_out(spec), ""]) for spec in specs)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in registry.names():
        (FOLDER / f"{name}.txt").write_text(text_of(name), encoding="utf-8")
        print(f"wrote {FOLDER / name}.txt")


if __name__ == "__main__":
    main()
