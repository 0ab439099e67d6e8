"""All that the library answers on random splitting, on partitions and on proportional and fair shares, held against
witnesses that read nothing but what was given: numbers of jobs in fractions, chains, prices, all choices one by one."""

from pages.share_scheduling.splitting.library.numbers import on_numbers
from pages.share_scheduling.splitting.library.queues import on_mixes, on_patterns, on_queues
from pages.share_scheduling.splitting.library.routings import on_routings, on_searches
from pages.share_scheduling.splitting.library.splits import on_splits


def answers():
    """Clauses: the library and independent witnesses agree on the models of Chapter 4 and on what stands beside them.

    Returns
    -------
    tuple of Clause
    """
    parts = (on_numbers, on_splits, on_routings, on_searches, on_queues, on_mixes, on_patterns)
    return tuple(clause for part in parts for clause in part())
