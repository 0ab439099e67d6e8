"""The pages across the sources: their measures, and other parameters."""

import ast

import numpy as np
import pandas as pd
import papermill
import pytest

from clustershare import dispatch, multiprocessor
from clustershare.sizes import Exponential
from compendium import places
from executed_pages import execute
from pages.across import systems
from pages.across.points import exact, measures, plane
from pages.across.witnesses import simulated


def test_mgpps_on_one_processor_is_gpps():
    """The chain with migration and P = 1 against the chain of one processor."""
    deviation, jobs, full = exact.mgpps(1, Exponential(), 0.5)
    known = exact.uniprocessor.exact("GPPS", systems.SHARES, systems.loads_of(0.5))
    assert full < 1e-10
    assert deviation == pytest.approx(known.group_share_deviation, abs=1e-7)
    assert jobs == pytest.approx(known.mean_jobs, abs=1e-6)


def test_mgpps_loses_to_no_policy_that_may_move_jobs():
    """No deviation above 0; and as many processors are busy as under JSQ with migration."""
    for processors in systems.PROCESSORS:
        deviation, jobs, _ = exact.mgpps(processors, Exponential(), 0.7)
        assert deviation.max() < 0
        assert jobs.sum() == pytest.approx(exact.migrating(processors, 0.7).mean_jobs.sum(), rel=1e-6)
    assert multiprocessor.group_weights(systems.SHARES, [1, 5], [0.5, 0.5]).sum() == 2


def test_balanced_fairness_of_all_servers_is_processor_sharing():
    for load in systems.LOADS:
        deviation, loss, jobs = exact.balanced_fairness(systems.ALL_SERVERS, load)
        assert deviation == pytest.approx(exact.pooled("PS", load))
        assert loss == pytest.approx(0, abs=1e-12) and jobs == pytest.approx(load / 2 / (1 - load))


def test_sizes_move_first_come_first_served_by_their_variance():
    mean = {law: simulated.in_order_of_arrival(law, 0.5) for law in systems.LAWS}
    assert mean["exponential"] == pytest.approx([0.5, 0.5])
    assert mean["Zipf"] == pytest.approx(0.25 * (0.5 * (systems.LAWS["Zipf"].variance + 1) + 1) * np.ones(2))
    assert all(law.mean == pytest.approx(1) for law in systems.LAWS.values())


def test_a_group_that_grows_has_no_place():
    assert measures.grows([0.0, 0.02], [0.45, 0.45]) and not measures.grows([0.0, 0.001], [0.45, 0.45])


def test_who_is_beaten():
    """Equal within half widths is not beaten; better in one and equal in the other beats."""
    points = {"near": (0.1, 0.05, 0.0, 0), "far": (0.2, 0.0, 0.0, 0), "noisy": (0.16, 0.05, 0.0, 0)}
    assert measures.not_beaten(points) == ["near", "noisy"]
    columns = ["kind", "policy", "deviation", "within", "loss", "sensitivity", "sensitivity_within", "known"]
    table = pd.DataFrame(
        [("k", "kept", 0.0, 0, 0, 0.1, 0, ""), ("k", "none", -1.0, 0, 0, np.nan, np.nan, "")], columns=columns
    )
    assert plane.judged(table)["best"].tolist() == [True, False]
    rival = pd.DataFrame([("k", "MGPPS", 0.0, 0, 0, 0.0, 0, "")], columns=columns)
    both = plane.judged(pd.concat([table, rival], ignore_index=True))
    assert both["best"].tolist() == [False, False, True] and both["best_staying"].tolist() == [True, False, False]


@pytest.mark.proof
def test_the_plane_of_another_system(tmp_path):
    values = execute("plane", tmp_path, processors=2, load=0.5)  # simulated for the book already
    assert values["compared"] > 100 and values["outside"] < 0.3
    assert values["loss-own"] == pytest.approx(1 / 6)
    assert "MGPPS" in values["best-sequential"] and "PS" in values["best-parallel"]


@pytest.mark.proof
def test_a_design_for_less_work(tmp_path):
    values = execute("design", tmp_path, fidelity="quick", work=[0.5, 0.5], slowdown=1.3)
    assert 2 <= values["lab-best"] < values["lab-chance"] <= 20
    assert values["rigid-price"] == 4 and values["divided-fair"] == 9


def test_companions_of_every_policy():
    """As the page says of its table."""
    parameters = papermill.inspect_notebook(str(places.CHAPTERS / "across" / "companions.ipynb"))
    assert ast.literal_eval(parameters["policies"]["default"]) == list(dispatch.POLICIES)


@pytest.mark.proof
def test_companions_of_other_promises(tmp_path):
    values = execute(
        "companions", tmp_path, fidelity="quick", local="GPPS", loads=[0.8], processors=[2], required_shares=[0.6, 0.4],
        policies=["JSQ", "SVP"],
    )  # fmt: skip
    assert abs(values["apart"]) < 3  # half widths from the chain
    assert values["compared"] == 8 and values["outside"] < 0.3
    assert values["jobs-most"] > 10
