"""The benchmarks say whether each bound held, and so does their exit status."""

import sys
import types

import pytest
from benchmarks import __main__ as benchmark
from benchmarks.timing import Row, at_least, at_most, below


@pytest.mark.parametrize(
    ("bound", "within", "beyond"), [(at_most(2), 2.0, 2.1), (below(2), 1.9, 2.0), (at_least(2), 2.0, 1.9)]
)
def test_a_bound_fails_the_command(bound, within, beyond, monkeypatch, capsys):
    for value, code, verdict in ((within, 0, "held"), (beyond, 1, "NOT HELD"), (float("nan"), 1, "NOT HELD")):
        rows = [Row("no bound", "1"), Row("speed", f"{value}", value, bound)]
        module = types.SimpleNamespace(tables=lambda rows=rows: [("Table", rows)])
        monkeypatch.setitem(sys.modules, "benchmarks.uniprocessor", module)
        assert benchmark.main(["uniprocessor"]) == code
        assert f"{bound}: {verdict}\n" in capsys.readouterr().out


def test_every_model_has_tables(capsys):
    assert {"cluster_chain", "multiserver", "splitting", "uniprocessor"} <= set(benchmark.models())
    with pytest.raises(SystemExit):
        benchmark.main(["nonsense"])
    assert "model must be one of cluster_chain" in capsys.readouterr().err
