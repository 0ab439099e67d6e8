"""What the four works conclude, judged on other workloads, point by point.

Each conclusion is a function that gives a `Conclusion`. A point holds where the whole 95 % interval is on its side,
fails where the whole interval is on the other, and is open in between.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from clustershare import multiserver
from compendium.press import claims
from compendium.press.findings import Finding, over_domain
from compendium.press.words import SCALE
from pages.across import logs
from pages.across.logs import CENTRAL, LIMITS, LOGS, WORKLOADS, Measured
from pages.balanced_fairness.systems import three_servers

SUBSTANTIAL, SMALL = SCALE["clear"].least, SCALE["close"].most
PRACTICAL, VERY_CLOSE = SCALE["practically equal"].most, SCALE["very close"].most
FREE, FENCED = ("JSQ", "HP"), ("SVP", "DVP")
PAIRS = tuple((free, fenced) for fenced in FENCED for free in FREE)
EQUAL_WORK = tuple(case for case in logs.CASES if case.startswith("case 1"))
UP_TO_80 = tuple(case for case in EQUAL_WORK if case != "case 1, load 0.9")


@dataclass(frozen=True)
class Conclusion:
    """A conclusion at every point of its domain.

    Attributes
    ----------
    points : dict of tuple to (bool or None, float)
        By workload and the rest of the point: whether it holds, None if that is open, and what is judged.
    what : str
        What is judged, in words.
    worst : callable
        `min` or `max`: which of the values speaks most against the conclusion.
    """

    points: dict
    what: str
    worst: Callable

    def of(self, workload):
        """The same for one workload."""
        own = {point: value for point, value in self.points.items() if point[0] == workload}
        return Conclusion(own, self.what, self.worst)

    @property
    def workloads(self):
        """Those that it speaks of."""
        return [name for name in WORKLOADS if any(point[0] == name for point in self.points)]

    @property
    def told(self):
        """At how many points it holds, and at how many that is told."""
        decided = [holds for holds, _ in self.points.values() if holds is not None]
        return sum(decided), len(decided)

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

    def finding(self):
        """The `compendium.press.findings.Finding`: workload by workload."""
        said = []
        for name in self.workloads:
            own = self.of(name)
            holds, decided = own.told
            left = f", {len(own.points) - decided} open" if decided < len(own.points) else ""
            said.append(f"{name} {holds} of {decided}{left}, {own.extreme:.2g}")
        text = f"points where it holds, and {self.what}: {'; '.join(said)}"
        decided = [holds for holds, _ in self.points.values() if holds is not None]
        return over_domain(text, decided) if decided else Finding(text, "differs")


def at_least(measured, bound=0.0):
    """Whether a `Measured` is at least so much."""
    low, high = measured.value - measured.within, measured.value + measured.within
    return True if low >= bound else False if high < bound else None


def above(measured):
    """Whether a `Measured` is above 0."""
    low, high = measured.value - measured.within, measured.value + measured.within
    return True if low > 0 else False if high <= 0 else None


def at_most(measured, bound):
    """Whether a `Measured` is at most so much."""
    return at_least(measured * -1, -bound)


def close(one, other, allowed):
    """Whether two are within a part of the larger of them, and how far apart they are."""
    halves = at_least(one - (1 - allowed) * other), at_least(other - (1 - allowed) * one)
    largest = max(abs(one.value), abs(other.value))
    apart = abs(one.value - other.value) / largest if largest else 0.0
    return False if False in halves else None if None in halves else True, apart


# --- Policies that see all queues -------------------------------------------------------------------------------------


def fences_lose_more(fidelity="book", pairs=PAIRS):
    """SVP and DVP lose substantially more capacity than JSQ and HP."""
    seen, points = logs.central(fidelity), {}
    for name in WORKLOADS:
        for case in EQUAL_WORK:
            for free, fenced in pairs:
                less, more = seen[name, case, free][0], seen[name, case, fenced][0]
                holds = at_least((1 - SUBSTANTIAL) * more - less)
                points[name, case, free, fenced] = holds, 1 - less.value / more.value
    return Conclusion(points, "by what part of their loss they lose more, at the least", min)


def spread_alike(fidelity="book", other="HP"):
    """JSQ and HP lose the same."""
    seen, points = logs.central(fidelity), {}
    for name in WORKLOADS:
        for case in EQUAL_WORK:
            one, two = seen[name, case, "JSQ"][0], seen[name, case, other][0]
            apart = one - two
            points[name, case] = abs(apart.value) <= apart.within, abs(apart.value) / max(one.value, two.value)
    return Conclusion(points, "how far apart the losses are, at the most", max)


def fences_deviate_less(fidelity="book", pairs=PAIRS):
    """SVP and DVP deviate less from the feasible shares than JSQ and HP."""
    seen, points = logs.central(fidelity), {}
    for name in WORKLOADS:
        for case in logs.CASES:
            for free, fenced in pairs:
                gain = seen[name, case, free][1] - seen[name, case, fenced][1]
                points[name, case, free, fenced] = above(gain), gain.value
    return Conclusion(points, "by how much less, at the least", min)


def fences_comply(fidelity="book", migration=False):
    """SVP and DVP with GPPS keep the deviation adequately low."""
    names = tuple(LOGS) if migration else WORKLOADS  # with migration it is a control
    seen = (
        logs.central(fidelity, policies=FENCED, migration=True, workloads=names)
        if migration
        else logs.central(fidelity)
    )
    points = {
        (name, case, policy): (at_most(seen[name, case, policy][1], SMALL), seen[name, case, policy][1].value)
        for name in names for case in logs.CASES for policy in FENCED
    }  # fmt: skip
    return Conclusion(points, "the deviation at the most", max)


def shortest_queue_suffices(fidelity="book", names=WORKLOADS):
    """JSQ with PS on a hundred processors loses and misses little."""
    seen = logs.central(fidelity, 100, ("JSQ",), "PS")
    points = {
        (name, case, measure): (at_most(seen[name, case, "JSQ"][k], SMALL), seen[name, case, "JSQ"][k].value)
        for name in names for case in logs.CASES for k, measure in enumerate(("loss", "deviation"))
    }  # fmt: skip
    return Conclusion(points, "loss or deviation at the most", max)


def loss_is_practically_zero(fidelity="book", processors=100, names=WORKLOADS):
    """JSQ with PS on a hundred processors loses practically nothing up to a load of 0.8."""
    seen = logs.central(fidelity, processors, ("JSQ",), "PS", workloads=names)
    points = {
        (name, case): (at_most(seen[name, case, "JSQ"][0], PRACTICAL), seen[name, case, "JSQ"][0].value)
        for name in names for case in UP_TO_80
    }  # fmt: skip
    return Conclusion(points, "the loss at the most", max)


# --- Policies that ask some processors --------------------------------------------------------------------------------


def three_probes_help(fidelity="book", fewer=0, more=3):
    """To ask three of ten processors is substantially better than to ask none."""
    seen, points = logs.distributed(fidelity), {}
    for name in WORKLOADS:
        for case in logs.PROBING_CASES:
            for policy in CENTRAL:
                alone = seen[name, case, policy if fewer else "JSQ", fewer]
                for k, measure in enumerate(("loss", "deviation")):
                    gain = alone[k] - seen[name, case, policy, more][k]
                    points[name, case, policy, measure] = at_least(gain, SUBSTANTIAL), gain.value
    return Conclusion(points, "how much lower loss or deviation is, at the least", min)


def _left_to_gain(fidelity, limit, others, allowed):
    seen, points = logs.distributed(fidelity), {}
    for name in WORKLOADS:
        for case in logs.PROBING_CASES:
            for policy in CENTRAL:
                for other in others:
                    some = seen[name, case, policy if limit else "JSQ", limit]
                    gain = some[1] - seen[name, case, policy, other][1]
                    points[name, case, policy, other] = at_most(gain, allowed), gain.value
    return Conclusion(points, "how much lower the deviation is with more probes, at the most", max)


def two_probes_suffice(fidelity="book", limit=2):
    """There is little to gain for the deviation beyond two probes."""
    return _left_to_gain(fidelity, limit, LIMITS[2:], SMALL)


def three_probes_are_all(fidelity="book", limit=3):
    """With three probes the deviation has practically reached its optimum."""
    return _left_to_gain(fidelity, limit, LIMITS[3:], PRACTICAL)


# --- Interruptions ----------------------------------------------------------------------------------------------------


def one_interruption_is_enough(fidelity="book", degree_of=lambda degree: degree):
    """With one interruption a job a hundred servers do as well as balanced fairness."""
    points = {
        (name, degree, load): close(rate, _fair(degree_of(degree), load), VERY_CLOSE)
        for (name, degree, load), rate in logs.assigned(fidelity).items()
    }
    return Conclusion(points, "how far the service rate is from balanced fairness, at the most", max)


def _fair(degree, load):
    return Measured(multiserver.random_assignment(100, degree, load).mean_service_rate)


def sizes_hardly_matter(fidelity="book", degree_of=lambda degree: degree):
    """With one interruption a job sizes hardly matter on a hundred servers."""
    plain, seen = logs.assigned(fidelity, exponential=True), logs.assigned(fidelity)
    points = {
        (name, degree, load): close(seen[name, degree, load], plain[name, degree_of(degree), load], SMALL)
        for name, degree, load in plain
    }
    return Conclusion(points, "how far the service rate is from that of exponential sizes, at the most", max)


def one_interruption_helps(fidelity="book", without=0):
    """One interruption a job is significantly better than none."""
    names = tuple(LOGS)
    before, after = logs.shared(fidelity, without, names), logs.shared(fidelity, 1, names)
    points = {}
    for point, rate in after.items():
        higher = 1 - before[point].value / rate.value
        points[point] = at_least((1 - SUBSTANTIAL) * rate - before[point]), higher
    return Conclusion(points, "by what part of it the service rate is higher, at the least", min)


def five_interruptions_are_fair(fidelity="book", formula=False):
    """With five interruptions a job three servers do as well as balanced fairness."""
    points = {}
    for (name, load, group), rate in logs.shared(fidelity, 5).items():
        fair = Measured(multiserver.balanced_fairness(**three_servers(load)).mean_service_rate[group])
        points[name, load, group] = close(fair if formula else rate, fair, VERY_CLOSE)
    return Conclusion(points, "how far the service rate is from balanced fairness, at the most", max)


def five_are_as_good_as_many(fidelity="book", few=5, many=100):
    """With five interruptions a job three servers do as well as with very many."""
    names = tuple(LOGS)
    some, limit = logs.shared(fidelity, few, names), logs.shared(fidelity, many, names)
    points = {point: close(some[point], limit[point], VERY_CLOSE) for point in limit}
    return Conclusion(points, "how far the service rate is from that with very many, at the most", max)


# --- Parallel jobs ----------------------------------------------------------------------------------------------------


def blocks_as_one_queue(fidelity="book", service=logs.SERVICE):
    """A cluster of one server blocks as M/M/1 with C places."""
    points = {
        (name, rate): close(blocked, Measured(lost_by_one_queue(rate / service, logs.CAPACITY)), VERY_CLOSE)
        for (name, rate), blocked in logs.one_server(fidelity).items()
    }
    return Conclusion(points, "how far blocking is from that of the queue, at the most", max)


def lost_by_one_queue(load, places):
    """The part of the jobs that M/M/1 with so many places loses.

    Examples
    --------
    >>> lost_by_one_queue(1.0, 3), lost_by_one_queue(2.0, 1)
    (0.25, 0.6666666666666666)
    """
    return load**places / math.fsum(load**n for n in range(places + 1))


def blocks_as_the_chain(fidelity="book", chain=False):
    """A cluster of parallel jobs blocks as the chain says."""
    points = {
        point: close(expected if chain else blocked, expected, SMALL)
        for point, (blocked, expected) in logs.parallel(fidelity).items()
    }
    return Conclusion(points, "how far blocking is from that of the chain, at the most", max)


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
