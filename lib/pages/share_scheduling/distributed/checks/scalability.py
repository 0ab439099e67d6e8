"""Claims of `thesis`, Sections 6.1 and 7.2: whether one network can serve hundreds of processors."""

import numpy as np

from compendium.press.findings import check, over_domain
from pages.share_scheduling.distributed.growing import (
    ALLOWED,
    LIMITS,
    excess_of_segments,
    first_above,
    many,
    probed,
    probing,
)
from pages.share_scheduling.distributed.measured import (
    UTILISATION,
    Measured,
    by_policy,
    lower,
    upper,
)
from pages.share_scheduling.distributed.simulated import joint
from pages.share_scheduling.distributed.systems import MANY_PROCESSORS, POLICIES

LARGE, SEGMENTS = (200, 500, 1000), (10, 20)
GROWING = ("3", "log2 P", "sqrt P", "P/4", "P - 1")


def places(processors):
    """Where they stand among `MANY_PROCESSORS`."""
    return [MANY_PROCESSORS.index(P) for P in processors]


@check("thesis-6-104", probes_alone=True)
def one_network_or_segments(probes_alone=False):
    """The network's utilisation with a quarter asked; in the control probes alone, with three asked."""
    found = many(UTILISATION, "P/4")
    if probes_alone:
        alone = np.array([probing(P, 3) for P in MANY_PROCESSORS])
        found = Measured(np.broadcast_to(alone, found.value.shape), np.zeros(found.value.shape))
    number = len(POLICIES) * len(LARGE + SEGMENTS)
    large, small = (found.part((slice(None), places(which))) for which in (LARGE, SEGMENTS))
    above = np.isnan(large.value) | (lower(large, number) > ALLOWED)
    quiet = upper(small, number) < ALLOWED
    other = many(UTILISATION, "P/4 down")
    since = [next((P for P, each in zip(LARGE, row) if each), None) for row in above]
    holds = np.append(above.ravel(), quiet.all()) if above.any() else np.zeros(1, bool)
    segments = excess_of_segments()
    return over_domain(
        f"with {', '.join(map(str, LARGE))} processors "
        f"{'; '.join(by_policy(large.value[:, k]) for k in range(len(LARGE)))}; above {ALLOWED:g} from "
        f"{', '.join(f'{policy} {P}' for policy, P in zip(POLICIES, since))}; rounded down up to "
        f"{np.nanmax(np.abs(other.value - many(UTILISATION, 'P/4').value)):.3f} apart; segments of 10 and 20 at most "
        f"{small.value.max():.3f}; requests and replies alone pass it at P = {first_above(LIMITS['P/4'])}; segments of "
        f"ten have a deviation higher by up to {segments[0].value.max():.3f} than one network of 500, of twenty by up "
        f"to {segments[1].value.max():.3f}",
        holds,
    )


@check("thesis-7-018", processors=(10, 10, 10))
def too_much_asked(processors=LARGE):
    """What probes alone bring at five limits, exact; the control has clusters of ten with a network each."""
    alone = np.array([[probing(P, LIMITS[name](P)) for P in processors] for name in GROWING])
    simulated = [probed(name) for name in GROWING[:-1]]
    far = [
        np.abs(each.value - [probing(P, LIMITS[name](P)) for P in MANY_PROCESSORS]) / np.maximum(each.half, 1e-15)
        for name, each in zip(GROWING, simulated)
    ]
    stable = sum(np.isfinite(each).sum() for each in far)
    whole = [many(UTILISATION, name).part((slice(None), places(LARGE))).value for name in GROWING[:-1]]
    full = sum((np.isnan(each) | (each > ALLOWED)).sum() for each in whole)
    return over_domain(
        "; ".join(f"{name}: {', '.join(f'{each:.4f}' for each in row)}" for name, row in zip(GROWING, alone))
        + f"; above {ALLOWED:g} at {(alone > ALLOWED).sum()} of {alone.size}, above 1 at {(alone > 1).sum()}; "
        f"simulated within {max(np.nanmax(each) for each in far):.1f} half widths, of {joint(stable):.1f} for all "
        "together; with "
        f"migrations the network is above {ALLOWED:g}, or overloaded, at {full} of {sum(map(np.size, whole))} points",
        (alone > ALLOWED) & (max(np.nanmax(each) for each in far) <= joint(stable)),
    )
