"""`thesis`, Appendix A: random numbers, and intervals from simulations.

tables    Tables A.1, A.2, A.3, A.4, A.5 as printed, and computed again
coverage  how often intervals hold what they should
checks    the claims: on the generator and its tests (random_numbers), and on the estimates (intervals)
"""
