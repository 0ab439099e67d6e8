"""Ctrl-C inside compiled code, and how far it has come.

Kernels let go of Python's lock: Python looks at no signal before they return, and cannot tell what they are at. So they
look for signals themselves now and then, and add what they have done to a number that another thread can read.
"""

import ctypes

import llvmlite.binding
import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from clustershare.compiled.jit import kernel

EVENTS = 2**16  # between two looks: some milliseconds
INT, LONG = ir.IntType(32), ir.IntType(64)

done = ctypes.c_int64(0)  # events, of all threads of this process, to within `EVENTS` for each kernel
# By name: an address written into code that is kept would be wrong in the next process.
llvmlite.binding.add_symbol("clustershare_events_done", ctypes.addressof(done))


def _often(name, act):
    """An intrinsic that adds up what it is given, and acts whenever `EVENTS` have come together."""

    @intrinsic
    def add(context, events):
        def code(context, builder, _, given):
            if name not in builder.module.globals:
                count = cgutils.add_global_variable(builder.module, INT, name)
                count.initializer, count.linkage = INT(0), "internal"  # the compiled code's own
                _aside(context, builder.module, name + ".act", act)
            count, aside = builder.module.globals[name], builder.module.globals[name + ".act"]
            passed = builder.add(builder.load(count), given[0])
            builder.store(passed, count)
            with cgutils.if_unlikely(builder, builder.icmp_signed(">=", passed, INT(EVENTS))):
                builder.store(INT(0), count)
                raised = builder.call(aside, [passed])
                with cgutils.if_unlikely(builder, cgutils.is_not_null(builder, raised)):
                    context.call_conv.return_exc(builder)
            return context.get_dummy_value()

        return types.void(types.int32), code

    return add


def _aside(context, module, name, act):
    """What is rarely done, as a function that stays out of the loops: of what has passed, whether it raised."""
    function = ir.Function(module, ir.FunctionType(INT, [INT]), name)
    function.linkage = "internal"
    for attribute in ("noinline", "cold"):
        function.attributes.add(attribute)
    builder = ir.IRBuilder(function.append_basic_block())
    builder.ret(act(context, builder, function.args[0]))


def _handle_signals(context, builder, _):
    """Let Python handle the signals that came; not 0 where a handler raises."""
    python = context.get_python_api(builder)
    lock = python.gil_ensure()
    handle = cgutils.get_or_insert_function(builder.module, ir.FunctionType(INT, []), "PyErr_CheckSignals")
    raised = builder.call(handle, [])
    python.gil_release(lock)
    return raised


def _tell(context, builder, passed):
    """Add to `done`."""
    name = "clustershare_events_done"
    if name not in builder.module.globals:
        cgutils.add_global_variable(builder.module, LONG, name)
    builder.atomic_rmw("add", builder.module.globals[name], builder.sext(passed, LONG), "monotonic")
    return INT(0)


def _tell_and_handle(context, builder, passed):
    _tell(context, builder, passed)
    return _handle_signals(context, builder, passed)


_both = _often("clustershare.events", _tell_and_handle)
_look = _often("clustershare.steps", _handle_signals)
_count = _often("clustershare.counted", _tell)


@kernel
def stop_if_asked(events):
    """Raise what the handler of a signal raises: KeyboardInterrupt after Ctrl-C. Only the main thread handles signals.

    Parameters
    ----------
    events : int
        So many have passed since the last call.
    """
    _both(np.int32(events))


@kernel
def heed(steps):
    """The same where steps are not the events that a run is measured in: these are told by `tell`."""
    _look(np.int32(steps))


@kernel
def tell(events):
    """So many events have passed."""
    _count(np.int32(events))


if numba.config.DISABLE_JIT:

    def stop_if_asked(events):  # noqa: F811
        """Only tell: Python looks by itself."""
        done.value += events

    def heed(steps):  # noqa: F811
        """Do nothing."""

    tell = stop_if_asked
