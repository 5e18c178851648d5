"""`core.system.now` in compiled code: a call of the system's own function, or a read of the word the ticker writes."""

import time
from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.extending import lower_builtin, type_callable

from palabre.compile.internals import cgutils
from palabre.core import system

WORD = ir.IntType(64)
TICKER_SYMBOL = "palabre_ticker"  # by this name code on disk finds the word in whatever process loads it

if system.USES_TICKER:
    _ticker = system.Ticker()
    binding.add_symbol(TICKER_SYMBOL, _ticker.address)


@type_callable(system.now)
def _type_now(context: Any) -> Any:
    return lambda: types.int64


@lower_builtin(system.now)
def _lower_now(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return _read_ticker(builder) if system.USES_TICKER else _call_clock(builder)


def _read_ticker(builder: Any) -> Any:
    """Load the ticker's word, afresh each time: another thread writes it."""
    word = cgutils.add_global_variable(builder.module, WORD, TICKER_SYMBOL)
    return builder.load_atomic(word, "monotonic", 8)


def _call_clock(builder: Any) -> Any:
    """Call `clock_gettime`, which is found by name in the running process; Python reads the same clock."""
    moment = cgutils.alloca_once(builder, ir.ArrayType(WORD, 2))  # seconds and nanoseconds
    address = builder.bitcast(moment, WORD.as_pointer())
    kind = ir.FunctionType(ir.IntType(32), [ir.IntType(32), WORD.as_pointer()])
    ask = cgutils.get_or_insert_function(builder.module, kind, "clock_gettime")
    builder.call(ask, [ir.Constant(ir.IntType(32), time.CLOCK_MONOTONIC), address])
    seconds, nanoseconds = (
        builder.extract_value(builder.load(moment), 0),
        builder.extract_value(builder.load(moment), 1),
    )
    return builder.add(builder.mul(seconds, ir.Constant(WORD, 10**9)), nanoseconds)
