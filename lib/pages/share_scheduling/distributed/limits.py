"""Five cases of workload and ten probe limits: the points of `thesis`, Figures 6.1, 6.2 and 6.3, and full information.

Points are `measured.Measured`; those of a study of the five cases have the shape (policies, cases, probe limits).
"""

import functools

import numpy as np

from clustershare import dispatch
from compendium import study
from pages.share_scheduling.central.points.simulated import said
from pages.share_scheduling.distributed.measured import DEVIATION, Measured, measured
from pages.share_scheduling.distributed.simulated import PART, table
from pages.share_scheduling.distributed.systems import ALL_CASES, CASES, LIMITS, POLICIES, of_case

PROCESSORS = 10
WHOLE = (1, 2)  # the cases in which each group requires whole processors
SMALL, LOADS = (2, 3), (0.1, 0.2, 0.3, 0.4, 0.5)  # systems whose chain can be solved
CUTS = (5, 6, 7, 8, 10)  # jobs at which that chain is cut, by the load


@functools.cache
def five(quantity, index=None, fidelity="book", **other):
    """A quantity in the five cases at all probe limits.

    Parameters
    ----------
    quantity, index, fidelity, **other
        As for `measured.measured`.

    Returns
    -------
    Measured
        Shape (policies, cases, probe limits).
    """
    return measured(
        "limits", quantity, "case", "probe_limit", index=index, fidelity=fidelity, case=ALL_CASES, probe_limit=LIMITS,
        **other,
    )  # fmt: skip


def in_other_units(quantity, index=None, fidelity="book"):
    """Case 1 as if a processor had the capacity 1 / P: all on the network takes a tenth. Shape (policies, limits)."""
    return measured(
        "limits", quantity, "probe_limit", index=index, fidelity=fidelity, probe_limit=LIMITS, probe_service_time=1e-7,
        migration_service_time=1e-3,
    )  # fmt: skip


def curves(quantity, case=1, index=None, fidelity="book"):
    """Of one case, as `figures.against` draws them: by policy, values and half widths at all probe limits."""
    found = five(quantity, index, fidelity)
    return {policy: tuple(part[k, case - 1] for part in found) for k, policy in enumerate(POLICIES)}


def at(found, limits):
    """The points at one probe limit, or at several."""
    return found.part((..., list(limits) if np.ndim(limits) else limits))


def against(found, reference):
    """What is gained against a reference, which has one value a case, or one a policy and case: `Measured`."""
    value, half = np.asarray(reference.value)[..., None], np.asarray(reference.half)[..., None]
    return Measured(value, half) - found


def substantial(found, reference, part=0.1):
    """By how much a reference, less a part of itself, is above the points: where it is positive, so much is gained.

    No quotient is taken, so the intervals are those of a sum.
    """
    value, half = np.asarray(reference.value)[..., None], np.asarray(reference.half)[..., None]
    return Measured((1 - part) * value, (1 - part) * half) - found


@functools.cache
def central(quantity, index=None, fidelity="book"):
    """The central policies with migration and GPPS in the five cases: shape (policies, cases)."""
    points = study.grid(policy=list(POLICIES), case=list(ALL_CASES))
    rows = study.run(
        "distributed-central-policies", dispatch.simulate_central, points, _of_central, fidelity=fidelity, part=PART
    )
    chosen = ("largest" if quantity == DEVIATION else 0) if index is None else index
    return Measured(*table(rows, quantity, "policy", "case", index=chosen))


def _of_central(policy, case):
    shares, loads = CASES[case]
    return {
        "policy": policy, "local": "GPPS", "migration": True, "required_shares": shares, "loads": loads,
        "processors": PROCESSORS,
    }  # fmt: skip


@functools.cache
def without_delay(quantity, index=None):
    """All nine others probed over a network that takes no time: shape (policies, cases)."""
    return measured(
        "central", quantity, "case", index=index, probe_limit=PROCESSORS - 1, probe_service_time=0.0,
        migration_service_time=0.0, case=ALL_CASES,
    )  # fmt: skip


@functools.cache
def small_without_delay(processors, quantity, index):
    """The same of two or three processors, in the first two cases: shape (policies, cases, `LOADS`)."""
    return measured(
        "central", quantity, "case", "load", index=index, processors=processors, probe_limit=processors - 1,
        probe_service_time=0.0, migration_service_time=0.0, case=WHOLE, load=LOADS,
    )  # fmt: skip


@functools.cache
def small_chains(processors):
    """The deviations there by the chain of Chapter 5's rules: shape (policies, cases, `LOADS`, groups)."""
    return np.array([
        [
            [
                dispatch.exact_central(
                    policy, local="GPPS", migration=True, processors=processors, most_jobs=cut,
                    **{name: of_case(policy, case, load)[name] for name in ("required_shares", "loads")},
                ).group_share_deviation
                for load, cut in zip(LOADS, CUTS)
            ]
            for case in WHOLE
        ]
        for policy in POLICIES
    ])  # fmt: skip


# Words.


def of(holds):
    """How many points of all, in words."""
    return f"{int(np.sum(holds))} of {np.size(holds)}"


def where(holds, limits=None, policies=POLICIES, cases=ALL_CASES):
    """In which cases, under which policies and at which probe limits something holds, in words.

    Parameters
    ----------
    holds : array_like of bool, shape (policies, cases, limits), or (policies, cases)
    limits : sequence of int, optional
    policies, cases : sequence

    Examples
    --------
    >>> where([[[True, True]], [[False, True]]], (1, 2), ("JSQ", "HP"), (3,))
    'case 3: JSQ 1 to 2, HP 2'
    >>> where([[True, True, False], [True, True, True]], None, ("JSQ", "HP"), (3, 4, 5))
    'cases 3, 4: all, case 5: HP'
    """
    found, alike = np.asarray(holds, bool), {}
    for k, case in enumerate(cases):
        ranges = {}
        for policy, row in zip(policies, found[:, k]):
            if np.any(row):
                ranges.setdefault("" if limits is None else " " + said(limits, row), []).append(policy)
        text = ", ".join(
            ("all" if len(names) == len(policies) > 1 else " ".join(names)) + at for at, names in ranges.items()
        )
        alike.setdefault(text, []).append(case)
    words = [
        f"case{'s' if len(some) > 1 else ''} {', '.join(map(str, some))}: {text}"
        for text, some in alike.items()
        if text
    ]
    return (", " if limits is None else "; ").join(words) or "nowhere"


def extreme(values, limits, largest=True, policies=POLICIES, cases=ALL_CASES):
    """The largest or the least of some values and where it is, in words.

    Examples
    --------
    >>> extreme([[[0.1, 0.25]]], (1, 2), policies=("JSQ",), cases=(3,))
    '0.250 (JSQ, case 3, limit 2)'
    """
    values = np.asarray(values, float)
    place = np.unravel_index(np.argmax(values) if largest else np.argmin(values), values.shape)
    policy, case, limit = policies[place[0]], cases[place[1]], limits[place[2]]
    return f"{values[place] + 0.0:.3f} ({policy}, case {case}, limit {limit})"
