"""What is drawn and stored, as arrays.

published  the points and curves of Figures 1, 2, 3, 4 side by side
distances  how far a cluster with interruptions is from balanced fairness
chains     the library's chain for any number of interruptions
intervals  intervals that hold jointly
"""
