"""An analytical model of a cluster-based service system (`ctmc`).

systems      the clusters of Figures 2 to 11, their solutions, and other laws of times and arrivals
domains      the whole axes and curves over which claims are judged, and systems that are wrong for them
draws        the sizes that simulated jobs draw
transitions  Table 2 and the blocks of the generator, read from the generator
words        the system from its words alone, and wrong ones
figures      drawings: curves of a chain with simulated points (Figures 2 to 11)
diagrams     drawings: the system (Figure 1), the ways out of a state (Table 2), the blocks of the generator
checks       the claims: on the construction, on the figures, on the job sizes of Figure 7, and what goes beyond
"""
