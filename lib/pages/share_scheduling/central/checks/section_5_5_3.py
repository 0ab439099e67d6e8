"""Claims of `thesis`, Section 5.5.3: what Static Vertical Partitioning keeps, and subsets of one's own."""

import functools
import itertools
from collections import Counter
from fractions import Fraction as F

import numpy as np

from clustershare.dispatch import exact_central
from clustershare.results import NoExactAnswer
from compendium.press.clauses import (
    aside,
    at_each,
    cases,
    conclude,
    everywhere,
    fact,
    grid,
    measured,
    mended,
    none,
)
from compendium.press.clauses.conditions import agrees, at_most, between, equal, larger
from compendium.press.findings import check
from pages.share_scheduling.central.points import by_case as points
from pages.share_scheduling.central.points import meetings, simulated
from pages.share_scheduling.central.points.by_case import CASES, LOSS, SPREAD, VERTICAL
from pages.share_scheduling.central.printed.rules import Rules, outcomes
from pages.share_scheduling.central.systems import LOADS as FIGURE_LOADS
from pages.share_scheduling.central.systems import LOCAL, POLICIES
from pages.share_scheduling.central.witnesses.as_printed import chain_as_printed
from pages.share_scheduling.central.witnesses.compiled import Compiled, events_apart, unlike
from pages.share_scheduling.central.witnesses.compiled import library as library_of
from pages.share_scheduling.central.witnesses.guests import BROKEN, HALVES, SMALL, THIRDS, on_states
from pages.share_scheduling.central.witnesses.no_loss import no_loss_at_all
from pages.share_scheduling.central.witnesses.reached import deviations, law, leaving, reached
from pages.share_scheduling.central.witnesses.states import (
    every_state,
    groups_there,
    in_group_balance,
    in_system_balance,
    without_loss,
)

EXACT = 1e-12
WITHOUT = tuple(CASES)[1:]  # all with migration too


@check("thesis-5-021", without=("M3",))
def nothing_lost(without=()):
    """Events that lead to a loss; the library's paths and the stored points."""
    return conclude(*no_loss_at_all("SVP", without), whole=True)


@check("thesis-5-022", systems=((3, HALVES),))
def local_policy(systems=((2, HALVES), (3, (F(1, 3), F(2, 3))))):
    """Groups on one processor, rates of the printed rules and of the library, and what both local policies measure."""

    def gaps(P, shares):
        rules = [Rules("SVP", shares, P, local=local) for local in LOCAL]
        states = reached(rules[0], 6)
        rates = [
            [leaving(each, jobs, event) for each in rules]
            for jobs, happening in states.items() for event in happening if event.processor is not None
        ]  # fmt: skip
        measures = []
        for part in (0.2, 0.6):
            loads = [part * float(share) for share in shares]
            measures.append(
                [(each.capacity_loss, *each.group_share_deviation) for each in (law(r, loads, 6) for r in rules)]
            )
        library = [
            exact_central(
                "SVP", local=local, required_shares=[float(share) for share in shares],
                loads=[0.2 * float(share) for share in shares], processors=P, most_jobs=8,
            )
            for local in LOCAL
        ]  # fmt: skip
        of_library = [(each.capacity_loss, *each.group_share_deviation) for each in library]
        return {
            "meeting": sum(any(groups_there(row) > 1 for row in jobs) for jobs in states),
            "rates": np.abs(np.diff(rates)).max(), "measures": np.abs(np.diff(measures, axis=1)).max(),
            "library": np.abs(np.diff(of_library, axis=0)).max(),
            "mixed": max(each.mixed_processors.max() for each in library),
        }  # fmt: skip

    found = cases("system", systems).measure(gaps)
    return conclude(
        everywhere("the number of states in which groups meet", found["meeting"], between(0, 0)),
        everywhere("rates with PS and with GPPS", found["rates"], equal(EXACT)),
        everywhere("loss and deviations by chains", found["measures"], equal(1e-9)),
        everywhere("those of the library", found["library"], equal(1e-9)),
        everywhere("there, the mean number of processors on which groups meet", found["mixed"], at_most(1e-12)),
        points.alike_in_whole_processors(
            lambda each: each.at(policy="SVP", local_policy="PS") - each.at(policy="SVP", local_policy="GPPS")
        ),
        whole=True,
    )


@check("thesis-5-095", processors=(2,), shares=HALVES)
def shortest_queue_in_each_subset(processors=(1, 2, 3, 4), shares=None):
    """Placements of SVP in the subset of a group, by the printed rules and the library's, against those of JSQ."""

    def gap(k, g):
        P = k + 2 if shares is None else 3
        rules = Rules("SVP", shares or (F(k, P), F(P - k, P))[:: -1 if g else 1], P)
        compiled, alone = Compiled("SVP", rules.shares, P), Rules("JSQ", (F(1),), k)
        own = rules.subsets[g]
        rest, worst, states = [p for p in range(P) if p not in own], 0, 0
        for numbers in every_state(k, 1, 6):
            expected = _placed(outcomes(alone, numbers, 0), numbers, range(k))
            some = [(0, 0), (3, 3)] if g else itertools.product(range(4), repeat=len(rest))
            for others in some if shares is None else [(0, 2)]:
                jobs = np.zeros((P, 2), int)
                jobs[list(own), g] = np.ravel(numbers)
                jobs[list(rest if shares is None else own), 1 - g] = others
                jobs = tuple(map(tuple, jobs.tolist()))
                found = [_placed(each, jobs, own, g) for each in (outcomes(rules, jobs, g), compiled.outcomes(jobs, g))]
                printed = [rules.served(p, row) for p, row in enumerate(jobs)]
                states += 1
                worst = max(
                    worst, *(abs(each[p] - expected[p]) for each in found for p in range(k)),
                    *(abs(served[p][g] - (jobs[p][g] > 0)) for served in (printed, compiled.served(jobs)) for p in own),
                )  # fmt: skip
        return {"gap": float(worst), "states": states}

    def by_chain(k, P, load, beside):
        sizes, loads = np.array([k, P - k]) / P, np.array([load * k, beside * (P - k)]) / P
        own = exact_central("SVP", required_shares=tuple(sizes), loads=tuple(loads), processors=P, most_jobs=10)
        queues = exact_central("JSQ", required_shares=(0.5, 0.5), loads=(load, 0), processors=k, most_jobs=10)
        one = (own.mean_jobs, own.obtained_share / sizes, own.group_share_deviation)
        return max(abs(each[0] - other) for each, other in zip(one, (queues.mean_jobs[0], load, queues.capacity_loss)))

    exactly = []
    if shares is None:
        chains = itertools.product(((1, 2), (1, 3), (2, 3)), (0.1, 0.2), (0, 0.1))
        apart = cases("system", [(*sizes, *loads) for sizes, *loads in chains]).measure(by_chain)
        said = "number, share and deviation of a group under SVP and those of JSQ on so many, by chains,"
        exactly = [everywhere(said, apart, equal(1e-6))]
    found = cases("number of own processors and group", itertools.product(processors, (0, 1))).measure(gap)
    return conclude(
        *exactly,
        everywhere(
            "placements and departures in a subset and those of JSQ on so many processors", found["gap"], equal(EXACT)
        ),
        aside("the number of states", found["states"]),
        whole=True,
    )


def _placed(law, jobs, processors, g=0):
    """The chances that a job of a group, the first one if not given, is placed on each of some processors."""
    return [sum(chance for to, chance in law.items() if to[p][g] > jobs[p][g]) for p in processors]


PROPERTIES = {
    "brought a loss": without_loss,
    "ended system balance": in_system_balance,
    "ended group balance": in_group_balance,
}


@check("thesis-5-135", policy="JSQ")
def what_is_not_kept(policy="SVP"):
    """Arrivals that end what there was before them."""

    def ended(moves):
        found = Counter(dict.fromkeys((*PROPERTIES, "outside"), 0))
        records = [each for each in on_states(((2, HALVES),), moves == "with", policy) if each.processor is None]
        for record in records:
            for name, holds in PROPERTIES.items():
                found[name] += holds(record.before) and not holds(record.outcome.state)
            found["outside"] += record.outcome.processor not in record.rules.subsets[record.group]
        found["library"] = unlike(records)[1]
        return found

    def by_chain(migration, local):
        answer = exact_central(
            policy, local=local, migration=migration == "with", required_shares=(0.5, 0.5), loads=(0.05, 0.05),
            processors=2, most_jobs=6,
        )  # fmt: skip
        return {"mixed": answer.mixed_processors.sum(), "loss": answer.capacity_loss}

    found = cases("migration", ("without", "with")).measure(ended)
    chain = grid(migration=("without", "with"), local_policy=LOCAL).measure(by_chain)
    loss, *balances = PROPERTIES
    return conclude(
        *(everywhere(f"the number of arrivals that {name}", found[name], larger()) for name in balances),
        everywhere("without migration, the number that brought a loss", found[loss].at(migration="without"), larger()),
        everywhere("with migration, it", found[loss].at(migration="with"), between(0, 0)),
        everywhere("without migration, the number outside their subset", found["outside"].at(migration="without"),
                   between(0, 0)),
        everywhere("the number that went otherwise in the library", found["library"], between(0, 0)),
        everywhere("by the library's chain, without migration, the number of processors with both groups",
                   chain["mixed"].at(migration="without"), at_most(1e-12)),
        everywhere("there, the loss without migration", chain["loss"].at(migration="without"), larger(1e-6)),
        everywhere("there, the loss with migration", chain["loss"].at(migration="with"), at_most(1e-12)),
        whole=True,
    )  # fmt: skip


@check("thesis-5-136", systems=((2, HALVES),))
def where_groups_meet(systems=((3, HALVES), (3, SMALL[4][1]), (2, THIRDS))):
    """The processors with more than one group in some state."""

    def met(P, shares):
        rules = Rules("SVP", shares, P)
        found = {p for jobs in reached(rules, 6) for p, row in enumerate(jobs) if groups_there(row) > 1}
        shared = {p for p in range(P) if max(row[p] for row in rules.parts) < 1}
        promised = np.array(shares, float)
        mixed = law(rules, 0.1 * promised, 5).mean(lambda jobs: sum(groups_there(row) > 1 for row in jobs))
        exactly = exact_central("SVP", required_shares=promised, loads=0.1 * promised, processors=P, most_jobs=5)
        return {
            "number": len(found), "same": found == shared, "library": events_apart(rules, 6)[1],
            "mixed": exactly.mixed_processors.sum() - mixed,
        }  # fmt: skip

    found = cases("system", systems).measure(met)
    return conclude(
        everywhere("groups meet on the processors without an owner", found["same"]),
        everywhere("the number of these", found["number"], larger()),
        everywhere("the number of events that went otherwise in the library", found["library"], between(0, 0)),
        everywhere("the mean number of them by the library's chain and the printed rules", found["mixed"], equal(1e-9)),
        whole=True,
    )


@check("thesis-5-084", worst=True)
def rule_four(worst=False):
    """The form of I4 that can be read, in the library and against JSQ."""
    printed, wrong, rng = "(|J_gp(t) + 1)/X_gp", 0, np.random.default_rng(84)
    for k in range(2, 7):
        compiled = Compiled("SVP", (k / (k + 1), 1 / (k + 1)), k + 1)
        shortest = Compiled("JSQ", (0.5, 0.5), k)
        for numbers in rng.integers(1, 6, (400, k)):
            jobs = (*((int(count), 0) for count in numbers), (0, 0))
            scores = [-(count + 1) if worst else count + 1 for count in numbers]
            chosen = [score == min(scores) for score in scores]
            library, joined = (
                np.array(_placed(law, jobs, range(k))) > 0
                for law in (compiled.outcomes(jobs, 0), shortest.outcomes(jobs[:-1], 0))
            )
            wrong += not (list(library) == list(joined) == chosen)
    seen, otherwise = 1000, 0
    for number in range(seen):
        P, shares = ((3, BROKEN[2]), (5, (F(3, 10), F(7, 10))))[number % 2]
        jobs, g, rules = (
            tuple(map(tuple, rng.integers(1, 6, (P, 2)).tolist())),
            number // 2 % 2,
            Rules("SVP", shares, P),
        )
        scores = {p: (jobs[p][g] + 1) / rules.parts[g][p] * (-1 if worst else 1) for p in rules.subsets[g]}
        chances = _placed(library_of(rules).outcomes(jobs, g), jobs, range(P), g)
        otherwise += {p for p in range(P) if chances[p]} != {p for p in scores if scores[p] == min(scores.values())}
    return mended(
        fact("the print has pairs of bars", printed.count("|") % 2 == 0, "the print has a single bar"),
        none(2000, "state", "was decided by (|J_gp(t)| + 1)/X_gp otherwise than by JSQ", wrong),
        none(seen, "state with a shared processor", "was decided by (|J_gp(t)| + 1)/X_gp otherwise than in the library",
             otherwise),
        chain_as_printed(("SVP",), [(3, BROKEN[2])], (False,)),
    )  # fmt: skip


@functools.cache
def _loss_of_shortest_queue(k, load):
    """The library's chain of JSQ on k processors, of one group alone."""
    found = exact_central("JSQ", required_shares=(0.5, 0.5), loads=(load, 0), processors=k, most_jobs=_cut(k, load))
    return found.capacity_loss


def _cut(k, load):
    return k + int(np.log(5e-4) / np.log(load)) + 1


@check("thesis-5-023", control=True)
def deviation_is_a_loss(control=False):
    """Deviations of SVP by the chain of the whole system against losses of JSQ in the subset, and stored points."""
    tenths = [round(0.1 * tenth, 12) for tenth in range(1, 9)]
    systems = [(k, P, load) for k, P in ((1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4), (3, 6))
               for load in tenths[: 5 if k == 3 else 8]]  # fmt: skip

    def gap(k, P, load):
        group = round(10 * load) % 2  # the other one brings nothing
        shares, loads = ((each, rest)[:: -1 if group else 1] for each, rest in ((k / P, 1 - k / P), (load * k / P, 0)))
        found = exact_central("SVP", required_shares=shares, loads=loads, processors=P, most_jobs=_cut(k, load))
        return found.group_share_deviation[group] - _loss_of_shortest_queue(k, load)

    def of_shared(k, load):  # groups of one processor and a half
        found = exact_central("SVP", required_shares=(0.5, 0.5), loads=(load / 2, load / 2), processors=3, most_jobs=10)
        return found.group_share_deviation[0] - _loss_of_shortest_queue(k, load)

    chains = (
        grid(number_of_processors=(1, 2), load=(0.2, 0.4)).measure(of_shared) if control
        else cases("system", systems).measure(gap)
    )  # fmt: skip
    rows = simulated.along("load", FIGURE_LOADS, policies=("JSQ",), local=("PS",), processors=5)
    loss = points.of_rows(rows, "load", LOSS).at(policy="JSQ", local_policy="PS")
    return conclude(
        everywhere("the deviation in a subset and the loss of JSQ on so many processors, by chains,", chains,
                   equal(1e-9)),
        everywhere("that difference on five of ten processors, as simulated,",
                   points.of("case 1").at(policy="SVP") - loss, agrees("is 0 within its interval")),
        whole=True,
    )  # fmt: skip


@functools.cache
def _meeting(policy, local, P, load, most_jobs=None):
    """The mean number of processors with jobs of more than one group, by the printed rules."""
    cut = most_jobs or (9 if P == 3 else 20 if policy in VERTICAL else 14)
    found = law(Rules(policy, HALVES, P, local=local), (load / 2, load / 2), cut)
    if found.lost >= 1e-3:
        raise NoExactAnswer(f"The chain of {policy} is cut too early: {found.lost:.2g} is lost.")
    return found.mean(lambda jobs: sum(groups_there(row) > 1 for row in jobs))


@check("thesis-5-125", vertical=("HP",))
def groups_meet_less(vertical=VERTICAL):
    """Processors on which groups meet, under each policy."""

    def meeting(P, policies, loads):
        return grid(policy=policies, local_policy=LOCAL, load=loads).measure(
            lambda policy, local, load: _meeting(policy, local, P, load)
        )

    def gap(P, loads):
        return meeting(P, SPREAD, loads) - meeting(P, vertical, loads).renamed(policy="other policy")

    def off(policy, local, processors, load, cut):
        common = {"required_shares": (0.5, 0.5), "loads": (load / 2,) * 2, "processors": processors, "most_jobs": cut}
        found = exact_central(policy, local=local, **common).mixed_processors.sum()
        return found - _meeting(policy, local, processors, load, cut)

    library = grid(policy=POLICIES, local_policy=LOCAL, system=((2, 0.2, 7), (3, 0.1, 6))).measure(
        lambda policy, local, system: off(policy, local, *system)
    )
    names = " and ".join(vertical)
    return conclude(
        *(
            at_each(f"on {P} processors, the number with several groups under JSQ and HP less that under {names}",
                    gap(P, loads), larger("much"))
            for P, loads in ((2, (0.2, 0.4, 0.6)), (3, (0.2, 0.4)))
        ),
        provided=[
            everywhere("on 2 processors, that under SVP and DVP", meeting(2, vertical, (0.2, 0.4, 0.6)), at_most(1e-9)),
            everywhere("that of the library and by the printed rules", library, equal(1e-9)),
        ],
    )  # fmt: skip


@check("thesis-5-126", policies=("SVP",))
def not_with_the_others(policies=SPREAD):
    """A state and a load at which a group gets less than it should."""

    def in_states(policy, local, processors, promised):
        """The largest deviation in a state, by the printed rules and by the library's."""
        rules = Rules(policy, promised, processors, local=local)
        served, states = Compiled(policy, promised, processors, local=local), reached(rules, 4, like=True)
        shares = np.array([served.shares(jobs) for jobs in states])
        library = (shares[..., 0] - shares[..., 1]) / np.array(promised, float)
        return max(max(deviations(rules, jobs)) for jobs in states), library.max()

    def misses(policy, local):
        mean = 0.0
        for loads in ((0.05, 0.45), (0.1, 0.4), (0.2, 0.3)):
            if mean <= 1e-6:  # one of them is enough
                most_jobs = int(np.log(5e-4) / np.log(2 * max(loads))) if policy == "SVP" else 11
                found = exact_central(
                    policy, local=local, required_shares=(0.5, 0.5), loads=loads, processors=2, most_jobs=most_jobs
                )
                mean = max(mean, found.group_share_deviation.max())
        printed, library = zip(*(in_states(policy, local, *each) for each in ((2, HALVES), (3, THIRDS))))
        return {"state": min(printed), "library": min(library), "mean": mean}

    found = grid(policy=policies, local_policy=LOCAL).measure(misses)
    return conclude(
        everywhere("on two processors and on three, the largest deviation in a state", found["state"], larger(0.1)),
        everywhere("it by the library's rules", found["library"], larger(0.1)),
        everywhere("the mean deviation", found["mean"], larger(1e-6)),
        whole=True,
    )


@functools.cache
def _of_subset(k, load):
    """The law of the number of jobs in a subset of k processors, and the loss within it: JSQ, one group alone."""
    if k == 1:
        return load ** np.arange(101) * (1 - load), 0.0
    found = law(Rules("JSQ", (F(1),), 2), (load,), 100)
    return np.bincount([sum(map(sum, jobs)) for jobs in found.states], found.probability), found.capacity_loss


IDLE = ((1, 2, 0.1), (1, 2, 0.2), (1, 2, 0.3), (1, 3, 0.1), (1, 3, 0.2), (2, 2, 0.1))
"""Processors of each group, groups and load, of which the library's chain is asked."""


@check("thesis-5-127", systems=((1, 1), (2, 1)))
def idle_elsewhere(systems=((1, 2), (1, 3), (2, 2))):
    """The loss of the whole system against those within the subsets, weighted by the shares."""

    def beyond(k, groups, load):
        numbers, within_it = _of_subset(k, load)
        total = functools.reduce(np.convolve, [numbers] * groups)
        busy = np.minimum(np.arange(len(total)), k * groups) @ total / (k * groups)
        return busy - load * total.sum() - within_it

    def library(k, groups, load):
        answer = exact_central(
            "SVP", required_shares=(1 / groups,) * groups, loads=(load / groups,) * groups, processors=k * groups,
            most_jobs={0.1: 8, 0.2: 12, 0.3: 20}[load],
        )  # fmt: skip
        return answer.capacity_loss - beyond(k, groups, load) - _of_subset(k, load)[1]

    names = [f"{groups} groups with {k} each" for k, groups in systems]
    found = cases("kind of system", systems, names).measure(
        lambda k, groups: cases("load", tuple(round(0.1 * n, 12) for n in range(1, 10))).measure(
            lambda load: beyond(k, groups, load))
    )  # fmt: skip
    return conclude(
        everywhere("the loss beyond that within the subsets", found, larger(1e-6)),
        everywhere("both together and the loss by the library's chain", cases("system", IDLE).measure(library),
                   equal(1e-6)),
        whole=True,
    )  # fmt: skip


@check("thesis-5-132", systems=("two groups",))
def worth_of_the_first_rule(systems=("three processors", "six processors")):
    """Processors with a guest beside others, with rule M1 and without."""
    loads, rules = (0.5, 0.7, 0.9), ("SVP without M1", "SVP")

    def mixed(system):
        rows = (
            meetings.mixed(system, loads, rules).set_index(["rule", "load"]).loc[[(r, x) for r in rules for x in loads]]
        )
        value, half = (rows[each].to_numpy().reshape(2, -1) for each in ("estimate", "half_width"))
        return measured(value, half, rule=rules, load=loads)

    found = cases("system", systems).measure(mixed)
    return conclude(
        at_each("the number of processors with a guest beside others without M1, less that with it",
                found.at(rule=rules[0]) - found.at(rule=rules[1]), larger())
    )  # fmt: skip
