"""The laws of features: a net reads a row of its memory for each, so no number may be out of range."""

from palabre.compile.compiler import compiled, integers
from palabre.core.errors import shown
from palabre.core.kernels import kernel
from palabre.core.verbs import Rows, State, feature_limits, features, phase
from palabre.laws.inquiry import ROOM, GuardedBuffer, Inquiry


def check_features(inquiry: Inquiry, state: State) -> None:
    """The features of a position that is not over are in range, and the same again; so is its phase."""
    limits = feature_limits(type(state))
    if limits.features == 0:
        return
    rows, number = _seen(inquiry, state)
    for feature in rows:
        is_one = type(feature) is int and 0 <= feature < limits.features
        inquiry.expect(is_one, "features.number", feature=shown(feature), features=limits.features)
    is_phase = type(number) is int and 0 <= number < limits.phases
    inquiry.expect(is_phase, "features.phase", answer=shown(number), phases=limits.phases)
    again = _seen(inquiry, state)
    first = {"first": shown((rows, number)), "again": shown(again)}
    inquiry.expect(again == (rows, number), "purity.again", verb="features or phase", **first)


def _seen(inquiry: Inquiry, state: State) -> tuple[list[int], int]:
    """The features of a position, which there is room for, and its phase."""
    most = feature_limits(type(state)).most_features
    buffer = GuardedBuffer([-1] * (most + ROOM), "rows")
    count = inquiry.ask("features", features, state, buffer)
    inquiry.expect(type(count) is int and count >= 0, "features.no_count", answer=shown(count))
    written = next((place for place in reversed(range(len(buffer))) if buffer[place] != -1), -1)
    needed = max(count, written + 1)
    inquiry.expect(needed <= most, "features.too_many", count=needed, most=most)
    return buffer[:count], inquiry.ask("phase", phase, state)


@kernel
def seen(state: State, rows: Rows) -> tuple[int, int]:
    """How many features a position has, and its phase."""
    return features(state, rows), phase(state)


def compare_features(inquiry: Inquiry, state: State, remedy: object) -> None:
    """The features of a position are the same compiled."""
    most = feature_limits(type(state)).most_features
    if most == 0:
        return
    rows, plain_rows = integers([0] * (most + ROOM)), [0] * (most + ROOM)
    plain = inquiry.ask("plain Python", seen, state, plain_rows)
    count, number = inquiry.ask("compiled code", compiled(seen, inquiry.game), state, rows)
    is_same = plain == (count, number) and plain_rows[:count] == [int(row) for row in rows[:count]]
    inquiry.expect(is_same, "compiled.features", remedy=remedy)
