"""An experiment on the smallest game, and a program that runs it: `python -m tests.study.small GAME FOLDER WORKERS`."""

import sys
from pathlib import Path

from palabre.study import Claim, Experiment, Finding, Games, Measurement, Results, above, fact, run


def square(number: int) -> dict[str, int]:
    """What is measured."""
    return {"square": number * number}


def _is_stronger(results: Results) -> Finding:
    return above("the score of alpha-beta", results.score("duel", "alpha-beta"))


def _grow(results: Results) -> Finding:
    squares = [row["square"] for row in results.rows("squares")]
    return fact(squares == sorted(squares), str(squares), "They are in order.", "they are in order")


DUEL = Games("duel", {"alpha-beta": "alphabeta:depth=4", "chance": "random"}, most=200, balanced=False)
SQUARES = Measurement("squares", square, [{"number": number} for number in range(5)])


def experiment(game: Path) -> Experiment:
    """The experiment on a copy of the game."""
    return Experiment(
        name="take-away-duel",
        game=str(game),
        steps=(DUEL, SQUARES),
        claims=(
            Claim("Thinking helps.", "9 of 10 games", _is_stronger),
            Claim("Squares grow.", "", _grow),
        ),
    )


if __name__ == "__main__":
    from tests.study import small  # by this name workers know it, too

    game, folder, workers = sys.argv[1:]
    run(small.experiment(Path(game)), Path(folder), workers=int(workers))
