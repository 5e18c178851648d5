"""Files of nets: read back as they were written, and refused by name if anything is wrong with them."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import palabre
from palabre.evaluation.names import evaluation, read_net_weights
from palabre.evaluation.net_file import NetHeader, Quantised, read_net, write_net
from tests.messages import refuses
from tests.nets import header, random_net, write_random_net
from tests.specs import EXAMPLE

AWELE = palabre.game("awele")
OTHER_WEIGHTS = {"kpet": 1.0}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with a net for Awélé."""
    return Path(write_random_net(tmp_path / "mine.net", AWELE))


@pytest.mark.parametrize("spec", ["awele:abapa", "avalam:official", EXAMPLE])
@pytest.mark.parametrize("lanes", [32, 64, 128])
def test_a_net_is_read_back_as_it_was(spec: str, lanes: int, tmp_path: Path) -> None:
    net = random_net(palabre.game(spec), lanes)
    write_net(tmp_path / "mine.net", net)
    assert read_net(tmp_path / "mine.net") == net


def test_rows_are_kept_by_chunk() -> None:
    small: NetHeader = msgspec.structs.replace(header(AWELE, 64), features=1, phases=1)
    numbers = [list(range(start, start + 64)) for start in (0, 100, 200)]
    net = Quantised.of_rows(small, numbers[0], [numbers[1]], [numbers[2]], [7])
    halves = list(memoryview(net.halves).cast("h"))
    assert halves == [row[lane] for chunk in (0, 32) for row in numbers for lane in range(chunk, chunk + 32)]


def test_a_file_is_not_larger_than_its_rows(file: Path) -> None:
    net = read_net(file)
    assert file.stat().st_size < len(net.halves) + 2_000
    assert file.read_bytes().startswith(b"palabre net 1\n{")


@pytest.mark.parametrize(
    ("spoil", "id"),
    [
        (lambda content: b"", "net.no_net"),
        (lambda content: b"PK\x03\x04" + content, "net.no_net"),
        (lambda content: content.replace(b"palabre net 1", b"palabre net 2", 1), "net.version"),
        (lambda content: b"palabre net ", "net.version"),
        (lambda content: content[:-1], "net.damaged"),
        (lambda content: content + b"\0", "net.damaged"),
        (lambda content: content[:2000] + bytes([content[2000] ^ 1]) + content[2001:], "net.damaged"),
        (lambda content: content[:20], "net.damaged"),
    ],
)
def test_a_spoilt_file_is_refused_by_its_name(spoil: Callable[[bytes], bytes], id: str, file: Path) -> None:
    file.write_bytes(spoil(file.read_bytes()))
    with refuses(id, file=file) as refused:
        read_net_weights(AWELE, file)
    assert str(file) in str(refused.value)


def write_sealed(file: Path, line: bytes, rest: bytes = b"") -> None:
    """A file with a header of our own, and a checksum that fits."""
    body = (b"palabre net 1\n" + line + b"\n").ljust(64 * 20, b"\0") + rest
    file.write_bytes(body + hashlib.sha256(body).digest())


@pytest.mark.parametrize("line", [b"{}", b"[]", b"{", b'{"game": 3}', b"\xff", b"[" * 1000])
def test_a_header_that_is_none_is_refused(line: bytes, tmp_path: Path) -> None:
    write_sealed(tmp_path / "mine.net", line)
    with refuses("net.no_header", file=tmp_path / "mine.net"):
        read_net(tmp_path / "mine.net")


@pytest.mark.parametrize(
    ("changes", "id"),
    [
        ({"lanes": 16}, "net.lanes"),
        ({"lanes": 0}, "net.lanes"),
        ({"lanes": 64}, "net.length"),
        ({"features": 0}, "net.counts"),
        ({"features": 10**9}, "net.length"),
        ({"phases": 0}, "net.counts"),
        ({"phases": 7}, "net.length"),
        ({"phases": -1}, "net.counts"),
        ({"out_scale": 1e300}, "net.scale"),
        ({"skip": -1e7}, "net.scale"),
    ],
)
def test_numbers_that_no_net_has_are_refused(changes: dict[str, object], id: str, file: Path) -> None:
    net = read_net(file)
    write_net(file, net._replace(header=msgspec.structs.replace(net.header, **changes)))
    with refuses(id) as refused:
        read_net(file)
    assert str(file) in str(refused.value)


@pytest.mark.parametrize("name", ["skip", "out_scale", "odds"])
@pytest.mark.parametrize("number", [b"NaN", b"1e999", b"null"])
def test_what_is_no_number_is_refused(name: str, number: bytes, tmp_path: Path) -> None:
    known = msgspec.json.encode(header(AWELE))
    before = msgspec.json.encode(getattr(header(AWELE), name))
    write_sealed(
        tmp_path / "mine.net", known.replace(b'"%s":%s' % (name.encode(), before), b'"%s":%s' % (name.encode(), number))
    )
    with refuses("net.no_header", file=tmp_path / "mine.net"):
        read_net(tmp_path / "mine.net")


@pytest.mark.parametrize(
    ("changes", "id", "parameters"),
    [
        ({"game": "avalam"}, "net.other_game", {"found": "avalam", "game": "awele"}),
        ({"game": "awele:abapa"}, "net.other_game", {"found": "awele:abapa", "game": "awele"}),
        ({"fingerprint": "0" * 16}, "net.other_features", {"game": "awele"}),
        ({"base": "divine"}, "net.no_base", {"base": "divine", "game": "awele"}),
        ({"base_weights": OTHER_WEIGHTS}, "weights.no_weight", {"name": "kpet"}),
    ],
)
def test_a_net_for_something_else_is_refused(
    changes: dict[str, Any], id: str, parameters: dict[str, object], tmp_path: Path
) -> None:
    file = write_random_net(tmp_path / "mine.net", AWELE, **changes)
    with refuses(id, file=file, **parameters):
        palabre.bot(f"palabre:eval={file}", AWELE)


def test_a_net_serves_all_parameters_of_its_preset(file: Path) -> None:
    assert evaluation(palabre.game("awele:stop=9"), str(file)) == evaluation(AWELE, str(file))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with refuses("net.unreadable", file=tmp_path / "none.net"):
        evaluation(AWELE, str(tmp_path / "none.net"))


def test_a_file_that_has_changed_is_read_again(file: Path) -> None:
    before = evaluation(AWELE, str(file))
    assert evaluation(AWELE, str(file)) is before
    write_random_net(file, AWELE, seed=5, provenance={"seed": 5})
    assert evaluation(AWELE, str(file)) != before
