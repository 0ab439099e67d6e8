"""Jobs as a log has them: when each arrived, of what size it was, of which group, and on how many servers."""

from clustershare.workload.jobs import Workload

__all__ = ["Workload"]
