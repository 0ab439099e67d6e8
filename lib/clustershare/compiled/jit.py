"""The one way kernels are compiled, and where the compiled code is kept.

numba's cache sees a change in the file of a kernel, but in none that it calls. So a kernel calls what stands in its own
file or in this folder, and the compiled code is kept under a digest of this folder. No `fastmath` and no parallel
reductions: a result must be the same to the last bit on any number of workers.
"""

import functools
import hashlib
import os
from pathlib import Path

import numba

HERE = Path(__file__).parent


def digest(folder=HERE):
    """A digest of the Python files of a folder: 12 hexadecimal digits.

    Parameters
    ----------
    folder : pathlib.Path
        This one, if not given.

    Returns
    -------
    str

    Examples
    --------
    >>> len(digest()), digest() == digest(HERE.parent)
    (12, False)
    """
    result = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        result.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return result.hexdigest()[:12]


# What is asked for with NUMBA_CACHE_DIR, or else the package, or else (installed for all, say) the user's own.
_caches = numba.config.CACHE_DIR or HERE.parent / "__pycache__"
if not numba.config.CACHE_DIR and not os.access(HERE.parent, os.W_OK):
    _caches = Path.home() / ".cache" / "clustershare"
numba.config.CACHE_DIR = str(Path(_caches) / f"numba-{digest()}")

# NumPy's error model: a division by zero is infinite, and costs no look at the divisor.
kernel = functools.partial(numba.njit, cache=True, nogil=True, fastmath=False, error_model="numpy")
