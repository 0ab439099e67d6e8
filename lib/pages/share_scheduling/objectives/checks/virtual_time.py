"""Claim of `thesis`, Section 1.5.1: EEVDF, and what a client that keeps asking is owed."""

from clustershare import proportional
from compendium.press.findings import check, erratum
from pages.share_scheduling.objectives.witnesses.fluids import least_worst
from pages.share_scheduling.objectives.witnesses.ledgers import WithoutEligibility, worst_lag


@check("thesis-1-014", policy=WithoutEligibility)
def service_lag(policy=proportional.EEVDF):
    """Lags with virtual time by (1.6) alone, and settled; in the control requests need not be eligible."""
    printed, settled = worst_lag(policy, False), worst_lag(policy, True)
    best = all(abs(least_worst(count) - (1 - 1 / count)) < 1e-12 for count in range(2, 7))
    return erratum(
        f"largest lag over the largest request: {printed:.2f} with (1.6) alone, {settled:.2f} settled; of n like "
        f"clients one is off by {'1 - 1/n' if best else 'another part'} of a quantum in whatever order",
        printed <= 1 + 1e-9 and best, settled <= 1 + 1e-9 and best,
    )  # fmt: skip
