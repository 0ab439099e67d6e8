"""A round-robin scheduling for computer clusters with compatibility constraints (`roundrobin`).

systems   the path of Figure 2, and what is true between its events
diagrams  drawings: Figures 1, 2, 3
checks    the claims
"""
