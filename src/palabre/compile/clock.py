"""`core.system.now` in compiled code: a call of the system's own function, or a read of the word the ticker writes."""

import time
from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.extending import lower_builtin, type_callable

from palabre.compile.internals import cgutils
from palabre.core import system

WORD = ir.IntType(64)
READ_TICKER = "palabre_read_ticker"  # code on disk finds the function by this name in whatever process loads it


class TickerReader:
    """A function in machine code that reads the ticker's word, made for this process and never kept.

    Code on disk cannot hold the word's address, which differs from process to process; it calls this by its name.
    """

    def __init__(self) -> None:
        self._ticker = system.Ticker()
        module = ir.Module()
        function = ir.Function(module, ir.FunctionType(WORD, []), READ_TICKER)
        builder = ir.IRBuilder(function.append_basic_block())
        word = builder.inttoptr(ir.Constant(WORD, self._ticker.address), WORD.as_pointer())
        builder.ret(builder.load_atomic(word, "monotonic", 8))  # afresh each time: another thread writes it
        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        parsed = binding.parse_assembly(str(module))
        machine = binding.Target.from_default_triple().create_target_machine()
        self._engine = binding.create_mcjit_compiler(parsed, machine)  # it owns the code
        self._engine.finalize_object()
        binding.add_symbol(READ_TICKER, self._engine.get_function_address(READ_TICKER))


_reader = TickerReader() if system.USES_TICKER else None


@type_callable(system.now)
def _type_now(context: Any) -> Any:
    return lambda: types.int64


@lower_builtin(system.now)
def _lower_now(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return _read_ticker(builder) if system.USES_TICKER else _call_clock(builder)


def _read_ticker(builder: Any) -> Any:
    return builder.call(cgutils.get_or_insert_function(builder.module, ir.FunctionType(WORD, []), READ_TICKER), [])


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
