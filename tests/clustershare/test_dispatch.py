"""Central policies: formulas, chains and events against each other, and what holds after every event."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clustershare import dispatch, splitting
from clustershare.arguments import UnstableError
from clustershare.compiled import service
from clustershare.compiled.encoding import encode
from clustershare.dispatch import kernel, orders, state
from clustershare.dispatch.central import LOCAL, policy_of, with_more_room
from clustershare.results import NoExactAnswer
from clustershare.sizes import Deterministic, Exponential, Pareto

THESIS = ("JSQ", "HP", "SVP", "DVP")
EXAMPLE = [Fraction(3, 10), Fraction(1, 5), *[Fraction(2, 15)] * 3, Fraction(1, 10)]


def test_the_example_of_the_source():
    """(5.13), with the processors in the order in which they are given out here."""
    X = dispatch.partition(EXAMPLE, 5)
    half, third = Fraction(1, 2), Fraction(1, 3)
    expected = [
        [0, 1, half, 0, 0], [1, 0, 0, 0, 0], [0, 0, 0, 2 * third, 0], [0, 0, 0, third, third],
        [0, 0, 0, 0, 2 * third], [0, 0, half, 0, 0],
    ]  # fmt: skip
    assert (X == np.array(expected)).all()


@st.composite
def required(draw):
    """Required shares with a common denominator, and a number of processors."""
    parts = draw(st.lists(st.integers(1, 12), min_size=2, max_size=7))
    return [Fraction(part, sum(parts)) for part in parts], draw(st.integers(1, 12))


def most_sets(sizes):
    """As many sets with whole sums as there can be, by trying all partitions."""
    if not sizes:
        return 0
    best = -np.inf
    for chosen in range(1 << (len(sizes) - 1)):
        own = [size for k, size in enumerate(sizes[1:]) if chosen >> k & 1]
        if (sizes[0] + sum(own)).denominator == 1:
            best = max(best, 1 + most_sets([size for k, size in enumerate(sizes[1:]) if not chosen >> k & 1]))
    return best


@given(required())
@settings(max_examples=150, deadline=None)
def test_partitions(system_of):
    shares, processors = system_of
    X = dispatch.partition(shares, processors)
    sizes = [share * processors for share in shares]
    assert (X.sum(axis=1) == sizes).all() and (X.sum(axis=0) == 1).all() and X.min() >= 0
    for g, size in enumerate(sizes):
        assert (X[g] == 1).sum() >= int(size) - (size.denominator > 1)
        assert (X[g] > 0).sum() <= int(size) + 2 and (size.denominator > 1 or (X[g] > 0).sum() == size)
    sets = dispatch.combinations(sizes)
    assert sorted(g for groups in sets for g in groups) == list(range(len(shares)))
    assert all(sum(sizes[g] for g in groups).denominator == 1 for groups in sets)
    assert len(sets) == most_sets(sizes)


def test_twenty_groups_and_more():
    assert len(dispatch.combinations([Fraction(1, 2)] * 20)) == 10
    assert len(dispatch.combinations([Fraction(1)] * 30)) == 30
    with pytest.raises(NoExactAnswer, match="there may be 20; there are 22"):
        dispatch.combinations([Fraction(1, 2)] * 22)


def test_shares_as_floats():
    assert (dispatch.partition([1 / 3, 2 / 3], 3) == dispatch.partition([Fraction(1, 3), Fraction(2, 3)], 3)).all()
    with pytest.raises(ValueError, match="floats next to fractions"):
        dispatch.partition([1 / np.pi, 1 - 1 / np.pi], 2)


COMMON = {"required_shares": (0.7, 0.3), "loads": (0.25, 0.2), "processors": 2}
RUN = {"jumps": 100_000, "warmup": 2000, "replications": 10, "seed": 5}


@pytest.mark.parametrize("policy", dispatch.POLICIES)
@pytest.mark.parametrize("share", [1e-9, 1e-12, 1e-300])
def test_shares_next_to_nothing(policy, share):
    """Who is promised next to nothing has not enough by having nothing: there is a processor for each job."""
    common = {"loads": (0.2, 0.15, 0.1), "processors": 2, "migration": True}
    common["required_shares"] = (share, 0.5, 0.5) if share < 1e-16 else (share, 0.5, 0.5 - share)
    if policy in ("SVP", "SPILL"):
        with pytest.raises(ValueError, match="fractions, or floats next to fractions"):
            dispatch.simulate_central(policy, **common)
        return
    for local in LOCAL:
        found = dispatch.simulate_central(policy, local=local, **common, **RUN).obtained_share
        assert (np.abs(found.value - common["loads"]) <= 2 * found.half_width).all(), local
    if share > 1e-16:
        pair = {"required_shares": (share, 1 - share), "loads": (0.25, 0.2), "processors": 2}
        chain = dispatch.exact_central(policy, most_jobs=16, **pair)
        for simulate in (dispatch.simulate_central, dispatch.simulate_central_beside_queue):
            found = simulate(policy, **pair, **RUN)
            for name in ("obtained_share", "capacity_loss", "mean_jobs"):  # deviations are relative to the share
                off = np.abs(getattr(chain, name) - getattr(found, name).value)
                assert (off <= 2 * getattr(found, name).half_width + 10 * chain.error + 1e-9).all(), name


def test_a_processor_for_each_group():
    """Without migration, SVP on two processors is two queues: what vertical random splitting is."""
    common = {"required_shares": (0.5, 0.5), "loads": (0.35, 0.2), "processors": 2}
    exact, chance = (
        dispatch.exact_central("SVP", most_jobs=22, **common),
        splitting.vertical((0.5, 0.5), (0.35, 0.2), 2),
    )
    assert np.abs(exact.group_share_deviation).max() < 1e-3
    assert abs(exact.capacity_loss - chance.capacity_loss) < 1e-2


@pytest.mark.parametrize("sizes", [Deterministic(1.0), Pareto(1.0, 2.5), (Exponential(1.0), Exponential(0.25))])
def test_any_sizes(sizes):
    """All work that comes is done; with migration nothing is lost."""
    found = dispatch.simulate_central("JSQ", migration=True, sizes=sizes, **COMMON, **RUN)
    assert np.abs(found.obtained_share.value - COMMON["loads"]).max() < 0.02
    assert abs(found.capacity_loss.value) < 1e-9


def steps(policy, migration, shares, loads, processors, count, seed, **settings_):
    """The system after each of many events, and the time."""
    chosen, weights = policy_of(policy, migration, np.array(shares), processors, **settings_)
    system = state.empty(
        LOCAL["GPPS"], shares, np.full(processors, 1 / processors), weights, by_group=chosen.by_group, timed=False
    )
    rng, clock = np.random.default_rng(seed), np.array([0.0, np.inf])
    laws = encode(*[Exponential()] * len(shares))
    nothing = None, None, None  # said, so that it is the code which `simulate_central` compiles
    for _ in range(count):
        kernel.run(rng, chosen, system, np.array(loads), 1.0, laws, 1, clock, np.zeros(len(system.level)), *nothing)
        yield chosen, system, clock[0]


@pytest.mark.parametrize("policy", dispatch.POLICIES)
@pytest.mark.parametrize("migration", [False, True])
def test_after_every_event(policy, migration):
    shares, loads, P = (0.5, 0.3, 0.2), (0.4, 0.2, 0.3), 5
    before, busy = 0.0, np.zeros(P)
    was = np.zeros(P, bool)
    for chosen, system, now in steps(policy, migration, shares, loads, P, 3000, 8):
        total, jobs = system.count[:, 0].astype(int), system.count[:, 1:].astype(int)
        present = jobs.sum(axis=0)
        assert (total == jobs.sum(axis=1)).all() and system.present[0] == total.sum() and total.max() < 1000
        assert (system.present[1:] == present).all()
        # the orders are orders, and know where everybody is
        for row in range(system.rank.shape[1]):
            order = system.rank[orders.ORDER, row]
            assert (system.rank[orders.PLACE, row][order] == np.arange(P)).all()
            key = total if row == 0 else jobs[:, row - 1] * orders.WIDTH + np.minimum(total, orders.WIDTH - 1)
            assert (np.diff(key[order]) >= 0).all()
        # every busy processor is shared, and what is measured is so
        share = system.amount[:, state.SHARE, 1:]
        assert np.allclose(share.sum(axis=1), (total > 0) / P) and ((share > 0) == (jobs > 0)).all()
        for p in range(P):
            claims = [service.claim(service.GPPS, w, n) for w, n in zip(system.amount[p, state.WEIGHT, 1:], jobs[p])]
            assert np.allclose(share[p], np.array(claims) / max(sum(claims), 1e-300) / P)
        kinds = (jobs > 0).sum(axis=1)
        expected = [
            (total > 0).mean(),
            min(total.sum() / P, 1),
            ((kinds > 1) & (total == 2)).sum(),
            ((kinds > 1) & (total > 2)).sum(),
        ]
        for g in range(len(shares)):
            expected += [min(shares[g], present[g] / P), share[:, g].sum(), present[g], (jobs[:, g] > 0).sum()]
        assert np.allclose(system.level, expected, atol=1e-12)
        busy, before, was = busy + was * (now - before), now, total > 0
        assert np.allclose(busy, system.amount[:, state.SHARE, 0] + was * now)
        if migration and policy in THESIS:
            assert (total > 0).sum() == min(P, total.sum()), "zero capacity loss"
        if migration and policy == "JSQ":
            assert np.ptp(total) <= 1, "system balance"
        if migration and policy == "HP":
            assert np.ptp(jobs, axis=0).max() <= 1, "group balance"
        if policy == "SVP":
            guests = (jobs * (chosen.parts == 0)).sum(axis=1)
            assert guests.max() <= (1 if migration else 0), "guests"


def test_more_room_keeps_the_jobs():
    system = state.empty(LOCAL["PS"], (0.5, 0.5), np.ones(1), np.ones((1, 2)), by_group=False, timed=True)
    for size in (3.0, 1.0, 2.0):
        kernel.admit(system, 0, 0, 0.0, size)
    wide = with_more_room(system)
    assert wide.leave.shape == (1, 2, 16) and (wide.leave[0, 0, :3] == system.leave[0, 0, :3]).all()


def test_bad_arguments():
    good = {"required_shares": (0.5, 0.5), "loads": (0.3, 0.3), "processors": 2, **RUN}
    for change, sentence in (
        ({"loads": (0.3, 0.3, 0.1)}, "loads must be a sequence of 2 entries"),
        ({"loads": (0.0, 0.0)}, "above 0 for at least one group"),
        ({"required_shares": (0.5, 0.4)}, "sum to 1"),
        ({"processors": 0}, "processors must be an integer of at least 1"),
        ({"local": "FCFS"}, "local must be one of PS, GPPS"),
        ({"capacities": (0.5, 0.6)}, "capacities must sum to 1"),
        ({"sizes": (1.0, 2.0)}, "distribution of clustershare.sizes"),
        ({"reading": "plain sums"}, "reading must be None under JSQ; got"),
    ):
        with pytest.raises(ValueError, match=sentence):
            dispatch.simulate_central("JSQ", **{**good, **change})
    with pytest.raises(ValueError, match="equal under DVP"):
        dispatch.simulate_central("DVP", capacities=(0.6, 0.4), **good)
    with pytest.raises(ValueError, match="None under HP, or 'M2 by jobs'; got 'M2'"):
        dispatch.simulate_central("HP", reading="M2", **good)
    with pytest.raises(ValueError, match="policy must be one of JSQ"):
        dispatch.simulate_central("LIFO", **good)
    with pytest.raises(UnstableError, match="less than 1"):
        dispatch.simulate_central("JSQ", **{**good, "loads": (0.5, 0.5)})
    with pytest.raises(UnstableError):
        dispatch.queueing_probability(1.0, 3)
    with pytest.raises(NoExactAnswer, match="cut at 3 jobs"):
        dispatch.exact_central("JSQ", required_shares=(0.5, 0.5), loads=(0.4, 0.4), processors=2, most_jobs=3)
