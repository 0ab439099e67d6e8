"""`thesis`, Chapter 4: many processors, with free migration and under random splitting.

instances  random jobs, processors and groups, and the printed procedure of MGPPS line by line
diagrams   Figures 4.1, 4.2, 4.3: who is served where and when
figures    Figures 4.5 to 4.23: curves against one parameter
checks     the claims, by topic
"""
