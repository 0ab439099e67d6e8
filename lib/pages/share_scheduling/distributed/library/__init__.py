"""All that the library answers about processors that decide for themselves, held against a plain event loop and laws.

The plain loop of the witnesses takes the library's random numbers, so that whatever a simulator tells of a short run is
known to the last digits. Longer runs are held against closed forms.
"""

from pages.share_scheduling.distributed.library.laws import on_laws
from pages.share_scheduling.distributed.library.network import on_exact, on_network, on_refusals
from pages.share_scheduling.distributed.library.paths import on_paths


def answers():
    """Clauses, one for each kind of answer: its function, and what else is known of the same."""
    return (*on_laws(), *on_paths(), *on_network(), *on_exact(), *on_refusals())
