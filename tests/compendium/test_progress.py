"""A line of progress that a terminal, a notebook and a log can bear."""

import io
import re

import pytest

from compendium import progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Clock:
    """Time that goes by when it is told to."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr("tqdm.std.time", made)
    return made


def counted(file, clock, points, seconds):
    with progress.progress(total=points, desc="study", unit="point", file=file, disable=False) as shown:
        for _ in range(points):
            clock.now += seconds
            shown.update()
    return file.getvalue()


def test_a_log_gets_a_line_in_thirty_seconds_at_most(clock):
    """At the beginning, at the end, and when 30 s have gone by: done, time left and rate."""
    written = counted(io.StringIO(), clock, 100, 1.0)
    assert "\r" not in written and written.endswith("\n")
    lines = written.splitlines()
    assert [int(re.search(r"(\d+)/100", line).group(1)) for line in lines] == [0, 30, 60, 90, 100]
    assert lines[1] == "study:  30% 30/100 [00:30<01:10,  1.00point/s]"


def test_a_slow_run_says_each_point(clock):
    assert len(counted(io.StringIO(), clock, 5, 100.0).splitlines()) == 6


def test_a_terminal_gets_one_line_that_is_written_over(clock):
    written = counted(Terminal(), clock, 100, 1.0)
    assert written.count("\n") == 1 and written.count("\r") > 50
