"""A process that has imported what every page imports, and forks itself into kernels. It knows nothing of the book.

It reads requests from standard input, a line of JSON each, and answers with a line: to ``{"argv", "env", "cwd"}`` with
the number of a new process, which is a kernel; to ``{"pid"}`` with how that process ended, or null. When nobody is left
to ask, it ends its kernels and itself.
"""

import atexit
import builtins
import contextlib
import gc
import importlib
import json
import os
import signal
import sys
from types import SimpleNamespace

from compendium.garbage import look_seldom

EVERY_PAGE = (
    "ipykernel.kernelapp", "ipykernel.ipkernel", "joblib", "matplotlib.pyplot", "myst_nb", "numba", "pandas",
    "scipy.optimize", "scipy.sparse.linalg", "scipy.stats", "tqdm",
)  # fmt: skip


def import_what_every_page_imports():
    """As a kernel would: pandas asks while it is imported whether it is in one, and shows tables accordingly."""
    builtins.get_ipython = lambda: SimpleNamespace(kernel=None)
    for name in EVERY_PAGE:
        with contextlib.suppress(ImportError):  # a page says better what it misses
            importlib.import_module(name)
    del builtins.get_ipython


def become_kernel(ask, server):
    """Be a kernel, in a session of its own, and end; also when the server is gone, whatever ended it."""
    status = 1
    try:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(nothing, 1)  # the other one is for answers
        os.chdir(ask["cwd"])
        os.environ.clear()
        os.environ.update(ask["env"])
        arguments = [*ask["argv"], f"--IPKernelApp.parent_handle={server}"]  # it was imported before it had a parent
        sys.argv = ["ipykernel_launcher", *arguments]
        sys.modules["ipykernel.kernelapp"].launch_new_instance(argv=arguments)
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    finally:
        with contextlib.suppress(BaseException):
            atexit._run_exitfuncs()
        os._exit(status)


def main():
    """Answer until nobody asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of a terminal: who asks will end
    look_seldom()
    import_what_every_page_imports()
    gc.freeze()  # what was imported is no garbage: no kernel looks at it again, which would copy its memory
    server, running = os.getpid(), set()
    for line in sys.stdin:
        ask = json.loads(line)
        if "argv" in ask:
            answer = os.fork()
            if not answer:
                become_kernel(ask, server)
            running.add(answer)
        elif ask["pid"] in running:
            pid, status = os.waitpid(ask["pid"], os.WNOHANG)
            answer = os.waitstatus_to_exitcode(status) if pid else None
            running.discard(pid)
        else:
            answer = 0
        print(json.dumps(answer), flush=True)
    for pid in running:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)


if __name__ == "__main__":
    main()
