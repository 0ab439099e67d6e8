"""An analytical model of a cluster-based service system (`ctmc`).

systems      the clusters of Figures 2 to 11, their solutions, their states, and other laws of times and arrivals
points       where claims are judged: measures of the chain over whole axes, stored simulated points, and wrong systems
witnesses    the system in words and its paths, counts of states, a single queue, every number of servers tried
transitions  Table 2 and the blocks of the generator, read from the generator
library      what the library answers on these models, by the witnesses: no verdict is given unless it holds
figures      drawings: curves of a chain with simulated points (Figures 2 to 11)
diagrams     drawings: the system (Figure 1), the ways out of a state (Table 2), the blocks of the generator
checks       the claims, a file per section of the source; those of Section 5.2 by figure
"""
