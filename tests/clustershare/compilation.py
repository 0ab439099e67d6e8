"""Runs code with compilation, as it is used, and without, in a process of its own."""

import contextlib
import io
import os
import subprocess
import sys
import warnings

import numba


def printed(code):
    """What the code prints with compilation, and without."""
    assert not numba.config.DISABLE_JIT
    compiled = io.StringIO()
    with contextlib.redirect_stdout(compiled), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(code, {"__name__": "printed"})
    plain = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    return [compiled.getvalue(), plain.stdout]
