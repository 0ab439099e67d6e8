"""Claims of `thesis`, Sections 6.1 and 7.2: whether one network can serve hundreds of processors."""

import numpy as np

from compendium.press.clauses import aside, at_each, conclude, everywhere, exact
from compendium.press.clauses.conditions import agrees, at_most, larger
from compendium.press.findings import check
from pages.share_scheduling.distributed.points.growing import (
    ALLOWED,
    LIMITS,
    excess_of_segments,
    first_above,
    loaded,
    many,
    probed,
    probing,
)
from pages.share_scheduling.distributed.points.stored import SIZE, UTILISATION
from pages.share_scheduling.distributed.systems import MANY_PROCESSORS

LARGE, SEGMENTS = (200, 500, 1000), (10, 20)
GROWING = ("3", "log2 P", "sqrt P", "P/4", "P - 1")


@check("thesis-6-104", probes_alone=True)
def one_network_or_segments(probes_alone=False):
    """The network's utilisation with a quarter asked; in the control probes alone, with three asked."""
    found, other = loaded(many(UTILISATION, "P/4")), loaded(many(UTILISATION, "P/4 down"))
    if probes_alone:
        alone = [probing(P, 3) for P in MANY_PROCESSORS]
        found = exact(np.zeros(found.value.shape), **dict(found.axes)) - -exact(alone, **{SIZE: MANY_PROCESSORS})
    segments = excess_of_segments()
    return conclude(
        at_each("the utilisation of one network", found.at(**{SIZE: LARGE}), larger(ALLOWED)),
        *(aside(f"the utilisation of the network of {P} processors", found.at(**{SIZE: P})) for P in LARGE),
        aside("what it changes by if a quarter is rounded down", (other - found).distance()),
        aside("the number of processors from which on requests and replies alone are above it",
              exact(first_above(LIMITS["P/4"]))),
        *(aside(f"the deviation of segments of {P}, less that of one network of 500,", segments.at(**{SIZE: P}))
          for P in SEGMENTS),
        provided=[everywhere("the utilisation of segments' networks", found.at(**{SIZE: SEGMENTS}), at_most(ALLOWED))],
    )  # fmt: skip


@check("thesis-7-018", processors=(10, 10, 10))
def too_much_asked(processors=LARGE):
    """What probes alone bring at five limits, exact; the control has clusters of ten with a network each."""
    alone = exact([[probing(P, LIMITS[name](P)) for P in processors] for name in GROWING],
                  limit=GROWING, **{SIZE: processors})  # fmt: skip
    gaps = {name: probed(name) - [probing(P, LIMITS[name](P)) for P in MANY_PROCESSORS] for name in GROWING[:-1]}
    whole = np.array([loaded(many(UTILISATION, name)).at(**{SIZE: LARGE}).value for name in GROWING[:-1]])
    return conclude(
        at_each("what requests and replies bring", alone, larger(ALLOWED)),
        *(aside(f"that with {name} asked", alone.at(limit=name)) for name in GROWING),
        aside("at how many points it is above 1", exact(np.sum(alone.value > 1))),
        aside(f"at how many of {whole.size} points all traffic is above {ALLOWED:g}", exact(np.sum(whole > ALLOWED))),
        provided=[
            everywhere(f"what they bring in runs with {name} asked, less that,",
                       gap.where(~np.isnan(gap.value), "overloaded"), agrees()) for name, gap in gaps.items()
        ],
    )  # fmt: skip
