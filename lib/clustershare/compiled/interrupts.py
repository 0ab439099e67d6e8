"""Ctrl-C inside compiled code: kernels let go of Python's lock, and Python looks at no signal before they return."""

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from clustershare.compiled.jit import kernel

EVENTS = 2**16  # between two looks: some milliseconds
INT = ir.IntType(32)


@intrinsic
def _look(context, events):
    """Let Python handle the signals that came, whenever `EVENTS` have passed, and raise what a handler raises."""

    def code(context, builder, _, given):
        name = "clustershare.events"  # a count of the compiled code's own
        if name not in builder.module.globals:
            count = cgutils.add_global_variable(builder.module, INT, name)
            count.initializer, count.linkage = INT(0), "internal"
        count = builder.module.globals[name]
        passed = builder.add(builder.load(count), given[0])
        builder.store(passed, count)
        with cgutils.if_unlikely(builder, builder.icmp_signed(">=", passed, INT(EVENTS))):
            builder.store(INT(0), count)
            python = context.get_python_api(builder)
            lock = python.gil_ensure()
            handle = cgutils.get_or_insert_function(builder.module, ir.FunctionType(INT, []), "PyErr_CheckSignals")
            raised = builder.call(handle, [])
            python.gil_release(lock)
            with cgutils.if_unlikely(builder, cgutils.is_not_null(builder, raised)):
                context.call_conv.return_exc(builder)
        return context.get_dummy_value()

    return types.void(types.int32), code


@kernel
def stop_if_asked(events):
    """Raise what the handler of a signal raises: KeyboardInterrupt after Ctrl-C. Only the main thread handles signals.

    Parameters
    ----------
    events : int
        So many have passed since the last call.
    """
    _look(np.int32(events))


if numba.config.DISABLE_JIT:

    def stop_if_asked(events):  # noqa: F811
        """Do nothing: Python looks by itself."""
