"""A line of progress: what is done, the rate and the time left, for a terminal, a notebook or a log."""

import logging
import os
import sys

from tqdm import tqdm

EVERY = 30  # seconds between two lines of a log, at least


class _Lines(tqdm):
    """Lines one under another, in place of one that is written over: a log keeps all that was ever written."""

    @staticmethod
    def status_printer(file):
        last = ""

        def show(line):
            nonlocal last
            if line != last:  # the end is said once, also where the last point said it
                file.write(f"\n{line}" if last else line)  # tqdm itself ends the last
                file.flush()
                last = line

        return show


def say(sentence):
    """Tell whoever waits at a terminal what is done now, where nothing can be counted; elsewhere, nothing."""
    if sys.stderr.isatty():
        print(sentence, file=sys.stderr)


class _BesideBars(logging.Handler):
    def emit(self, record):
        tqdm.write(record.getMessage(), file=sys.stderr)


def tell_what_compiles():
    """Show on standard error what the models compile, unless progress is off or their log goes elsewhere."""
    log = logging.getLogger("clustershare")
    if not log.hasHandlers() and not os.environ.get("TQDM_DISABLE"):
        log.addHandler(_BesideBars())
        log.setLevel(logging.INFO)


def progress(iterable=None, **options):
    """`tqdm.tqdm`, in a way that its file can bear.

    Parameters
    ----------
    iterable : iterable, optional
    **options
        Of tqdm.

    Returns
    -------
    tqdm.tqdm
        On a terminal and in a notebook a bar. Elsewhere a line at the beginning, one at the end, and between them one
        in 30 s at most, when something was done.
    """
    file = options.get("file") or sys.stderr
    if file.isatty() or type(file).__module__.startswith("ipykernel."):
        return tqdm(iterable, **options)
    return _Lines(iterable, **{"ncols": 0, "mininterval": EVERY, "maxinterval": EVERY, "miniters": 1, **options})
