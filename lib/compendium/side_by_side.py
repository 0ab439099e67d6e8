"""Processes that work beside this one, about one a core: they end when it ends, and leave the keyboard to it."""

import os
import signal
import sys
import threading
import time
import warnings
from contextlib import contextmanager

import joblib

from compendium.garbage import look_seldom
from compendium.progress import tell_what_compiles


def side_by_side(function, *columns, waiting=0):
    """Yield the values of a function as they are found, in any order.

    Parameters
    ----------
    function : callable
    *columns : list
        Its first arguments, its second ones and so on, as for `map`.
    waiting : int
        How many processes there are beside one a core, where each waits for others now and then.
    """
    workers = min(joblib.cpu_count() + waiting, len(columns[0]))
    if workers < 2:
        yield from map(function, *columns)
        return
    pool = joblib.Parallel(n_jobs=workers, return_as="generator_unordered", initializer=_serve, initargs=(os.getpid(),))
    with _no_interrupts():  # what starts now inherits it
        values = pool(joblib.delayed(function)(*each) for each in zip(*columns, strict=True))
    try:
        yield from map(lambda value: value, values)  # not from `values`, which would be closed before it comes here
    finally:
        with warnings.catch_warnings(action="ignore"):  # of joblib's: some values were not used
            values.close()


@contextmanager
def _no_interrupts():
    """Ctrl-C waits until the end of the block."""
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(parent):
    look_seldom()
    tell_what_compiles()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent):
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
