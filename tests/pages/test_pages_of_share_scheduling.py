"""The other pages of share scheduling, with other parameters."""

import pytest

from executed_pages import execute


@pytest.mark.proof
def test_permanent_jobs_beside_less_load(tmp_path):
    values = execute("permanent_jobs", tmp_path, fidelity="quick", load=0.4)
    assert values["up-down-two"] < 0.02
    assert values["hol-share"] > 0.2873


@pytest.mark.proof
def test_the_feasible_plane_at_a_lower_load(tmp_path):
    values = execute("feasible_plane", tmp_path, load=0.5, load_of_three=0.4, points=4, points_of_three=2)
    assert values["gpps-kept"] == 1 > values["hol-kept"]


@pytest.mark.proof
def test_what_is_shared_with_another_job(tmp_path):
    values = execute("what_is_shared", tmp_path, jobs=[2, 2], load=0.5)
    assert 1 / 3 < values["mtp"] < 4 / 3  # the fastest processor alone, and proportional branching
    assert "beyond-where-to-send" in values["figures"]


@pytest.mark.proof
def test_the_literature_of_sharing_with_two_jobs(tmp_path):
    values = execute("literature_of_sharing", tmp_path, tickets=[2, 1], quanta=30)
    assert values["stride"] < 1 < values["lottery"]
    assert "thesis-fig-1.4" in values["figures"]


@pytest.mark.proof
def test_obtained_shares_of_other_jobs(tmp_path):
    values = execute("obtained_shares", tmp_path, work=[1.0, 3.0], weights=[[0.5, 0, 0], [0, 1, 0], [0, 0, 1]])
    assert values["departure"] == 2
    assert values["loss"] == pytest.approx(0.25)


@pytest.mark.proof
def test_feasible_shares_on_like_processors(tmp_path):
    values = execute("feasible_shares", tmp_path, capacities=[1.0, 1.0, 1.0])
    assert values["margin"] == pytest.approx(0, abs=1e-9)  # f and fbar are one, and delivered
    assert values["promise"] == pytest.approx(1 / 3)


@pytest.mark.proof
def test_random_numbers_of_another_stream(tmp_path):
    values = execute("random_numbers", tmp_path, stream=2)
    assert values["period"] == 67099546
    assert values["gap-quarter"] != 0.25


@pytest.mark.proof
def test_intervals_at_another_load(tmp_path):
    values = execute("intervals", tmp_path, loads=[0.3, 0.4, 0.6], lengths=[10, 100], runs=200, studies=10)
    assert values["exact-printed"] == pytest.approx(0.355, abs=5e-4)
    assert values["printed"] < 0.5 < 0.85 < values["corrected"]
    assert values["own"] > 0.8
