"""JSQ(d), jobs that weigh by group (PPS), and rules that are shown the size: exact answers against events."""

import functools
import inspect
import sys
from typing import NamedTuple

import numpy as np
import pytest
from numba.core.caching import NullCache
from numba.core.dispatcher import Dispatcher

from clustershare import dispatch, sizes, splitting, uniprocessor
from clustershare.dispatch import kernel, state
from clustershare.dispatch.central import LOCAL, policy_of
from clustershare.dispatch.chain import Moves
from clustershare.dispatch.jit import kernel as compiled
from clustershare.dispatch.orders import TOTAL, fewest
from clustershare.results import NoExactAnswer

OTHERS = "without replacement"
COMMON = {"required_shares": (0.7, 0.3), "loads": (0.25, 0.1), "processors": 2}
THREE = {"required_shares": (0.7, 0.3), "loads": (0.1, 0.1), "processors": 3}
RUN = {"jumps": 60_000, "warmup": 2000, "replications": 10, "seed": 5}
MEASURED = ("group_share_deviation", "capacity_loss", "obtained_share", "mean_jobs")


def apart(exact, simulated, names=MEASURED):
    """How many half widths an exact answer is away from a simulated one, at most; twice its own error is granted."""
    found = {name: (getattr(exact, name), getattr(simulated, name)) for name in names}
    return max(
        float(np.max((np.abs(one - other.value) - 2 * exact.error) / other.half_width)) for one, other in found.values()
    )


@functools.cache
def by_chain(policy, reading=None):
    return dispatch.exact_central(policy, reading=reading, most_jobs=17, **COMMON)


def test_with_and_without_replacement():
    """All of them are Join Shortest Queue, one is random splitting; that two may be one costs capacity."""
    one, two, both = by_chain("JSQ(1)"), by_chain("JSQ(2)"), by_chain("JSQ(2)", OTHERS)
    for name in MEASURED:
        assert getattr(both, name) == pytest.approx(getattr(by_chain("JSQ"), name), abs=1e-9)
        assert getattr(one, name) == pytest.approx(getattr(by_chain("JSQ(1)", OTHERS), name), abs=1e-9)
    random = splitting.horizontal(COMMON["required_shares"], COMMON["loads"], [1 / 2] * 2)
    assert one.capacity_loss == pytest.approx(random.capacity_loss, abs=2 * one.error)
    three = dispatch.exact_central("JSQ(3)", reading=OTHERS, most_jobs=8, **THREE)
    for name in MEASURED:
        assert getattr(three, name) == pytest.approx(
            getattr(dispatch.exact_central("JSQ", most_jobs=8, **THREE), name), abs=1e-9
        )
    assert one.capacity_loss > two.capacity_loss + 0.01 > both.capacity_loss + 0.02


@pytest.mark.parametrize("reading", [None, OTHERS])
@pytest.mark.parametrize("choices", [1, 2, 3, 4])
@pytest.mark.parametrize("least", [0, 1022, 1030])
def test_chances_are_those_of_the_rules(choices, reading, least):
    """All that chance may choose, one after the other; also where the order does not tell numbers apart."""
    P = 4
    policy, weights = policy_of(f"JSQ({choices})", False, np.array((0.5, 0.5)), P, reading)
    system = state.empty(LOCAL["PS"], (0.5, 0.5), np.full(P, 1 / P), weights, by_group=False, timed=False)
    moves = Moves(policy, system, np.array((0.2, 0.2)), 10**6)
    rng = np.random.default_rng(choices)
    for _ in range(3):
        jobs = least + rng.integers(0, 3, (P, 2))
        moves.policy = policy._replace(migration=False)
        kernel.bring(system, jobs)
        moves.arrays = [array for array in system if isinstance(array, np.ndarray)]
        moves.saved = [array.copy() for array in moves.arrays]
        found = dict.fromkeys(range(P), 0.0)
        for after, chance in moves.outcomes(1, -1):
            (p,) = np.flatnonzero((np.array(after).reshape(P, 2) - jobs)[:, 1])
            found[p] += chance
        assert list(found.values()) == pytest.approx(policy.chances(jobs.sum(axis=1)), abs=1e-12)


@pytest.mark.parametrize("choices", [2, 3, 5])
def test_the_supermarket_model(choices):
    """Of very many processors, load^((d^k - 1) / (d - 1)) have k jobs or more (Mitzenmacher); 200 are within 1 %."""
    load, k = 0.7, np.arange(1, 12)
    expected = 200 * (load ** ((float(choices) ** k - 1) / (choices - 1))).sum()
    common = {"required_shares": (0.5, 0.5), "loads": (load / 2, load / 2), "processors": 200}
    run = {"jumps": 400_000, "warmup": 20_000, "replications": 4, "seed": choices}
    for reading in (None, OTHERS):
        found = dispatch.simulate_central(f"JSQ({choices})", reading=reading, **common, **run).mean_jobs
        assert abs(found.value.sum() - expected) < 0.01 * expected + found.half_width.sum()


def test_choices_that_are_refused():
    for policy, reading, sentence in (
        ("JSQ(3)", OTHERS, r"policy must be JSQ\(d\) for a d of at most 2, as many as processors, without"),
        ("JSQ(0)", None, r"policy must be one of JSQ, .*, JSQ\(d\) for any whole d; got 'JSQ\(0\)'"),
        ("JSQ(-1)", None, "policy must be one of"),
        ("JSQ(1.5)", None, "policy must be one of"),
        ("JSQ(d) for any whole d", None, "policy must be one of"),
        ("JSQ(2)", "with care", r"reading must be None under JSQ\(2\), or 'without replacement'; got 'with care'"),
        ("JSQ", OTHERS, "reading must be None under JSQ; got"),
        (f"JSQ({10**30})", None, r"policy must be JSQ\(d\) for a d of at most 1000000"),
    ):
        for call in (dispatch.simulate_central, dispatch.exact_central, dispatch.simulate_central_beside_queue):
            with pytest.raises(ValueError, match=sentence):
                call(policy, reading=reading, **COMMON)


ONE = {"required_shares": (0.7, 0.3), "loads": (0.35, 0.2), "processors": 1, "local": "PPS"}
OF_BOTH = ("group_share_deviation", "obtained_share", "mean_jobs")


def test_jobs_that_weigh_by_group_on_one_processor():
    """One processor under any policy is that of `uniprocessor`, by a chain and by events."""
    chain = uniprocessor.exact("PPS", ONE["required_shares"], ONE["loads"])
    cut = dispatch.exact_central("JSQ", most_jobs=40, **ONE)
    for name in OF_BOTH:
        assert getattr(cut, name) == pytest.approx(getattr(chain, name), abs=2 * cut.error)
    assert apart(chain, dispatch.simulate_central("JSQ", **ONE, **RUN), OF_BOTH) < 2
    alone = dispatch.simulate_distributed("Isolation", probe_limit=0, **ONE, **RUN)
    assert apart(chain, alone, OF_BOTH) < 2
    beside = dispatch.simulate_central_beside_queue("JSQ", **ONE, **RUN)
    assert apart(chain, beside, ("group_share_deviation", "mean_jobs")) < 2


def test_drawn_sizes_that_weigh_by_group():
    law = sizes.Hyperexponential((2.0, 0.5), (1 / 3, 2 / 3))
    one = uniprocessor.simulate("PPS", ONE["required_shares"], ONE["loads"], sizes=law, **RUN)
    other = dispatch.simulate_central("JSQ", sizes=law, **ONE, **RUN)
    for name in OF_BOTH:
        first, second = getattr(one, name), getattr(other, name)
        assert (np.abs(first.value - second.value) < 2 * np.hypot(first.half_width, second.half_width)).all()


@compiled
def by_size(policy, system, rng, group, size):
    return int(size > policy.cutoff if policy.cutoff > 0 else fewest(system, rng, TOTAL))


@compiled
def stay(policy, system, rng, group, q, now):
    pass


class SizeInterval(NamedTuple):
    """Small jobs to one processor, and large ones to the other; or without a cutoff, to the one with the fewest."""

    migration: bool = False
    cutoff: float = 2.0
    by_group = False
    place = staticmethod(by_size)
    rebalance = staticmethod(stay)


@pytest.fixture
def unkept(monkeypatch):
    """Nothing is kept of what is compiled here: an index with types of these tests is one that nobody else can read."""
    for module in [module for name, module in sys.modules.items() if name.startswith("clustershare.dispatch")]:
        for one in vars(module).values():
            if isinstance(one, Dispatcher) and "policy" in inspect.signature(one.py_func).parameters:
                monkeypatch.setattr(one, "_cache", NullCache())


@pytest.fixture
def policy(monkeypatch, unkept):
    monkeypatch.setitem(dispatch.POLICIES, "SITA", SizeInterval)
    return "SITA"


@pytest.mark.parametrize(
    ("law", "small"),
    [
        (sizes.Exponential(1.0), 1 - 3 * np.exp(-2)),
        (sizes.Exponential(0.5), 0.5 * (1 - 5 * np.exp(-4))),
        (sizes.Hyperexponential((4.0, 0.25), (0.2, 0.8)), 0.8 * (1 - 1.5 * np.exp(-0.5)) + 0.2 * (1 - 9 * np.exp(-8))),
        ((sizes.Deterministic(1.0), sizes.Deterministic(3.0)), None),
    ],
)
def test_size_intervals_are_queues_apart(policy, law, small):
    """Each processor is M/G/1-PS, in which load / (1 - load) jobs are in the mean, whatever the law of the sizes."""
    loads = (0.25, 0.15)
    found = dispatch.simulate_central(
        policy, required_shares=(0.5, 0.5), loads=loads, processors=2, sizes=law, **RUN
    )  # fmt: skip
    work = np.array(loads) if small is None else 0.4 * np.array([small, law.mean - small]) / law.mean
    expected = 2 * work / (1 - 2 * work)  # a processor has half the capacity
    apart = (
        np.abs(found.mean_jobs.value - expected) if small is None else abs(found.mean_jobs.value.sum() - expected.sum())
    )
    assert (apart < 2 * found.mean_jobs.half_width.sum()).all()


def test_who_does_not_ask_for_the_size_gets_the_same_numbers(policy, monkeypatch):
    """A rule that is shown the size and does not look at it: events as under JSQ with sizes that are drawn."""
    monkeypatch.setattr(SizeInterval.__new__, "__defaults__", (False, 0.0))
    common = {"required_shares": (0.5, 0.5), "loads": (0.3, 0.2), "processors": 2, "sizes": sizes.Deterministic(1.0)}
    one, other = (dispatch.simulate_central(name, **common, **RUN) for name in ("JSQ", policy))
    assert one == other


def test_sizes_are_shown_only_where_they_are_drawn(policy):
    common = {"required_shares": (0.5, 0.5), "loads": (0.3, 0.2), "processors": 2}
    with pytest.raises(NoExactAnswer, match="No exact answer under SITA, whose rule asks for the size of a job"):
        dispatch.exact_central(policy, **common)
    with pytest.raises(ValueError, match="policy must be one whose rule does not ask for the size"):
        dispatch.simulate_central_beside_queue(policy, **common)
