"""Claim of `thesis`, Section 7.2, item 3: patterns against random splitting."""

import numpy as np

from clustershare import splitting
from compendium.press.findings import check, over_domain
from pages.share_scheduling.conclusions.compared import parts
from pages.share_scheduling.conclusions.in_turn import capacity_loss, number_law, share_deviations

LOADS = {2: (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8), 3: (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)}
CASES = {1: (0.5, 0.5), 2: (0.25, 0.5), 3: (0.5, 0.75)}  # part of the load that group 1 brings, its share
LEAST = 1e-6


@check("thesis-7-017", cyclic=False)
def dealt_in_turn(cyclic=True):
    """Both quantities if jobs are dealt in turn and by chance; in the control the next processor is drawn by chance."""
    lower, gain = {"Delta^T": [], **{f"Delta^G in case {case}": [] for case in CASES}}, {}
    for P, loads in LOADS.items():
        for load in loads:
            law, speeds = number_law(load, P, cyclic), np.full(P, 1 / P)
            lost, by_chance = capacity_loss(load, law, P), splitting.capacity_loss(speeds, np.full(P, load))
            lower["Delta^T"].append(by_chance - lost > LEAST)
            gain.setdefault("Delta^T", []).append(1 - lost / by_chance)
            for case, (part, share) in CASES.items():
                own, shares = (load * part, load * (1 - part)), (share, 1 - share)
                mine = share_deviations(own, shares, law, P).max()
                other = splitting.horizontal(shares, own, speeds).group_share_deviation.max()
                lower[f"Delta^G in case {case}"].append(other - mine > LEAST)
                gain.setdefault("Delta^G", []).append(other - mine)
    loss, deviation = np.array(gain["Delta^T"]), max(gain["Delta^G"])
    said = f"the loss by {loss.min():.1%} to {loss.max():.1%} of it, Delta^G by {deviation:.3f} at most"
    return over_domain(f"lower: {parts(lower)}" + (f"; {said}" if cyclic else ""), np.concatenate(list(lower.values())))
