"""All that the library answers on random numbers, intervals and run lengths (`thesis`, Appendix A), by plain counting.

The constants are those that the text prints. Tests are run over numbers of NumPy's, so that each counts for itself.
"""

from pages.share_scheduling.simulation.library.intervals import on_estimates, on_run_lengths
from pages.share_scheduling.simulation.library.random_numbers import on_generators, on_tests


def answers():
    """Clauses: all that the library answers on random numbers and intervals, held against plain counts."""
    return (*on_generators(), *on_tests(), *on_estimates(), *on_run_lengths())
