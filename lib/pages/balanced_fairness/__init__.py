"""Balanced fair resource sharing in computer clusters (`balanced`).

systems    the systems of Section 5 and of Figures 1, 2, 3, 4, balanced fairness in them, and clusters at random
points     what is drawn and stored, as arrays
printed    the eta of the appendix, and Algorithm 1
witnesses  lines of jobs, chains of their numbers, and paths, which share nothing with the library
figures    drawings: Figures 1, 2, 3, 4, and the distances
library    what the library answers on these models, by the witnesses: no verdict is given unless it holds
checks     the claims, a file for each section; those of Sections 3, 4, 5 by subject
"""

# Laws of sizes, which its simulators take, are asked there.
RESTS_ON = ("pages.balanced_fairness", "pages.share_scheduling.one_processor")
