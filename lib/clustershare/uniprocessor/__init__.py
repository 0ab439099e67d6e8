"""One processor shared by groups of jobs: seven scheduling policies (`thesis`, Chapter 3).

Groups of jobs arrive in Poisson streams at a processor of capacity 1; a group may have permanent jobs too, which
re-enter at the tail as soon as they are served. `exact` answers with formulas or a truncated chain, `simulate` with
events, and both return a `SharePerformance`. `whole_line` solves the chain of the whole line of jobs, a slow witness;
`discriminatory_response_times` has those under PPS for any number of groups.
"""

from clustershare.settling import telling
from clustershare.uniprocessor import events, memory
from clustershare.uniprocessor.analysis import exact
from clustershare.uniprocessor.discriminatory import discriminatory_response_times
from clustershare.uniprocessor.line_chain import WholeLine, whole_line
from clustershare.uniprocessor.model import POLICIES, SharePerformance, UnboundedQueues, limiting

simulate = telling(events.simulate, __name__, memory.of_workload)

__all__ = [
    "POLICIES",
    "SharePerformance",
    "UnboundedQueues",
    "WholeLine",
    "discriminatory_response_times",
    "exact",
    "limiting",
    "simulate",
    "whole_line",
]
