"""Studies: seeds, the store's use, engines that agree to the last bit."""

import json
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from clustershare import multiserver, sizes
from clustershare.arguments import UnstableError
from clustershare.workload import drawn
from compendium import places, study
from compendium.study import engines, reproduction, store, tasks

GRAPH = multiserver.CompatibilityGraph([[0, 2], [1, 2]], [1.0, 1.0, 1.0])


def arguments(load, interruptions):
    return {
        "graph": GRAPH, "arrival_rates": (1.5 * load, 1.5 * load), "sizes": sizes.bimodal_hyperexponential(),
        "interruptions": interruptions,
    }  # fmt: skip


POINTS = study.grid(load=[0.3, 0.6], interruptions=[0, 1])


@pytest.fixture
def results(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPENDIUM_RESULTS", str(tmp_path / "results"))
    monkeypatch.setenv("COMPENDIUM_FRESH", "1")
    monkeypatch.setenv("TQDM_DISABLE", "1")
    return tmp_path / "results"


def run(points=POINTS, fidelity="quick", **options):
    return study.run("study", multiserver.simulate, points, arguments, fidelity=fidelity, **options)


def test_arguments_survive_being_written():
    written = arguments(0.1, 0)
    read = tasks.decode(tasks.encode(written))
    assert read == written
    assert tasks.encode(read) == tasks.encode(written)


def test_a_law_of_many_values_is_written_beside_the_results_once(results):
    """A point names it by a digest; what comes back is the same to the last bit, or is refused."""
    rng = np.random.default_rng(1)
    large = sizes.Empirical(rng.lognormal(size=3000), rng.random(3000))
    for written in ({"sizes": large}, {"sizes": (sizes.Exponential(), large)}):
        text = tasks.encode(written)
        assert len(text) < 200 and "sizes.Empirical" in tasks.classes_named(text)
        assert tasks.decode(text) == written and tasks.encode(tasks.decode(text)) == text
    (path,) = (results / "laws").iterdir()
    small = sizes.Empirical([1.0, 2.0, 2.0])
    assert tasks.decode(tasks.encode({"sizes": small})) == {"sizes": small} and len(list(path.parent.iterdir())) == 1
    path.write_text(path.read_text().replace(",", ",0", 1))
    with pytest.raises(ValueError, match=f"{path.stem}.csv is not what its name says: its digest is "):
        tasks.decode(text)
    path.unlink()
    for digest in (path.stem, "../results", 3):
        broken = text.replace(f'"{path.stem}"', json.dumps(digest))
        with pytest.raises(ValueError, match="A stored point names the law .*, and no file of that name lies beside"):
            tasks.decode(broken)


def test_points_may_have_runs_of_different_lengths(results):
    found = run(part=lambda load, interruptions: load)
    assert found.groupby("load")["jumps"].unique().explode().to_dict() == {0.3: 6000, 0.6: 12_000}
    assert found[found["load"] == 0.3].reset_index(drop=True).equals(run(POINTS[:2], part=0.3))


def test_logs_are_replayed_and_stored_log_by_log(results):
    def replayed(fidelity="quick"):
        return study.run(
            "logs", drawn.servers, [{"load": 0.5}], lambda load: {
                "model": "Downey", "graph": GRAPH, "arrival_rates": (1.5 * load, 1.5 * load), "interruptions": 0
            }, fidelity=fidelity, jobs=500, seed=0,
        )  # fmt: skip

    found = [replayed(), replayed()]
    alone = drawn.servers("Downey", GRAPH, (0.75, 0.75), 0, jumps=500, warmup=0, replications=3, seed=0)
    for one in found:
        np.testing.assert_array_equal(np.stack(one["estimate"]), alone.mean_service_rate.value)
    (row,) = store.read(results / "logs.csv").values()
    assert not reproduction.stale(row) and reproduction.stale(replace(row, fidelity="book"))
    assert reproduction.compare(row, row.task.compute(), row.machine) == "identical"


def test_of_a_replay_all_code_counts(results, monkeypatch):
    """What simulators were given later, and rows without it do not ask for, replays ask for."""
    task = tasks.Task("workload.dispatch", tasks.encode({"model": "Downey", "policy": "JSQ"}), 500, 0, 3, 0)
    seen = []
    monkeypatch.setattr(tasks, "fingerprint", lambda *places, words, asked: seen.append(asked))
    task.fingerprint()
    assert seen == [None]


def test_a_point_of_data_is_stored_and_found(results):
    point = {"graph": GRAPH, "arrival_rates": (0.4, 0.4), "interruptions": 0}
    law = sizes.Empirical(np.random.default_rng(1).lognormal(size=3000))
    found = [
        study.run("data", multiserver.simulate, [{}], lambda: point | {"sizes": [law, law]}, fidelity="quick")
        for _ in range(2)
    ]
    assert found[0].equals(found[1]) and len(found[0]) > 4
    assert len((results / "data.csv").read_text().splitlines()) == 2


def test_an_argument_that_cannot_be_written_is_refused():
    with pytest.raises(ValueError, match="A point's arguments must be numbers, strings"):
        tasks.encode({"load": object()})


def test_a_name_outside_the_library_is_not_imported():
    with pytest.raises(ValueError, match="class must be one of .*; got 'os:system'"):
        tasks.decode('{"load":{"class":"os:system","fields":{"command":"true"}}}')
    with pytest.raises(ValueError, match="simulator must be one of .*; got 'compendium.__main__:main'"):
        tasks.Task("compendium.__main__:main", "{}", 10, 1, 2, 7).compute()
    with pytest.raises(ValueError, match="A stored point may name only the library's own simulators and classes"):
        study.run("study", print, POINTS, arguments, fidelity="quick")


def test_a_point_has_its_own_seed_whatever_its_run_length():
    short = tasks.Task("m", "{}", 10, 1, 2, 7)
    long = tasks.Task("m", "{}", 20, 1, 2, 7)
    other = tasks.Task("m", '{"load":1}', 10, 1, 2, 7)
    state = lambda task: tuple(task.seed_sequence().generate_state(4))  # noqa: E731
    assert state(short) == state(long) != state(other)
    assert short.key != long.key


@pytest.mark.parametrize("name", ["../evil", "Study", "", "a/b", None])
def test_a_study_stays_among_the_results(results, name):
    with pytest.raises(ValueError, match="study must be a name of lower-case letters, digits and hyphens; got"):
        study.run(name, multiserver.simulate, POINTS, arguments, fidelity="quick")
    with pytest.raises(ValueError, match="seed must be an integer of at least 0; got None"):
        run(seed=None)
    assert not results.exists() and not (results.parent / "evil.csv").exists()


def test_the_frame_is_tidy(results):
    frame = run()
    assert list(frame.columns) == [
        "load", "interruptions", "quantity", "index", "estimate", "half_width", "jumps", "warmup", "replications",
        "seed", "fidelity",
    ]  # fmt: skip
    delays = frame[(frame["quantity"] == "mean_delay") & (frame["index"] == 0)]
    assert [(row.load, row.interruptions) for row in delays.itertuples()] == [tuple(point.values()) for point in POINTS]
    assert (delays["half_width"] > 0).all() and np.isfinite(delays["half_width"]).all()
    largest = study.largest_of_groups(frame, "mean_delay")
    assert len(largest) == len(POINTS)
    for row in largest.itertuples():
        both = frame.query("quantity == 'mean_delay' and load == @row.load and interruptions == @row.interruptions")
        assert row.estimate == both["estimate"].max()


def test_what_is_stored_is_not_computed_again(results, monkeypatch):
    first = run()
    monkeypatch.setattr(engines, "compute", lambda missing: pytest.fail("computed again"))
    assert run().equals(first)
    assert run(POINTS[::-1])["estimate"].sort_values().to_list() == first["estimate"].sort_values().to_list()


def test_a_run_stopped_half_way_goes_on_where_it_was(results, monkeypatch):
    whole, computed = engines.compute, []

    def killed(missing):
        for number, done in enumerate(whole(missing)):
            if number == 2:
                raise KeyboardInterrupt
            yield done

    monkeypatch.setattr(engines, "compute", killed)
    with pytest.raises(KeyboardInterrupt):
        run()
    monkeypatch.setattr(engines, "compute", lambda missing: computed.extend(missing) or whole(missing))
    run()
    assert len(computed) == 2


def test_another_kernel_does_not_use_the_rows(results, monkeypatch):
    run(POINTS[:1])
    monkeypatch.setattr(tasks, "fingerprint", lambda *places, **asked: "another")
    computed = []
    whole = engines.compute
    monkeypatch.setattr(engines, "compute", lambda missing: computed.extend(missing) or whole(missing))
    run(POINTS[:1])
    assert len(computed) == 1


def test_every_engine_gives_the_same_bits(results, monkeypatch):
    chosen = [tasks.Task("multiserver.simulate", tasks.encode(arguments(**point)), 2000, 100, 3, 1) for point in POINTS]
    serial = {task: task.compute() for task in chosen}
    found = lambda: {task: estimates for task, estimates, _ in engines.compute(chosen)}  # noqa: E731
    assert found() == serial  # processes, in any order
    chosen.reverse()
    assert found() == serial
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", cluster.scheduler_address)
        assert found() == serial


def test_a_point_of_other_code_is_refused():
    task = tasks.Task("multiserver.simulate", tasks.encode(arguments(0.3, 0)), 20, 1, 2, 1)
    assert list(engines.compute([task])) == [(task, task.compute(), tasks.machine())]
    with pytest.raises(RuntimeError, match="A worker has other code for multiserver.simulate than this process"):
        engines._compute(task, "other")


def test_an_unstable_point_is_found_before_the_others_are_computed(results):
    with pytest.raises(UnstableError):
        run([*POINTS, {"load": 1.2, "interruptions": 1}])
    assert stored(results / "study.csv") == []


def test_one_event_is_enough_to_begin_with():
    """A system that starts empty has seen no job after it."""
    drawn = {"graph": multiserver.RandomAssignment(5, 2), "sizes": sizes.Exponential(1.0), "interruptions": 0}
    chosen = [
        tasks.Task("multiserver.simulate", tasks.encode({**drawn, "arrival_rates": rate}), 2000, 100, 3, 1)
        for rate in (1.0, 2.0)
    ]
    assert {task for task, _, _ in engines.compute(chosen)} == set(chosen)


@pytest.mark.parametrize("obstacle", ["results", "results/study.csv"])
def test_a_place_that_cannot_be_written_is_found_before_any_work(results, monkeypatch, obstacle):
    """A file in the place of the folder, a folder in the place of the file."""
    monkeypatch.setattr(engines, "compute", lambda missing: pytest.fail("computed"))
    path = results.parent / obstacle
    path.mkdir(parents=True) if path.suffix else path.touch()
    with pytest.raises(OSError, match=r"study\.csv"):
        run(POINTS[:1])


def test_what_is_committed_stands(tmp_path, monkeypatch):
    """Also where a reader's own row says otherwise."""
    monkeypatch.setattr(places, "RESULTS", tmp_path / "project")
    monkeypatch.delenv("COMPENDIUM_FRESH", raising=False)
    monkeypatch.setenv("COMPENDIUM_RESULTS", str(tmp_path / "project"))
    committed = run(POINTS[:1])
    (row,) = store.read(tmp_path / "project" / "study.csv").values()
    other = {name: {**estimate, "value": estimate["half_width"]} for name, estimate in row.estimates.items()}
    store.add(tmp_path / "own" / "study.csv", replace(row, estimates=other))
    monkeypatch.setenv("COMPENDIUM_RESULTS", str(tmp_path / "own"))
    assert run(POINTS[:1]).equals(committed)


def test_a_killed_worker_loses_only_what_was_in_flight(results):
    """A worker dies under the run: the rows before it are kept, and the next run finishes."""
    code = textwrap.dedent(
        """
        import os, sys, time
        import joblib
        sys.path.insert(0, sys.argv[1])
        import test_study
        from compendium.study import engines
        whole, path, deadline = engines._compute, sys.argv[2], time.time() + 500
        def deadly(task, fingerprint):
            if '"interruptions":1' in task.arguments:
                while not test_study.stored(path) and time.time() < deadline:  # until the run has kept another point
                    time.sleep(0.01)
                os.kill(os.getpid(), 9)
            return whole(task, fingerprint)
        joblib.cpu_count = lambda: 2  # where there is one core too
        engines._compute = deadly
        test_study.run()
        """
    )
    command = [sys.executable, "-c", code, str(Path(__file__).parent), str(results / "study.csv")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode != 0 and "TerminatedWorkerError" in done.stderr
    assert stored(results / "study.csv")
    assert len(run()) == len(POINTS) * len(run(POINTS[:1]))


def stored(path):
    """The whole rows that a results file holds."""
    path = Path(path)
    lines = path.read_text().splitlines(keepends=True)[1:] if path.exists() else []
    return [line for line in lines if line.endswith("\n")]


def test_wrong_words_are_answered_before_any_work(results):
    with pytest.raises(ValueError, match="fidelity must be one of quick, book, paper; got 'best'"):
        study.run("study", multiserver.simulate, POINTS, arguments, fidelity="best")
    with pytest.raises(ValueError, match="points must be a non-empty list"):
        run([])
    with pytest.raises(TypeError, match="unexpected keyword argument|missing a required argument"):
        study.run("study", multiserver.simulate, POINTS, lambda load, interruptions: {"lod": load}, fidelity="quick")
    assert not results.exists()
