"""Bot specs: what names a bot, what does not, and how a mistake is refused; bots from users' files."""

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import palabre
from palabre.bots.specs import bot, bots_for, bots_for_any_game, split_specs
from palabre.core.errors import BadSpec
from palabre.core.spec import Decimal
from palabre.core.words import Message, say
from palabre.search.clock import Clock
from tests.messages import refuses
from tests.sentences import tells

AWELE = palabre.game("awele")
MINE = """\
from palabre.bots import Bot
class MyBot(Bot):
    def choose(self, position, clock):
        return position.moves()[0]
"""
TWO = MINE + "class Other(MyBot):\n    pass\n"
WITH_OPTIONS = """\
from palabre.bots import Bot
from palabre.core.spec import Decimal, Parameter
class MyBot(Bot):
    games = ("awele",)
    @classmethod
    def parameters(cls, game):
        return [Parameter("depth", 2, range(1, 9), "plies"), Decimal("courage", 0.5, 0, 1, "how much")]
    def choose(self, position, clock):
        return position.moves()[-1 if self.options.decimal("courage") > 0.7 else 0]
"""


def write(folder: Path, text: str, name: str = "mybot.py") -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


OPTIONS = say("spec.parameters", names="depth, eval, playouts, seed")
DEPTHS = say("spec.range", least=1, most=30)
SEEDS = say("spec.range", least=0, most=999999999)


def hint(choice: str) -> Message:
    return say("did_you_mean", choice=choice)


def refusal_of(spec: str, game: palabre.Game = AWELE) -> str:
    """The error for a bad spec, in one line."""
    with pytest.raises(BadSpec) as error:
        bot(spec, game)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 900
    return str(error.value)


@pytest.mark.parametrize(
    ("game", "spec", "canonical"),
    [
        ("awele", "idiot", "idiot"),
        ("awele", "random", "random"),
        ("awele", " random: seed = 7 ", "random:seed=7"),
        ("awele", "idiot:seed=0", "idiot"),
        ("awele", "greedy:", "greedy"),
        ("awele", "alphabeta:eval=score", "alphabeta"),
        ("awele", "alphabeta:seed=1,depth=6,eval=score", "alphabeta:depth=6,seed=1"),
        ("avalam", "alphabeta:eval=divine,depth=4", "alphabeta:eval=divine"),
        ("avalam:official", "divine:depth=2", "divine:depth=2"),
        ("abalone:official", "frabalon", "frabalon"),
        ("awale", "adaptive:eval=corrected", "adaptive"),
        ("awale", "adaptive:eval=raw", "adaptive:eval=raw"),
        ("penguins", "minimax:eval=score", "minimax:eval=score"),
        ("penguins:players=4", "maxn:depth=0,eval=standard,time=0.1", "maxn:time=0.1"),
        ("penguins:players=3", "penguins-hard:seed=2", "penguins-hard:seed=2"),
    ],
)
def test_a_spec_has_one_canonical_spelling(game: str, spec: str, canonical: str) -> None:
    found = palabre.game(game)
    assert bot(spec, found).spec == canonical
    assert bot(canonical, found).spec == canonical
    assert bot(canonical, found).options == bot(spec, found).options


@pytest.mark.parametrize(
    ("game", "usual"),
    [
        ("awele", "score"),
        ("awale", "corrected"),
        ("abalone", "frabalon"),
        ("avalam", "towers"),
        ("penguins", "weights"),
    ],
)
def test_every_game_has_its_usual_evaluation(game: str, usual: str) -> None:
    assert bot("alphabeta", palabre.game(game)).options.word("eval") == usual


@pytest.mark.parametrize(
    ("game", "spec", "id", "parameters"),
    [
        ("awele", "", "spec.no_bot", {"name": "", "hint": ""}),
        ("awele", "alfabeta", "spec.no_bot", {"name": "alfabeta", "hint": hint("alphabeta")}),
        ("awele", "randon:seed=3", "spec.no_bot", {"name": "randon", "hint": hint("random")}),
        ("awele", "Idiot", "spec.no_bot", {"hint": hint("idiot")}),
        (
            "awele",
            "idiot:depth=3",
            "spec.unknown_parameter",
            {"owner": "idiot", "name": "depth", "valid": say("spec.parameters", names="seed")},
        ),
        (
            "awele",
            "alphabeta:dept=3",
            "spec.unknown_parameter",
            {"name": "dept", "hint": hint("depth"), "valid": OPTIONS},
        ),
        ("awele", "alphabeta:6", "spec.no_value", {"owner": "alphabeta", "word": "6", "valid": OPTIONS}),
        ("awele", "alphabeta:depth=0", "spec.bad_value", {"name": "depth", "value": "0", "valid": DEPTHS}),
        ("awele", "alphabeta:depth=31", "spec.bad_value", {"value": "31", "valid": DEPTHS}),
        ("awele", "alphabeta:depth=4.5", "spec.bad_value", {"value": "4.5", "valid": DEPTHS}),
        ("awele", "alphabeta:depth=", "spec.bad_value", {"value": ""}),
        ("awele", "alphabeta:depth=2,depth=2", "spec.given_twice", {"name": "depth"}),
        ("awele", "alphabeta:depth=2,", "spec.no_value", {"word": ""}),
        ("awele", "idiot:seed=-1", "spec.bad_value", {"valid": SEEDS}),
        ("awele", "idiot:seed=99999999999999999999", "spec.bad_value", {"valid": SEEDS}),
        ("awele", "alphabeta:eval=corrected", "spec.bad_value", {"name": "eval", "value": "corrected"}),
        ("awale", "alphabeta:eval=corected", "spec.bad_value", {"name": "eval", "value": "corected"}),
        ("avalam", "divine:eval=towers", "spec.unknown_parameter", {"owner": "divine", "name": "eval"}),
        ("awele", "divine", "spec.bot_of_games", {"games": "avalam", "game": "awele"}),
        ("abalone", "adaptive", "spec.bot_of_games", {"games": "awale", "game": "abalone"}),
        ("avalam", "frabalon", "spec.bot_of_games", {"games": "abalone", "game": "avalam"}),
        (
            "penguins:players=3",
            "alphabeta",
            "spec.bot_of_players",
            {"most": 2, "game": "penguins:players=3", "players": 3},
        ),
        ("awele", "x" * 600, "spec.bot_too_long", {"spec": "x" * 600}),
    ],
)
def test_a_bad_spec_is_named_with_what_would_be_right(
    game: str, spec: str, id: str, parameters: dict[str, object]
) -> None:
    with refuses(id, **parameters):
        bot(spec, palabre.game(game))
    refusal_of(spec, palabre.game(game))


@pytest.mark.parametrize(
    ("game", "spec", "choices"),
    [
        ("awele", "alphabeta:eval=corrected", "standard, score"),
        ("awale", "alphabeta:eval=corected", "raw, corrected, defence, standard, score"),
        ("awele", "divine", "idiot, greedy, minimax, alphabeta"),
        ("penguins:players=3", "alphabeta", "idiot, greedy"),
    ],
)
def test_what_is_refused_comes_with_the_choices(game: str, spec: str, choices: str) -> None:
    assert choices in refusal_of(spec, palabre.game(game))


@settings(deadline=None)
@example("x/\0.py")
@example("\ud800/a.py")
@example("a" * 300 + "/b")
@example("C:\\bots\\mine.py:MyBot")
@example("idiot:\n=")
@given(st.text(max_size=40) | st.from_regex(r"(alphabeta|idiot):[a-z=,0-9 ]*") | st.from_regex(r"[./~a-z]*\.py(:.*)?"))
def test_any_text_is_a_bot_or_a_palabre_error(text: str) -> None:
    try:
        found = bot(text, AWELE)
    except palabre.PalabreError:
        return
    assert bot(found.spec, AWELE).spec == found.spec


def test_bots_know_which_games_they_play() -> None:
    for_all = ["idiot", "greedy", "maxn", "paranoid", "bestreply", "montecarlo", "mcts"]
    for_two = [*for_all[:2], "minimax", "alphabeta", *for_all[2:], "palabre"]
    levels = ["penguins-easy", "penguins-medium", "penguins-hard"]
    assert bots_for(AWELE) == [*for_two, "learner"]
    assert bots_for(palabre.game("penguins:players=4")) == [*for_all, *levels]  # the game's own come last
    assert bots_for(palabre.game("avalam"))[-1] == "divine"
    assert bots_for(palabre.game("examples/connect_four.py")) == for_two
    for name in bots_for_any_game():
        assert any(name in bots_for(palabre.game(game)) for game in palabre.core.registry.names())


@pytest.mark.parametrize(
    ("text", "specs"),
    [
        ("person,random", ["person", "random"]),
        ("person", ["person"]),
        ("", [""]),
        ("a,,b", ["a", "", "b"]),
        (
            "person, alphabeta:depth=4, eval=score ,idiot:seed=3",
            ["person", "alphabeta:depth=4, eval=score ", "idiot:seed=3"],
        ),
        ("my/bot.py:MyBot,seed=2,my/bot.py:seed=3", ["my/bot.py:MyBot,seed=2", "my/bot.py:seed=3"]),
        ("depth=3,idiot", ["depth=3", "idiot"]),
    ],
)
def test_lists_of_specs_are_split_between_bots_not_within(text: str, specs: list[str]) -> None:
    assert split_specs(text) == specs


# ------------------------------------------------------------------------------------------------ bots from a file


def test_the_only_bot_of_a_file_needs_no_name(tmp_path: Path) -> None:
    path = write(tmp_path, MINE)
    found = bot(path, AWELE)
    assert str(found.choose(AWELE.start(), Clock())) == "A"
    assert (found.spec, type(found).__name__) == (path, "MyBot")
    assert bot(f"{path}:MyBot", AWELE).spec == path
    assert bot(f"{path}:MyBot,seed=3", AWELE).spec == f"{path}:seed=3"


def test_of_several_bots_one_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, TWO)
    assert bot(f"{path}:Other,seed=3", AWELE).spec == f"{path}:Other,seed=3"
    assert bot(bot(f"{path}:Other,seed=3", AWELE).spec, AWELE).options.number("seed") == 3
    with refuses("spec.several_bots", path=path, bots="MyBot, Other", first="MyBot"):
        bot(path, AWELE)
    with refuses("spec.not_that_bot", name="Mybot", path=path, bots="MyBot, Other"):
        bot(f"{path}:Mybot", AWELE)


def test_a_bot_of_somebody_has_parameters_too(tmp_path: Path) -> None:
    path = write(tmp_path, WITH_OPTIONS)
    assert str(bot(path, AWELE).choose(AWELE.start(), Clock())) == "A"
    brave = bot(f"{path}:courage=0.75,depth=2", AWELE)
    assert str(brave.choose(AWELE.start(), Clock())) == "F"
    assert brave.spec == f"{path}:courage=0.75"
    with refuses("spec.decimal_range", least=0, most=1):
        bot(f"{path}:courage=2", AWELE)
    with refuses("spec.parameters", names="depth, courage, seed"):
        bot(f"{path}:heart=1", AWELE)
    with refuses("spec.bot_of_games", games="awele", game="avalam"):
        bot(path, palabre.game("avalam"))


def test_another_name_for_a_bot_is_not_another_bot(tmp_path: Path) -> None:
    assert type(bot(write(tmp_path, MINE + "Mine = MyBot\n"), AWELE)).__name__ == "MyBot"


PARAMETERS = MINE + "    @classmethod\n    def parameters(cls, game): return "


def test_an_init_of_its_own_need_not_call_ours(tmp_path: Path) -> None:
    path = write(tmp_path, MINE + "    def __init__(self):\n        self.memory = {}\n")
    found = bot(f"{path}:seed=5", AWELE)
    found.sit_down(AWELE, 0)
    assert found.options.number("seed") == 5


@pytest.mark.parametrize(
    ("text", "id", "says"),
    [
        ("", "spec.no_bot_in_file", ""),
        ("from palabre.bots import Bot", "spec.no_bot_in_file", ""),
        ("from palabre.bots.plain import Idiot, Greedy", "spec.no_bot_in_file", ""),
        ("class MyBot: pass", "spec.no_bot_in_file", ""),
        ("Bot = 3", "spec.no_bot_in_file", ""),
        ("def choose(:", "spec.unloadable", "SyntaxError"),
        ("import nothing_of_this_name", "spec.unloadable", "ModuleNotFoundError: "),
        ("1 / 0", "spec.unloadable", "ZeroDivisionError"),
        ("raise SystemExit(3)", "spec.unloadable", "SystemExit"),
        ("from palabre.bots import Bot\nclass MyBot(Bot): pass", "spec.no_choose", ""),
        (MINE + "    def __init__(self): raise SystemExit", "spec.not_created", "SystemExit"),
        (MINE + "    spec = property(lambda self: 'mine')", "spec.not_created", "AttributeError"),
        (MINE + "    def __init__(self, depth): pass", "spec.not_created", "TypeError"),
        (MINE + "    def __init__(self): raise KeyError('first\\nsecond')", "spec.not_created", "KeyError"),
        (PARAMETERS + "1 / 0", "spec.no_parameters_told", "ZeroDivisionError"),
        (PARAMETERS + "None", "spec.no_parameters_told", "TypeError"),
        (PARAMETERS + "['depth']", "spec.no_parameters_told", ""),
    ],
)
def test_a_file_that_is_no_bot_is_named_with_the_reason(text: str, id: str, says: str, tmp_path: Path) -> None:
    message = refusal_of(write(tmp_path, text))
    assert tells(message, id)
    assert says in message
    assert "mybot.py" in message or "MyBot" in message


@pytest.mark.parametrize("name", ["missing.py", "missing/mybot.py", "mybot.txt/x.py"])
def test_a_file_that_is_not_there_is_named(name: str, tmp_path: Path) -> None:
    with refuses("spec.no_bot_file", path=tmp_path / name):
        bot(f"{tmp_path}/{name}", AWELE)


def test_a_folder_without_a_bot_is_named(tmp_path: Path) -> None:
    with refuses("submission.no_source", path=str(tmp_path)):
        bot(f"{tmp_path}/", AWELE)


def test_a_bot_may_keep_helpers_beside_it(tmp_path: Path) -> None:
    write(tmp_path, "LAST = -1", "my_bot_helper.py")
    path = write(tmp_path, "from my_bot_helper import LAST\n" + MINE.replace("[0]", "[LAST]"))
    assert str(bot(path, AWELE).choose(AWELE.start(), Clock())) == "F"


@pytest.mark.parametrize(
    ("text", "value"),
    [("0", 0.0), ("1", 1.0), ("0.25", 0.25), ("-0.5", -0.5), ("00.5", 0.5)]
    + [
        (text, None) for text in ("1.1", "-0.6", "1e-1", "nan", "inf", ".5", "1.", "", " 1", "1_0", "+1", "٠", "0" * 30)
    ],
)
def test_decimal_numbers_are_read_in_their_usual_spelling(text: str, value: float | None) -> None:
    assert Decimal("courage", 0.5, -0.5, 1, "how much").read(text) == value


@pytest.mark.parametrize("value", [True, 4.0, "4,seed=3", "seed=3", " 4", (4,), 10**30, float("nan")])
def test_an_argument_is_one_value_and_is_not_read_as_a_spec(value: object) -> None:
    with refuses("spec.bad_value", owner="alphabeta", name="depth", value=str(value), valid=DEPTHS):
        bot("alphabeta", AWELE, depth=value)  # type: ignore[arg-type]


@pytest.mark.parametrize(("value", "accepted"), [(0, 0.0), (0.25, 0.25), ("0.25", 0.25), (1e-3, 0.001), (-1, None)])
def test_decimal_arguments_are_numbers_within_the_bounds(value: float | str, accepted: float | None) -> None:
    assert Decimal("courage", 0.5, -0.5, 1, "how much").accept(value) == accepted
    for other in (True, float("nan"), float("inf"), "1e-3", [0.5]):
        assert Decimal("courage", 0.5, -0.5, 1, "how much").accept(other) is None


def test_parameters_may_be_arguments(tmp_path: Path) -> None:
    assert bot("alphabeta:depth=5", AWELE, eval="standard", seed=None).spec == "alphabeta:depth=5,eval=standard"
    mine = bot(f"{write(tmp_path, TWO)}:Other", AWELE, seed=3)
    assert (type(mine).__name__, mine.options.number("seed")) == ("Other", 3)
    with refuses("spec.given_twice", owner="alphabeta", name="depth"):
        bot("alphabeta:depth=4", AWELE, depth=5)
    with refuses("spec.bad_value", owner="alphabeta", name="depth", value="99", valid=DEPTHS):
        bot("alphabeta", AWELE, depth=99)
    for foreign in ("ugi:./engine --fast", "pipe:cat"):
        with refuses("spec.unknown_parameter", owner=foreign, name="threads"):
            bot(foreign, AWELE, threads=2)
