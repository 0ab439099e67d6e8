"""What all policies do: stored points, formulas and chains, and what is concluded of them.

measures     deviation, capacity loss and sensitivity of a policy, and which policies no other beats
exact        the same by formula and chain: balanced fairness, MGPPS, random splitting, one processor
plane        the marks of all policies in one system, as a table
designs      designs that the library found, as a table and simulated once more
companions   variances of central policies with and without a line of jobs beside them
logs         logs of three models, bursty and daily arrivals, and what policies of all sources do with them
conclusions  what the sources conclude, judged on these, point by point
"""
