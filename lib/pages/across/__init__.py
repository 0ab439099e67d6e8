"""What compares the sources: policies of all of them on the same small clusters; and this library beside others.

systems   the clusters, the laws of sizes, and the stored points of all policies
measures  deviation, capacity loss and sensitivity of a policy, and which policies no other beats
exact     the same by formula and chain: balanced fairness, MGPPS, random splitting, one processor
plane     the marks of all policies in one system, as a table
designs   designs that the library found, as a table and simulated once more
witnesses  simulated points beside formulas and chains
companions  variances of central policies with and without a line of jobs beside them
figures   planes of deviation against sensitivity, and differences from other packages
decisions  a chart from what is known of a cluster to a policy
outside   the systems that two public packages are asked about, and a computation that decides
logs      logs of three models, bursty and daily arrivals, and what policies of all sources do with them
conclusions  what the sources conclude, judged on these, point by point
checks    the same as claims
features  what can be asked of this library, shown by asking
"""
