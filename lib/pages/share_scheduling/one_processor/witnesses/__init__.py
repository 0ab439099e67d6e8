"""What shares nothing with the library: chains, lines, paths and programmes of `thesis`, Chapter 3.

lines       lines served in order of arrival: random systems, and chains and simulations of them
services    paths of a line service by service: who was served, and who waited then
chains      chains of priority queueing, which know none of the formulas
uninterrupted  a chain of who is there and who is served, without interruption
decisions   the best that can be had without interruption, and a processor that waits
priority_points  random points under priority queueing: the library and the chain there
paths       a second event loop, job by job, which keeps every job's record
up_down_path  Up-Down by its definition, on the random numbers of the library
round_robin  turns of a quantum, and the sharing policies on the same jobs
"""
