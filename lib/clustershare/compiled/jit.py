"""The one way kernels are compiled, and where the compiled code is kept.

numba's cache sees a change in the file of a kernel, but in none that it calls. So a kernel calls what stands in its own
file or in this folder, and the compiled code is kept under a digest of this folder. No `fastmath` and no parallel
reductions: a result must be the same to the last bit on any number of workers.
"""

import contextlib
import functools
import gc
import hashlib
import io
import itertools
import logging
import os
import pickle
import sys
from pathlib import Path

import numba
from numba.core import caching
from numba.core.bytecode import FunctionIdentity
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.core.serialize import dumps
from numba.core.targetconfig import TargetConfig

from clustershare.compiled.parts import apart

HERE = Path(__file__).parent


def digest(*folders):
    """A digest of the Python files of folders: 12 hexadecimal digits.

    Parameters
    ----------
    *folders : pathlib.Path
        This one, if none is given.

    Returns
    -------
    str

    Examples
    --------
    >>> len(digest()), digest() == digest(HERE.parent)
    (12, False)
    """
    result = hashlib.sha256()
    for path in sorted(path for folder in folders or (HERE,) for path in folder.rglob("*.py")):
        result.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return result.hexdigest()[:12]


def _count_apart():
    """Number what is compiled in this process as no other process does.

    numba names a function by a number that each process counts from 1, and compiled code is kept with such names, to be
    linked into that of another process. There they would meet others: how a generator gives a float and how it gives an
    integer are closures of one name, and with one number the linker takes either for both.
    """
    FunctionIdentity._unique_ids = itertools.count(int.from_bytes(os.urandom(6), "little"))


_count_apart()
if hasattr(os, "register_at_fork"):  # not on every system
    os.register_at_fork(after_in_child=_count_apart)


# What is asked for with NUMBA_CACHE_DIR, or else the package, or else (installed for all, say) the user's own.
_caches = numba.config.CACHE_DIR or HERE.parent / "__pycache__"
if not numba.config.CACHE_DIR and not os.access(HERE.parent, os.W_OK):
    _caches = Path.home() / ".cache" / "clustershare"
numba.config.CACHE_DIR = str(Path(_caches) / f"numba-{digest()}")


def _if_whole(load, otherwise):
    """A function that reads a file of the cache; of a file that was cut short or spoilt it makes nothing."""

    @functools.wraps(load)
    def read(*about):
        try:
            return load(*about)
        except (EOFError, pickle.UnpicklingError, AttributeError, ImportError, IndexError, TypeError, ValueError):
            return otherwise()

    return read


# numba would end with an error in every process to come; so the kernel is compiled again, and its file written anew.
_file = caching.IndexDataCacheFile
_file._load_index, _file._load_data = _if_whole(_file._load_index, dict), _if_whole(_file._load_data, lambda: None)


LOG = logging.getLogger("clustershare")
# What takes so long that whoever waits should know: a name, and CPU seconds on a quiet machine.
LONG = {
    "clustershare.cluster_chain.kernel": ("the simulator of a cluster's queue", 4),
    "clustershare.cluster_variants.kernel": ("the simulator of a variant of the cluster", 3),
    "clustershare.dispatch.beside_queue_kernel": ("the simulator of a policy beside its queue", 8),
    "clustershare.dispatch.distributed_kernel": ("the simulator of distributed policies", 13),
    "clustershare.dispatch.kernel": ("the simulator of central policies", 6),
    "clustershare.interruptions.kernel": ("the simulator of interruptions", 4),
    "clustershare.multiserver.any_graph": ("the simulator of many servers", 4),
    "clustershare.multiserver.beside_assignment_kernel": ("the simulator of many servers beside processor sharing", 3),
    "clustershare.multiserver.beside_kernel": ("the simulator beside balanced fairness", 2),
    "clustershare.multiserver.few_servers": ("the simulator of a few servers", 2),
    "clustershare.uniprocessor.kernel": ("the simulator of one processor", 4),
}
_told = set()

if os.environ.get("CLUSTERSHARE_LOG"):  # a file, for whoever waits for this process
    LOG.addHandler(logging.FileHandler(os.environ["CLUSTERSHARE_LOG"]))
    LOG.setLevel(logging.INFO)
elif "ipykernel" in sys.modules and not os.environ.get("TQDM_DISABLE"):  # a notebook, where nobody sets up a log
    LOG.addHandler(logging.StreamHandler())
    LOG.setLevel(logging.INFO)


def _tell(module, once="on this machine"):
    """Tell the log, once, what is being compiled and how long that may take."""
    if module in LONG and module not in _told:
        _told.add(module)
        LOG.info("Compiling %s: about %d s, once %s.", *LONG[module], once)


class _Names(pickle.Unpickler):
    """Reads what was pickled, and notes the modules of the classes and functions that it names."""

    def __init__(self, pickled):
        super().__init__(io.BytesIO(pickled))
        self.modules = set()

    def find_class(self, module, name):
        self.modules.add(module)
        return super().find_class(module, name)


def _of_others(function, signature):
    """Whether a kernel of this library is given what stands outside of it, such as a policy of one's own.

    That can change without the cache's knowing, and an index of the cache that names a class of a notebook or of a
    script cannot be read by another process. So what is compiled for it is not kept.
    """
    if not (function.__module__ or "").startswith("clustershare."):
        return False
    names = _Names(dumps(signature))
    names.load()
    known = {"clustershare", "numba", "numpy", *sys.stdlib_module_names} - {"__main__"}
    return any(name.split(".")[0] not in known or "cloudpickle" in name for name in names.modules)


# Of what is being compiled, one within the other: what is to be given back in the end.
_turns = []


@contextlib.contextmanager
def _without_collections():
    """What numba makes while it compiles, it goes on using: to look there for garbage takes a tenth of the time."""
    usual = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if usual:
            gc.enable()


def _in_turn(compile):
    """Compile what no other process is compiling; see `_or_wait`. Threads of this process wait before processes do."""

    @functools.wraps(compile)
    def compiled(self, signature):
        with global_compiler_lock, _without_collections(), contextlib.ExitStack() as turn:
            _turns.append(turn)
            try:
                return compile(self, signature)
            finally:
                _turns.pop()

    return compiled


def _or_wait(load):
    """Read compiled code; where there is none yet, wait for the process that is making it, and read again."""

    @functools.wraps(load)
    def loaded(self, signature, context):
        if _of_others(self._py_func, signature):
            _tell(self._py_func.__module__, "in this process")
            return None
        found = load(self, signature, context)
        if found is None and _turns:
            if len(_turns) == 1:
                _tell(self._py_func.__module__)
            name = f"{self._impl.filename_base}-{hashlib.sha256(str(signature).encode()).hexdigest()[:12]}.lock"
            with contextlib.suppress(ImportError, OSError):  # without locks each compiles for itself
                import fcntl  # not on every system

                fcntl.flock(_turns[-1].enter_context(open(Path(self.cache_path, name), "w")), fcntl.LOCK_EX)
            found = load(self, signature, context)
        return found

    return loaded


def _if_ours(save):
    """Keep compiled code, unless it is for what others wrote."""

    @functools.wraps(save)
    def saved(self, signature, data):
        if not _of_others(self._py_func, signature):
            save(self, signature, data)

    return saved


def _values(self):
    """The options of a target, as numba has them but put together at once: it compares them at every call it compiles.

    One by one they take a tenth of the time.
    """
    return {**_usual(type(self)), **self._values}


@functools.cache
def _usual(kind):
    return {name: option.default for name, option in kind.options.items()}


TargetConfig.values = _values
# Processes side by side on new kernels would each compile the same, for up to a minute.
Dispatcher.compile = _in_turn(apart(Dispatcher.compile))
caching.FunctionCache.load_overload = _or_wait(caching.FunctionCache.load_overload)
caching.FunctionCache.save_overload = _if_ours(caching.FunctionCache.save_overload)

# NumPy's error model: a division by zero is infinite, and costs no look at the divisor.
kernel = functools.partial(numba.njit, cache=True, nogil=True, fastmath=False, error_model="numpy")

# The same for a part that is given many arrays or a generator and makes no arrays: numba does not count who refers to
# which there, which would cost more than the part itself.
inlined = functools.partial(kernel, _nrt=False, forceinline=True)


def again_inlined(function):
    """A kernel once more, as a part that is `inlined`."""
    return inlined(function.py_func if hasattr(function, "py_func") else function)


def kept_with(folder, **options):
    """A `kernel` for a folder whose kernels call each other across files, and pass many arrays to each other.

    The compiled code is kept under a digest of these files as well. Such kernels make no arrays of their own, so that
    numba need not count who refers to which: that would cost more than the events themselves.

    Parameters
    ----------
    folder : pathlib.Path
    **options
        Of ``numba.njit``, such as ``forceinline=True`` for what is called at every event.

    Returns
    -------
    callable
        A decorator.
    """
    place = str(Path(_caches) / f"numba-{digest(HERE, folder)}")

    def decorate(function):
        usual, numba.config.CACHE_DIR = numba.config.CACHE_DIR, place  # it is asked for when a function is decorated
        try:
            return kernel(function, _nrt=False, **options)
        finally:
            numba.config.CACHE_DIR = usual

    return decorate
