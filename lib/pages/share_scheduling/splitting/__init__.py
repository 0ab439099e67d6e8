"""`thesis`, Chapter 4: many processors, with free migration and under random splitting.

systems    random jobs, groups, streams, classes and assignments
points     what the figures show, as arrays
printed    the procedure of MGPPS, and formulas as printed and as corrected
witnesses  states, chains, polynomials and paths that share nothing with the library
library    what the library answers on these models, by the witnesses: no verdict is given unless it holds
figures    Figures 4.5 to 4.23: curves against one parameter; maps over all systems of three processors
diagrams   Figures 4.1, 4.2, 4.3: who is served where and when
checks     the claims, a file for each section
"""

# Shares and sets of groups, and one processor, which it takes, are asked there.
RESTS_ON = (
    "pages.share_scheduling.splitting", "pages.share_scheduling.objectives", "pages.share_scheduling.one_processor",
)  # fmt: skip
