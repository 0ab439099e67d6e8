"""Claims of `thesis`, Section 6.7.3: slow messages."""

import numpy as np

from compendium.press.clauses import aside, at_each, conclude, everywhere, exact
from compendium.press.clauses.conditions import agrees, at_most, within
from compendium.press.findings import check
from pages.share_scheduling.distributed.points.limits import five
from pages.share_scheduling.distributed.points.network_times import (
    FEW,
    SLOW,
    SMALL,
    USUAL_MIGRATION,
    by_probe_time,
    longer,
    two_asked,
)
from pages.share_scheduling.distributed.points.periodic import LIMIT
from pages.share_scheduling.distributed.points.stored import (
    ASKING,
    MIGRATIONS,
    PLACEMENTS,
    REPLIES,
    REQUESTS,
    UTILISATION,
    WORDS,
    as_it_stands,
)
from pages.share_scheduling.distributed.systems import PROBE_TIMES


@check("thesis-6-023", times=(SLOW,))
def probes_hardly_load(times=SMALL):
    """The utilisation against that with messages that take no time; in the control a probe is as a migration."""
    points = by_probe_time if SLOW in times else longer
    none, found = longer(UTILISATION, (0.0,)).at(message_time=0.0), points(UTILISATION, times)
    own = points("traffic", times, MIGRATIONS).scaled(USUAL_MIGRATION)
    sent = {kind: points("traffic", times, kind) for kind in (REQUESTS, REPLIES, PLACEMENTS, ASKING)}
    others = sent[PLACEMENTS].value + sent[ASKING].value
    return conclude(
        at_each("the utilisation, less that with messages that take no time,", found - none,
                within("practically equal"), every="policy"),
        at_each("the utilisation, less what the migrations alone bring,", found - own, within("practically equal"),
                every="policy"),
        aside("the first difference in parts of the utilisation", exact((found - none).value / found.value,
                                                                        **dict(found.axes)).largest("policy")),
        aside("that at 1e-3, in parts of the capacity of the network", by_probe_time(UTILISATION, (1e-3,)) - none),
        together="message time",
        provided=[
            everywhere("the requests per unit of time, less 16,", sent[REQUESTS] - 16.0, agrees()),
            everywhere("the replies, less 16 times the limit,", sent[REPLIES] - 16.0 * LIMIT, agrees()),
            everywhere("placements and migration requests", exact(others, **dict(own.axes)), at_most(16)),
        ],
    )  # fmt: skip


@check("thesis-6-024", times=(SLOW,))
def measures_unaffected(times=SMALL):
    """Loss and deviation against those with messages that take no time; in the control a probe is as a migration."""
    later = {name: by_probe_time(name, (*PROBE_TIMES[1:], SLOW)) - by_probe_time(name, (0.0,)).at(message_time=0.0)
             for name in WORDS}  # fmt: skip
    told = {name: later[name].at(message_time=times) if SLOW in times
            else longer(name, times) - longer(name, (0.0,)).at(message_time=0.0) for name in WORDS}  # fmt: skip
    two = {name: two_asked(name) - five(name).at(case=1, limit=FEW) for name in WORDS}
    return conclude(
        *(at_each(f"{word}, less that with messages that take no time,", told[name], agrees())
          for name, word in WORDS.items()),
        *(aside(f"in runs of a quarter, by how many half widths {word} is off",
                exact(np.abs(later[name].value / later[name].half), **dict(later[name].axes)).largest("policy"))
          for name, word in WORDS.items()),
        provided=[everywhere(f"{word}, as it stands, less that with messages that take no time,",
                             as_it_stands(told[name]), within("practically equal"))
                  for name, word in WORDS.items()]
        + [everywhere(f"with two asked, {word} at 1e-4, as it stands, less that at 1e-6,",
                      as_it_stands(two[name]), within("practically equal")) for name, word in WORDS.items()],
    )  # fmt: skip
