"""What the four works conclude, judged on other workloads, point by point.

Each conclusion is a function that gives a `Conclusion`. A point holds where the whole 95 % interval is on its side,
fails where the whole interval is on the other, and is open in between.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import pandas as pd

from clustershare import multiserver
from compendium.press import claims
from compendium.press.clauses.sentences import several
from compendium.press.findings import Finding, over_domain
from compendium.press.words import SCALE
from pages.across.points import logs
from pages.across.points.logs import CENTRAL, LIMITS, LOGS, WORKLOADS, Measured
from pages.balanced_fairness.systems import three_servers
from pages.cluster_chain.witnesses.single_queue import single_queue

SUBSTANTIAL, SMALL = SCALE["clear"].least, SCALE["close"].most
PRACTICAL, VERY_CLOSE = SCALE["practically equal"].most, SCALE["very close"].most
FREE, FENCED = ("JSQ", "HP"), ("SVP", "DVP")
PAIRS = tuple((free, fenced) for fenced in FENCED for free in FREE)
EQUAL_WORK = tuple(case for case in logs.CASES if case.startswith("case 1"))
UP_TO_80 = tuple(case for case in EQUAL_WORK if case != "case 1, load 0.9")
AMONG_MANY = f"among {logs.SERVERS} servers with {several(logs.INTERRUPTIONS, 'interruption')}"
WHERE = {**{name: f"in logs of {name}" for name in LOGS}, "bursty": "in bursts", "daily": "by day"}


@dataclass(frozen=True)
class Conclusion:
    """A conclusion at every point of its domain.

    Attributes
    ----------
    points : dict of tuple to (bool or None, float)
        By workload and the rest of the point: whether it holds, None if that is open, and what is judged.
    statement : str
        What holds at a point, in words, with the number that is asked.
    what : str
        What is judged, in words.
    worst : callable
        `min` or `max`: which of the values speaks most against the conclusion.
    """

    points: dict
    statement: str
    what: str
    worst: Callable

    def of(self, *workloads):
        """The same for some workloads."""
        own = {point: value for point, value in self.points.items() if point[0] in workloads}
        return Conclusion(own, self.statement, self.what, self.worst)

    @property
    def workloads(self):
        """Those that it speaks of."""
        return [name for name in WORKLOADS if any(point[0] == name for point in self.points)]

    @property
    def told(self):
        """At how many points it holds, and at how many that is told."""
        decided = [holds for holds, _ in self.points.values() if holds is not None]
        return sum(map(bool, decided)), len(decided)

    @property
    def extreme(self):
        """The worst value."""
        return self.worst(value for _, value in self.points.values())

    @property
    def outcome(self):
        """Whether it stands, in part, falls or is open."""
        holds, decided = self.told
        if not decided:
            return "open"
        return "stands" if holds == decided else "in part" if holds else "falls"

    @property
    def extent(self):
        """At which of the points that are told it holds, in words."""
        told = {name: self.of(name).told for name in self.workloads}
        fails = [f"{decided - holds} {WHERE[name]}" for name, (holds, decided) in told.items() if holds < decided]
        return f"all points that are told but {_listed(fails)}" if fails else "every point that is told"

    def finding(self):
        """The `compendium.press.findings.Finding`: a sentence over all workloads, and the numbers behind it."""
        said, left = [], []
        for name in self.workloads:
            own = self.of(name)
            holds, decided = own.told
            told = f"{holds or 'none'} of {several(decided, 'point')}" if decided else "no point that is told"
            said.append(f"{told} {WHERE[name]}")
            if open_points := len(own.points) - decided:
                left.append(f"{several(open_points, 'point')} {WHERE[name]}")
        extremes = ", ".join(f"{self.of(name).extreme:.2g} {WHERE[name]}" for name in self.workloads)
        lines = [f"{self.statement} at {_listed(said)}", f"{self.what}: {extremes}"]
        if left:
            lines.append(f"left out, for their intervals lie on both sides of what is asked: {_listed(left)}")
        decided = [holds for holds, _ in self.points.values() if holds is not None]
        text = "\n".join(lines)
        return over_domain(text, decided) if decided else Finding(text, "differs")


def _listed(parts):
    """Parts of a sentence, one after the other.

    >>> _listed(["here"]), _listed(["here", "there", "nowhere"])
    ('here', 'here, there and nowhere')
    """
    *before, last = list(parts) or [""]
    return f"{', '.join(before)} and {last}" if before else last


def at_least(measured, bound=0.0):
    """Whether a `Measured` is at least so much."""
    low, high = measured.value - measured.within, measured.value + measured.within
    return True if low >= bound else False if high < bound else None


def above(measured):
    """Whether a `Measured` is above 0."""
    low, high = measured.value - measured.within, measured.value + measured.within
    return True if low > 0 else False if high <= 0 else None


def at_most(measured, bound):
    """Whether a `Measured` is at most so much, and its value."""
    return at_least(measured * -1, -bound), measured.value


def smaller(one, other, part):
    """Whether one is smaller than another, which is above 0, by at least that part of it, and by what part it is."""
    held, some = at_least((1 - part) * other - one), above(other)
    return held if some else some, 1 - one.value / other.value if other.value else 0.0


def close(one, other, allowed):
    """Whether two are within a part of the larger of them, and how far apart they are."""
    halves = at_least(one - (1 - allowed) * other), at_least(other - (1 - allowed) * one)
    largest = max(abs(one.value), abs(other.value))
    apart = abs(one.value - other.value) / largest if largest else 0.0
    return False if False in halves else None if None in halves else True, apart


# --- Policies that see all queues -------------------------------------------------------------------------------------


def fences_lose_more(fidelity="book", pairs=PAIRS):
    """SVP and DVP lose substantially more capacity than JSQ and HP."""
    seen = logs.central(fidelity)
    return Conclusion(
        {
            (name, case, *pair): smaller(*(seen[name, case, policy][0] for policy in pair), SUBSTANTIAL)
            for name, case, pair in product(WORKLOADS, EQUAL_WORK, pairs)
        },
        f"{_policies(pairs, 1)} lose more capacity than {_policies(pairs, 0)}, by at least {SUBSTANTIAL} of what they "
        "lose,", f"the least part of their loss by which {_policies(pairs, 1)} lose more", min,
    )  # fmt: skip


def _policies(pairs, side):
    return _listed(dict.fromkeys(pair[side] for pair in pairs))


def spread_alike(fidelity="book", other="HP"):
    """JSQ and HP lose the same."""
    seen, points = logs.central(fidelity), {}
    for name, case in product(WORKLOADS, EQUAL_WORK):
        one, two = seen[name, case, "JSQ"][0], seen[name, case, other][0]
        apart = one - two
        points[name, case] = abs(apart.value) <= apart.within, abs(apart.value) / max(one.value, two.value)
    return Conclusion(
        points, f"what JSQ and {other} lose is the same within the interval of the difference",
        "the largest relative distance of their losses", max,
    )  # fmt: skip


def fences_deviate_less(fidelity="book", pairs=PAIRS):
    """SVP and DVP deviate less from the feasible shares than JSQ and HP."""
    seen, points = logs.central(fidelity), {}
    for name, case, (free, fenced) in product(WORKLOADS, logs.CASES, pairs):
        gain = seen[name, case, free][1] - seen[name, case, fenced][1]
        points[name, case, free, fenced] = above(gain), gain.value
    return Conclusion(
        points, f"{_policies(pairs, 1)} deviate less from the feasible shares than {_policies(pairs, 0)}",
        f"the least by which the deviation of {_policies(pairs, 1)} is lower", min,
    )  # fmt: skip


def fences_comply(fidelity="book", migration=False):
    """SVP and DVP with GPPS keep the deviation adequately low."""
    names = LOGS if migration else WORKLOADS  # with migration it is a control
    asked = {"policies": FENCED, "migration": True, "workloads": names} if migration else {}
    seen = logs.central(fidelity, **asked)
    return Conclusion(
        {point: at_most(seen[point][1], SMALL) for point in product(names, logs.CASES, FENCED)},
        f"the deviation of {_listed(FENCED)} with GPPS is at most {SMALL}", "the largest deviation", max,
    )  # fmt: skip


def shortest_queue_suffices(fidelity="book", names=WORKLOADS, processors=100):
    """JSQ with PS on a hundred processors loses and misses little."""
    seen = logs.central(fidelity, processors, ("JSQ",), "PS")
    return Conclusion(
        {
            (name, case, measure): at_most(seen[name, case, "JSQ"][k], SMALL)
            for name, case, (k, measure) in product(names, logs.CASES, enumerate(("loss", "deviation")))
        },
        f"loss and deviation of JSQ with PS on {processors} processors are each at most {SMALL}",
        "the largest loss or deviation", max,
    )  # fmt: skip


def loss_is_practically_zero(fidelity="book", processors=100, names=WORKLOADS):
    """JSQ with PS on a hundred processors loses practically nothing up to a load of 0.8."""
    seen = logs.central(fidelity, processors, ("JSQ",), "PS", workloads=names)
    return Conclusion(
        {(name, case): at_most(seen[name, case, "JSQ"][0], PRACTICAL) for name, case in product(names, UP_TO_80)},
        f"the loss of JSQ with PS on {several(processors, 'processor')} is at most {PRACTICAL}",
        "the largest loss", max,
    )  # fmt: skip


# --- Policies that ask some processors --------------------------------------------------------------------------------


def three_probes_help(fidelity="book", fewer=0, more=3):
    """To ask three of ten processors is substantially better than to ask none."""
    seen, points = logs.distributed(fidelity), {}
    for name, case, policy in product(WORKLOADS, logs.PROBING_CASES, CENTRAL):
        alone = seen[name, case, policy if fewer else "JSQ", fewer]
        for k, measure in enumerate(("loss", "deviation")):
            gain = alone[k] - seen[name, case, policy, more][k]
            points[name, case, policy, measure] = at_least(gain, SUBSTANTIAL), gain.value
    return Conclusion(
        points, f"loss and deviation are each lower by at least {SUBSTANTIAL} with {several(more, 'probe')} than with "
        f"{fewer}", "the least by which loss or deviation is lower", min,
    )  # fmt: skip


def two_probes_suffice(fidelity="book", limit=2):
    """There is little to gain for the deviation beyond two probes."""
    seen, points, others = logs.distributed(fidelity), {}, LIMITS[2:]
    for name, case, policy, other in product(WORKLOADS, logs.PROBING_CASES, CENTRAL, others):
        some = seen[name, case, policy if limit else "JSQ", limit]
        points[name, case, policy, other] = at_most(some[1] - seen[name, case, policy, other][1], SMALL)
    return Conclusion(
        points, f"the deviation with {_listed(map(str, others))} probes is lower than with {limit} by at most {SMALL}",
        f"the most by which the deviation is lower with more probes than {limit}", max,
    )  # fmt: skip


def three_probes_are_all(fidelity="book", limit=3):
    """With three probes deviation and loss have practically reached their optima."""
    seen, points, every = logs.distributed(fidelity), {}, LIMITS[-1]
    for name, case, policy in product(WORKLOADS, logs.PROBING_CASES, CENTRAL):
        some, best = seen[name, case, policy if limit else "JSQ", limit], seen[name, case, policy, every]
        gain = at_least(best[0] - (1 - PRACTICAL) * some[0]), 1 - best[0].value / some[0].value
        points[name, case, policy, "loss"] = gain
        points[name, case, policy, "deviation"] = at_most(some[1] - best[1], PRACTICAL)
    return Conclusion(
        points, f"the deviation, or the loss by a part of itself, is lower with {every} probes than with {limit} by at "
        f"most {PRACTICAL}", f"the most by which deviation, or loss by a part of itself, is lower with {every} probes "
        f"than with {limit}", max,
    )  # fmt: skip


# --- Interruptions ----------------------------------------------------------------------------------------------------


def one_interruption_is_enough(fidelity="book", degree_of=lambda degree: degree):
    """With one interruption a job a hundred servers do as well as balanced fairness."""
    points = {
        (name, degree, load): close(rate, _fair(degree_of(degree), load), VERY_CLOSE)
        for (name, degree, load), rate in logs.assigned(fidelity).items()
    }
    return _rates(points, AMONG_MANY, "balanced fairness", VERY_CLOSE)


def _rates(points, of, beside, allowed):
    """That a mean service rate is close to another."""
    return Conclusion(
        points, f"the mean service rate {of} and that of {beside} differ by at most {allowed} of the larger",
        f"the largest relative distance from {beside}", max,
    )  # fmt: skip


def _fair(degree, load):
    return Measured(multiserver.random_assignment(logs.SERVERS, degree, load).mean_service_rate)


def sizes_hardly_matter(fidelity="book", degree_of=lambda degree: degree):
    """With one interruption a job sizes hardly matter on a hundred servers."""
    plain, seen = logs.assigned(fidelity, exponential=True), logs.assigned(fidelity)
    points = {
        (name, degree, load): close(seen[name, degree, load], plain[name, degree_of(degree), load], SMALL)
        for name, degree, load in plain
    }
    return _rates(points, AMONG_MANY, "exponential sizes", SMALL)


def one_interruption_helps(fidelity="book", without=0, interruptions=1):
    """One interruption a job is significantly better than none."""
    before, after = (logs.shared(fidelity, number, LOGS) for number in (without, interruptions))
    return Conclusion(
        {point: smaller(before[point], rate, SUBSTANTIAL) for point, rate in after.items()},
        f"the mean service rate on three servers is higher with {several(interruptions, 'interruption')} than with "
        f"{without}, by at least {SUBSTANTIAL} of itself,",
        "the least part of itself by which the service rate is higher", min,
    )  # fmt: skip


def five_interruptions_are_fair(fidelity="book", formula=False, interruptions=5):
    """With five interruptions a job three servers do as well as balanced fairness."""
    points = {}
    for (name, load, group), rate in logs.shared(fidelity, interruptions).items():
        fair = Measured(multiserver.balanced_fairness(**three_servers(load)).mean_service_rate[group])
        points[name, load, group] = close(fair if formula else rate, fair, VERY_CLOSE)
    return _rates(points, f"on three servers with {interruptions} interruptions", "balanced fairness", VERY_CLOSE)


def five_are_as_good_as_many(fidelity="book", few=5, many=100):
    """With five interruptions a job three servers do as well as with very many."""
    some, limit = logs.shared(fidelity, few, LOGS), logs.shared(fidelity, many, LOGS)
    points = {point: close(some[point], limit[point], VERY_CLOSE) for point in limit}
    return _rates(points, f"on three servers with {few} interruptions", f"{many} interruptions", VERY_CLOSE)


# --- Parallel jobs ----------------------------------------------------------------------------------------------------


def blocks_as_one_queue(fidelity="book", service=logs.SERVICE):
    """A cluster of one server blocks as M/M/1 with C places."""
    points = {
        (name, rate): close(blocked, Measured(single_queue(logs.CAPACITY, rate, service)[0]), VERY_CLOSE)
        for (name, rate), blocked in logs.one_server(fidelity).items()
    }
    return _blocking(points, "one server", f"M/M/1/{logs.CAPACITY} that serves {service:g} jobs a second", VERY_CLOSE)


def _blocking(points, of, beside, allowed):
    """That blocking is close to another."""
    return Conclusion(
        points, f"the blocking of {of} and that of {beside} differ by at most {allowed} of the larger",
        f"the largest relative distance from {beside}", max,
    )  # fmt: skip


def blocks_as_the_chain(fidelity="book", chain=False):
    """A cluster of parallel jobs blocks as the chain says."""
    points = {
        point: close(expected if chain else blocked, expected, SMALL)
        for point, (blocked, expected) in logs.parallel(fidelity).items()
    }
    return _blocking(points, "a cluster of parallel jobs", "the chain with its numbers of servers and load", SMALL)


QUESTIONS = {  # in words, how it is judged, and the claim that judges the same of what its source speaks of
    "across-001": ("fences lose more capacity", fences_lose_more, "thesis-5-036"),
    "across-002": ("JSQ and HP lose alike", spread_alike, "thesis-5-037"),
    "across-003": ("fences deviate less", fences_deviate_less, "thesis-5-181"),
    "across-004": ("fences comply with the shares", fences_comply, "thesis-5-154"),
    "across-005": ("the shortest queue suffices", shortest_queue_suffices, "thesis-5-065"),
    "across-006": ("JSQ loses nothing", loss_is_practically_zero, "thesis-5-045"),
    "across-007": ("three probes help much", three_probes_help, "thesis-6-102"),
    "across-008": ("two probes suffice", two_probes_suffice, "thesis-6-013"),
    "across-009": ("three probes are all it takes", three_probes_are_all, "thesis-6-147"),
    "across-010": ("1 interruption: balanced fairness", one_interruption_is_enough, "balanced-035"),
    "across-011": ("1 interruption: insensitive", sizes_hardly_matter, "balanced-074"),
    "across-012": ("1 interruption: better than none", one_interruption_helps, "balanced-027"),
    "across-013": ("5 interruptions: balanced fairness", five_interruptions_are_fair, "balanced-028"),
    "across-016": ("5 interruptions: as good as many", five_are_as_good_as_many, "balanced-065"),
    "across-014": ("one server blocks as one queue", blocks_as_one_queue, "ctmc-034"),
    "across-015": ("the chain tells the blocking", blocks_as_the_chain, "ctmc-066"),
}


def judged(fidelity):
    """All conclusions, by their words."""
    return {words: judge(fidelity) for words, judge, _ in QUESTIONS.values()}


def outcomes(found):
    """Where conclusions stand, hold in part, fall or are open.

    Parameters
    ----------
    found : dict of str to Conclusion

    Returns
    -------
    pandas.DataFrame
        A row for each conclusion and a column for each workload: the outcome, with the points where it holds of those
        that are told; empty where it says nothing.
    """
    return pd.DataFrame(
        {
            name: {words: _outcome(one.of(name)) if name in one.workloads else "" for words, one in found.items()}
            for name in WORKLOADS
        }
    )


def _outcome(conclusion):
    return f"{conclusion.outcome} {'/'.join(map(str, conclusion.told))}"


def in_its_own_setting():
    """The verdict on each conclusion where its source speaks, by its words."""
    verdicts = {row["id"]: row["verdict"] for row in claims.table()}
    return {words: verdicts[original] for words, _, original in QUESTIONS.values()}
