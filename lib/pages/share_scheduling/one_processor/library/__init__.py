"""All that the library answers on one processor, held against what knows none of its formulas (`thesis`, Chapter 3).

Few systems, each with much at once: unequal and equal shares in no order, unequal rates, groups without arrivals,
permanent jobs. A witness reads what is given, never what the library makes of it.
"""

from pages.share_scheduling.one_processor.library.formulas import in_formulas, on_up_down
from pages.share_scheduling.one_processor.library.laws import on_laws
from pages.share_scheduling.one_processor.library.lines import on_lines
from pages.share_scheduling.one_processor.library.packets import on_packets
from pages.share_scheduling.one_processor.library.replays import on_replays
from pages.share_scheduling.one_processor.library.rows import on_rows
from pages.share_scheduling.one_processor.library.sharing import on_sharing, overloads
from pages.share_scheduling.one_processor.library.simulations import by_chance, constants
from pages.share_scheduling.one_processor.library.streams import on_arrivals


def answers():
    """Clauses: all that the library answers on the models of this chapter, held against witnesses."""
    return (
        *on_lines(), *in_formulas(), *on_up_down(), *on_sharing(), *overloads(), *constants(), *by_chance(),
        *on_laws(), *on_arrivals(), *on_packets(), *on_replays(), *on_rows(),
    )  # fmt: skip
