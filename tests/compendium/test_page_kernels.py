"""Kernels of pages: each one new, told what it should be, and missed when it dies."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time

import nbformat
import psutil
import pytest
from nbclient.exceptions import DeadKernelError

from compendium.press import kernels, notebooks

# Elsewhere there are no forks to look at.
linux = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere kernels start as jupyter_client starts them")


def run(tmp_path, *cells, **environment):
    """The outputs of some cells, as text."""
    path = tmp_path / "page.ipynb"
    written = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbformat.write(written, path)
    notebooks.execute(path, tmp_path / "executed.ipynb", None, environment)
    executed = nbformat.read(tmp_path / "executed.ipynb", 4)
    return ["".join(output.get("text", "") for output in cell.outputs) for cell in executed.cells]


def test_a_kernel_is_new(tmp_path):
    """What one page does to a module, no other sees, though both have it from the same process."""
    seen = "import numpy\nprint(getattr(numpy, 'spoilt', 'clean'))"
    assert run(tmp_path, seen, "numpy.spoilt = 'spoilt'", seen) == ["clean\n", "", "spoilt\n"]
    assert run(tmp_path, seen) == ["clean\n"]


def test_a_kernel_has_its_own_folder_environment_and_arguments(tmp_path):
    cell = "import os, sys\nprint(os.getcwd(), os.environ['OF_THIS_PAGE'], sys.stdin.read() == '', sep='\\n')"
    assert run(tmp_path, cell, OF_THIS_PAGE="x y\nz") == [f"{tmp_path}\nx y\nz\nTrue\n"]
    assert "OF_THIS_PAGE" not in os.environ


def test_a_kernel_shows_tables_as_a_kernel_does(tmp_path):
    """Twenty columns of them: pandas was imported before there was a kernel."""
    assert run(tmp_path, "import pandas\nprint(pandas.get_option('display.max_columns'))") == ["20\n"]


def test_a_kernel_that_dies_is_missed(tmp_path):
    with pytest.raises((DeadKernelError, RuntimeError)):
        run(tmp_path, "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)")
    assert run(tmp_path, "print(1)") == ["1\n"]


@linux
def test_how_a_process_ended_is_known():
    fork = kernels._Fork(kernels._ask(argv=["-f", os.devnull], env=dict(os.environ), cwd=os.getcwd()))
    assert os.path.exists(f"/proc/{fork.pid}")
    fork.kill()
    while fork.poll() is None:
        pass
    assert fork.poll() == fork.wait() == -9 and not os.path.exists(f"/proc/{fork.pid}")


@linux
def test_a_kernel_ends_with_its_server_however_that_ended(tmp_path):
    command = [sys.executable, "-P", kernels.__file__.replace("kernels.py", "kernel_server.py")]
    ask = {"argv": ["-f", str(tmp_path / "kernel.json")], "env": dict(os.environ), "cwd": str(tmp_path)}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as server:
        server.stdin.write(json.dumps(ask) + "\n")
        kernel = psutil.Process(int(server.stdout.readline()))
        while not (tmp_path / "kernel.json").exists():
            assert kernel.is_running()
            time.sleep(0.01)
        server.send_signal(signal.SIGINT)  # as from a terminal, to all that run there
        server.stdin.write(json.dumps({"pid": kernel.pid}) + "\n")
        assert json.loads(server.stdout.readline()) is None
        server.kill()
    with contextlib.suppress(psutil.NoSuchProcess):
        latest = time.monotonic() + 300  # it looks once a second, and the machine may be busy
        while kernel.status() != psutil.STATUS_ZOMBIE:  # which is for somebody else to see
            assert time.monotonic() < latest, "the kernel goes on alone"
            time.sleep(0.01)
