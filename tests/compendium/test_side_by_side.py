"""Processes beside this one end with it."""

import os
import signal
import subprocess
import sys
import time

import joblib
import psutil
import pytest

SLOW = """
import os, pathlib, time

def slow(folder, number):
    pathlib.Path(folder, str(os.getpid())).touch()
    time.sleep(3600)
"""
RUN = "import sys; from slow import slow; from compendium.side_by_side import side_by_side\n"
RUN += "list(side_by_side(slow, [sys.argv[1]] * 4, list(range(4))))"


@pytest.mark.skipif(os.name != "posix" or joblib.cpu_count() < 2, reason="one process alone, or no signals")
def test_workers_end_with_a_killed_parent(tmp_path):
    (tmp_path / "slow.py").write_text(SLOW)
    started = tmp_path / "started"
    started.mkdir()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    parent = subprocess.Popen([sys.executable, "-c", RUN, str(started)], env=environment)
    try:
        while len(workers := [int(path.name) for path in started.iterdir()]) < 2:
            assert parent.poll() is None
            time.sleep(0.1)
    finally:
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    gone, alive = psutil.wait_procs([psutil.Process(pid) for pid in workers if psutil.pid_exists(pid)], timeout=120)
    assert alive == []
