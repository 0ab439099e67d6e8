"""`thesis`, Chapter 4: many processors, with free migration and under random splitting.

instances  random jobs, processors and groups, and the printed procedure of MGPPS line by line
equal      equal processors: splits, states, and how little is missing to the limit of many
polynomials  of Lemma 4.4, with rational coefficients
partitions  random systems whose processors are alike for all groups, or set apart for each; their laws by chains
printed_partitions  the formulas of Sections 4.5.1 to 4.5.3, as printed and as corrected
split_paths  paths of processors that jobs are sent to by chance, many copies at once
chance     jobs that are sent at random: systems, their states, and paths
dynamic    what chance is compared with: the shortest queue, and blocks of jobs in turn
cases      the three cases of Section 4.5.4, and differences too small for the digits of a deviation
mixed_paths  the simulated points of the figures with HPRS: long paths of processors that all groups share
pairs      a fast and a slow processor: the best splits of many loads over many pairs
triangles  maps over all systems of three processors
optima     three and more processors: random systems and the splits that lose least
assignments  systems, routings and the best ones found, for the question which assignment is fairest
diagrams   Figures 4.1, 4.2, 4.3: who is served where and when
figures    Figures 4.5 to 4.23: curves against one parameter
streams    one stream for several processors: random systems, what one more job costs, and the best split by descents
phase_chains  queues whose sizes are a few phases, as chains: first come, first served, or processor sharing
allocations  jobs sent by a pattern: all patterns of a length, exact waits, and paths for sizes of any law
mixes      several classes and processors: random systems, curvature of a cost, its interior minima
checks     the claims, by topic
"""
