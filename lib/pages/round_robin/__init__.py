"""A round-robin scheduling for computer clusters with compatibility constraints (`roundrobin`).

systems   the graph of Figure 1 with capacities and traffic, the path of Figure 2, and what is true between its events
diagrams  drawings: Figures 1, 2, 3
checks    the claims
"""
