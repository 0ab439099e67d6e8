"""`thesis`, Appendix A: random numbers, and intervals from simulations.

tables      Tables A.1, A.2, A.3, A.4, A.5 as printed, and computed again
readings    the ways in which the tests may have been run, all listed beforehand
queue       batch means of a queue: their covariances exactly, and simulated
coverage    how often intervals hold what they should
short_runs  runs that are too short near saturation: as measured, and in the store
points      means of samples with the intervals by which they are judged
library     all that the library answers on random numbers and intervals, held against counts
checks      the claims, by section
"""
