"""What compares the sources: policies of all of them on the same small clusters; and this library beside others.

systems    the clusters, the laws of sizes, and the stored points of all policies
points     stored points, formulas and chains of all policies, and what is concluded of them
witnesses  simulations beside formulas and chains, and other packages beside this library
figures    planes of deviation against sensitivity, and differences from other packages
checks     the conclusions as claims
"""

RESTS_ON = (
    "pages.share_scheduling.central", "pages.share_scheduling.distributed", "pages.balanced_fairness",
    "pages.cluster_chain", "pages.share_scheduling.one_processor",
)  # fmt: skip
