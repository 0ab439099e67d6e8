"""What `thesis`, Sections 6.2 to 6.5, leaves open: whether it matters, by stored points of both readings."""

import itertools
from fractions import Fraction

import numpy as np

from compendium.press.findings import Finding, check, over_domain, yes
from compendium.press.words import SCALE
from pages.share_scheduling.central.witnesses.states import every_state
from pages.share_scheduling.distributed.measured import by_policy
from pages.share_scheduling.distributed.network_times import by_probe_time
from pages.share_scheduling.distributed.periodic import ALL, by_period, uninformed
from pages.share_scheduling.distributed.printed_rules import Partial
from pages.share_scheduling.distributed.readings import (
    BOTH,
    SLOW_PROBES,
    at_limits,
    at_periods,
    slow_migrations,
    slow_probes,
)
from pages.share_scheduling.distributed.readings import uninformed as nobody_asked
from pages.share_scheduling.distributed.systems import POLICIES

NEGLIGIBLE = SCALE["practically equal"].most
HALVES, QUARTERS = (Fraction(1, 2), Fraction(1, 2)), (Fraction(3, 4), Fraction(1, 4))
SMALL = (
    HALVES, (Fraction(2, 3), Fraction(1, 3)), QUARTERS, (Fraction(1, 3),) * 3,
    (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)),
)  # fmt: skip


def no_matter(changes, say=""):
    """No matter: every difference is negligible; at some points only; or at none.

    Parameters
    ----------
    changes : dict
        Words: differences.
    say : str
        What else is to be told.
    """
    holds = {name: np.abs(each.value) <= NEGLIGIBLE for name, each in changes.items()}
    said = "; ".join(
        f"{name} by up to {np.abs(each.value).max():.4f}, at most {NEGLIGIBLE:g} at {holds[name].sum()} of "
        f"{holds[name].size} points"
        for name, each in changes.items()
    )
    return over_domain(f"{said}{'; ' if say else ''}{say}", np.concatenate([each.ravel() for each in holds.values()]))


def measure(quantity):
    """A measure in words."""
    return {BOTH[0]: "deviation", BOTH[1]: "loss"}[quantity]


def _asked_nobody(policies=POLICIES):
    return {f"{measure(name)}, nobody asked": nobody_asked(name, policies) for name in BOTH}


@check("thesis-6-050", nobody=True)
def when_it_is_removed(nobody=False):
    """On demand and periodically; the control asks nobody in place of the other reading."""
    if nobody:
        return no_matter(_asked_nobody())
    changes = {f"on demand, {measure(name)}": at_limits("keep replies", name) for name in BOTH}
    changes |= {
        f"periodic, {reading}, {measure(name)}": at_periods(reading, name)
        for reading in ("keep replies", "drop old")
        for name in BOTH
    }
    none, ten, six = uninformed(), ALL.index(10.0), ALL.index(0.6)
    told = "; ".join(
        f"{reading}: {by_policy(by_period(BOTH[0], ALL, reading).value[:, six])} at 0.6, above none asked at 10 by "
        f"{by_policy(by_period(BOTH[0], ALL, reading).value[:, ten] - none.value)}"
        for reading in ("keep replies", "drop old")
    )
    return no_matter(changes, told)


@check("thesis-6-051", nobody=True)
def how_shares_are_estimated(nobody=False):
    """DVP with scaled and with bare sums; the control asks nobody in place of the second."""
    if nobody:
        return no_matter(_asked_nobody(("DVP",)))
    exact, with_own, without = True, Fraction(0), Fraction(0)
    for P, shares in itertools.product((2, 3), SMALL):
        scaled, bare = (
            Partial("DVP", shares, P, True, "GPPS", (), change, tuple(range(P))) for change in ((), ("bare sums",))
        )
        for jobs in every_state(P, len(shares), 6 if P * len(shares) < 9 else 4):
            for g in range(len(shares)):
                exact &= scaled.obtained(jobs, g) == bare.obtained(jobs, g)
                exact &= scaled.feasible(jobs, g) == bare.feasible(jobs, g)
    for P, shares in itertools.product((2, 3, 4), (HALVES, QUARTERS)):
        for jobs in every_state(P, 2, 4 if P < 4 else 3):
            for g, size in itertools.product((0, 1), range(1, P)):
                true = _mean_obtained(shares, P, jobs, g, [range(P)])
                any_set = list(itertools.combinations(range(P), size))
                own = [known for known in any_set if known[0] == 0]
                without = max(without, abs(_mean_obtained(shares, P, jobs, g, any_set) - true))
                with_own = max(with_own, abs(_mean_obtained(shares, P, jobs, g, own) - true))
    changes = {measure(name): at_limits("bare sums", name, ("DVP",)) for name in BOTH}
    found = no_matter(
        changes,
        f"both are the true shares where all are known: {yes(exact)}; the mean of the scaled one over "
        "random sets is "
        f"the true share {'exactly' if not without else f'but for {float(without):.3f}'}, with the own processor "
        "always "
        f"among them up to {float(with_own):.3f} away",
    )
    return found if exact else Finding(found.computed, "differs")


def _mean_obtained(shares, P, jobs, g, sets):
    """The mean of the scaled estimate of o_g over sets of known processors."""
    found = [
        Partial("DVP", shares, P, True, "GPPS", known=tuple(known)).obtained(tuple(jobs[p] for p in known), g)
        for known in sets
    ]
    return sum(found, Fraction(0)) / len(found)


@check("thesis-6-052", nobody=True)
def what_is_counted(nobody=False):
    """Jobs under way counted or not; the control asks nobody in place of the second."""
    if nobody:
        return no_matter(_asked_nobody())
    changes = {f"usual network, {measure(name)}": at_limits("with those under way", name) for name in BOTH}
    changes |= {f"slow migrations, {measure(name)}": slow_migrations("with those under way", name) for name in BOTH}
    return no_matter(changes)


@check("thesis-6-054", nobody=True)
def in_the_meantime(nobody=False):
    """The state after a departure, or that when replies are in; the control asks nobody in place of the first."""
    if nobody:
        return no_matter(_asked_nobody())
    changes = {f"usual network, {measure(name)}": at_limits("state at departure", name) for name in BOTH}
    changes |= {f"slow messages, {measure(name)}": slow_probes(name) for name in BOTH}
    part = by_probe_time("changed_meanwhile", (1e-6, *SLOW_PROBES)).value.max(axis=0)
    return no_matter(
        changes,
        f"the two states differ at {part[0]:.1g} of the departures, with messages of "
        f"{', '.join(f'{time:g}' for time in SLOW_PROBES)} at {', '.join(f'{each:.2g}' for each in part[1:])}",
    )
