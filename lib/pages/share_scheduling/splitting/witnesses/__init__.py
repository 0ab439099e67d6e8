"""What answers the questions of Chapter 4 once more.

chance        jobs that are sent at random: systems, their states, and paths
dynamic       what chance is compared with: the shortest queue, and blocks of jobs in turn
phase_chains  queues whose sizes are a few phases: first come, first served, or processor sharing
polynomials   of Lemma 4.4, with rational coefficients
partitions    the same mix everywhere, or processors of one's own: systems, and laws of numbers by chains
split_paths   paths of processors that jobs are sent to by chance, many copies at once
mixed_paths   long paths of processors that all groups share, for the points of Figures 4.18, 4.21, 4.23
"""
