"""The one way kernels are compiled.

numba's cache does not see a change in another file, so a kernel and all it calls stand in one file (`kernel.py` of its
package) and take constants as arguments; and the compiled code is kept under a digest of this file, whose options it
does not see either. No `fastmath` and no parallel reductions: a result must be the same to the last bit on any number
of workers.
"""

import functools
import hashlib
import os
from pathlib import Path

import numba

if not numba.config.CACHE_DIR and os.access(Path(__file__).parent, os.W_OK):
    _digest = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:12]
    numba.config.CACHE_DIR = str(Path(__file__).parent / "__pycache__" / f"numba-{_digest}")

# NumPy's error model: a division by zero is infinite, and costs no look at the divisor.
kernel = functools.partial(numba.njit, cache=True, nogil=True, fastmath=False, error_model="numpy")
