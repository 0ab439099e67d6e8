"""Runs code in a process of its own, compiled and not."""

import os
import subprocess
import sys


def printed(code):
    """What the code prints with compilation, and without."""
    return [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "NUMBA_DISABLE_JIT": disabled, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for disabled in ("0", "1")
    ]
