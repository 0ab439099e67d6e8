"""What is compiled for the sake of the kernel that calls it: optimised, and made machine code, in the kernel alone.

numba would do both for each function by itself, with two wrappers for Python, and then again in every function that
calls it: for a dispatch kernel, which calls some ninety, more than half of the time. Kernels from elsewhere are
compiled as ever.
"""

import functools

from numba.core import sigutils
from numba.core.caching import FunctionCache
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary, JITCPUCodegen
from numba.core.dispatcher import Dispatcher

BARE = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # options of what Python does not call

# Of functions being compiled, one for the sake of another; numba's lock lets one thread compile at a time.
_depth, _ours = 0, False


def instead(owner, name):
    """Give a method another meaning while a part is compiled: a function of the usual one and of its arguments."""

    def decorate(meaning):
        usual = getattr(owner, name)

        @functools.wraps(usual)
        def method(self, *given):
            return meaning(usual, self, *given) if _ours and _depth > 1 else usual(self, *given)

        setattr(owner, name, method)

    return decorate


def apart(compile):
    """The method of dispatchers that compiles: what is compiled within another compilation becomes a part.

    A part that Python calls after all is compiled once more.
    """

    @functools.wraps(compile)
    def compiled(self, signature):
        global _depth, _ours
        options, types = self._compiler.targetoptions, tuple(sigutils.normalize_signature(signature)[0])
        if _depth == 0:
            _ours = (self.py_func.__module__ or "").partition(".")[0] == __name__.partition(".")[0]
        if _depth and _ours:
            self._compiler.targetoptions = {**options, **BARE}
        elif _depth == 0 and types in self.overloads and getattr(self.overloads[types].library, "is_part", False):
            del self.overloads[types]
        _depth += 1
        try:
            return compile(self, signature)
        finally:
            _depth -= 1
            self._compiler.targetoptions = options

    return compiled


@instead(CPUCodeLibrary, "_optimize_final_module")
def _nothing(usual, library):
    """The kernel is optimised with all its parts."""


@instead(CPUCodeLibrary, "_finalize_final_module")
def _be_a_part(usual, library):
    library.is_part = library._finalized = True
    library._finalize_dynamic_globals()


@instead(CPUCodeLibrary, "serialize_using_object_code")
def _bitcode(usual, library):
    return library.serialize_using_bitcode()


@instead(JITCodeLibrary, "get_pointer_to_function")
def _nowhere(usual, library, name):
    return 0


@instead(JITCPUCodegen, "set_env")
def _nobody_asks(usual, codegen, name, env):
    """It is for what Python calls."""


@instead(FunctionCache, "_index_key")
def _another_key(usual, cache, *about):
    return (*usual(cache, *about), "part")


@instead(Dispatcher, "_insert")
def _not_for_python(usual, dispatcher, *overload):
    """Python finds nothing there, and asks for the whole."""
