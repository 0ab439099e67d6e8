"""The one way kernels are compiled.

numba's cache does not see a change in another file, so a kernel and all it calls stand in one file
(`kernel.py` of its package) and take constants as arguments. No `fastmath` and no parallel reductions:
a result must be the same to the last bit on any number of workers.
"""

import functools

import numba

kernel = functools.partial(numba.njit, cache=True, nogil=True, fastmath=False)
