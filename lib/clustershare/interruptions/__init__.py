"""The queue of `balanced` with other ways of interrupting jobs, for sizes of any kind, and a log of its events.

`simulate` answers for every rule, `exact` where the rule is that of `clustershare.multiserver`, and `many_tasks` in a
limit on one server.
"""

from clustershare.interruptions import simulator
from clustershare.interruptions.analysis import exact, many_tasks
from clustershare.interruptions.simulator import Event, served, trace, trace_with_steps
from clustershare.multiserver import memory
from clustershare.settling import telling

simulate = telling(simulator.simulate, __name__, memory.of_jobs)

__all__ = ["Event", "exact", "many_tasks", "served", "simulate", "trace", "trace_with_steps"]
