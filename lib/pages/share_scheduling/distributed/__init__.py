"""`thesis`, Chapter 6: processors that decide for themselves, and ask some others first.

systems          the systems of Figures 6.1 to 6.15 as arguments of the simulator
measured         their stored points with their intervals
alone            no information: random splitting, the plain loop, queues with two owners
limits           five cases and ten probe limits, Figures 6.1 to 6.3, and full information
periodic         periodic probing, Figures 6.4 and 6.5
network_times    what the network takes, Figures 6.6 to 6.8
network_alone    the network by itself, and M/G/1 with processor sharing
growing          more and more processors, Figures 6.9 to 6.11 and beyond
very_many        infinitely many processors under JSQ: a fixed point
service_times    unequal means and heavy tails, Figures 6.12 and 6.13, and what is exact about them
preferences      where jobs arrive and whom their processors ask, Figures 6.14 and 6.15
readings         what the text leaves open, read in two ways
small_states     every state of two and three processors, and every set that one of them may know
figures          the curves
sizes            the Pareto law as printed and as corrected, and integrals over it
predecessors     the policies of De Jongh's earlier study, which place jobs and never move them
threshold        very many processors and a threshold: the policies that Section 6.6 tells of, as fixed points
threshold_paths  paths of finitely many such processors
printed_network  the system of Sections 6.2 to 6.4 once more: a plain event loop, customer by customer
printed_servers  its processors with their jobs, and what is measured there
printed_parts    its settings, jobs and messages, and what is recorded
printed_probing  who is asked, written down from Section 6.4.3
printed_rules    the rules of Section 6.5 with partial information, in plain Python
printed_views    views and tapes of the library beside the plain rules
recorded         recorded paths of that event loop
checks           the claims, by topic
"""
