"""Game records: what is written reads back, what is damaged is named, and a file is never left half written."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import palabre
from palabre import UnreadableText
from palabre.core.record import Record, append, load, read_records, result_text, save
from palabre.core.words import Message
from tests import take_away
from tests.command import python
from tests.messages import holds, refuses
from tests.specs import EXAMPLE

SPECS = ["awele", "awele:abapa", "awele:stop=0,stagnation=30", "awele:stop=48"]
LATE = "1,0,0,0,0,0/0,0,0,0,0,6 20,21 2 7"
SHORT = '[Game "awele"]\n[Player1 "person"]\n[Result "*"]\n\n1. C d 2. A *\n'
# Player 2 takes the pits A and B, two seeds each, and has more than half.
WON = '[Game "awele"]\n[Start "1,1,0,0,0,2/0,0,0,0,0,2 19,23 2 0"]\n[Result "0-1"]\n\n1. f 0-1\n'


def random_record(spec: str, seed: int, plies: int, start: str | None = None, **tags: str) -> Record:
    """A random game, cut off after so many plies."""
    dice = random.Random(seed)
    game = palabre.game(spec)
    position = game.start() if start is None else game.position(start)
    while len(position.played) < plies and not position.is_over:
        position = position.play(dice.choice(position.moves()))
    return Record.of(position, **tags)


def told(text: str) -> Message:
    """What is said of a bad text; it names the source and is one line."""
    with pytest.raises(UnreadableText) as error:
        read_records(text, source="games.txt")
    message = error.value.message
    assert isinstance(message, Message)
    assert "games.txt" in str(message)
    assert "\n" not in str(message)
    assert len(str(message)) < 600
    return message


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize(("seed", "plies"), [(1, 0), (2, 1), (3, 37), (4, 10_000), (5, 10_000)])
def test_a_game_reads_back_as_it_was_written(spec: str, seed: int, plies: int) -> None:
    record = random_record(spec, seed, plies, Player1="a", Player2="b")
    [again] = read_records(record.to_text())
    assert again == record
    assert again.to_text() == record.to_text()
    assert again.positions() == record.positions()
    assert (record.result == "*") == (not record.positions()[-1].is_over)
    assert all(len(line) <= 100 for line in record.to_text().splitlines())


def test_a_game_from_another_start_keeps_it() -> None:
    record = random_record("awele:stop=0", 1, 5, start=LATE)
    assert f'[Start "{LATE}"]' in record.to_text()
    assert read_records(record.to_text()) == [record]
    assert record.positions()[0].text == LATE


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(["Event", "Player1", "Añada", "x_1"]), st.text()))
def test_tags_read_back_whatever_they_say(tags: dict[str, str]) -> None:
    """Quotes, backslashes, braces, brackets; only blank space is made even, since a tag is one line."""
    record = Record(palabre.game("awele"), ("C",), tags=tags)
    [again] = read_records(record.to_text())
    assert again.tags == {name: " ".join(value.split()) for name, value in tags.items()}
    assert again.moves == ("C",)


@settings(deadline=None)
@given(st.text().filter(lambda text: "}" not in text))
def test_comments_are_skipped_wherever_they_stand(comment: str) -> None:
    note = f"{{{comment}}}"
    text = f'[Game "awele"] {note} 1. C {note}{note} d {note} * {note}'.removesuffix(note)
    assert [record.moves for record in read_records(text)] == [("C", "d")]


def test_moves_may_be_written_with_any_numbers_and_case() -> None:
    [record] = read_records('[Game "awele"]\r\n\r\n17. c\r\n17... D 3.\tA\n\n*')
    assert [position.ply for position in record.positions()] == [0, 1, 2, 3]


def test_several_records_stand_in_one_file(tmp_path: Path) -> None:
    records = [random_record(spec, seed, 20 * seed, Round=str(seed)) for seed, spec in enumerate(SPECS)]
    save(records, tmp_path / "games.txt")
    assert load(tmp_path / "games.txt") == records
    save(records[:1], tmp_path / "games.txt")
    append(records[1], tmp_path / "games.txt")
    append(records[2], tmp_path / "games.txt")
    append(records[2], tmp_path / "new.txt")
    assert load(tmp_path / "games.txt") == records[:3]
    assert load(tmp_path / "new.txt") == records[2:3]
    assert read_records("") == read_records(" \n ") == []
    assert sorted(file.name for file in tmp_path.iterdir()) == ["games.txt", "new.txt"]


@pytest.mark.parametrize(
    ("found", "instead", "id", "params"),
    [
        ("Game", "Gane", "record.no_game_tag", {}),
        ('"awele"', '"awelle"', "did_you_mean", {"choice": "awele"}),
        ('"awele"', '"awele:stop=99"', "spec.range", {"least": 0, "most": 48}),
        ('"awele"', '"/no/such/game.py"', "record.not_trusted", {"game": "/no/such/game.py"}),
        ('"awele"]', '"awele]', "record.no_game_tag", {}),
        ('[Game "awele"]\n', "", "record.no_game_tag", {}),
        ("[Player1", "[Game", "record.tag_twice", {"tag": "Game"}),
        ('"person"', '"per"son"', "record.no_result", {}),
        ("d 2.", "x 2.", "record.move", {"number": 2, "game": "awele"}),
        ("d 2.", "d {2.", "record.no_result", {}),
        ("d 2.", "d } 2.", "record.no_result", {}),
        ("d 2.", "d [2.] 2.", "record.no_result", {}),
        ("A *", "A", "record.no_result", {}),
        ("1. C d 2. A *\n", "", "record.no_result", {}),
        ("A *", "A 1-0", "record.result_tag", {"tag": "*"}),
        ('"*"', '"1-0"', "record.result_tag", {"tag": "1-0"}),
        ("*", "1-0-0", "record.wrong_players", {"result": "1-0-0"}),
        ("*", "1/0-0", "record.no_result", {}),
        ("[Player1", '[Start "4,4 0,0 1 0"]\n[Player1', "text.parts", {}),
        ("[Player1", f'[Start "{"4" * 9999}"]\n[Player1', "error.position_too_long", {}),
    ],
)
def test_damage_is_named_with_its_record(found: str, instead: str, id: str, params: dict[str, object]) -> None:
    assert found in SHORT
    message = told(f"{WON}\n{SHORT}\n{SHORT.replace(found, instead)}")
    holds(message, "record.place", number=3, source="games.txt", line=13)
    holds(message, id, **params)


def test_a_record_without_moves_does_not_swallow_the_next_one() -> None:
    cut = SHORT[: SHORT.index("1. C")]
    holds(told(f"{WON}\n{cut}\n{SHORT}"), "record.place", number=2, source="games.txt", line=7)
    holds(told(f"{SHORT}\nrubbish"), "record.place", number=2, source="games.txt", line=7)


def test_a_result_that_the_moves_contradict_is_refused() -> None:
    assert [record.result for record in read_records(WON)] == ["0-1"]
    message = told(SHORT + WON.replace("0-1", "1-0"))
    holds(message, "record.place", number=2, source="games.txt", line=6)
    holds(message, "record.wrong_result", played="0-1", result="1-0")
    holds(told(WON.replace("0-1", "*")), "record.wrong_result", result="*")
    holds(told(WON.replace("1. f", "1. f A")), "record.move", number=2)
    [given_up] = read_records(SHORT.replace("*", "0-1"))
    assert (given_up.result, given_up.positions()[-1].result) == ("0-1", None)


@pytest.mark.parametrize(
    ("result", "text"),
    [(None, "*"), ((1.0, 0.0), "1-0"), ((0.5, 0.5), "1/2-1/2"), ((1 / 3, 1 / 3, 1 / 3), "1/3-1/3-1/3")],
)
def test_results_have_a_text(result: tuple[float, ...] | None, text: str) -> None:
    assert result_text(result) == text


@settings(deadline=None)
@given(st.binary() | st.text().map(str.encode) | st.integers(0, len(SHORT)).map(lambda cut: SHORT[:cut].encode()))
def test_any_bytes_are_records_or_an_unreadable_text(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    file = tmp_path_factory.getbasetemp() / "any.txt"
    file.write_bytes(content)
    try:
        records = load(file)
    except UnreadableText as error:
        told = str(error)
    else:
        told = f"{file}" if records == [] or content.startswith(b"[Game") else "something else was read"
    assert str(file) in told


@settings(deadline=None, max_examples=200)
@given(st.integers(0, len(WON)), st.integers(0, 9), st.text('[]{}"\\ \n1.-/*Cd', max_size=4))
def test_spoiled_records_are_records_or_unreadable(place: int, cut: int, put: str) -> None:
    try:
        records = read_records(f"{WON[:place]}{put}{WON[place + cut :]}\n{SHORT}")
    except UnreadableText:
        return
    assert records[-1].moves[-1] == "A"
    assert read_records("\n".join(record.to_text() for record in records)) == records


@pytest.mark.parametrize("name", ["missing.txt", ".", "missing/games.txt"])
def test_a_file_that_cannot_be_read_is_named(name: str, tmp_path: Path) -> None:
    with pytest.raises(UnreadableText, match=f"{tmp_path}.* cannot be read"):
        load(tmp_path / name)


@pytest.mark.parametrize("function", ["save", "append"])
def test_a_full_disk_leaves_the_old_records(function: str, tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    save([random_record("awele", 1, 50)], file)
    before = file.read_bytes()
    code = (
        "import resource, signal, sys; from pathlib import Path; from palabre.core import record\n"
        "file = Path(sys.argv[1]); [game] = record.load(file); size = file.stat().st_size + 100\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))\n"
        "try: record.append(game, file) if sys.argv[2] == 'append' else record.save([game] * 5, file)\n"
        "except OSError as error: print('full', error.errno)"
    )
    assert python(code, str(file), function, PYTHONDONTWRITEBYTECODE="1") == "full 27\n"
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


def test_a_saved_file_can_be_read_by_whom_it_could_be_before(tmp_path: Path) -> None:
    plain, file = tmp_path / "plain.txt", tmp_path / "games.txt"
    plain.write_text("")
    save([], file)
    assert file.stat().st_mode == plain.stat().st_mode
    file.chmod(0o640)
    save([random_record("awele", 1, 3)], file)
    assert file.stat().st_mode & 0o777 == 0o640


def test_a_game_file_is_run_only_if_the_record_is_trusted() -> None:
    start = palabre.game(EXAMPLE).start()
    text = Record.of(start.play("d")).to_text()
    with refuses("record.not_trusted"):
        read_records(text)
    assert read_records(text, trusted=True)[0].to_text() == text
    spec = read_records(text, trusted=True)[0].game.spec
    assert read_records(text, trusted=spec)[0].to_text() == text
    with refuses("record.not_trusted"):
        read_records(text, trusted="examples/another.py")


def test_a_game_file_may_lie_beside_the_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What somebody gives away as a folder can be read from anywhere."""
    text = take_away.source()
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    record = random_record("mine.py:heap=7", seed=1, plies=3)
    save([record], tmp_path / "games.pgn")
    monkeypatch.chdir(tmp_path.parent)
    (read,) = load(tmp_path / "games.pgn", trusted=True)
    assert (read.moves, read.game.spec) == (record.moves, f"{tmp_path / 'mine.py'}:heap=7")
    with refuses("record.not_trusted", game=f"{tmp_path / 'mine.py'}:heap=7"):
        load(tmp_path / "games.pgn", trusted="mine.py:heap=7")  # another file than the one that is found
    with refuses("spec.no_game_file", path=Path("mine.py")):
        read_records((tmp_path / "games.pgn").read_text(encoding="utf-8"), trusted=True)
