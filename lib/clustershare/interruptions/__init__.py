"""The queue of `balanced` with other ways of interrupting jobs, for sizes of any kind, and a log of its events."""

from clustershare.interruptions.exact import many_tasks
from clustershare.interruptions.simulator import Event, served, simulate, trace, trace_with_steps

__all__ = ["Event", "many_tasks", "served", "simulate", "trace", "trace_with_steps"]
