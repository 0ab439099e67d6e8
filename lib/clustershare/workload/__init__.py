"""Jobs as a log has them: when each arrived, of what size it was, of which group, and on how many servers.

A `Workload` is replayed by the models, job by job: `replay_processor` on one processor, `replay_dispatch` on several
under a central policy, `replay_servers` on servers that are compatible with some jobs, `replay_cluster` with jobs that
take several servers at once. `describe` tells what its jobs are like, `assumptions` which assumptions of the models
they contradict, and `fitted` gives what `simulate` of a model takes. `lublin_feitelson`, `li_groep_wolters` and
`downey` draw one from a published model, and `Laws` from laws, which `stated` makes of a few numbers. `compare` holds
policies side by side, by theory, by simulation and by replay; `fewest_servers` asks how many they need, and `partings`
where theory and replay part, and why, with logs that are `without` one thing.
"""

from clustershare.workload.comparison import (
    Answer,
    Comparison,
    Fewest,
    Parting,
    compare,
    fewest_servers,
    partings,
)
from clustershare.workload.das2 import li_groep_wolters
from clustershare.workload.description import Assumption, Description, assumptions, describe
from clustershare.workload.downey import downey
from clustershare.workload.fitting import fitted
from clustershare.workload.jobs import Workload
from clustershare.workload.laws import CHANGES, Laws, stated, without
from clustershare.workload.lublin import lublin_feitelson
from clustershare.workload.replay import (
    RULES,
    Replay,
    replay_cluster,
    replay_dispatch,
    replay_processor,
    replay_servers,
)

__all__ = [
    "CHANGES", "RULES", "Answer", "Assumption", "Comparison", "Description", "Fewest", "Laws", "Parting", "Replay",
    "Workload", "assumptions", "compare", "describe", "downey", "fewest_servers", "fitted", "li_groep_wolters",
    "lublin_feitelson", "partings", "replay_cluster", "replay_dispatch", "replay_processor", "replay_servers", "stated",
    "without",
]  # fmt: skip
