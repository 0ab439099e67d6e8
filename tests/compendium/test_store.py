"""The results store under the faults that it promises to survive."""

import json
import os
import signal
import subprocess
import sys
import textwrap

import pytest

from compendium.study import store
from compendium.study.tasks import Task


def row(number, value=0.1):
    return forged(json.dumps({"load": number}), {"mean_jobs": {"value": [value, 1 / 3], "half_width": [1e-17, 2.0]}})


def forged(arguments, estimates):
    """A row whose key and checksum are right, whatever it holds."""
    task = Task("clustershare.multiserver:simulate", arguments, 10, 1, 2, 7)
    return store.Row(task, "quick", "kernel", "machine", estimates)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "results" / "study.csv"


def test_what_is_added_is_read_to_the_last_bit(path):
    rows = [row(number, value=0.1 * number) for number in range(5)]
    for each in rows:
        store.add(path, each)
    assert list(store.read(path).values()) == rows


def test_no_file_holds_no_rows(path):
    assert store.read(path) == {}


def edited(text):
    assert "0.1" in text
    return text.replace("0.1", "0.2", 1)


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda line: line[: len(line) // 2], "cut short"),
        (lambda line: edited(line), "checksum"),
        (lambda line: line.replace(",", ";", 1), "fields"),
        (lambda line: "\x00 garbage\n", "fields"),
    ],
)
def test_a_spoilt_line_is_reported_set_aside_and_never_used(path, spoil, reason):
    for number in range(3):
        store.add(path, row(number))
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:3]) + spoil(lines[3]))
    with pytest.warns(
        store.ResultsWarning, match=rf"study\.csv, line 4: set aside in study\.csv\.rejected because .*{reason}"
    ):
        rows = store.read(path)
    assert list(rows.values()) == [row(0), row(1)]
    assert path.with_name("study.csv.rejected").exists()
    store.add(path, row(2))
    assert list(store.read(path).values()) == [row(0), row(1), row(2)]  # and no warning: it was mended


NUMBER = {"mean_jobs": {"value": 1.0, "half_width": 0.1}}


@pytest.mark.parametrize(
    ("arguments", "estimates", "reason"),
    [
        ("[1]", NUMBER, "arguments are not those of a point"),
        ('{"sizes":{"class":"sizes.Pareto"}}', NUMBER, "arguments are not those of a point"),
        ('{"sizes":[{"class":["a"],"fields":[]}]}', NUMBER, "arguments are not those of a point"),
        ("[" * 100_000, NUMBER, "recursion"),
        ("{}", [1.0], "estimates are not numbers"),
        ("{}", {"mean_jobs": 1.0}, "estimates are not numbers"),
        ("{}", {"mean_jobs": {"value": "1", "half_width": "0"}}, "estimates are not numbers"),
        ("{}", {"mean_jobs": {"value": [1.0, 2.0], "half_width": 0.1}}, "estimates are not numbers"),
    ],
)
def test_a_row_of_another_form_is_set_aside_whatever_its_checksum(path, arguments, estimates, reason):
    store.add(path, row(0))
    store.add(path, forged(arguments, estimates))
    with pytest.warns(store.ResultsWarning, match=f"line 3: set aside in .*{reason}"):
        assert list(store.read(path).values()) == [row(0)]


def test_a_point_of_many_classes_is_read_again(path):
    many = forged(json.dumps({"arrival_rates": [0.25] * 40_000}), NUMBER)
    store.add(path, many)
    assert list(store.read(path).values()) == [many]


def test_a_long_line_that_is_none_blocks_nothing(path):
    store.add(path, row(0))
    with open(path, "a") as file:
        file.write("x" * 200_000 + "\n")
    with pytest.warns(store.ResultsWarning, match="line 3: set aside in"):
        assert list(store.read(path).values()) == [row(0)]


def test_of_two_answers_to_a_point_none_is_used(path):
    for each in (row(0), row(1), row(0), row(1, value=0.2)):
        store.add(path, each)
    with pytest.warns(store.ResultsWarning, match="another line answers its point otherwise") as warned:
        assert list(store.read(path).values()) == [row(0)]  # twice the same
    assert [str(each.message).partition(":")[0] for each in warned] == ["study.csv, line 3", "study.csv, line 5"]
    assert row(1, value=0.2).line() in path.with_name("study.csv.rejected").read_text()


def test_where_nothing_may_be_written_the_good_rows_are_read(path):
    store.add(path, row(0))
    with open(path, "a") as file:
        file.write("nonsense\n")
    path.with_name("study.csv.rejected").mkdir()
    with pytest.warns(store.ResultsWarning, match="line 3: not used because it has 1 fields"):
        assert list(store.read(path).values()) == [row(0)]


def test_a_row_after_a_killed_writer_is_not_lost(path):
    store.add(path, row(0))
    with open(path, "a") as file:
        file.write(row(1).line()[:40])
    store.add(path, row(2))
    with pytest.warns(store.ResultsWarning, match="line 3"):
        assert list(store.read(path).values()) == [row(0), row(2)]


WRITER = """
import sys
sys.path.insert(0, {tests!r})
from pathlib import Path
from test_store import row
from compendium.study import store
for number in range({start}, {stop}):
    store.add(Path({path!r}), row(number))
    print(number, flush=True)
"""


def writer(path, start, stop, prelude=""):
    code = prelude + WRITER.format(tests=os.path.dirname(__file__), start=start, stop=stop, path=str(path))
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_two_writers_lose_nothing(path):
    writers = [writer(path, 0, 150), writer(path, 150, 300)]
    for process in writers:
        _, errors = process.communicate(timeout=600)
        assert process.returncode == 0, errors
    assert sorted(each.task.key for each in store.read(path).values()) == sorted(
        row(number).task.key for number in range(300)
    )


def test_a_killed_writer_loses_at_most_the_row_in_flight(path):
    process = writer(path, 0, 100_000)
    for line in process.stdout:  # at an end if the writer died of something else
        if line.startswith("20"):
            break
    process.send_signal(signal.SIGKILL)
    reported = [int(line) for line in process.communicate(timeout=600)[0].split()[:-1]]
    stored = store.read(path)
    assert process.returncode == -signal.SIGKILL
    assert len(stored) >= max(reported, default=20)


def test_a_full_disk_leaves_the_file_as_it_was(path):
    store.add(path, row(0))
    before = path.read_bytes()
    limit = len(before) + 50  # room for a part of a row
    prelude = textwrap.dedent(
        f"""
        import resource, signal
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))
        """
    )
    process = writer(path, 1, 2, prelude)
    assert "OSError: The result could not be stored in study.csv" in process.communicate(timeout=600)[1]
    assert process.returncode != 0
    assert path.read_bytes() == before


def test_pruning_keeps_what_is_asked(path):
    for number in range(4):
        store.add(path, row(number))
    assert store.prune(path, lambda each: "1" not in each.task.arguments) == 1
    assert list(store.read(path).values()) == [row(0), row(2), row(3)]
