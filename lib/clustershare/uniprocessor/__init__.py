"""One processor shared by groups of jobs: seven scheduling policies (`thesis`, Chapter 3).

Groups of jobs arrive in Poisson streams at a processor of capacity 1; a group may have permanent jobs too, which
re-enter at the tail as soon as they are served. `exact` answers with formulas or a truncated chain, `simulate` with
events, and both return a `SharePerformance`. `line` solves the chain of the whole line of jobs, a slow witness.
"""

from clustershare.uniprocessor.analysis import exact
from clustershare.uniprocessor.events import simulate
from clustershare.uniprocessor.lines import line
from clustershare.uniprocessor.model import POLICIES, SharePerformance, limiting

__all__ = ["POLICIES", "SharePerformance", "exact", "limiting", "line", "simulate"]
