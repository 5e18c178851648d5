"""Rows of 64-bit integers in compiled code: move buffers, and arrays that a kernel passes down a recursion.

One of Numba's arrays takes seven numbers at every call, counts references, and checks at every access whether the index
is negative. `Words` does none of that: a kernel's author answers for its indices. With NUMBA_BOUNDSCHECK=1, arrays with
checked bounds take their place.
"""

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, models, register_model, type_callable

from palabre.compile.internals import bounds_are_checked, cgutils, make_array, populate_array
from palabre.core import verbs


class Words(types.Type):
    """A row of integers as kernels pass it to each other: an address and a length."""

    def __init__(self) -> None:
        super().__init__(name="Words")


@register_model(Words)
class _WordsModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [("first", types.CPointer(types.int64)), ("length", types.intp)])


WORDS: types.Type = types.Array(types.int64, 1, "C") if bounds_are_checked() else Words()


def _made(context: Any, builder: Any, first: Any, length: Any) -> Any:
    """The value of type WORDS for an address and a length."""
    if isinstance(WORDS, Words):
        words = cgutils.create_struct_proxy(WORDS)(context, builder)
        words.first, words.length = first, length
        return words._getvalue()
    array = make_array(WORDS)(context, builder)
    populate_array(
        array,
        data=first,
        shape=cgutils.pack_array(builder, [length]),
        strides=cgutils.pack_array(builder, [context.get_constant(types.intp, 8)]),
        itemsize=context.get_constant(types.intp, 8),
        meminfo=None,
    )
    return array._getvalue()


def address_of(context: Any, builder: Any, kind: Any, words: Any, place: Any) -> Any:
    """The address of a word."""
    if isinstance(kind, Words):
        return builder.gep(cgutils.create_struct_proxy(kind)(context, builder, words).first, [place])
    return builder.gep(make_array(kind)(context, builder, words).data, [place])


@type_callable(operator.getitem)
def _type_read(context: Any) -> Any:
    return lambda words, place: types.int64 if isinstance(words, Words) and isinstance(place, types.Integer) else None


@lower_builtin(operator.getitem, Words, types.Integer)
def _lower_read(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    place = context.cast(builder, arguments[1], signature.args[1], types.intp)
    return builder.load(address_of(context, builder, signature.args[0], arguments[0], place))


@type_callable(operator.setitem)
def _type_write(context: Any) -> Any:
    return lambda words, place, value: (
        types.none if isinstance(words, Words) and isinstance(place, types.Integer) else None
    )


@lower_builtin(operator.setitem, Words, types.Integer, types.Any)
def _lower_write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    place = context.cast(builder, arguments[1], signature.args[1], types.intp)
    value = context.cast(builder, arguments[2], signature.args[2], types.int64)
    builder.store(value, address_of(context, builder, signature.args[0], arguments[0], place))
    return context.get_dummy_value()


@type_callable(len)
def _type_length(context: Any) -> Any:
    return lambda words: types.intp if isinstance(words, Words) else None


@lower_builtin(len, Words)
def _lower_length(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return cgutils.create_struct_proxy(signature.args[0])(context, builder, arguments[0]).length


@type_callable(verbs.move_buffer)
def _type_move_buffer(context: Any) -> Any:
    return lambda state: WORDS


@lower_builtin(verbs.move_buffer, types.BaseTuple)
def _lower_move_buffer(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return _on_stack(context, builder, verbs.most_moves(signature.args[0].instance_class))


@type_callable(verbs.row_buffer)
def _type_row_buffer(context: Any) -> Any:
    return lambda state: WORDS


@lower_builtin(verbs.row_buffer, types.BaseTuple)
def _lower_row_buffer(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return _on_stack(context, builder, verbs.feature_limits(signature.args[0].instance_class).most_features)


def _on_stack(context: Any, builder: Any, words: int) -> Any:
    """Memory on the stack of the calling kernel: it costs nothing and goes with the call."""
    size = context.get_constant(types.intp, words)
    return _made(context, builder, cgutils.alloca_once(builder, ir.IntType(64), size=size), size)


@type_callable(verbs.unowned_view)
def _type_unowned_view(context: Any) -> Any:
    return lambda words: WORDS


@lower_builtin(verbs.unowned_view, types.Array)
def _lower_unowned_view(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """The same words without the object that counts references to them."""
    array = make_array(signature.args[0])(context, builder, arguments[0])
    return _made(context, builder, array.data, builder.extract_value(array.shape, 0))


@type_callable(verbs.prefetch)
def _type_prefetch(context: Any) -> Any:
    return lambda words, place: types.none


@lower_builtin(verbs.prefetch, types.Any, types.Integer)
def _lower_prefetch(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """The processor's prefetch instruction: for reading, into all caches."""
    address = address_of(context, builder, signature.args[0], arguments[0], arguments[1])
    address = builder.bitcast(address, ir.IntType(8).as_pointer())
    number = ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [address.type, number, number, number])
    prefetch = builder.module.declare_intrinsic("llvm.prefetch", [address.type], kind)
    builder.call(prefetch, [address, number(0), number(3), number(1)])
    return context.get_dummy_value()
