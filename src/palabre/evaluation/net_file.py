"""Files with nets: `NAME.net`, which training writes and an evaluation reads.

    palabre net 1                  a line
    {"game": "awele", …}           a line of JSON: the `NetHeader`
    zeros                          to a multiple of 64 bytes
    output biases                  64-bit integers, one for each phase; zeros to a multiple of 64 bytes
    rows                           16-bit integers; for every 32 lanes: the biases, a row for each feature, and the
                                   output weights of each phase
    SHA-256                        of everything before, 32 bytes

All numbers are little-endian. A file is data: nothing in it is run or unpickled. One that is cut short, changed,
foreign or of another version is refused by its name.
"""

import hashlib
import math
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Self

import msgspec

from palabre.core.errors import BadSpec
from palabre.core.files import replace_file
from palabre.core.lanes import LANES, ROW_BYTES
from palabre.core.words import Message, say

MAGIC = b"palabre net "
VERSION = 1
SIZES = (32, 64, 128)  # how many lanes a net may have
DIGEST_BYTES = 32
LARGEST_SCALE = 1e6  # of the factors: a value that is a sum of products must be finite
LONGEST_FILE = 1 << 28

Integers = Sequence[int]


class NetHeader(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a file says of its net. A value is skip · base + out_scale · (output bias + products of the lanes)."""

    game: str  # its spec
    fingerprint: str  # of the game's features: `features_fingerprint`
    lanes: int
    features: int
    phases: int
    base: str  # the name of the evaluation that the net adds to
    base_weights: dict[str, float]  # the values of its weights when the net was trained
    skip: float
    out_scale: float
    odds: float  # log-odds of winning for each point
    provenance: dict[str, str | int | float] = {}  # what made the net: command, seed, positions, hours, loss

    @property
    def chunks(self) -> int:
        """The parts of 32 lanes that the net has."""
        return self.lanes // LANES

    @property
    def rows_in_chunk(self) -> int:
        """Biases, features, output weights."""
        return 1 + self.features + self.phases


class Quantised(NamedTuple):
    """A net in integers, as a file has it."""

    header: NetHeader
    out_bias: tuple[int, ...]  # for each phase
    halves: bytes  # 16-bit integers, rows by chunk

    @classmethod
    def of_rows(
        cls,
        header: NetHeader,
        bias: Integers,
        rows: Sequence[Integers],
        out: Sequence[Integers],
        out_bias: Integers,
    ) -> Self:
        """A net of its biases, a row for each feature, and a row of output weights for each phase, over all lanes."""
        halves = array("h")
        for chunk in range(header.chunks):
            for row in (bias, *rows, *out):
                halves.extend(int(number) for number in row[LANES * chunk : LANES * (chunk + 1)])
        return cls(header, tuple(int(number) for number in out_bias), halves.tobytes())


def write_net(file: Path, net: Quantised) -> None:
    """Write a net to a file, all or nothing."""
    head = MAGIC + b"%d\n" % VERSION + msgspec.json.encode(net.header) + b"\n"
    body = _padded(head) + _padded(array("q", net.out_bias).tobytes()) + net.halves
    replace_file(file, body + hashlib.sha256(body).digest())


def read_net(file: Path) -> Quantised:
    """The net in a file; a `BadSpec` names the file, what is wrong with it, and the remedy."""
    try:
        with file.open("rb") as source:
            content = source.read(LONGEST_FILE)
    except OSError as error:
        raise BadSpec(say("net.unreadable", file=file, error=error.strerror)) from error
    first, _, rest = content.partition(b"\n")
    if not content.startswith(MAGIC):
        raise BadSpec(say("net.no_net", file=file))
    if first != MAGIC + b"%d" % VERSION:
        found = first.removeprefix(MAGIC)[:10].decode(errors="replace")
        raise BadSpec(say("net.version", file=file, found=found, version=VERSION))
    if hashlib.sha256(content[:-DIGEST_BYTES]).digest() != content[-DIGEST_BYTES:]:
        raise BadSpec(say("net.damaged", file=file))
    line, _, _ = rest.partition(b"\n")
    try:
        header = msgspec.json.decode(line, type=NetHeader)
    except msgspec.DecodeError as error:
        raise BadSpec(say("net.no_header", file=file, error=error)) from error
    body = content[_up(len(first) + len(line) + 2) : -DIGEST_BYTES]
    wrong = mistake(header, len(body))
    if wrong is not None:
        raise BadSpec(say("net.no_header", file=file, error=wrong))
    out_bias = array("q", body[: 8 * header.phases])
    return Quantised(header, tuple(out_bias), body[_up(8 * header.phases) :])


def mistake(header: NetHeader, body: int) -> Message | None:
    """What is wrong with the numbers in a header, or with the length of what follows it."""
    if header.lanes not in SIZES:
        return say("net.lanes", lanes=header.lanes)
    if header.features < 1 or header.phases < 1:
        return say("net.counts", features=header.features, phases=header.phases)
    for name in ("skip", "out_scale", "odds"):
        number = getattr(header, name)
        if not (math.isfinite(number) and abs(number) <= LARGEST_SCALE):
            return say("net.scale", name=name, value=str(number))
    expected = _up(8 * header.phases) + ROW_BYTES * header.chunks * header.rows_in_chunk
    return None if body == expected else say("net.length", found=body, expected=expected)


def _padded(content: bytes) -> bytes:
    return content.ljust(_up(len(content)), b"\0")


def _up(size: int) -> int:
    """The next multiple of the bytes of a row."""
    return -(-size // ROW_BYTES) * ROW_BYTES
