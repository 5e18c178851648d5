"""The helpers of `core.bits` as machine instructions."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, type_callable

from palabre.compile.internals import target_processor
from palabre.core import bits

INSTRUCTIONS: set[Any] = set()  # the functions that are instructions rather than calls; complete after the import


def _instruction(function: Any, arity: int, emit: Any) -> None:
    """Compile a helper of `bits` to what `emit(builder, *words)` builds."""
    INSTRUCTIONS.add(function)

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
    """Whether the processor has a fast bit-deposit instruction; on AMD's first two Zens it is a slow microprogram."""
    processor, features = target_processor()
    return "bmi2" in features and processor not in ("znver1", "znver2")


def _emit_nth(builder: Any, word: Any, index: Any) -> Any:
    """Deposit one bit at the place of the set bit number `index`, and count the zeros below it."""
    bits64 = ir.IntType(64)
    deposit = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), ir.FunctionType(bits64, [bits64, bits64]))
    deposited = builder.call(deposit, [builder.shl(ir.Constant(bits64, 1), index), word])
    return builder.cttz(deposited, ir.Constant(ir.IntType(1), 0))


if _has_fast_deposit():
    _instruction(bits.nth, 2, _emit_nth)
