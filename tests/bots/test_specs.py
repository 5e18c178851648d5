"""Bot specs: what names a bot, what does not, and how a mistake is told; bots from anybody's file."""

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import palabre
from palabre.bots.specs import bot, bots_for, bots_for_any_game, split_specs
from palabre.core.errors import BadSpec
from palabre.core.spec import Decimal
from palabre.search.clock import Clock

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


def told(spec: str, game: palabre.Game = AWELE) -> str:
    """What is said of a bad spec, in one line."""
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
    ("game", "spec", "says"),
    [
        ("awele", "", "there is no bot ''; the bots are idiot, greedy, minimax, alphabeta, maxn, paranoid, bestreply"),
        ("awele", "alfabeta", "'alfabeta' (did you mean alphabeta?)"),
        ("awele", "randon:seed=3", "'randon' (did you mean random?)"),
        ("awele", "Idiot", "(did you mean idiot?)"),
        ("awele", "idiot:depth=3", "idiot has no parameter 'depth'; its parameters are seed"),
        ("awele", "alphabeta:dept=3", "'dept' (did you mean depth?); its parameters are depth, eval, playouts, seed"),
        (
            "awele",
            "alphabeta:6",
            "alphabeta: '6' is not parameter=value; its parameters are depth, eval, playouts, seed",
        ),
        ("awele", "alphabeta:depth=0", "depth='0' is not valid; depth is 1 to 30"),
        ("awele", "alphabeta:depth=31", "1 to 30"),
        ("awele", "alphabeta:depth=4.5", "1 to 30"),
        ("awele", "alphabeta:depth=", "depth=''"),
        ("awele", "alphabeta:depth=2,depth=2", "given twice"),
        ("awele", "alphabeta:depth=2,", "'' is not parameter=value"),
        ("awele", "idiot:seed=-1", "0 to 999999999"),
        ("awele", "idiot:seed=99999999999999999999", "0 to 999999999"),
        ("awele", "alphabeta:eval=corrected", "eval is standard, score"),
        ("awale", "alphabeta:eval=corected", "eval is raw, corrected, defence, standard, score"),
        ("avalam", "divine:eval=towers", "divine has no parameter 'eval'"),
        ("awele", "divine", "divine plays avalam, not awele; the bots for it are idiot, greedy, minimax, alphabeta"),
        ("abalone", "adaptive", "adaptive plays awale, not abalone"),
        ("avalam", "frabalon", "frabalon plays abalone, not avalam"),
        (
            "penguins:players=3",
            "alphabeta",
            "alphabeta plays games of 2 players, and penguins:players=3 has 3; the bots for it are idiot, greedy",
        ),
        ("awele", "x" * 600, "too long"),
    ],
)
def test_a_bad_spec_is_named_with_what_would_be_right(game: str, spec: str, says: str) -> None:
    assert says in told(spec, palabre.game(game))


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
    assert told(path) == f"{path} has several bots, MyBot, Other; say which, as in {path}:MyBot"
    assert told(f"{path}:Mybot").endswith("; it has MyBot, Other")


def test_a_bot_of_somebody_has_parameters_too(tmp_path: Path) -> None:
    path = write(tmp_path, WITH_OPTIONS)
    assert str(bot(path, AWELE).choose(AWELE.start(), Clock())) == "A"
    brave = bot(f"{path}:courage=0.75,depth=2", AWELE)
    assert str(brave.choose(AWELE.start(), Clock())) == "F"
    assert brave.spec == f"{path}:courage=0.75"
    assert "courage is a number from 0 to 1" in told(f"{path}:courage=2")
    assert "its parameters are depth, courage, seed" in told(f"{path}:heart=1")
    assert "plays awele, not avalam" in told(path, palabre.game("avalam"))


def test_another_name_for_a_bot_is_not_another_bot(tmp_path: Path) -> None:
    assert type(bot(write(tmp_path, MINE + "Mine = MyBot\n"), AWELE)).__name__ == "MyBot"


def test_an_init_of_its_own_need_not_call_ours(tmp_path: Path) -> None:
    path = write(tmp_path, MINE + "    def __init__(self):\n        self.memory = {}\n")
    found = bot(f"{path}:seed=5", AWELE)
    found.sit_down(AWELE, 0)
    assert found.options.number("seed") == 5


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "there is no bot in"),
        ("from palabre.bots import Bot", "no class in it is a subclass of palabre.Bot; palabre new bot FILE"),
        ("from palabre.bots.plain import Idiot, Greedy", "there is no bot in"),
        ("class MyBot: pass", "there is no bot in"),
        ("Bot = 3", "there is no bot in"),
        ("def choose(:", "SyntaxError"),
        ("import nothing_of_this_name", "ModuleNotFoundError: No module named 'nothing_of_this_name'"),
        ("1 / 0", "ZeroDivisionError"),
        ("raise SystemExit(3)", "SystemExit"),
        ("from palabre.bots import Bot\nclass MyBot(Bot): pass", "MyBot in"),
        (MINE + "    def __init__(self): raise SystemExit", "cannot be created: SystemExit"),
        (MINE + "    spec = property(lambda self: 'mine')", "cannot be created: AttributeError"),
        (MINE + "    def __init__(self, depth): pass", "cannot be created: TypeError"),
        (MINE + "    def __init__(self): raise KeyError('first\\nsecond')", "cannot be created: KeyError"),
        (
            MINE + "    @classmethod\n    def parameters(cls, game): return 1 / 0",
            "the parameters of MyBot cannot be read: Zero",
        ),
        (
            MINE + "    @classmethod\n    def parameters(cls, game): return None",
            "the parameters of MyBot cannot be read: Type",
        ),
        (
            MINE + "    @classmethod\n    def parameters(cls, game): return ['depth']",
            "the parameters of MyBot cannot be read",
        ),
    ],
)
def test_a_file_that_is_no_bot_is_named_with_the_reason(text: str, says: str, tmp_path: Path) -> None:
    message = told(write(tmp_path, text))
    assert says in message
    assert "mybot.py" in message or "MyBot" in message


@pytest.mark.parametrize("name", ["missing.py", "missing/mybot.py", ".", "mybot.txt/x.py"])
def test_a_file_that_is_not_there_is_named(name: str, tmp_path: Path) -> None:
    assert f"there is no bot file '{tmp_path / name}'" in told(f"{tmp_path}/{name}")


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
