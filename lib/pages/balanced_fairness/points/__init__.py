"""What is drawn and stored, as arrays.

published  the points and curves of Figures 1, 2, 3, 4, and what they differ by
distances  how far a cluster with interruptions is from balanced fairness
chains     the library's measure (1) of short lines, and its chain for any number of interruptions
"""
