"""Claims of `thesis`, Section 5.1: how often jobs arrive or leave."""

import numpy as np

from clustershare import dispatch
from compendium.press.clauses import at_each, conclude, everywhere, grid
from compendium.press.clauses.conditions import at_least, equal
from compendium.press.findings import check


@check("thesis-5-102", most=10)
def time_between_events(most=99):
    """Arrivals and departures, the latter from the library's law of M/M/P; the control has up to ten processors."""

    def busy(P, load):
        law = dispatch.numbers_in_one_line(load, P, P)
        return (np.arange(P + 1) @ law + P * (1 - law.sum())) / (P * load) - 1

    domain = {
        "number_of_processors": tuple(P for P in (2, 5, 10, 20, 50, 99) if P <= most),
        "load": (*(round(0.1 * k, 12) for k in range(1, 10)), 0.99),
    }
    between = grid(**domain, minutes=(1, 3, 10, 30, 60, 180, 600)).measure(
        lambda P, load, minutes: 60 * minutes / (2 * P * load)
    )
    return conclude(
        at_each("the mean seconds between events, with jobs of so many minutes,", between, at_least(1)),
        provided=[everywhere("departures of M/M/P and P rho / E[S]", grid(**domain).measure(busy), equal(1e-9))],
    )
