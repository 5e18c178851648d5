"""An experiment on the smallest game. Tests append it to a copy of that game's file."""

from palabre.experiments.experiment import Claim, Experiment, Games, Measurement
from palabre.experiments.judging import Finding, above, fact
from palabre.experiments.results import Results


def square(number: int) -> dict[str, int]:
    """What is measured."""
    return {"square": number * number}


def _is_stronger(results: Results) -> Finding:
    return above("the score of alpha-beta", results.score("duel", "alpha-beta"))


def _first_sticks(results: Results) -> Finding:
    squares = [row["square"] for row in results.rows("squares")]
    return fact(squares == sorted(squares), str(squares), "They are in order.", "they are in order")


EXPERIMENTS = (
    Experiment(
        name="duel",
        title="Take-Away: who wins?",
        question="Does it help to think?",
        steps=(
            Games("duel", {"alpha-beta": "alphabeta:depth=4", "chance": "random"}, most=200, balanced=False),
            Measurement("squares", square, [{"number": number} for number in range(5)]),
        ),
        claims=(
            Claim("Thinking helps.", "9 of 10 games", _is_stronger),
            Claim("Squares grow.", "", _first_sticks),
        ),
        minutes=1,
        limits=("It is a small game.",),
    ),
)
