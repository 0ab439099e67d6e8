"""Claims of `thesis`, Section 4.3.2: how often one waits in vain under random splitting, and what is better."""

import itertools
import math

import numpy as np

from clustershare import routing
from clustershare.shares import maximum_obtainable_share
from clustershare.splitting import capacity_loss, load_balancing_success, parallel_response_time, pattern_allocation
from compendium.press.clauses import aside, at_each, cases, conclude, equalities, everywhere, exact, grid
from compendium.press.clauses.conditions import agrees, at_least, at_most, equal, larger
from compendium.press.findings import check
from pages.share_scheduling.objectives import paths, queues
from pages.share_scheduling.objectives.witnesses.many_processors import by_flow
from pages.share_scheduling.splitting.witnesses import chance, dynamic

LOADS = tuple(k / 20 for k in range(1, 20))


@check("thesis-4-017", law="Poisson")
def both_lines(law="geometric"):
    """The two lines of (4.38), the library, and the three-way law of idle, one and more."""

    def gaps(P, load):
        idle = np.arange(1, P + 1)
        ways, rest, mean = np.array([math.comb(P, p) for p in idle]), P - idle, load / (1 - load)
        first = np.sum(ways * (1 - load) ** idle * (load**rest - ((1 - load) * load) ** rest))
        second = 1 - load**P - (1 - load) ** P * ((1 + load) ** P - load**P)
        none = 1 - load if law == "geometric" else math.exp(-mean)
        single = none * (load if law == "geometric" else mean)
        counted = sum(
            math.comb(P, i) * math.comb(P - i, j) * none**i * (1 - none - single) ** j * single ** (P - i - j)
            for i in range(1, P) for j in range(1, P - i + 1)
        )  # fmt: skip
        return {
            "the lines of (4.38), relatively,": first / second - 1,
            "the second line and the law of idle, one and more, relatively,": second / counted - 1,
            "the library and that law, relatively,": load_balancing_success(0, 2, np.full(P, load)) / counted - 1,
        }

    return conclude(*equalities(grid(P=range(2, 21), load=LOADS).measure(gaps), 1e-9), whole=True)


@check("thesis-4-018", evened=True)
def limit_of_many(evened=False):
    """From ten to a million processors; in the control numbers differ by one at most."""

    def chances(load, n, m):
        found = np.full(6, float(m == n + 1))
        if not evened:
            found = np.array([load_balancing_success(n, m, np.full(10**k, load)) for k in range(1, 7)])
        steps = np.diff(found)
        rising = (steps >= -1e-15).all() and (steps > 0)[found[:-1] < 1 - 1e-12].all()
        return {"rising": rising, "off": 1 - found[-1], "slow": min(load**m, 1 - load ** (n + 1)) < 1e-4}

    pairs = itertools.product(LOADS, ((0, 1), (0, 2), (1, 3), (2, 5)))
    found = cases("case", [(load, *pair) for load, pair in pairs]).measure(chances)
    off = found["off"].where(found["slow"].value == 0, "there a million processors are few")
    return conclude(
        everywhere("the probability rises with the processors, up to 1 but for rounding,", found["rising"]),
        everywhere("at a million processors what it is below 1", off, at_most(1e-9)),
        whole=True,
    )


def success_by_states(fewest, most, loads):
    """P_lbs(n, m) from all states."""
    numbers, probability = chance.states(loads, most)
    return probability[(numbers.min(axis=0) <= fewest) & (numbers.max(axis=0) >= most)].sum()


@check("thesis-4-020", exclusive=True)
def load_balancing(exclusive=False):
    """(4.40) and (4.41) against all states; the control takes the two events as exclusive."""
    rng = np.random.default_rng(20)

    def systems():
        for k in range(200):
            loads = rng.random(rng.integers(2, 6))
            m = int(rng.integers(1, 7))
            loads[-1] *= k % 3 != 1
            yield int(rng.integers(0, m)), m, np.full(len(loads), loads[0]) if k % 3 == 0 else loads

    def gap(n, m, loads):
        both = np.prod(loads ** (n + 1) - loads**m) if exclusive else 0.0
        return (load_balancing_success(n, m, loads) - both) / success_by_states(n, m, loads) - 1

    gaps = cases("random system", systems(), seed=20).measure(gap)
    return conclude(*equalities({"P_lbs(n, m) and the sum over all states, relatively,": gaps}, 1e-9), whole=True)


@check("thesis-4-124", most=1)
def wait_while_idle(most=2):
    """P_lbs(0, 2) against the states in which a processor is idle and another has two jobs."""
    rng = np.random.default_rng(124)
    systems = [rng.random(rng.integers(2, 7)) for _ in range(200)]
    for loads in systems[1::2]:
        loads[-1] = 0.0
    gaps = cases("random system", systems, seed=124).measure(
        lambda loads: load_balancing_success(0, most, loads) / success_by_states(0, 2, loads) - 1
    )
    said = "P_lbs(0, 2) and the probability that one is idle and another has two jobs, relatively,"
    return conclude(*equalities({said: gaps}, 1e-9), whole=True)


@check("thesis-4-182", alike=False)
def loss_where_jobs_wait_while_idle(alike=True):
    """The loss state by state, and those that P_wwi counts; the processors of the control have unequal capacities."""
    rng, P = np.random.default_rng(182), range(2, 7)
    systems = [(np.sort(rng.uniform(0.1, 1, processors))[::-1], rng.uniform(0, 0.99, processors))
               for processors in P for _ in range(100)]  # fmt: skip
    if alike:
        systems += [(np.ones(processors), rng.uniform(0, 0.99, processors)) for processors in P for _ in range(100)]
        systems += [(np.ones(processors), np.full(processors, k / 10)) for processors in P for k in range(1, 10)]

    def summed(speeds, loads):
        processors = len(loads)
        speeds = speeds / speeds.sum()
        numbers, probability = chance.states(loads, processors)
        lost = maximum_obtainable_share(numbers.sum(axis=0), speeds) - speeds @ (numbers > 0)
        counted = (numbers.min(axis=0) == 0) & (numbers.max(axis=0) > 1)
        loss, waits = capacity_loss(speeds, loads), load_balancing_success(0, 2, loads)
        return {
            "there": lost[counted].min() / speeds[-1], "elsewhere": np.abs(lost[~counted]).max(),
            "loss": probability[counted] @ lost[counted] - loss, "waits": probability[counted].sum() - waits,
            "least": loss - waits * speeds[-1], "most": loss - waits * (1 - speeds[-1]),
        }  # fmt: skip

    kinds = ["unequal" if np.ptp(speeds) else "like" for speeds, _ in systems]
    found = cases("system", systems, seed=182).measure(summed)
    return conclude(
        at_each("the loss in a state that P_wwi counts, over the part of the slowest,", found["there"], at_least(1)),
        at_each("the loss in other states and 0", found["elsewhere"], equal(1e-12)),
        at_each("the mean over the states that P_wwi counts and the library's loss", found["loss"], equal(1e-9)),
        at_each("their probability and the library's P_wwi", found["waits"], equal(1e-9)),
        at_each("the loss less P_wwi times the part of the slowest", found["least"], at_least(0)),
        at_each("the loss less P_wwi times the rest", found["most"], at_most(0)),
        *(
            aside(f"the largest loss elsewhere with {kind} processors",
                  exact(max(lost for lost, own in zip(found["elsewhere"].value, kinds) if own == kind)))
            for kind in dict.fromkeys(kinds)
        ),
        together="system",
    )  # fmt: skip


@check("thesis-4-122", sizes=(1,))
def chances_are_high(sizes=(2, 5, 10, 20, 50, 100)):
    """P_wwi, which is P_lbs(0, 2), and three more P_lbs over the loads of Figure 4.5."""

    def both(pair, P, load):
        n, m = pair
        found, few, many = load_balancing_success(n, m, np.full(P, load)), 1 - load ** (n + 1), load**m
        neither = (1 - few) ** P + (1 - many) ** P - (1 - few - many) ** P
        return {"found": found, "gap": found - (1 - neither)}

    pairs = (0, 2), (0, 3), (1, 3), (2, 5)
    seen = grid(pair=pairs, P=sizes, load=np.arange(1, 100) / 100).measure(both)
    return conclude(
        at_each("P_lbs", seen["found"], at_least(0.5)),
        aside("points where P_wwi is", exact((seen["found"].value[0] >= 0.5).sum())),
        provided=equalities({"it and 1 less the probability that nobody has few jobs, or that nobody has many":
                             seen["gap"]}, 1e-12),
    )  # fmt: skip


def longest_in_turn(processors, load):
    """The longest mean response time of a source that deals its jobs in turn, alone or beside another source.

    A source with hardly any jobs beside one with all others finds the work that there is in the mean over time.
    """
    alone = queues.cyclic(processors, load)
    return max(alone, 1 + load * alone, *(dynamic.dealt(processors, load, part).max() for part in (0.5, 0.9)))


def on_average(processors, load):
    """The library's mean response times of jobs in turn and, on two processors, to the shortest queue.

    At some loads the longest of all policies that choose between two.
    """
    in_turn = pattern_allocation(range(processors), processors * load, [1.0] * processors).overall_waiting_time + 1
    if processors > 2:
        return in_turn, 0.0
    most = math.ceil(math.log(1e-5) / math.log(load) / 2) + 8
    policies = routing.POLICIES if load in LOADS[3::4] else ("MRTP",)
    return in_turn, max(routing.mean_response_time(policy, (1.0, 1.0), 2 * load, most) for policy in policies)


def among_many(location, load):
    """The longest mean response time on very many processors, of some thresholds and probes, and how far off it is."""
    ways = list(itertools.product((1, 2, 3), (1, 3)))
    times = np.array([routing.transfer_response_time(location, load, *way) for way in ways])
    known = np.array([by_flow(location, load, *way) for way in ways])
    alone = parallel_response_time([load], [1.0], [1.0])
    return {"gain": 1 - times.max() / alone, "off": np.abs(times / known - 1).max()}


@check("thesis-4-125", blocks=True)
def better_than_chance(blocks=False):
    """In turn and the shortest queue against M/M/1; the control deals blocks of 10 P jobs instead of single ones.

    The measure of the source, Q of (1.3), takes the source of jobs that waits longest, whichever parts the sources
    have. Where chance or the shortest queue decides, all wait alike. Dealt in turn by one source, or by each of two.
    """

    def gains(P, load):
        alone = parallel_response_time([load] * P, [1.0] * P, [1.0] * P)
        turn = dynamic.in_blocks(P, load) if blocks else longest_in_turn(P, load)
        own_turn, own_shortest = on_average(P, load)
        return {
            "in turn": 1 - max(turn, own_turn) / alone,
            "to the shortest queue": 1 - max(dynamic.shortest_queue(P, load), own_shortest) / alone,
        }

    def chains(P, load, most):
        whole = routing.mean_response_time("MRTP", (1.0,) * P, P * load, most)
        one = 1 + load * queues.cyclic(P, load)
        return {
            "sorted": dynamic.shortest_queue(P, load) / whole - 1, "of two": dynamic.dealt(P, load, 0.9999)[1] - one,
        }  # fmt: skip

    gained = grid(P=(2, 3, 4), load=LOADS).measure(gains)
    known = cases("system", [(2, 0.8, 60), (3, 0.3, 10)]).measure(chains)
    moved = grid(location=("Threshold", "Shortest"), load=LOADS).measure(among_many)
    gained["from where they find many to one of very many others"] = moved["gain"]
    return conclude(
        *(at_each(f"if jobs go {how}, the part by which they are faster than by chance", gain, larger())
          for how, gain in gained.items()),
        provided=[
            *equalities({"on very many the times and what flows say, relatively,": moved["off"]}, 1e-8),
            *equalities({"the chain of sorted numbers and that of all, relatively,": known["sorted"]}, 1e-4),
            *equalities({"the chain of two sources and the root for one": known["of two"]}, 0.01),
        ],
    )  # fmt: skip


@check("thesis-4-126", thresholds=(200,))
def threshold_and_chance(thresholds=(1, 2, 3)):
    """Jobs that find T others at home are sent on at random, against none of that; 500 processors as witness."""

    def off(load, threshold):
        mean, half = paths.interval(paths.transferred("Random", np.full(500, load), threshold, 1, length=7))
        return abs(mean - routing.transfer_response_time("Random", load, threshold)) / half

    gains = grid(T=thresholds, load=[k / 20 for k in range(10, 20)]).measure(
        lambda T, load: (
            1 - routing.transfer_response_time("Random", load, T) / parallel_response_time([load], [1.0], [1.0])
        )
    )
    paths_off = cases("system of 500 processors", [(0.5, 1), (0.8, 2)]).measure(off)
    return conclude(
        at_each("the part by which jobs are faster than at home", gains, at_least("clear")),
        provided=[everywhere("the distance of paths from the limit of many, in half widths,", paths_off, at_most(1))],
    )


@check("thesis-4-127", equal=True)
def better_than_branching(equal=False):
    """The dynamic policies on two processors against branching by capacity; the control sends equal parts instead."""

    def by_chance(sent, speeds):
        return parallel_response_time(sent, speeds, speeds**-2)

    def gain(policy, ratio, load):
        speeds = np.array([ratio, 1.0]) / (ratio + 1)
        if equal:
            time = by_chance([load / 2] * 2, speeds) if load / 2 < speeds.min() else np.inf
        else:
            most = [math.ceil(math.log(1e-5) / math.log(load) * speed) + 6 for speed in speeds]
            while routing.stationary_law(policy, speeds.tolist(), load, most)[1] > 1e-6:  # one has more than its part
                most = [math.ceil(1.3 * one) for one in most]
            time = routing.mean_response_time(policy, speeds.tolist(), load, most)
        return 1 - time / by_chance(load * speeds, speeds)

    def on_paths(policy, ratio, load):
        speeds = [ratio / (ratio + 1), 1 / (ratio + 1)]
        chosen = routing.choices(policy, 60, speeds, load)
        return paths.routed(chosen, speeds, load, steps=2000) / load - routing.mean_response_time(
            policy, speeds, load, 60
        )

    gains = grid(policy=routing.POLICIES, ratio=(1.1, 1.5, 2, 3, 5, 10, 20), load=LOADS).measure(gain)
    speeds = np.array([0.75, 0.25])
    branching = cases("load", LOADS).measure(lambda load: by_chance(load * speeds, speeds) * (1 - load) - 2)
    off = np.column_stack([on_paths("MRTP", 2, 0.5), on_paths("MSTP", 5, 0.7), on_paths("MTP", 3, 0.6)])
    return conclude(
        at_each("the part by which jobs are faster than under branching", gains, at_least("clear")),
        provided=[
            everywhere("what paths take longer than the chains say",
                       paths.averaged(off, policy=routing.POLICIES), agrees()),
            *equalities({"under branching the mean time of a job and (4.43)": branching}, 1e-9),
        ],
    )  # fmt: skip
