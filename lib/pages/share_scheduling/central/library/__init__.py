"""All that the library answers about central policies, held against what shares nothing with it."""

from pages.share_scheduling.central.library.chains import on_chains, on_queues
from pages.share_scheduling.central.library.decisions import on_decisions, on_one_line, on_partitions
from pages.share_scheduling.central.library.replays import on_replays


def answers():
    """Clauses, one for each kind of answer: its function, and what else is known of the same."""
    return (*on_one_line(), *on_partitions(), *on_decisions(), *on_chains(), *on_queues(), *on_replays())
