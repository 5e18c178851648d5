"""Evaluations by name and from files of weights: what is in a file counts, what cannot is named."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import palabre
from palabre.bots.specs import bot
from palabre.core.errors import PalabreError
from palabre.core.words import say
from palabre.evaluation.names import evaluation, formula, unit
from palabre.games.awele.evaluation import Standard
from palabre.search.clock import Clock
from tests.command import PLAIN
from tests.command import palabre as command
from tests.messages import refuses

AWELE = palabre.game("awele")


def write(folder: Path, document: Any) -> str:
    file = folder / "weights.json"
    file.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return str(file)


def for_standard(**weights: Any) -> dict[str, Any]:
    return {"game": "awele", "evaluation": "standard", "weights": weights}


def test_weights_in_a_file_replace_the_usual_ones(tmp_path: Path) -> None:
    file = write(tmp_path, for_standard(kept=-3, odds=0.25))
    assert evaluation(AWELE, file) == Standard(kept=-3.0, odds=0.25)
    assert all(isinstance(weight, float) for weight in evaluation(AWELE, file))  # a search is compiled for floats
    assert (formula(AWELE, file), formula(AWELE, "score")) == ("standard", "score")
    assert evaluation(palabre.game("awele:abapa"), file) == Standard(kept=-3.0, odds=0.25)


def test_points_are_what_the_game_counts_unless_the_evaluation_has_a_scale_of_its_own(tmp_path: Path) -> None:
    awale = palabre.game("awale")
    assert [unit(awale, name) for name in ("standard", "score", "corrected", None)] == ["seeds"] * 2 + ["points"] * 2
    assert unit(AWELE, write(tmp_path, for_standard(kept=-3))) == "seeds"


def test_names_of_former_versions_are_still_read(tmp_path: Path) -> None:
    file = write(tmp_path, {"game": "awele", "evaluation": "keen", "weights": {"kept": -3}})
    assert evaluation(AWELE, file) == Standard(kept=-3.0)
    assert formula(AWELE, file) == "standard"
    assert evaluation(AWELE, "keen") == Standard()
    assert formula(AWELE, "keen") == "standard"
    assert bot("palabre:nodes=9,eval=keen", AWELE).spec == "palabre:nodes=9"
    assert bot("alphabeta:eval=keen", AWELE).options.word("eval") == "standard"


@pytest.mark.usefixtures("plain_python")
@pytest.mark.parametrize("name", ["palabre:depth=1", "alphabeta:depth=1", "minimax:depth=1", "maxn:depth=1"])
def test_a_bot_plays_by_them(name: str, tmp_path: Path) -> None:
    position = AWELE.position("1,0,0,0,0,1/1,4,4,4,4,4 13,12 1 0")  # F takes two seeds, A takes none
    generous = write(tmp_path, {"game": "awele", "evaluation": "score", "weights": {"lead": -1}})
    for file, move in (("score", "F"), (generous, "A")):
        made = bot(f"{name},eval={file}", AWELE)
        made.sit_down(AWELE, 0)
        assert str(made.choose(position, Clock())) == move


def test_a_spec_with_a_file_is_spelt_as_it_was(tmp_path: Path) -> None:
    file = write(tmp_path, for_standard(kept=0.2))
    assert bot(f"palabre:nodes=9, eval={file}", AWELE).spec == f"palabre:nodes=9,eval={file}"


@pytest.mark.parametrize(
    ("document", "id", "parameters"),
    [
        ("{", "weights.no_json", {}),
        ("[" * 100_000, "weights.no_json", {}),
        ("[]", "weights.incomplete", {}),
        ({"game": "awele", "weights": {}}, "weights.incomplete", {}),
        ({"game": "awele", "evaluation": ["standard"], "weights": {}}, "weights.incomplete", {}),
        (
            {"game": "awale", "evaluation": "standard", "weights": {}},
            "weights.other_game",
            {"found": "awale", "game": "awele"},
        ),
        (
            {"game": "awele", "evaluation": "standart", "weights": {}},
            "weights.no_evaluation",
            {"found": "standart", "hint": say("did_you_mean", choice="standard")},
        ),
        (
            {"game": "awele", "evaluation": "montecarlo", "weights": {"playouts": 9}},
            "weights.no_weight",
            {"weights": say("weights.none")},
        ),
        (
            for_standard(kpet=1),
            "weights.no_weight",
            {"evaluation": "standard", "name": "kpet", "weights": "lead, kept, choice, win, odds"},
        ),
        (for_standard(kept="much"), "weights.bad_weight", {"name": "kept", "value": "much", "most": 1_000_000}),
        (for_standard(kept=True), "weights.bad_weight", {"value": "True"}),
        (for_standard(kept=None), "weights.bad_weight", {"value": "None"}),
        (for_standard(kept=float("nan")), "weights.bad_weight", {"value": "nan"}),
        (for_standard(kept=10**400), "weights.bad_weight", {"value": str(10**400)}),
    ],
)
def test_a_file_that_will_not_do_is_named_with_the_reason(
    document: Any, id: str, parameters: dict[str, object], tmp_path: Path
) -> None:
    file = write(tmp_path, document)
    with refuses(id, file=file, **parameters) as refused:
        bot(f"palabre:eval={file}", AWELE)
    assert file in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with refuses("weights.unreadable", file=str(tmp_path / "none.json"), error="No such file or directory"):
        evaluation(AWELE, str(tmp_path / "none.json"))
    (tmp_path / "folder.json").mkdir()
    with refuses("weights.unreadable", file=str(tmp_path / "folder.json"), error="Is a directory"):
        evaluation(AWELE, str(tmp_path / "folder.json"))
    with refuses("spec.no_evaluation", evaluations="standard, score, montecarlo, net", ending=".json"):
        evaluation(AWELE, "weights.jsn")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["lead", "kept", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(
    JSON
    | st.fixed_dictionaries({"game": JSON, "evaluation": JSON, "weights": JSON})
    | JSON.map(lambda w: for_standard(kept=w))
)
def test_any_document_is_weights_or_a_palabre_error(tmp_path_factory: pytest.TempPathFactory, document: Any) -> None:
    file = write(tmp_path_factory.getbasetemp(), document)
    try:
        found = evaluation(AWELE, file)
    except PalabreError:
        return
    assert isinstance(found, Standard)


def test_a_fit_can_be_matched_against_what_it_began_from(tmp_path: Path) -> None:
    out = tmp_path / "fitted.json"
    quick = ("--nodes", "50", "--games", "20", "--processes", "1")
    done = command("fit", "awele", "--eval", "standard", *quick, "--out", str(out))
    assert done.returncode == 0, done.stderr
    fitted = evaluation(AWELE, str(out))
    assert isinstance(fitted, Standard)
    assert fitted.lead == 1.0
    assert fitted.win == Standard().win
    assert fitted[1:] != Standard()[1:]
    done = command("match", f"palabre:nodes=50,eval={out}", "palabre:nodes=50", "--game", "awele", "--games", "2")
    assert done.returncode == 0, done.stderr
    done = command("fit", "awele", "--eval", str(out), *quick, "--json")
    again = json.loads(done.stdout)
    assert (again["evaluation"], again["game"]) == ("standard", "awele")
    done = command("analyse", "awele", "--eval", str(out), "--nodes", "100", "--json", settings=PLAIN)
    assert json.loads(done.stdout)["unit"] == "seeds"


def test_a_missing_file_is_told_before_the_match(tmp_path: Path) -> None:
    done = command("match", f"palabre:eval={tmp_path}/no.json", "idiot", "--game", "awele")
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert "no.json" in done.stderr


def test_weights_of_a_game_file_hold_wherever_it_lies(tmp_path: Path) -> None:
    file = write(tmp_path, {"game": "old/othello.py", "evaluation": "standard", "weights": {"mobility": 0.5}})
    assert evaluation(palabre.game("examples/othello.py"), file).mobility == 0.5  # type: ignore[attr-defined]
    with refuses("weights.other_game", found="old/othello.py", game="connect-four"):
        evaluation(palabre.game("examples/connect_four.py"), file)
