"""Points on a Dask cluster that is not as it should be: a sentence, after a stated time, and finished points kept."""

import os
import shutil
import signal
import socket
import subprocess
import sys

import pytest

import test_study
from compendium import places
from compendium.study import dask_cluster, engines, store, tasks

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="workers are stopped by signals that Windows lacks")
WORKER = "import sys; from distributed.cli.dask_worker import main; sys.exit(main())"


@pytest.fixture
def scheduler(monkeypatch):
    """A scheduler without workers."""
    from distributed import LocalCluster

    monkeypatch.setattr(dask_cluster, "PATIENCE", 2)
    monkeypatch.setattr(dask_cluster, "LOOK", 0.5)
    with LocalCluster(n_workers=0, dashboard_address=None) as cluster:
        monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", cluster.scheduler_address)
        yield cluster


@pytest.fixture
def worker(scheduler):
    """Start a worker, a process of its own."""
    started = []

    def start(*options, **environment):
        command = [sys.executable, "-c", WORKER, scheduler.scheduler_address, "--nthreads", "1", "--no-dashboard"]
        command += ["--no-nanny", *options]
        process = subprocess.Popen(command, env={**os.environ, **environment}, stderr=subprocess.DEVNULL)
        started.append(process)
        scheduler.wait_for_workers(len(started), timeout=300)
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()


results = test_study.results


def test_no_address_is_waited_for_for_ever(monkeypatch, results):
    monkeypatch.setattr(dask_cluster, "PATIENCE", 1)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        for address in ("tcp://127.0.0.1:9", f"tcp://127.0.0.1:{silent.getsockname()[1]}"):
            monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", address)
            with pytest.raises(RuntimeError, match=f"No Dask scheduler answered at {address} within 1 s"):
                test_study.run()
    monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", "nonsense")
    with pytest.raises(ValueError, match="missing port number in address 'nonsense'"):
        test_study.run()


def test_a_worker_is_no_scheduler(worker, scheduler, monkeypatch, results):
    worker()
    (address,) = scheduler.scheduler_info["workers"]
    monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", address)
    with pytest.raises(RuntimeError, match=f"must be that of a Dask scheduler; {address} is a Worker"):
        test_study.run()


def test_without_workers(scheduler, results, capsys):
    with pytest.raises(RuntimeError, match="has had no worker for 2 s"):
        test_study.run()
    assert "has no worker; waiting 2 s for one." in capsys.readouterr().err


def test_a_worker_killed_midway(worker, results, monkeypatch):
    """Its finished points are kept."""
    doomed, add = worker(), store.add

    def kill_after(path, row):
        add(path, row)
        doomed.send_signal(signal.SIGKILL)
        doomed.wait()

    monkeypatch.setattr(store, "add", kill_after)
    with pytest.raises(RuntimeError, match="has had no worker for 2 s"):
        test_study.run(fidelity="book")
    kept = test_study.stored(results / "study.csv")
    assert 1 <= len(kept) < len(test_study.POINTS)


def test_a_worker_of_another_version_is_refused(worker, tmp_path):
    """Its package gives other numbers."""
    shutil.copytree(places.ROOT / "lib", tmp_path / "lib", ignore=shutil.ignore_patterns("__pycache__"))
    path = tmp_path / "lib" / "clustershare" / "estimates.py"
    path.write_text(path.read_text().replace("CONFIDENCE = 0.95", "CONFIDENCE = 0.5"))
    worker(PYTHONPATH=str(tmp_path / "lib"))
    task = tasks.Task("multiserver.simulate", tasks.encode(test_study.arguments(0.3, 0)), 20, 1, 2, 1)
    with pytest.raises(RuntimeError, match="A worker has other code for multiserver.simulate than this process"):
        list(engines.compute([task]))
