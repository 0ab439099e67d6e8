"""`thesis`, Chapter 5: one scheduler that knows the state of all processors.

systems        the systems of Figures 5.5 to 5.19 as arguments of the simulator
simulated      their stored points, as the pages show them and the checks ask for them
figures        Figures 5.1 to 5.19: curves against one parameter
checks         the claims, by topic
"""
