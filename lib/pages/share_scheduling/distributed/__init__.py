"""`thesis`, Chapter 6: processors that decide for themselves, and ask some others first.

systems    the systems of Figures 6.1 to 6.15 as arguments of the simulator
points     stored points with their intervals, by figure and by what the text leaves open
printed    the rules of Section 6.5 and the probe sets of Section 6.4.3, in plain Python; the Pareto law as corrected
witnesses  plain event loops, small states, the network alone, fixed points of very many processors
library    what the library answers on these models, by the witnesses: no verdict is given unless it holds
figures    the curves
checks     the claims, by section
"""

# Its limits, with all known and with nobody asked, and laws of sizes are asked there.
RESTS_ON = (
    "pages.share_scheduling.distributed", "pages.share_scheduling.central", "pages.share_scheduling.splitting",
    "pages.share_scheduling.one_processor",
)  # fmt: skip
