"""Stored points of `thesis`, Chapter 6, with their intervals.

A quantity, its index and the fidelity are what they are for `stored.measured`, wherever they are asked.

stored         any study's rows, as points
limits         five cases and ten probe limits, Figures 6.1 to 6.3, and full information
periodic       periodic probing, Figures 6.4 and 6.5
network_times  what the network takes, Figures 6.6 to 6.8
growing        more and more processors, Figures 6.9 to 6.11 and beyond
service_times  unequal means and heavy tails, Figures 6.12 and 6.13, and what is exact about them
preferences    where jobs arrive and whom their processors ask, Figures 6.14 and 6.15
readings       what the text leaves open, read in two ways
chapter_5      the points of Section 5.6 of which Chapter 6 reminds
predecessors   the policies of De Jongh's earlier study, which place jobs and never move them
"""
