"""Jobs as a log has them: when each arrived, of what size it was, of which group, and on how many servers.

A `Workload` is replayed by the models, job by job: `replay_processor` on one processor, `replay_dispatch` on several
under a central policy, `replay_servers` on servers that are compatible with some jobs, `replay_cluster` with jobs that
take several servers at once.
"""

from clustershare.workload.jobs import Workload
from clustershare.workload.replay import (
    RULES,
    Replay,
    replay_cluster,
    replay_dispatch,
    replay_processor,
    replay_servers,
)

__all__ = ["RULES", "Replay", "Workload", "replay_cluster", "replay_dispatch", "replay_processor", "replay_servers"]
