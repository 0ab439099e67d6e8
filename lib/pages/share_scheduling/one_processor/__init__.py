"""`thesis`, Chapter 3: seven policies on one processor.

simulated   simulations as witnesses, judged jointly, overloaded ones too
systems     the workloads of Section 3.5, Figures 3.4, ..., 3.15
deviations  share deviations in them, exact and simulated, for the figures and for the checks
over_shares  the same over the required share of group 1: Figures 3.10 to 3.15
planes      a deviation over the plane of load split and required share
lines       lines served in order of arrival: random systems, and chains and simulations of them
services    paths of a line service by service: who was served, and who waited then
chains      chains of priority queueing, which know none of the formulas
uninterrupted  a chain of who is there and who is served, without interruption
decisions   the best that can be had without interruption, and a processor that waits
priority_points  random points under priority queueing: the library and the chain there
paths       a second event loop, job by job, which keeps every job's record
up_down_path  Up-Down by its definition, on the random numbers of the library
round_robin  turns of a quantum, and the sharing policies on the same jobs
printed     the thesis's formulas as printed and as corrected
figures     drawings: Figures 3.2 to 3.15, and maps
diagrams    drawings: the taxonomy of Figure 3.1
checks      the claims, a module for a section of the chapter
"""
