"""The pages of balanced fairness and the round robin, with other parameters."""

import pytest

from clustershare import multiserver
from executed_pages import execute


@pytest.mark.proof
def test_three_servers_with_other_interruptions(tmp_path):
    values = execute("three_servers", tmp_path, fidelity="quick", interruptions=[0, 20])
    assert values["rate-half-load"] == pytest.approx(1.0294, abs=1e-3)
    assert values["closest"] > values["fcfs"]


@pytest.mark.proof
def test_the_order_independent_queue_of_another_graph(tmp_path):
    values = execute(
        "order_independent", tmp_path, servers_of_class=[[0], [0, 1]], capacities=[1.0, 0.5], arrival_rates=[0.3, 0.4],
        line=[1, 0, 1], interruptions=[10, 100, 1000],
    )  # fmt: skip
    assert values["aggregate"] == pytest.approx(1, rel=1e-12)
    assert values["slope"] == pytest.approx(2, abs=0.1)  # a hundredth of the error for a hundred times as many


@pytest.mark.proof
def test_nested_classes_with_a_faster_common_server(tmp_path):
    values = execute("nested", tmp_path, fidelity="quick", interruptions=[1], capacities=[0.5, 0.0, 2.0])
    assert 0 < values["rate-class-2"] < values["rate-class-1"] < 2.5
    assert len(values["figures"]) == 7


@pytest.mark.proof
def test_random_assignment_among_fewer_servers(tmp_path):
    values = execute("random_assignment", tmp_path, fidelity="quick", interruptions=[1], servers=20)
    assert values["delay-three"] < values["delay-two"]
    assert values["delay-two"] == pytest.approx(multiserver.random_assignment(20, 2, 0.8).mean_delay, rel=1e-2)
    assert len(values["figures"]) == 12


@pytest.mark.proof
def test_sensitivity_with_fewer_interruptions(tmp_path):
    values = execute("sensitivity", tmp_path, fidelity="quick", interruptions=[1, 10], loads=[0.5])
    assert 0.2 < values["worst"] < 2
    assert len(values["figures"]) == 5


@pytest.mark.proof
def test_the_law_of_the_distance_with_a_shorter_queue(tmp_path):
    values = execute("how_many", tmp_path, fidelity="quick", most_jobs=9, exact_loads=[0.2, 0.5])
    assert values["light"] == pytest.approx(8 / 13, rel=1e-5)
    assert values["limit-of-the-chain"] == pytest.approx(values["coefficient"], rel=3e-3)
    assert 0 < values["first"] < values["last"] < 0.3
    assert 0.2 < values["at-most"] < 1.5
    assert len(values["figures"]) == 1


@pytest.mark.proof
def test_other_interruptions_at_another_load(tmp_path):
    values = execute("interruption_rules", tmp_path, fidelity="quick", load=0.5, numbers=[1, 30])
    # Short runs of sizes that vary much: what is near balanced fairness is so within the intervals.
    assert abs(values["quantum"] - 1) < 1.5 * values["quantum-half-width"] < values["tasks"] - 1


@pytest.mark.proof
def test_the_round_robin_of_unequal_computers(tmp_path):
    values = execute("algorithm", tmp_path, fidelity="quick", capacities=[1.0, 3.0])
    assert abs(values["network"] - values["estimate"]) < 2 * values["half_width"] < values["network"]
    assert len(values["figures"]) == 3


@pytest.mark.proof
def test_a_companion_for_fewer_servers(tmp_path):
    values = execute("a_hundred_servers", tmp_path, fidelity="quick", servers=20, loads=[0.5], interruptions=[1])
    assert values["pairs-least"] > 2
    assert 0 < values["least"] == values["most"] < 0.2
