"""An analytical model of a cluster-based service system (`ctmc`).

systems      the clusters of Figures 2 to 11, their solutions, and other laws of times and arrivals
domains      the whole axes and curves over which claims are judged, and systems that are wrong for them
simulated    the stored simulated points of Figures 2 to 11, and when exact answers agree with them
sized        the fewest servers for a delay and a utilisation, by search and by trying every number
draws        the sizes that simulated jobs draw
transitions  Table 2 and the blocks of the generator, read from the generator
words        the system from its words alone, and wrong ones
single_queue  M/M/1 with so many places, from its birth-death chain
paths        paths of the system in words: numbered servers, single jobs, and the state beside them
figures      drawings: curves of a chain with simulated points (Figures 2 to 11)
diagrams     drawings: the system (Figure 1), the ways out of a state (Table 2), the blocks of the generator
checks       the claims: on states, measures and solving, on the figures, on the cloud, and what goes beyond
"""
