"""The threshold policies of Eager et al.: fixed points against other formulas, and against paths."""

import itertools
import re

import numpy as np
import pytest
from scipy.optimize import brentq

from clustershare import routing
from pages.share_scheduling.distributed.witnesses import threshold
from pages.share_scheduling.distributed.witnesses.threshold import DISCIPLINES, POLICIES, response_times
from pages.share_scheduling.distributed.witnesses.threshold_paths import simulated

LOADS = np.array([0.1, 0.3, 0.5, 0.7, 0.9, 0.95])


@pytest.mark.parametrize(("T", "probes"), list(itertools.product((1, 2, 4), (1, 3, 10))))
def test_sender_is_the_threshold_policy_of_the_library(T, probes):
    expected = [routing.transfer_response_time("Threshold", load, T, probes) for load in LOADS]
    assert response_times("Sender", LOADS, T, probes) == pytest.approx(expected, rel=1e-6)


def receiver(load, T, probes):
    """By the balance between neighbouring numbers: one equation for the part of processors with more than T jobs."""

    def few(part):  # each processor serves a part `load` of the time; of departures that leave few, some bring a job
        return (1 - load) * (load / (1 - part) ** probes) ** np.arange(T + 1)

    part = brentq(lambda part: 1 - few(part).sum() - part, 1e-12, 0.999)
    ratio = 1 / (1 + few(part)[-1] / part)  # of a geometric law: the first of it is the sum times 1 - ratio
    return (few(part) @ np.arange(T + 1) + part * (T + 1 / (1 - ratio))) / load


@pytest.mark.parametrize(("T", "probes"), list(itertools.product((1, 2, 4), (1, 3, 10))))
def test_receiver_is_one_equation(T, probes):
    assert response_times("Receiver", LOADS, T, probes) == pytest.approx(
        [receiver(load, T, probes) for load in LOADS], rel=1e-8
    )


@pytest.mark.parametrize(("policy", "discipline"), list(itertools.product(POLICIES, DISCIPLINES)))
def test_without_probes_nothing_moves(policy, discipline):
    assert response_times(policy, LOADS, 2, 0, 0.25, discipline) == pytest.approx(1 / (1 - LOADS), rel=1e-9)


@pytest.mark.parametrize("policy", POLICIES)
def test_a_vanishing_cost_is_none(policy):
    assert response_times(policy, LOADS, 2, 2, 1e-5) == pytest.approx(response_times(policy, LOADS, 2, 2), rel=1e-4)


@pytest.mark.parametrize(("policy", "T", "cost"), list(itertools.product(POLICIES, (1, 3), (0.0, 0.4))))
def test_paths_of_two_hundred_processors(policy, T, cost):
    found = simulated(policy, 0.7, T, 2, cost, 200, time=200.0, seed=6)
    assert abs(found.value - response_times(policy, 0.7, T, 2, cost)) < 2 * found.half_width < 0.2


@pytest.mark.parametrize(("policy", "discipline"), [("Sender", "first"), ("Sender", "next"), ("Reservation", "first")])
def test_more_room_makes_no_difference(policy, discipline, monkeypatch):
    usual = response_times(policy, LOADS, 1, 2, 0.5, discipline)
    monkeypatch.setattr(threshold, "MOST_TRANSFERS", 18)
    monkeypatch.setattr(threshold, "MOST_PENDING", 10)
    assert response_times(policy, LOADS, 1, 2, 0.5, discipline) == pytest.approx(usual, rel=1e-6)


def test_points_are_independent_of_each_other():
    together = response_times("Receiver", LOADS[:, None], 2, [1, 5], [[[0.0]], [[0.3]]])
    assert together.shape == (2, 6, 2)
    assert together[1, 3, 0] == pytest.approx(response_times("Receiver", 0.7, 2, 1, 0.3), rel=1e-9)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("Thief", 0.5, 1, 1), "policy must be one of .*; got 'Thief'"),
        (("Sender", [0.5, 1.0], 1, 1), "loads must be a finite number, above 0 and below 1; got 1.0"),
        (("Sender", 0.5, 0, 1), "threshold must be an integer of at least 1; got 0"),
        (("Sender", 0.5, 1, -1), "probes must be an integer of at least 0; got -1"),
        (("Sender", 0.5, 1, 1, 1.5), "costs must be a finite number, at least 0 and below 1; got 1.5"),
        (("Sender", 0.5, 1, 1, 0.0, "last"), "discipline must be one of .*; got 'last'"),
    ],
)
def test_bad_input_is_a_sentence(arguments, sentence):
    with pytest.raises(ValueError, match=re.compile(sentence)):
        response_times(*arguments)
