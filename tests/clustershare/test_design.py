"""From a promise to a design: the search against designs computed one by one, and what it must refuse."""

import numpy as np
import pytest

from clustershare import design, dispatch, multiserver, splitting, uniprocessor
from clustershare.design import choose
from clustershare.sizes import Pareto, bimodal_hyperexponential

SHARES, WORK = (0.6, 0.4), (1.0, 1.0)
SHORT = {"jumps": 20_000, "warmup": 2000, "replications": 8, "seed": 3}


def test_the_fewest_processors_are_those_that_a_formula_gives():
    (found,) = choose(SHARES, WORK, deviation=0.05, slowdown=1.2, policies=["JSQ PS, migrating"])
    meets = []
    for P in range(3, found.processors + 1):
        one = dispatch.shortest_queue_with_migration(SHARES, np.array(WORK) / P, P)
        meets.append(one.group_share_deviation.max() <= 0.05 and (one.mean_jobs / WORK).max() <= 1.2)
    assert meets == [False] * (len(meets) - 1) + [True] and len(meets) > 1
    assert (found.verdict, found.method) == ("meets", "formula")
    (least,) = choose(SHARES, WORK, deviation=1.0, slowdown=99.0, policies=["JSQ PS, migrating"])
    assert least.processors == 3  # two cannot do the work of two


@pytest.mark.parametrize("policy", ["HPRS PS", "HPRS GPPS"])
def test_each_bound_binds(policy):
    """With one bound loose, the other decides: a tighter one takes more processors."""
    loose = {"deviation": 1.0, "slowdown": 3.0, "policies": [policy], "most_processors": 12}
    first, tight = choose(SHARES, WORK, **loose)[0], choose(SHARES, WORK, **{**loose, "slowdown": 1.5})[0]
    assert first.verdict == tight.verdict == "meets" and first.processors < tight.processors
    never = choose(SHARES, WORK, **{**loose, "deviation": -0.5})[0]
    assert (never.verdict, never.processors) == ("misses", 12) and never.margin < 0


def test_whole_processors_alone_can_be_divided():
    found = choose(SHARES, WORK, deviation=1.0, slowdown=30.0, policies=["VPRS"])
    shares = splitting.vertical(SHARES, np.array(WORK) / 5, 5)
    assert found[0].processors == 5 and found[0].slowdown == pytest.approx((shares.mean_jobs / WORK).max())
    # With 5 processors group 2 has two for its work of one; with work for two it never ends.
    assert choose(SHARES, (1.0, 2.0), deviation=1.0, slowdown=30.0, policies=["VPRS"])[0].processors == 10


def test_balanced_fairness_has_the_deviations_of_its_lattice():
    """Present with what probability: by the sum over a lattice in place of the ratio of empty systems."""
    (found,) = choose(SHARES, (0.9, 0.9), deviation=1.0, slowdown=9.0, parallel=True, policies=[design.BALANCED])
    graph, loads = design.own_and_shared(SHARES, found.processors), np.array([0.9, 0.9]) / found.processors
    law = np.array([
        [multiserver.balance_function(graph, [i, j]) * loads[0] ** i * loads[1] ** j for j in range(70)]
        for i in range(40)
    ])  # fmt: skip
    absent = np.array([law[0].sum(), law[:, 0].sum()]) / law.sum()
    assert found.deviation == pytest.approx((1 - absent - loads / SHARES).max(), abs=1e-5)


def test_one_processor_has_its_own_exact_answers():
    found = {one.policy: one for one in choose(SHARES, WORK, deviation=0.5, slowdown=2.0, parallel=True)}
    assert set(found) == set(design.AT_ONCE)
    for policy in ("FCFS", "GPPS", "PQ"):
        one = found[policy]
        exact = uniprocessor.exact(policy, SHARES, np.array(WORK) / one.processors)
        assert one.deviation == pytest.approx(exact.group_share_deviation.max())
        assert one.slowdown == pytest.approx((exact.mean_jobs / WORK).max())
    other = choose(
        SHARES, WORK, deviation=0.5, slowdown=9.0, parallel=True, policies=["FCFS"], sizes=Pareto(1.0, 3.5), **SHORT
    )  # fmt: skip
    assert other[0].method == "simulation"


def test_an_interval_that_holds_a_bound_is_undecided():
    common = {"policies": ["JSQ PS"], "most_processors": 6}
    sharp = choose(SHARES, WORK, deviation=1.0, slowdown=9.0, **common, **SHORT)[0]
    bound = sharp.slowdown.value
    found = choose(SHARES, WORK, deviation=1.0, slowdown=bound, **common, **SHORT)
    there = [one for one in found if one.processors == sharp.processors]
    assert [one.verdict for one in there] == ["undecided"] and there[0].margin < 0
    assert found[0].verdict == "meets" and found[0].processors > sharp.processors


def test_both_ends_of_an_interval_count():
    """A bound a little below the estimate is undecided, one below the interval is missed."""
    common = {"policies": ["JSQ PS"], "most_processors": 3, "deviation": 1.0, **SHORT}
    slowdown = choose(SHARES, WORK, slowdown=9.0, **common)[0].slowdown
    for widths, verdict in ((0.5, "undecided"), (2.0, "misses")):
        bound = slowdown.value - widths * slowdown.half_width
        assert choose(SHARES, WORK, slowdown=bound, **common)[0].verdict == verdict


def test_the_smallest_design_comes_first_and_then_the_one_with_most_to_spare():
    named = ["HPRS PS", "HPRS GPPS", "VPRS"]
    for policies in (named, named[::-1]):
        found = choose(SHARES, WORK, deviation=0.3, slowdown=2.5, policies=policies)
        assert [(one.processors, one.verdict) for one in found] == [(4, "meets"), (4, "meets"), (5, "meets")]
        assert found[0].margin > found[1].margin


def test_simulated_designs_agree_with_the_chain():
    found = choose(SHARES, (0.5, 0.5), deviation=1.0, slowdown=9.0, policies=["JSQ PS", "HP GPPS"], **SHORT)
    for one in found:
        name, local = one.policy.split()
        exact = dispatch.exact_central(
            name, local=local, required_shares=SHARES, loads=np.array([0.5, 0.5]) / one.processors,
            processors=one.processors, most_jobs=22,
        )  # fmt: skip
        assert abs(one.deviation.value - exact.group_share_deviation.max()) < 2 * one.deviation.half_width
        assert abs(one.slowdown.value - (exact.mean_jobs / 0.5).max()) < 2 * one.slowdown.half_width


def test_a_group_that_is_sent_too_much_is_delayed_without_limit():
    (found,) = choose(
        SHARES, (0.5, 2.3), deviation=9.0, slowdown=1e9, policies=["SVP GPPS"], most_processors=5,
        **{**SHORT, "jumps": 100_000},
    )  # fmt: skip
    assert found.processors <= 5
    overloaded = choose(SHARES, (0.0001, 2.3), deviation=9.0, slowdown=1e9, policies=["VPRS"], most_processors=5)[0]
    assert overloaded.slowdown == np.inf and overloaded.verdict == "misses"


def test_sizes_do_not_matter_to_those_who_say_so():
    law = bimodal_hyperexponential()
    common = {"deviation": 0.5, "slowdown": 2.0}
    for parallel, policies in ((False, ["HPRS PS", "VPRS"]), (True, [design.BALANCED, "PS"])):
        one, other = (
            choose(SHARES, WORK, **common, parallel=parallel, policies=policies, sizes=sizes) for sizes in (None, law)
        )
        assert one == other and all(found.method != "simulation" for found in one)
    policies = ["HPRS GPPS", "JSQ PS, migrating"]  # the first has no answer then
    found = choose(SHARES, WORK, **common, sizes=Pareto(1.0, 2.2), policies=policies, **SHORT)
    assert {(one.policy, one.method) for one in found} == {("JSQ PS, migrating", "simulation")}


def test_what_cannot_be_done_gets_a_sentence():
    with pytest.raises(ValueError, match="less than most_processors can do; it is 60"):
        choose(SHARES, (30, 30), deviation=0.1, slowdown=2)
    with pytest.raises(ValueError, match=r"policies\[0\] must be one of balanced fairness, FCFS"):
        choose(SHARES, WORK, deviation=0.1, slowdown=2, parallel=True, policies=["JSQ PS"])
    with pytest.raises(ValueError, match="of mean 1"):
        choose(SHARES, WORK, deviation=0.1, slowdown=2, sizes=Pareto(2.0, 2.2))
