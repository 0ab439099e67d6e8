"""The printed rules of central policies in plain Python, against the compiled ones of the library."""

from collections import Counter
from fractions import Fraction as F

import numpy as np
import pytest

from clustershare.dispatch import exact_central
from clustershare.dispatch.central import LOCAL, policy_of
from clustershare.dispatch.chain import Moves
from clustershare.dispatch.state import OBTAINED_SHARE, empty, of_groups
from pages.share_scheduling.central.printed.rules import Rules
from pages.share_scheduling.central.witnesses.reached import deviations, law, leaving, path, reached

SYSTEMS = {
    "two processors": (2, (F(1, 2), F(1, 2)), 5),
    "one shared": (3, (F(3, 8), F(5, 8)), 5),
    "three groups": (3, (F(1, 2), F(1, 4), F(1, 4)), 4),
    "one each": (3, (F(1, 3), F(1, 3), F(1, 3)), 5),
}
POLICIES = ("JSQ", "HP", "SVP", "DVP")


@pytest.mark.parametrize("policy", POLICIES)
def test_the_library_does_what_is_printed(policy):
    """In every state that is reached, after every event: the same states with the same probabilities."""
    for P, shares, most_jobs in SYSTEMS.values():
        required = np.array([float(share) for share in shares])
        for migration in (False, True):
            chosen, weights = policy_of(policy, migration, required, P)
            for local, rule in LOCAL.items():
                rules = Rules(policy, shares, P, migration, local)
                system = empty(
                    rule, required, np.full(P, 1 / P), weights, by_group=chosen.by_group, timed=False
                )  # fmt: skip
                moves = Moves(chosen, system, np.ones(len(shares)), most_jobs)
                for jobs, happening in reached(rules, most_jobs).items():
                    moves(sum(jobs, ()))  # brings the system there
                    assert (
                        np.abs(
                            of_groups(moves.levels[-1])[:, OBTAINED_SHARE]
                            - [float(rules.obtained(jobs, g)) for g in range(len(shares))]
                        ).max()
                        < 1e-12
                    )
                    for event in happening:
                        expected, found = Counter(), Counter()
                        for outcome in event.outcomes:
                            expected[sum(outcome.state, ())] += float(outcome.probability)
                        p = -1 if event.processor is None else event.processor
                        for to, chance in moves.outcomes(event.group, p):
                            found[to] += chance
                        assert set(found) == set(expected)
                        assert max(abs(found[to] - expected[to]) for to in found) < 1e-12


@pytest.mark.parametrize("policy", POLICIES)
def test_laws_and_paths(policy):
    """The chain of the printed rules against that of the library, and against a path."""
    shares, loads = (F(1, 4), F(3, 4)), (0.15, 0.3)
    for migration, local in ((False, "GPPS"), (True, "PS")):
        rules = Rules(policy, shares, 2, migration, local)
        found = law(rules, loads, 14)
        assert abs(found.probability.sum() - 1) < 1e-12 and 0 < found.lost < 1e-3
        exact = exact_central(
            policy, local=local, migration=migration, required_shares=(0.25, 0.75), loads=loads, processors=2,
            most_jobs=14,
        )  # fmt: skip
        assert np.abs(found.group_share_deviation - exact.group_share_deviation).max() < 1e-7
        assert abs(found.capacity_loss - exact.capacity_loss) < 1e-7
        apart = law(rules, loads, 14, like=False)
        assert np.abs(found.group_share_deviation - apart.group_share_deviation).max() < 1e-9
        steps = list(path(rules, loads, 20_000, seed=1))
        held = np.array([step.held for step in steps])
        seen = held @ np.array([deviations(rules, step.before) for step in steps]) / held.sum()
        assert np.abs(seen - found.group_share_deviation).max() < 0.06


@pytest.mark.parametrize("policy", POLICIES)
def test_a_permanent_job_is_always_there(policy):
    rules = Rules(policy, (F(1, 3),) * 3, 3, True)
    steps = list(path(rules, (0.3, 0.3, 0), 3000, seed=2, permanent=(2,)))
    assert [step.outcome.state for step in steps[:-1]] == [step.before for step in steps[1:]]
    returned = 0
    for step, after in zip(steps[1:], steps[2:]):
        there = sum(row[2] for row in step.outcome.state)
        assert there == 1 or after.permanent and after.processor is None and after.held == 0
        returned += there == 0
    assert returned > 100


def test_rates_of_leaving():
    rules = Rules("SVP", (F(1, 2), F(1, 2)), 2, True, "GPPS")
    (event,) = [event for event in reached(rules, 3)[((2, 0), (0, 1))] if event.processor == 0]
    assert leaving(rules, ((2, 0), (0, 1)), event) == 0.5


def test_an_unknown_change():
    with pytest.raises(ValueError, match="changed must name entries of CHANGES; got I9"):
        Rules("SVP", (F(1, 2), F(1, 2)), 2, True, changed=("I9",))
