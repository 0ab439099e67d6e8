"""Claim of `thesis`, Section 1.3.6: the up-down algorithm in a pool of workstations, after Mutka and Livny."""

from compendium.press import words
from compendium.press.findings import AGREES, DIFFERS, UNDECIDABLE, Finding, check
from pages.share_scheduling.objectives.witnesses.workstations import HEAVY, READINGS, allocated, up_down


@check("thesis-1-031", counted=False)
def light_users(counted=True):
    """Waits of light users for each reading of the index; in the control running jobs do not move it."""
    found, others, good, worst = up_down(counted), allocated(), [], 0.0
    for reading in READINGS:
        holds = True
        for load in HEAVY:
            mean, half = found[load, reading]
            for policy in ("random", "round robin"):
                other, width = others[load, policy]
                told = abs(other - mean) > half + width
                holds &= (told and mean < other) if load >= 0.6 else (not told or mean < other)
            holds &= words.allows("close", max(0.0, mean - found[HEAVY[0], reading][0]))
        good.append(holds)
        worst = max(worst, found[HEAVY[-1], reading][0])
    verdict = AGREES if all(good) else UNDECIDABLE if any(good) else DIFFERS
    steps = sorted({step for (step, _), holds in zip(READINGS, good) if holds})
    return Finding(
        f"at a heavy load of 0.8 light users wait up to {worst:.1f} of a service, {others[0.8, 'random'][0]:.1f} if "
        f"machines are given at random, {others[0.8, 'round robin'][0]:.2f} in turn; as stated under {sum(good)} of "
        f"{len(good)} readings of the index"
        + (f", with steps of waiting jobs of {steps[0]:g} to {steps[-1]:g} of those of running ones" if steps else ""),
        verdict,
    )
