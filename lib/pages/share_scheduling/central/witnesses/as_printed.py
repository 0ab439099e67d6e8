"""The library's chain of a policy against the chain of its printed rules: a clause, for claims about single rules."""

from clustershare.dispatch import exact_central
from compendium.press.clauses import cases, everywhere
from compendium.press.clauses.conditions import equal
from compendium.press.findings import difference
from pages.share_scheduling.central.printed.rules import Rules
from pages.share_scheduling.central.systems import LOCAL
from pages.share_scheduling.central.witnesses.reached import law

LOAD, MOST_JOBS = 0.1, 5


def chain_as_printed(policies, systems, migration):
    """A clause: loss and deviations by the library's own chain are those of a chain of the printed rules.

    Parameters
    ----------
    policies : tuple of str
    systems : sequence of tuple
        Numbers of processors and required shares, as fractions.
    migration : tuple of bool
    """

    def off(policy, processors, shares, moves, local):
        parts = range(1, len(shares) + 1)
        loads = [LOAD * part / sum(parts) for part in parts]
        printed = law(Rules(policy, shares, processors, moves, local), loads, MOST_JOBS)
        found = exact_central(
            policy, local=local, migration=moves, required_shares=[float(share) for share in shares], loads=loads,
            processors=processors, most_jobs=MOST_JOBS,
        )  # fmt: skip
        return max(
            abs(found.capacity_loss - printed.capacity_loss),
            difference(found.group_share_deviation, printed.group_share_deviation),
        )

    every = [
        (policy, *system, moves, local)
        for policy in policies for system in systems for moves in migration for local in LOCAL
    ]  # fmt: skip
    return everywhere("loss and deviations by the library's chain and by that of the printed rules",
                      cases("system", every).measure(off), equal(1e-9))  # fmt: skip
