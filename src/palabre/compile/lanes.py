"""The vectors of `core.lanes` in machine code: 32 numbers of 16 bits as one value, which LLVM puts into registers.

On a processor with AVX-512 that is one register, on a plain x86-64 four. The rows of a net are aligned to 64 bytes.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, models, register_model, type_callable

from palabre.compile.buffers import address_of
from palabre.compile.internals import bounds_are_checked
from palabre.core import lanes

_LANE = ir.IntType(16)
_VECTOR = ir.VectorType(_LANE, lanes.LANES)
_WIDE = ir.VectorType(ir.IntType(32), lanes.LANES)


class Lanes(types.Type):
    """A vector of 16-bit numbers as kernels hold it."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


LANES = Lanes()


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _VECTOR)


@type_callable(lanes.load_lanes)
def _type_load_lanes(context: Any) -> Any:
    return lambda memory, row: LANES


@lower_builtin(lanes.load_lanes, types.Integer, types.Integer)
def _lower_load_lanes(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    if bounds_are_checked():
        _refuse_beyond(context, builder, signature, arguments)
    address = _address(context, builder, signature, arguments, _VECTOR)
    return builder.load(address, align=lanes.ROW_BYTES)


def _refuse_beyond(context: Any, builder: Any, signature: Any, arguments: Any) -> None:
    """Raise an `IndexError` if memory does not have so many rows; how many it has is its first word."""
    row = context.cast(builder, arguments[1], signature.args[1], types.int64)
    first = _address(context, builder, signature, (arguments[0], row.type(0)), ir.IntType(64))
    with builder.if_then(builder.icmp_unsigned(">=", row, builder.load(first)), likely=False):
        context.call_conv.return_user_exc(builder, IndexError, ("there is no such row in memory",))


@type_callable(lanes.add_lanes)
def _type_add_lanes(context: Any) -> Any:
    return lambda one, other: LANES


@lower_builtin(lanes.add_lanes, Lanes, Lanes)
def _lower_add_lanes(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return builder.add(*arguments)


@type_callable(lanes.squared_dot)
def _type_squared_dot(context: Any) -> Any:
    return lambda one, weights: types.int64


@lower_builtin(lanes.squared_dot, Lanes, Lanes)
def _lower_squared_dot(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """The products fit into 32 bits, and so does the sum of 128 of them."""
    values, weights = arguments
    least, most = _constant(0), _constant(lanes.LARGEST)
    values = builder.select(builder.icmp_signed(">", values, least), values, least)
    values = builder.select(builder.icmp_signed("<", values, most), values, most)
    squares = builder.lshr(builder.mul(values, values), _constant(lanes.SHIFT))
    products = builder.mul(builder.sext(squares, _WIDE), builder.sext(weights, _WIDE))
    return builder.sext(builder.call(_reduction(builder), [products]), ir.IntType(64))


@type_callable(lanes.spread)
def _type_spread(context: Any) -> Any:
    return lambda word, number: LANES


@lower_builtin(lanes.spread, types.Integer, types.Integer)
def _lower_spread(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    bits = context.cast(builder, arguments[0], signature.args[0], types.int32)
    number = context.cast(builder, arguments[1], signature.args[1], types.int16)
    mask = builder.bitcast(bits, ir.VectorType(ir.IntType(1), lanes.LANES))
    return builder.select(mask, _in_all_lanes(builder, number), _constant(0))


def _in_all_lanes(builder: Any, number: Any) -> Any:
    """A vector with one number in all of its lanes."""
    first = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), number, ir.IntType(32)(0))
    return builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(ir.IntType(32), lanes.LANES), None))


@type_callable(lanes.store_lanes)
def _type_store_lanes(context: Any) -> Any:
    return lambda one, words, place: types.none


@lower_builtin(lanes.store_lanes, Lanes, types.Any, types.Integer)
def _lower_store_lanes(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    place = context.cast(builder, arguments[2], signature.args[2], types.intp)
    address = address_of(context, builder, signature.args[1], arguments[1], place)
    numbers = builder.sext(arguments[0], ir.VectorType(ir.IntType(64), lanes.LANES))
    builder.store(numbers, builder.bitcast(address, numbers.type.as_pointer()), align=8)
    return context.get_dummy_value()


@type_callable(lanes.load_real)
def _type_load_real(context: Any) -> Any:
    return lambda memory, place: types.float64


@lower_builtin(lanes.load_real, types.Integer, types.Integer)
def _lower_load_real(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return builder.load(_address(context, builder, signature, arguments, ir.DoubleType()))


@type_callable(lanes.load_word)
def _type_load_word(context: Any) -> Any:
    return lambda memory, place: types.int64


@lower_builtin(lanes.load_word, types.Integer, types.Integer)
def _lower_load_word(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return builder.load(_address(context, builder, signature, arguments, ir.IntType(64)))


def _address(context: Any, builder: Any, signature: Any, arguments: Any, kind: Any) -> Any:
    """The address of a thing of this kind in memory, by how many stand before it."""
    memory, place = (
        context.cast(builder, value, given, types.int64) for value, given in zip(arguments, signature.args, strict=True)
    )
    return builder.gep(builder.inttoptr(memory, kind.as_pointer()), [place])


def _constant(number: int) -> Any:
    return ir.Constant(_VECTOR, [number] * lanes.LANES)


def _reduction(builder: Any) -> Any:
    """LLVM's sum of a vector, declared by its name: llvmlite declares no intrinsic by the types of vectors."""
    name = f"llvm.vector.reduce.add.v{lanes.LANES}i32"
    known = builder.module.globals
    return known.get(name) or ir.Function(builder.module, ir.FunctionType(ir.IntType(32), [_WIDE]), name)
