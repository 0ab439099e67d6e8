"""Balanced fair resource sharing in computer clusters (`balanced`).

systems          the systems of Section 5 and of Figures 1, 2, 3, 4, and balanced fairness in them
distances        how far a cluster with interruptions is from balanced fairness
small_systems    random graphs with few jobs, for what Sections 2, 3, 4 and the appendix say of every cluster
lines            the queue of Section 2 in its words: all short lines of jobs, server by server
published        the points and curves of Figures 1, 2, 3, 4 side by side
figures          drawings: Figures 1, 2, 3, 4, and the distances
algorithm_chain  the library's chain for any number of interruptions
intervals        intervals that hold jointly
paths            the cluster in its words, event by event
networks         queues whose sizes have two phases
drawn_servers    which servers the simulator of Figures 3 and 4 draws
checks           the claims: of Sections 2 to 4, of Section 5 on three servers and on random assignment, and the errata
"""
