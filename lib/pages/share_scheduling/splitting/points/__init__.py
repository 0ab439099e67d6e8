"""What the figures and tables of Chapter 4 show, as arrays.

allocations  jobs sent by a pattern: all patterns of a length, exact waits, and paths for sizes of any law
equal        Figures 4.6 and 4.7: equal processors, and how little is missing to the limit of many
pairs        Figures 4.8 to 4.16: a fast and a slow processor, the best splits of many loads over many pairs
optima       three and more processors: random systems and the splits that lose least
cases        Figures 4.17 to 4.23: the three cases of Section 4.5.4, and differences too small for a deviation's digits
"""
