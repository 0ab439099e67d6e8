"""`thesis`, Chapter 5: one scheduler that knows the state of all processors.

systems    the systems of Figures 5.5 to 5.19 as arguments of the simulator
points     stored points with their intervals: by_case (Figures 5.5 to 5.10, 5.12 to 5.19), growing (Figure 5.11),
           migration (its page), plane, spread and meetings (our own studies); simulated (rows as arrays)
printed    rules and policies of Section 5.5 in plain Python, other readings and faults by name; closed_forms of
           (5.2) to (5.8); matrices of the partitioning algorithm
witnesses  chains (groups_apart, two_processors, lengths, splits), all states that printed rules lead to and random
           paths (reached, states, guests, scenario, dynamic); paths and rules of the library (paths, compiled)
library    what the library answers on these models, by the witnesses: no verdict is given unless it holds
figures    curves of Figures 5.1 to 5.19, and all policies side by side
diagrams   Figures 5.2, 5.3, 5.4: what part of each processor each group has; jobs step by step
checks     the claims, a file for each section
"""

# Shares, sets of groups and laws of sizes, which it takes, and static policies beside it, are asked there.
RESTS_ON = (
    "pages.share_scheduling.central", "pages.share_scheduling.objectives", "pages.share_scheduling.splitting",
    "pages.share_scheduling.one_processor",
)  # fmt: skip
