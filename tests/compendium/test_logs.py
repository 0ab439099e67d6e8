"""Logs are read whole or refused in a sentence; what is no job is counted by kind, and the rules do what they say."""

import datetime
import gzip

import numpy as np
import pytest

from clustershare.workload import Workload
from compendium import logs

SWF = """\
; Version: 2.2
; MaxProcs: 64
; UnixStartTime: 1000000000
; TimeZoneString: Europe/Berlin
1 0 5 100 4 -1 -1 4 200 -1 1 7 2 1 3 1 -1 -1

2 10 5 50.5 1 -1 -1 1 -1 -1 0 8 2 1 3 1 -1 -1
"""
SACCT = """\
JobID|JobIDRaw|Submit|Start|End|ElapsedRaw|User|Account|Partition|AllocCPUS|NNodes|Timelimit|State
11|11|2024-01-03T00:00:10|2024-01-03T00:00:20|2024-01-03T00:01:20|60|ada|math|long|4|1|1-00:00:00|COMPLETED
11.batch|11.batch|2024-01-03T00:00:10|2024-01-03T00:00:20|2024-01-03T00:01:20|60||math||4|1||COMPLETED
12|12|2024-01-03T00:00:30|Unknown|Unknown|0|ben|math|long|2|1|02:00:00|CANCELLED by 1000
13|13|2024-01-03T00:00:40|2024-01-03T00:00:50|Unknown|5|ben|math|long|2|1|10:00|RUNNING
14|14|2024-01-03T00:00:35|2024-01-03T00:00:50|2024-01-03T00:00:57|7|cleo|bio|short|64|2|UNLIMITED|CANCELLED by 7
"""


@pytest.fixture
def written(tmp_path):
    def write(text, name="a.log"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def swf(*changes):
    """A line of a job, of which some fields, counted from 1 as in the standard, are other."""
    line = [1, 0, 5, 100, 4, -1, -1, 4, 200, -1, 1, 7, 2, 1, 3, 1, -1, -1]
    for place, value in changes:
        line[place - 1] = value
    return " ".join(map(str, line))


def by_kind(log):
    return {one.kind: (one.left_out, one.kept) for one in log.found}


@pytest.mark.parametrize("zipped", [False, True])
def test_standard_workload_format(written, zipped):
    log = logs.read(written(gzip.compress(SWF.encode()) if zipped else SWF))
    work = Workload(**log.jobs)
    # 2001-09-09 03:46:40 in Berlin, a Sunday: six days and so many hours after Monday
    assert log.began == datetime.datetime(2001, 9, 3) and log.servers == 64 and log.lines == 7
    np.testing.assert_array_equal(work.arrivals - (6 * 86400 + 3 * 3600 + 46 * 60 + 40), [0, 10])
    np.testing.assert_array_equal(work.sizes, [100, 50.5])
    np.testing.assert_array_equal(work.servers, [4, 1])
    np.testing.assert_array_equal(work.estimates, [200, 50.5])
    assert work.names == ("7", "8") and work.groups.tolist() == [0, 1]
    assert by_kind(log) == {"unknown estimate": (0, 1)} and log.header["Version"] == "2.2"
    assert log.first == ((7, "unknown estimate", "no estimate of the run time"),)
    assert "line 7: unknown estimate" in str(log)


@pytest.mark.parametrize(
    ("groups", "names"), [("user", ("7", "8")), ("group", ("2",)), ("queue", ("3",)), ("executable", ("1",)),
                          ("partition", ("1",)), (None, ("all",))],
)  # fmt: skip
def test_groups_of_the_standard_format(written, groups, names):
    assert logs.read_swf(written(SWF), groups=groups).jobs["names"] == names


def test_slurm(written):
    log = logs.read(written(SACCT))
    assert by_kind(log) == {
        "part of a job": (1, 0), "cancelled": (1, 1), "unknown run time": (1, 0), "unknown estimate": (0, 1),
    }  # fmt: skip
    work = Workload(**log.jobs)
    assert log.began == datetime.datetime(2024, 1, 1) and work.names == ("ada", "cleo")
    np.testing.assert_array_equal(work.arrivals, 2 * 86400 + np.array([10, 35]))
    np.testing.assert_array_equal(work.sizes, [60, 7])
    np.testing.assert_array_equal(work.servers, [4, 64])
    np.testing.assert_array_equal(work.estimates, [86400, 7])
    assert log.first[:3] == (
        (3, "part of a job", "a step, or a partial execution"), (4, "cancelled", "run time 0"),
        (5, "unknown run time", "not finished"),
    )  # fmt: skip
    other = logs.read(
        written(SACCT), groups="Account", servers=32, columns={"servers": "NNodes"},
        rules={"unknown run time": "estimate", "cancelled": "leave out"},
    )  # fmt: skip
    assert other.jobs["names"] == ("math",) and other.jobs["sizes"].tolist() == [60, 600]
    assert other.jobs["servers"].tolist() == [1, 1] and by_kind(other)["cancelled"] == (2, 0)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_any_columns(written, separator):
    text = "name,user,arrival,duration,servers\n" '"a, b",x,1,3,2\n' "c,y,0,00:01:00.5,1\n" "d,,2,4,1\n"
    if separator != ",":
        text = text.replace('"a, b"', '"a"').replace(",", separator)
    log = logs.read(written(text))
    assert log.jobs["arrivals"].tolist() == [0, 1, 2] and log.jobs["sizes"].tolist() == [60.5, 3, 4]
    assert log.jobs["names"] == ("x", "y", "unknown") and log.jobs["groups"].tolist() == [1, 0, 2]
    assert by_kind(log) == {"unknown group": (0, 1), "unknown estimate": (0, 3), "out of order": (0, 1)}
    assert log.began is None and logs.read(written(text), groups=None).jobs["names"] == ("all",)


def test_times_from_starts_and_ends(written):
    text = "submit,start,end,user\n5,6,8,a\n7,9,8,a\n7,6,8,a\n8,8,8,b\n9,10,12,b\n"
    log = logs.read_csv(written(text))
    assert log.jobs["sizes"].tolist() == [2, 2] and log.jobs["arrivals"].tolist() == [0, 4]
    assert by_kind(log) == {
        "times run backwards": (2, 0), "zero run time": (1, 0), "unknown estimate": (0, 2),
    }  # fmt: skip


UNFIT = [  # the line, its kind, and what each rule but "refuse" gives: None is no job, else size and servers
    (swf((4, 0)), "zero run time", {"leave out": None, "one second": (1, 4)}),
    (swf((4, -1)), "unknown run time", {"leave out": None, "estimate": (200, 4)}),
    (swf((4, -1), (9, -1)), "unknown run time", {"leave out": None, "estimate": None}),
    (swf((5, 0)), "no processors", {"requested": (100, 4), "leave out": None, "one": (100, 1)}),
    (swf((5, -1), (8, -1)), "no processors", {"requested": None, "leave out": None, "one": (100, 1)}),
    (swf((5, 2.5), (8, 3)), "no processors", {"requested": (100, 3), "leave out": None}),
    (swf((11, 5)), "cancelled", {"keep what ran": (100, 4), "leave out": None}),
    (swf((11, 5), (4, 0)), "cancelled", {"keep what ran": None, "leave out": None}),
    (swf((11, 2)), "part of a job", {"leave out": None, "keep": (100, 4)}),
    (swf((2, -1)), "unknown arrival", {"leave out": None}),
    (swf((2, -7)), "times run backwards", {"leave out": None}),
    (swf((3, -7)), "times run backwards", {"leave out": None}),
    (swf((4, -7)), "times run backwards", {"leave out": None}),
    (swf((5, 65)), "too many processors", {"leave out": None, "all": (100, 64)}),
    (swf((12, -1)), "unknown group", {"leave out": None, "own group": (100, 4)}),
    (swf((9, -1)), "unknown estimate", {"leave out": None, "run time": (100, 4)}),
    (swf((2, 1)), "out of order", {"leave out": None, "sort": (100, 4)}),
    ("1 2 3", "no job", {"leave out": None}),
    (swf() + " 3", "no job", {"leave out": None}),
    (swf((4, "12s")), "no job", {"leave out": None}),
    (swf((4, "inf")), "no job", {"leave out": None}),
    (swf((4, "nan")), "no job", {"leave out": None}),
    (swf((4, "1_0")), "no job", {"leave out": None}),
    ("what is this\0", "no job", {"leave out": None}),
]


@pytest.mark.parametrize(("line", "kind", "rules"), UNFIT)
def test_what_is_unfit_is_counted_and_the_rule_chosen(written, line, kind, rules):
    first = "out of" in kind
    path = written(f"; MaxProcs: 64\n{swf((2, 9 if first else 0), (4, 33), (12, 1))}\n{line}\n")
    assert {*rules, "refuse"} <= {*logs.KINDS[kind]} and logs.KINDS[kind][0] in rules
    for rule, wanted in rules.items():
        log = logs.read_swf(path, rules={kind: rule})
        assert by_kind(log) == {kind: (1, 0) if wanted is None else (0, 1)} and log.found[0].first[0][0] == 3
        found = list(zip(log.jobs["sizes"], log.jobs["servers"], strict=True))
        found.remove((33, 4))
        assert found == ([] if wanted is None else [wanted])
        Workload(**log.jobs)
    with pytest.raises(ValueError, match=f"line 3: {kind}"):
        logs.read_swf(path, rules={kind: "refuse"})


def test_every_kind_is_tried():
    assert {kind for _, kind, _ in UNFIT} | {"byte-order mark"} == set(logs.KINDS)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize("text", [SWF, SACCT])
def test_a_byte_order_mark_is_told(written, text, encoding):
    path = written(text.encode(encoding))
    log, other = logs.read(path), logs.read(written(text, "b.log"))
    assert by_kind(log) == {"byte-order mark": (0, 1)} | by_kind(other)
    assert all(np.array_equal(log.jobs[name], other.jobs[name]) for name in log.jobs)
    with pytest.raises(ValueError, match="byte-order mark"):
        logs.read(path, rules={"byte-order mark": "refuse"})


@pytest.mark.parametrize("small", [False, True])
def test_the_first_ten_are_kept_and_all_are_counted(written, small, monkeypatch):
    if small:
        monkeypatch.setattr(logs, "BLOCK", 300)
    lines = [swf((1, k), (2, k), (4, "x" if k % 3 == 0 else k % 3 - 1)) for k in range(60)]
    log = logs.read(written("\n".join(lines)))
    assert by_kind(log) == {"no job": (20, 0), "zero run time": (20, 0)}
    assert [number for number, *_ in log.first] == [1, 2, 4, 5, 7, 8, 10, 11, 13, 14]
    assert log.found[0].first[-1] == (28, "'x' is no number") and log.jobs["sizes"].tolist() == [1] * 20


def test_blocks_and_slow_paths_give_the_same(written, monkeypatch):
    whole = logs.read(written(SACCT))
    monkeypatch.setattr(logs, "BLOCK", 100)
    quoted = SACCT.replace("|ada|", '|"ada"|').replace("COMPLETED\n", "COMPLETED|\n")
    for text in (SACCT, quoted):
        log = logs.read(written(text))
        assert log.found == whole.found and all(np.array_equal(log.jobs[name], whole.jobs[name]) for name in log.jobs)


WRONG = [
    ("", "has no line"), ("; only comments\n", "has no line"), ("\n\n", "has no line"), (b"\x1f\x8b\x08\x00ab", "read"),
    (gzip.compress(SWF.encode())[:-9], "read"), (swf((4, 0)), r"fit to be a job \(1 zero run time; line 1: zero"),
    ("submit,start,user\n1,2,3\n", "no column of run times"), ("start,end,user\n1,2,3\n", "no column of arrivals"),
    ("submit,runtime,user\n", "has no line"), ("submit,runtime,user\na,b,c\n", "1 no job; line 2"),
    ("submit,runtime,owner\n1,2,c\n", "groups must be"), (bytes(range(256)) * 9, "has no|no column|groups must"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_a_log_without_jobs_ends_in_one_sentence(written, text, message):
    with pytest.raises(ValueError, match=message) as caught:
        logs.read(written(text))
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 400


@pytest.mark.parametrize(
    "arguments",
    [{"path": "/no/such/file"}, {"path": "/"}, {"path": None}, {"path": 3}, {"path": "a\0b"}, {"groups": "nobody"},
     {"groups": 3}, {"servers": 0}, {"servers": "64"}, {"rules": {"no job": "guess"}}, {"rules": {"other": "refuse"}},
     {"rules": ["no job"]}],
)  # fmt: skip
def test_wrong_arguments_get_a_sentence(written, arguments):
    for read in (logs.read_swf, logs.read_csv, logs.read):
        text = SACCT if read == logs.read_csv else SWF
        with pytest.raises(ValueError) as caught:
            read(**{"path": written(text), **arguments})
        assert "\n" not in str(caught.value) and len(str(caught.value)) < 400
    for columns in (["a"], {"servers": "Nothing"}, {"nothing": "NNodes"}):
        with pytest.raises(ValueError, match="column"):
            logs.read_csv(written(SACCT), columns=columns)


def test_nothing_is_written(written):
    path = written(SWF)
    path.chmod(0o400)
    before = path.read_bytes(), sorted(path.parent.iterdir())
    logs.read(path)
    assert before == (path.read_bytes(), sorted(path.parent.iterdir()))


@pytest.mark.parametrize("text", [SWF * 3, SACCT, "submit,run_time,user\n1,2,a\n2,3,b\n"])
def test_whatever_is_done_to_a_log_it_is_read_or_refused_in_a_sentence(written, text):
    rng = np.random.default_rng(1)
    signs = [b"", b"9" * 30, b"1e300", b"nan", b"\xff", *(bytes([sign]) for sign in b"\0\n\r|,;'\"-. :")]
    for _ in range(60):
        broken = bytearray(text.encode())
        for _ in range(rng.integers(1, 6)):
            place = int(rng.integers(len(broken)))
            broken[place : place + int(rng.integers(0, 4))] = signs[rng.integers(len(signs))]
        path = written(bytes(broken))
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = [line for line in file if line.strip() and (text != SWF * 3 or line.lstrip()[0] not in ";#")]
        try:
            log = logs.read(path)
            left_out = sum(one.left_out for one in log.found)
            assert len(log.jobs["sizes"]) + left_out == len(lines) - (text != SWF * 3)
            Workload(**log.jobs)
        except ValueError as error:
            assert "\n" not in str(error) and len(str(error)) < 400
