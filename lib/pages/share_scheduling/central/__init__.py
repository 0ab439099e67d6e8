"""`thesis`, Chapter 5: one scheduler that knows the state of all processors.

systems        the systems of Figures 5.5 to 5.19 as arguments of the simulator
simulated      their stored points, as the pages show them and the checks ask for them
three_cases    the three cases as arrays, with joint intervals, and HPRS and VPRS at the same points
printed_rules  the rules of Section 5.5 once more in plain Python: a witness, with other readings and faults by name
printed_policies  those of the four policies, line by line
reached        the states they lead to, random paths, and chains
compiled       the library's rules in a given state: all outcomes of an event
states         all states of a few processors, and which are in balance
guests         guests of SVP: the systems of its claims, and all that happens in them
dynamic        Dynamic Vertical Partitioning: small systems, random states, rates of numbers in order, stored points
scenario       items 7 and 8 of Section 5.5.3, step by step
apart          chains of JSQ and HP by the printed rules, groups apart, all states at once
lengths        chains of queue lengths without groups: placed by chance or in the shortest, with migration or without
closed_forms   (5.2), (5.3) and (5.7) term by term, as printed and as corrected
gained         what the page on migration shows beside its figures: small chains, exact lines, tables
with_migration  the points of Figures 5.16 to 5.19 and 5.8 to 5.15, with migration and without
beside         how many processors serve several groups at once: stored points
passed         paths of the library looked at after every event
case_one       two groups that are alike: stored points of Section 5.6.1, static policies, and what differs
two_processors_chain  two processors and two groups, the jobs of each apart: exact up to the load 0.5
figures        Figures 5.1 to 5.19: curves against one parameter
diagrams       Figures 5.2, 5.3, 5.4: what part of each processor each group has
growing        what changes with more processors: points of Figure 5.11, exact values, larger clusters
moments        processors at several moments: jobs of each group, and what it obtains
matrices       partitioning matrices: random systems, the algorithm as printed, and other rules
spread         our own points of HP at high loads, and how often its processors are out of balance
splits         exact losses of groups on processors of their own, however a load is split over the groups
unequal        cases 2 and 3 for their claims: stored points of all policies, static ones, and paths with one seed
plane          our own points: two more policies, three groups, larger clusters, heavy tails
overview       figures of all policies side by side
checks         the claims, by topic
"""
