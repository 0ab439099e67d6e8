"""The pages of the cluster chain, with other parameters."""

import pytest

from executed_pages import execute


@pytest.mark.proof
def test_blocking_in_a_smaller_cluster(tmp_path):
    values = execute("blocking", tmp_path, fidelity="quick", servers=6, queue_capacity=3)
    assert values["states"] == 30 * (7 + 3 * 6)
    assert values["residual"] < 1e-12


@pytest.mark.proof
def test_the_model_of_a_smaller_cluster(tmp_path):
    values = execute("model", tmp_path, servers=2, queue_capacity=1, state=[1, 1, [1]])
    # Cluster states (), (1), (2), (1, 1): 4 x 2 arrivals to an idle tracker, 2 x 4 to the queue; 3 ends of a job for
    # the idle tracker and each of 2 levels and 2 sizes; size 1 is mapped from 2 cluster states, size 2 from 1.
    assert values["entries"] == 8 + 8 + 3 * 5 + 3 * 2 + 3
    assert "ctmc-tab-2" in values["figures"]


@pytest.mark.proof
def test_sizing_another_cloud(tmp_path):
    values = execute(
        "sizing", tmp_path, fidelity="quick", share=0.1, arrival_rates=[5, 10, 15, 20], delays=[0.01, 0.03, 0.1]
    )
    assert values["meets"]


@pytest.mark.proof
def test_sleeping_servers_of_another_kind(tmp_path):
    values = execute("energy", tmp_path, fidelity="quick", servers=4, setup_rates=[5.0], shutdown_rates=[0.0, 2.0])
    assert 0 < values["saved"] < 0.5
    assert values["distance"] < 2.5  # half widths of wide intervals
