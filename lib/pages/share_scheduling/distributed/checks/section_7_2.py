"""Claims of `thesis`, Section 7.2: one network for hundreds of processors."""

import numpy as np

from compendium.press.clauses import aside, at_each, conclude, everywhere, exact
from compendium.press.clauses.conditions import agrees, larger
from compendium.press.findings import check
from pages.share_scheduling.distributed.points.growing import ALLOWED, LIMITS, loaded, many, probed, probing
from pages.share_scheduling.distributed.points.stored import SIZE, UTILISATION
from pages.share_scheduling.distributed.systems import MANY_PROCESSORS

LARGE, SEGMENTS = (200, 500, 1000), (10, 20, 50)
GROWING = ("3", "log2 P", "sqrt P", "P/4", "P - 1")


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
        aside("in a segment for each subsystem in which all are asked",
              exact([probing(P, P - 1) for P in SEGMENTS], processors=SEGMENTS)),
        aside(f"at how many of {whole.size} points all traffic is above {ALLOWED:g}", exact(np.sum(whole > ALLOWED))),
        provided=[
            everywhere(f"what they bring in runs with {name} asked, less that,",
                       gap.where(~np.isnan(gap.value), "overloaded"), agrees()) for name, gap in gaps.items()
        ],
    )  # fmt: skip
