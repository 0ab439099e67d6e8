"""Balanced fair resource sharing in computer clusters (`balanced`).

systems        the systems of Section 5 and of Figures 1, 2, 3, 4, and balanced fairness in them
distances      how far a cluster with interruptions is from balanced fairness
small_systems  random graphs with few jobs, for what Sections 2, 3, 4 and the appendix say of every cluster
lines          the queue of Section 2 in its words: all short lines of jobs, server by server
published      the points and curves of Figures 1, 2, 3, 4 side by side
figures        drawings: Figures 1, 2, 3, 4, and the distances
checks         the claims: of Sections 2 to 4, of Section 5 on three servers and on random assignment, and the errata
"""
