"""The pages on one processor, with other parameters."""

import pytest

from executed_pages import execute


@pytest.mark.proof
def test_equal_shares_with_another_load(tmp_path):
    values = execute("equal_shares", tmp_path, fidelity="quick", load=0.5)
    # FCFS at load rho changes sign where the other group's load is 1 - r: at (rho - 1/2) / rho of the load.
    assert values["sign-change"] == pytest.approx(0, abs=1e-9)
    assert values["gpps-worst"] < 0


@pytest.mark.proof
def test_no_groups_with_other_permanent_jobs(tmp_path):
    values = execute("no_groups", tmp_path, fidelity="quick", permanent_jobs=[2, 1], loads=[0.02, 0.03])
    assert values["formula-against-chain"] < 1e-4
    assert values["printed"] == pytest.approx(5 / 12) and values["right"] == pytest.approx(7 / 18)


@pytest.mark.proof
def test_priorities_with_other_service_rates(tmp_path):
    values = execute("priorities", tmp_path, alpha=3.0, required_share=0.7, first_shares=[0.6, 0.8])
    assert 0 < values["corner"] < 1 - 0.3**0.5  # (3.68), (3.71)
    assert values["other-share"] == pytest.approx(0.287272, abs=1e-6)


@pytest.mark.proof
def test_weighted_sharing_at_a_lower_load(tmp_path):
    values = execute("weighted_sharing", tmp_path, load=0.5)
    assert values["gpps-worst"] < 0 and values["gpps-worst"] <= values["pps-worst"]


@pytest.mark.proof
def test_unequal_loads_with_another_share(tmp_path):
    values = execute("unequal_loads", tmp_path, fidelity="quick", required_share=0.6)
    assert values["up-down-worst"] < 0.05
    assert values["groups-apart"] < 0.02


@pytest.mark.proof
def test_unequal_shares_at_a_lower_load(tmp_path):
    values = execute("unequal_shares", tmp_path, fidelity="quick", load=0.6)
    assert 0.5 < values["threshold"] < 0.5774
    assert values["pps-worst"] < 0.0575
