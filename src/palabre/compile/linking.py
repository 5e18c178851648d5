"""A kernel and all that it calls, linked, optimised and turned into machine code as a whole, once.

Numba makes a library of each function that a kernel calls. It links into it whatever that function calls in turn,
optimises the lot and turns it into machine code, and then does so again for the caller. So a function five calls down
is optimised five times, and there is machine code for ninety functions of which Python calls one.

Here the library of a function that only kernels call stays a *part*: its own code alone. The kernel that Python calls
is linked from its parts and becomes a *whole*. Nothing else can call what is in it, which the optimiser makes use of.

These are private parts of Numba, as in `internals`, with canaries in `tests/compile/test_linking.py`: `JITCodeLibrary`,
`codegen._library_class`, `codegen.set_env`, `RuntimeLinker.PREFIX`, `lookup_environment`, `config.OPT`.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import binding
from numba.core import config
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.compiler_lock import global_compiler_lock
from numba.core.environment import lookup_environment
from numba.core.registry import cpu_target
from numba.core.runtime.nrt import rtsys

UNRESOLVED = RuntimeLinker.PREFIX
# LLVM's level -O2. Numba's default, -O3, inlines more into a whole than is good for it: Abalone's engine searched a
# quarter fewer nodes per second, and no game's more.
OPTIMISATION = 2


@contextmanager
def linked_once() -> Iterator[None]:
    """Have the functions that are compiled meanwhile be parts of the kernel that Python calls."""
    with global_compiler_lock:
        # Numba's runtime must not be a part: it would become a whole while Numba is in the middle of finishing another
        # function that needs it, one that calls itself by way of a second one, and the process would crash.
        rtsys.initialize(cpu_target.target_context)
        codegen = cpu_target.target_context.codegen()
        set_environment = codegen.set_env

        def set_environment_of_whole(name: str, environment: Any) -> None:
            """A part is not in memory; the whole that it becomes part of sets its environment."""
            if codegen._engine.is_symbol_defined(name):
                set_environment(name, environment)

        codegen._library_class, codegen.set_env = Part, set_environment_of_whole
        try:
            yield
        finally:
            del codegen._library_class, codegen.set_env


@contextmanager
def optimised_less() -> Iterator[None]:
    """Have what is compiled meanwhile optimised at `OPTIMISATION`, unless NUMBA_OPT is set."""
    settings: Any = config  # Numba's settings are not declared to type checkers
    with global_compiler_lock:
        level = settings.OPT
        if "NUMBA_OPT" not in os.environ:
            settings.OPT = OPTIMISATION
        try:
            yield
        finally:
            settings.OPT = level


class Part(JITCodeLibrary):
    """The code of one function; the part that Python wants to call becomes a whole."""

    is_part = False

    def finalize(self) -> None:
        """Numba adds nothing more to this function, and is about to link it into others."""
        self._finalized = self.is_part = True

    def get_pointer_to_function(self, name: str) -> int:
        """The address of the wrapper that Python calls; 0 for a function that has none."""
        self._ensure_finalized()
        if self.is_part:
            if name not in (function.name for function in self._final_module.functions):
                return 0
            self._become_whole()
        return int(super().get_pointer_to_function(name))

    def _become_whole(self) -> None:
        self.is_part = False
        self._codegen._check_llvm_bugs()
        self._link_parts(self._final_module)
        for function in self._final_module.functions:
            if function.linkage == binding.Linkage.linkonce_odr:
                function.linkage = "internal"
        self._optimize_final_module()
        self._final_module.verify()
        self._finalize_final_module()
        codegen: Any = self._codegen
        for variable in self._final_module.global_variables:
            environment = lookup_environment(variable.name)
            if environment is not None:
                codegen.set_env(variable.name, environment)

    def _get_module_for_linking(self) -> Any:
        """The code with all that it calls, for a function that is compiled outside `linked_once`."""
        if self.is_part and self._shared_module is None:
            module = self._own_module().clone()
            self._link_parts(module)
            self._shared_module = module
        return super()._get_module_for_linking()

    def _own_module(self) -> Any:
        """The code of this function alone, as others may link it."""
        module = self._final_module.clone()
        for function in module.functions:
            if not function.is_declaration and function.linkage == binding.Linkage.external:
                function.linkage = "linkonce_odr"
        return module

    def _link_parts(self, module: Any) -> None:
        """Link into a module all that this function calls, directly or not."""
        for library in reversed(_callees_first(self, {})):  # callers first: LLVM leaves out what nothing has called yet
            self._reload_init.update(library._reload_init)
            is_part = isinstance(library, Part) and library.is_part
            module.link_in(library._own_module() if is_part else library._get_module_for_linking(), preserve=True)
        for variable in module.global_variables:
            if variable.is_declaration and variable.name.startswith(UNRESOLVED):
                module.link_in(self._resolved(variable.name))

    def _resolved(self, name: str) -> Any:
        """A module that defines the pointer through which a function calls one that calls it (mutual recursion).

        Numba fills it in when the code is in memory, so that code on disk would jump to nowhere.
        """
        target = name.removeprefix(UNRESOLVED)
        pointer = f'declare void @"{target}"()\n@"{name}" = linkonce_odr constant ptr @"{target}"\n'
        return binding.parse_assembly(f"{self._codegen._create_empty_module('recursion')}\n{pointer}")


def _callees_first(library: Any, libraries: dict[Any, None]) -> list[Any]:
    """All libraries that a library calls, directly or not, each after those that it calls itself."""
    for callee in library._linking_libraries:
        if callee not in libraries:
            _callees_first(callee, libraries)
            libraries[callee] = None
    return list(libraries)
