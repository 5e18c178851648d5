"""How compiled code builds a state from the words of an array."""

from typing import Any

from numba import types
from numba.extending import lower_builtin, type_callable

from palabre.compile.buffers import address_of
from palabre.core import packing


@type_callable(packing.read_state)
def _type_read_state(context: Any) -> Any:
    return lambda like, words, place: like


@lower_builtin(packing.read_state, types.BaseTuple, types.Any, types.Integer)
def _lower_read_state(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    like, words, place = signature.args
    first = address_of(context, builder, words, arguments[1], context.cast(builder, arguments[2], place, types.intp))
    values = [builder.load(builder.gep(first, [context.get_constant(types.intp, index)])) for index in range(len(like))]
    return context.make_tuple(builder, signature.return_type, values)
