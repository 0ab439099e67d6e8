"""All that the library answers on the models of `thesis`, Chapters 1 and 2, held against plain counting and chains.

Routing, the shares of groups and how they are delivered, schedules with free migration, fair and proportional shares,
traces, chains and partitions. Few systems, each with much at once; a witness reads what is given, never what the
library makes of it.
"""

from pages.share_scheduling.objectives.library.chains import on_chains
from pages.share_scheduling.objectives.library.proportional import on_proportional_shares
from pages.share_scheduling.objectives.library.routing import on_routing, on_transfers
from pages.share_scheduling.objectives.library.schedules import on_schedules, on_traces
from pages.share_scheduling.objectives.library.sets import on_delivery, on_partitions
from pages.share_scheduling.objectives.library.shares import on_fair_shares, on_shares


def answers():
    """Clauses: all that the library answers on the models of these chapters, held against witnesses."""
    return (
        *on_routing(), *on_transfers(), *on_shares(), *on_delivery(), *on_schedules(), *on_fair_shares(),
        *on_proportional_shares(), *on_traces(), *on_chains(), *on_partitions(),
    )  # fmt: skip
