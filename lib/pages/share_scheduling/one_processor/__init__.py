"""`thesis`, Chapter 3: seven policies on one processor.

systems     the workloads of Section 3.5, Figures 3.4, ..., 3.15
points      share deviations in them, exact and simulated, for the figures and for the checks
simulated   simulations as witnesses, judged jointly, overloaded ones too
planes      a deviation over the plane of load split and required share
printed     the thesis's formulas as printed and as corrected
witnesses   chains, lines, paths and programmes that share nothing with the library
library     what the library answers on these models, by the witnesses: no verdict is given unless it holds
figures     drawings: Figures 3.2 to 3.15, and maps
diagrams    drawings: the taxonomy of Figure 3.1
checks      the claims, a module for a section of the chapter
"""

# Shares and sets of groups, which it takes, are asked there.
RESTS_ON = ("pages.share_scheduling.one_processor", "pages.share_scheduling.objectives")
