"""What Numba needs to know: how kernels, verbs, tables and `bits` look in compiled code.

Imported when something is compiled, never before. Every kernel is compiled from a *twin* of its function: the same
code object over a copy of its module's globals in which each `Table` is an array. Numba meets a kernel's plain
function, or a verb, in some kernel's globals and finds here what to call instead.
"""

import operator
import re
import time
from types import FunctionType
from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import njit, types
from numba.core import cgutils, config
from numba.core.typing.templates import infer_global
from numba.extending import lower_builtin, models, overload, register_model, type_callable
from numba.np.arrayobj import make_array, populate_array

from palabre.core import bits, instant, verbs
from palabre.core.kernels import KERNELS, VERBS, Table, Verb

# No interpreter lock, so that two threads search at once; division by zero is the kernel author's business.
OPTIONS: Any = {"nogil": True, "error_model": "numpy"}
# A state of many words is costly to hand over: a game's answers to these become part of the kernel that asks.
INLINED = ("play", "legal_moves", "count_moves", "random_move")

_twin_globals: dict[int, dict[str, Any]] = {}
_dispatchers: dict[FunctionType, Any] = {}  # kept here: Numba's types only hold weak references to them
_known_verbs: set[str] = set()
_instructions: set[Any] = set()  # functions that are machine instructions rather than calls


def twin(function: FunctionType) -> FunctionType:
    """A copy of a function over globals in which tables are arrays."""
    home = function.__globals__
    if id(home) not in _twin_globals:
        _twin_globals[id(home)] = {name: _array(value) for name, value in home.items()}
    return FunctionType(
        function.__code__, _twin_globals[id(home)], function.__name__, function.__defaults__, function.__closure__
    )


def _array(value: Any) -> Any:
    if not isinstance(value, Table):
        return value
    array = np.array(value, dtype=np.int64)
    array.setflags(write=False)
    return array


def qualify(named_tuple: type) -> None:
    """Give a class of states or weights a name of its own, in which its module has a part.

    Numba names machine code after the bare names of the classes it is for. The code of two games whose `State`s have as
    many words would have the same names if two processes made it, and whoever loads both would run one for the other.
    """
    home = re.sub(r"\W", "_", named_tuple.__module__)
    if not named_tuple.__name__.endswith(home):
        named_tuple.__name__ = f"{named_tuple.__name__}_of_{home}"


def register_all() -> None:
    """Make every kernel and verb declared so far known to Numba."""
    for function in KERNELS:
        if function not in _dispatchers and function not in _instructions:
            _dispatchers[function] = _without_literals(njit(**OPTIONS)(twin(function)))
            infer_global(function, types.Dispatcher(_dispatchers[function]))
    for verb in VERBS.values():
        if verb.name not in _known_verbs:
            _known_verbs.add(verb.name)
            _register_verb(verb)


def _without_literals(dispatcher: Any) -> Any:
    """Have a kernel compiled for an integer and not, once more, for the constant 8.

    That would take time, and a recursive kernel that began with a constant would end in code that is not kept on disk:
    the next process would jump to nowhere.
    """
    fold, template = dispatcher.fold_argument_types, dispatcher.get_call_template
    dispatcher.fold_argument_types = lambda given, named: fold(tuple(map(types.unliteral, given)), named)
    dispatcher.get_call_template = lambda given, named: template(tuple(map(types.unliteral, given)), named)
    return dispatcher


def _register_verb(verb: Verb) -> None:
    options: Any = {**OPTIONS, "forceinline": verb.name in INLINED}

    @overload(verb, strict=False, jit_options=options)
    def choose(state: Any, *arguments: Any) -> Any:
        state_class = getattr(state, "instance_class", None)
        return None if state_class is None else twin(verb.answer(state_class))


# ------------------------------------------------------------------------------------------------- bits, one by one


def _instruction(function: Any, arity: int, emit: Any) -> None:
    """Compile a helper of `bits` to what `emit(builder, *words)` builds."""
    _instructions.add(function)

    @type_callable(function)
    def type_it(context: Any) -> Any:
        if arity == 1:
            return lambda word: types.int64
        return lambda left, right: types.int64

    @lower_builtin(function, *[types.Integer] * arity)
    def lower_it(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        words = [
            context.cast(builder, value, given, types.int64)
            for value, given in zip(arguments, signature.args, strict=True)
        ]
        return emit(builder, *words)


_instruction(bits.signed, 1, lambda builder, word: word)
_instruction(bits.popcount, 1, lambda builder, word: builder.ctpop(word))
_instruction(bits.lowest, 1, lambda builder, word: builder.cttz(word, ir.Constant(ir.IntType(1), 0)))
_instruction(bits.shift_right, 2, lambda builder, word, count: builder.lshr(word, count))
_instruction(bits.multiply, 2, lambda builder, left, right: builder.mul(left, right))
_instruction(bits.add, 2, lambda builder, left, right: builder.add(left, right))


def _has_fast_deposit() -> bool:
    """Whether the processor has a bit-deposit instruction that is one; on AMD's first two Zens it is a slow program."""
    processor, features = binding.get_host_cpu_name(), binding.get_host_cpu_features()
    return bool(features.get("bmi2")) and processor not in ("znver1", "znver2")


def _emit_nth(builder: Any, word: Any, index: Any) -> Any:
    """Deposit one bit at the place of the set bit number `index`, and tell where it fell."""
    bits64 = ir.IntType(64)
    deposit = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), ir.FunctionType(bits64, [bits64, bits64]))
    fallen = builder.call(deposit, [builder.shl(ir.Constant(bits64, 1), index), word])
    return builder.cttz(fallen, ir.Constant(ir.IntType(1), 0))


if _has_fast_deposit():
    _instruction(bits.nth, 2, _emit_nth)


# ------------------------------------------------------------------------------------------------------- the time


@type_callable(instant.now)
def _type_now(context: Any) -> Any:
    return lambda: types.int64


@lower_builtin(instant.now)
def _lower_now(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """The system's own function, found by name in the running process; Python reads the same clock."""
    word = ir.IntType(64)
    moment = cgutils.alloca_once(builder, ir.ArrayType(word, 2))  # seconds and nanoseconds
    address = builder.bitcast(moment, word.as_pointer())
    kind = ir.FunctionType(ir.IntType(32), [ir.IntType(32), word.as_pointer()])
    ask = cgutils.get_or_insert_function(builder.module, kind, "clock_gettime")
    builder.call(ask, [ir.Constant(ir.IntType(32), time.CLOCK_MONOTONIC), address])
    seconds, nanoseconds = (
        builder.extract_value(builder.load(moment), 0),
        builder.extract_value(builder.load(moment), 1),
    )
    return builder.add(builder.mul(seconds, ir.Constant(word, 10**9)), nanoseconds)


# ------------------------------------------------------------------------------------------------------ lean words


class Words(types.Type):
    """Integers in a row, as kernels hand them to each other: where they are and how many.

    An array of Numba's is seven numbers at every call, counts its users, and asks at every access whether the index is
    negative. This one does not: a kernel's index is its author's business. Where bounds are checked, arrays it is.
    """

    def __init__(self) -> None:
        super().__init__(name="Words")


@register_model(Words)
class _WordsModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [("first", types.CPointer(types.int64)), ("length", types.intp)])


WORDS: types.Type = types.Array(types.int64, 1, "C") if vars(config)["BOUNDSCHECK"] else Words()


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


def _address(context: Any, builder: Any, kind: Any, words: Any, place: Any) -> Any:
    """Where a word lies."""
    if isinstance(kind, Words):
        return builder.gep(cgutils.create_struct_proxy(kind)(context, builder, words).first, [place])
    return builder.gep(make_array(kind)(context, builder, words).data, [place])


@type_callable(operator.getitem)
def _type_read(context: Any) -> Any:
    return lambda words, place: types.int64 if isinstance(words, Words) and isinstance(place, types.Integer) else None


@lower_builtin(operator.getitem, Words, types.Integer)
def _lower_read(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    place = context.cast(builder, arguments[1], signature.args[1], types.intp)
    return builder.load(_address(context, builder, signature.args[0], arguments[0], place))


@type_callable(operator.setitem)
def _type_write(context: Any) -> Any:
    return lambda words, place, value: (
        types.none if isinstance(words, Words) and isinstance(place, types.Integer) else None
    )


@lower_builtin(operator.setitem, Words, types.Integer, types.Any)
def _lower_write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    place = context.cast(builder, arguments[1], signature.args[1], types.intp)
    value = context.cast(builder, arguments[2], signature.args[2], types.int64)
    builder.store(value, _address(context, builder, signature.args[0], arguments[0], place))
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
    """Stack memory of the calling kernel: it costs nothing and dies with the call."""
    size = context.get_constant(types.intp, verbs.most_moves(signature.args[0].instance_class))
    return _made(context, builder, cgutils.alloca_once(builder, ir.IntType(64), size=size), size)


@type_callable(verbs.unowned_view)
def _type_unowned_view(context: Any) -> Any:
    return lambda words: WORDS


@lower_builtin(verbs.unowned_view, types.Array)
def _lower_unowned_view(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """The same words without the object that counts their users."""
    array = make_array(signature.args[0])(context, builder, arguments[0])
    return _made(context, builder, array.data, builder.extract_value(array.shape, 0))


@type_callable(verbs.prefetch)
def _type_prefetch(context: Any) -> Any:
    return lambda words, place: types.none


@lower_builtin(verbs.prefetch, types.Any, types.Integer)
def _lower_prefetch(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """The processor's prefetch instruction: to read, into all caches."""
    address = _address(context, builder, signature.args[0], arguments[0], arguments[1])
    address = builder.bitcast(address, ir.IntType(8).as_pointer())
    number = ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [address.type, number, number, number])
    prefetch = builder.module.declare_intrinsic("llvm.prefetch", [address.type], kind)
    builder.call(prefetch, [address, number(0), number(3), number(1)])
    return context.get_dummy_value()
