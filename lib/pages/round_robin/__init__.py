"""A round-robin scheduling for computer clusters with compatibility constraints (`roundrobin`).

systems    the graph of Figure 1 with capacities and traffic, the path of Figure 2, and what is true between its events
points     stored points: how sensitive the mean service rates are to the law of the sizes
witnesses  paths of the algorithm, chains of its line of jobs, and networks of queues
diagrams   drawings: Figures 1, 2, 3
library    what the library answers on this model, by the witnesses: no verdict is given unless it holds
checks     the claims, by section
"""

# Balanced fairness and its chains, and laws of sizes, are asked there.
RESTS_ON = ("pages.round_robin", "pages.balanced_fairness", "pages.share_scheduling.one_processor")
