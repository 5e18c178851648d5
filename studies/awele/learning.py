"""What do the course's 303 observations buy?"""

import itertools
from collections import Counter
from collections.abc import Sequence
from typing import Any

import palabre
from palabre import Clock, Hits, Learner, Observation, SearchBot, bot, count_hits, folds, move_hits, observed
from palabre.study import Claim, Estimate, Finding, Games, Measurement, Results, above, fact, mean_estimate
from studies.plot import COLOURS
from studies.study import Material, Plot, Study, Table

MODELS = ("neighbours", "bayes", "discriminant", "logistic", "vectors", "forest", "net")
IMITATE = "imitate"
AIMS = (IMITATE, "value")
RANDOM, FREQUENT, LEADER = "any legal pit", "the most frequent pit", "whoever leads"
BASELINES = ("greedy", "alphabeta:depth=1", "alphabeta:depth=2", "alphabeta:depth=4", "alphabeta:depth=6")
JUDGES = ("alphabeta:depth=4", "alphabeta:depth=6")
LEARNERS = {f"{model}, {aim}": f"learner:model={model},aim={aim}" for aim in AIMS for model in MODELS}
DEMO = {"random": "random", "greedy": "greedy", **{f"alpha-beta {n}": f"alphabeta:depth={n}" for n in range(1, 5)}}
MODEL = "forest"  # the model that claims are about, chosen before anything was played
VALUE, IMITATION = f"{MODEL}, value", f"{MODEL}, {IMITATE}"
REPEATS = 100
EXPERT_SEEDS = 25  # more than half of all


# ------------------------------------------------------------------------------------------------- what is in the file


def inspect_file(observations: Sequence[Observation]) -> dict[str, Any]:
    """The games that the rows make up, and how they end."""
    numbers = sorted({one.game for one in observations})
    endings = []
    begun = 0
    for number in numbers:
        game = sorted((one for one in observations if one.game == number), key=lambda one: one.position.ply)
        begun += game[0].position == palabre.game("awele").start()
        last = game[-1].position.play(game[-1].move)
        winner = game[-1].position.to_move if game[-1].won else 1 - game[-1].position.to_move
        endings.append([last.scores[winner], last.scores[1 - winner], int(last.is_over)])
    positions = Counter(one.cells[:-2] for one in observations)
    return {
        "rows": len(observations),
        "games": len(numbers),
        "whole": begun,
        "endings": endings,
        "distinct": len(positions),
        "in_order": sum(
            follower.game == one.game and follower.position.ply == one.position.ply + 1
            for one, follower in itertools.pairwise(observations)
        ),
    }


# ---------------------------------------------------------------------------------------------------- cross-validation


def predict_moves(predictor: str, observations: Sequence[Observation]) -> dict[str, Any]:
    """How often a predictor names the pit that a winner chose, in games not learnt from."""
    if predictor == RANDOM:
        hits = count_hits(
            [[1 / len(one.position.moves()) for one in questions if one.won] for _, questions in folds(observations)]
        )
    elif predictor == FREQUENT:
        hits = count_hits([_most_frequent(lesson, questions) for lesson, questions in folds(observations)])
    else:
        hits = move_hits(lambda: bot(predictor, "awele"), observations)
    return {"right": hits.right, "asked": hits.asked}


def _most_frequent(lesson: Sequence[Observation], questions: Sequence[Observation]) -> list[float]:
    """Answers that are the legal pit which winners chose most often."""
    chosen = Counter(one.move.code for one in lesson if one.won)
    return [
        float(max(one.position.moves(), key=lambda move: chosen[move.code]).code == one.move.code)
        for one in questions
        if one.won
    ]


def predict_results(predictor: str, observations: Sequence[Observation]) -> dict[str, Any]:
    """How often a predictor says rightly whether the player to move will win, in games not learnt from."""
    game = palabre.game("awele")
    answers = []
    leads: list[float]
    for lesson, questions in folds(observations):
        if predictor == LEADER:
            leads = [2 * one.position.scores[one.position.to_move] - sum(one.position.scores) for one in questions]
        else:
            player = bot(predictor, game)
            player.learn(lesson, 60.0)
            player.sit_down(game, 0)
            if isinstance(player, Learner):
                leads = [chance - 0.5 for chance in player.win_chances([one.position for one in questions])]
            else:
                assert isinstance(player, SearchBot)
                clock = Clock(depth=player.options.number("depth"))
                leads = [player.think(one.position, clock).value for one in questions]
        answers.append(
            [0.5 if lead == 0 else float((lead > 0) == one.won) for lead, one in zip(leads, questions, strict=True)]
        )
    hits = count_hits(answers)
    return {"right": hits.right, "asked": hits.asked}


def estimate(row: dict[str, Any]) -> Estimate:
    """The share of right answers of a predictor."""
    hits = Hits(tuple(row["right"]), tuple(row["asked"]))
    return Estimate(hits.share, *hits.interval, len(hits.asked))


def seen(model: str, aim: str, sees: str) -> str:
    return f"learner:model={model},aim={aim},sees={sees}"


MOVES = Measurement(
    "moves",
    predict_moves,
    [
        {"predictor": one}
        for one in (RANDOM, FREQUENT, *BASELINES, *(seen(m, IMITATE, s) for s in ("pits", "tactics") for m in MODELS))
    ],
    quick=[{"predictor": one} for one in (FREQUENT, seen(MODEL, IMITATE, "tactics"))],
    learns=True,
)
RESULTS = Measurement(
    "results",
    predict_results,
    [
        {"predictor": one}
        for one in (LEADER, *JUDGES, *(seen(m, "value", s) for s in ("pits", "tactics") for m in MODELS))
    ],
    quick=[{"predictor": one} for one in (LEADER, seen(MODEL, "value", "tactics"))],
    learns=True,
)
FILE = Measurement("file", inspect_file, [{}], learns=True)
CHAMPIONSHIP = Games(
    "championship",
    {**LEARNERS, **DEMO},
    quick={**dict.fromkeys((*LEARNERS, *DEMO), "random"), VALUE: "learner:model=bayes"},
    pairings=[
        pair
        for place, one in enumerate(LEARNERS)
        for pair in [(one, other) for other in (*list(LEARNERS)[place + 1 :], *DEMO)]
    ],
    most=2 * REPEATS,
    precision=0.0,
)


# ----------------------------------------------------------------------------------------------------------- the claims


def _all_won(results: Results) -> Finding:
    [file] = results.rows("file")
    won = sum(bool(over) and own >= EXPERT_SEEDS > other for own, other, over in file["endings"])
    games = file["games"]
    return fact(
        won == games == file["whole"],
        f"{won} of {games} games",
        f"The {file['rows']} rows make up {games} games, {file['whole']} of them from the start. In {won} the winner "
        f"by column R ends the game with {EXPERT_SEEDS} seeds or more.",
        "the rows can be put together to games from the start, in all of which the winner by column R "
        f"takes {EXPERT_SEEDS} seeds",
    )


def _can_be_learnt(results: Results) -> Finding:
    rows = {row["predictor"]: row for row in results.rows("moves")}
    learnt, usual = rows[seen(MODEL, IMITATE, "tactics")], rows[FREQUENT]
    gains = [
        (one - other) / asked
        for one, other, asked in zip(learnt["right"], usual["right"], learnt["asked"], strict=True)
    ]
    lead = mean_estimate(gains, "%")
    return above(f"the lead of {IMITATION} over the most frequent pit, in right answers", lead, 0.0)


def _against(learner: str, opponent: str) -> Any:
    def judge(results: Results) -> Finding:
        what = f"the score of {learner} against {opponent}"
        return above(what, results.score("championship", learner, against=opponent))

    return judge


# ------------------------------------------------------------------------------------------------------------- the page


def tables(results: Results) -> list[Table]:
    """What is in the file, what can be predicted, the championship."""
    [file] = results.rows("file")
    return [
        Table(
            "What is in the file",
            ("game", ">seeds of the winner", ">seeds of the loser"),
            [(str(number), str(own), str(other)) for number, (own, other, _) in enumerate(file["endings"], start=1)],
            f"The {file['rows']} rows have {file['distinct']} different positions, and {file['in_order']} of them "
            "follow the row before in the same game. Put together by their moves, the rows are "
            f"{file['games']} games, {file['whole']} of them from the start.",
        ),
        _predictions("The winners' pits, predicted", results.rows("moves")),
        _predictions("Who wins, predicted", results.rows("results")),
        _scores(results),
        _standings(results),
    ]


def _predictions(title: str, rows: Sequence[dict[str, Any]]) -> Table:
    cells = [(row["predictor"], str(sum(row["asked"])), str(estimate(row))) for row in rows]
    note = "Each game is predicted by what was learnt from the others; intervals are clustered by game."
    return Table(title, ("predictor", ">questions", ">right (95 %)"), cells, note)


def _scores(results: Results) -> Table:
    rows = [
        (learner, *(_short(results.score("championship", learner, against=other)) for other in DEMO))
        for learner in LEARNERS
    ]
    openings = len(results.openings("championship"))
    note = f"The score in per cent of {2 * openings} games from {openings} openings, with half of its 95 % interval."
    return Table("Against bots that do not learn", ("learner", *(f">{name}" for name in DEMO)), rows, note)


def _short(score: Estimate) -> str:
    return f"{100 * score.value:.1f} ± {50 * (score.high - score.low):.1f}"


def _standings(results: Results) -> Table:
    outcomes = [row.outcome for row in results.games("championship")]
    names = [name for name in (*LEARNERS, *DEMO) if any(name in one.bots for one in outcomes)]
    board = palabre.read_format("course").table(names, outcomes, list(DEMO))
    marks = palabre.read_marks("rank").give(board, outcomes)
    rows = [
        (
            "demo" if row.rank is None else str(row.rank),
            row.bot,
            f"{row.points:g}",
            str(row.games),
            f"{row.wins}–{row.draws}–{row.losses}",
            f"{marks[row.bot]:.2f}" if row.bot in marks else "–",
        )
        for row in board
    ]
    note = (
        "Three points for a meeting, two games, that was won by the sum of the seeds, one for a drawn one; marks from "
        "1 to 5 by rank. Demo bots get no place and no mark, and what is won against them does not count."
    )
    return Table("The course championship", (">rank", "bot", ">points", ">games", ">W–D–L", ">mark"), rows, note)


def draw(figure: Any, results: Results) -> None:
    """The score of each learner against four bots that do not learn."""
    axes = figure.subplots()
    shown = ("greedy", "alpha-beta 2", "alpha-beta 3", "alpha-beta 4")
    for number, (other, colour) in enumerate(zip(shown, COLOURS, strict=False)):
        for place, learner in enumerate(LEARNERS):
            score = results.score("championship", learner, against=other)
            value, low, high = (100 * part for part in (score.value, score.low, score.high))
            axes.errorbar(
                value,
                place + 0.16 * (number - 1.5),
                xerr=[[value - low], [high - value]],
                fmt="o",
                markersize=4,
                color=colour,
                label=f"against {other}" if place == 0 else None,
            )
    axes.axvline(50, color=COLOURS[-1], linestyle="--", linewidth=1)
    axes.set_yticks(range(len(LEARNERS)), list(LEARNERS))
    axes.set_ylim(len(LEARNERS) - 0.5, -0.5)
    axes.set_xlim(0, 100)
    axes.set_xlabel("score in %, with 95 % intervals")
    axes.legend(loc="upper right", frameon=False)


def practice() -> list[Observation]:
    """What a quick run learns from: a few games of the engine against itself."""
    games = palabre.self_play("awele:stagnation=50", 6, nodes=50, seed=1)
    return [one for record in games for one in observed(record)]


STUDY = Study(
    name="awele-learning",
    game="awele",
    title="Awélé: bots that learn",
    question="What do the course's 303 observations buy?",
    text="""
The course hands out 303 positions from games of an experienced player against a novice, with the pit that was played
and whether that player won. Bots are to learn their decisions from them, and meet in a championship. Here seven models
of scikit-learn do so, each in two ways: they *imitate* the winners, or learn the *value* of a position, which is the
chance to win, and play the move that leaves the opponent least ([how they work](../learning.md)). The claims are about
the random forest; the tables have all models.
""",
    steps=(FILE, MOVES, RESULTS, CHAMPIONSHIP),
    claims=(
        Claim("The experienced player won all games.", "all of “several” games", _all_won),
        Claim("The winners' decisions can be learnt from the observations.", "the project's aim", _can_be_learnt),
        Claim("A bot that learns a value from 303 rows beats random.", "–", _against(VALUE, "random")),
        Claim("A bot that learns a value from 303 rows beats greedy.", "–", _against(VALUE, "greedy")),
        Claim("It beats alpha-beta of depth 4.", "–", _against(VALUE, "alpha-beta 4")),
        Claim("Learning a value is worth more than imitating.", "–", _against(VALUE, IMITATION)),
    ),
    minutes=12,
    tables=tables,
    plot=Plot(
        "The score of each of the fourteen learners against greedy and against alpha-beta of depth 2, 3 and 4, with "
        "95 % intervals; the tables below have the figures.",
        draw,
        height=5.5,
    ),
    limits=(
        "Ten games of one expert against one novice are one sample. The intervals say how well the score of these bots "
        "is known, not how other 303 rows would have taught them.",
        "In the course all games begin from the start. There these bots would repeat the same two games a hundred "
        "times, so here each repeat has an opening of random moves.",
        "The observations belong to the course and are not part of Palabre.",
    ),
    material=Material("the 303 rows of the Awélé course (header J1,…,J6,A1,…,A6,C,R)", practice),
)
