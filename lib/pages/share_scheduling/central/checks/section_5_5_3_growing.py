"""Claims of `thesis`, Section 5.5.3: how much the local policy matters, and subsets that become larger."""

from dataclasses import replace

import numpy as np

from compendium.press.clauses import at_each, conclude, everywhere
from compendium.press.clauses.conditions import at_most, larger, never_rises, smaller
from compendium.press.findings import check
from pages.share_scheduling.central.points import by_case as points
from pages.share_scheduling.central.points import growing, simulated
from pages.share_scheduling.central.points.by_case import ALONG, CASES, VERTICAL
from pages.share_scheduling.central.points.growing import LOADS, NUMBER


@check("thesis-5-121", fractional=False)
def local_policy_matters(fractional=True):
    """SVP and DVP, each with PS and with GPPS; the control looks at whole processors."""

    def gained(case):
        found = points.of(case)
        found = found.at(policy=VERTICAL, **{found.axes[-1][0].replace(" ", "_"): CASES[case].some(not fractional)})
        return found.at(local_policy="PS") - found.at(local_policy="GPPS")

    return conclude(
        at_each("the deviation with PS less that with GPPS", points.over((ALONG, "case 3"), gained), larger())
    )


def _by_local(sizes, **fixed):
    """How far Delta^G of SVP with PS is from that with GPPS."""
    rows = simulated.along("processors", sizes, False, policies=("SVP",), **fixed)
    found = points.of_rows(rows, "processors").at(policy="SVP")
    return (found.at(local_policy="PS") - found.at(local_policy="GPPS")).distance()


@check("thesis-5-123", growing_subsets=False)
def the_local_policy_matters_less(growing_subsets=True):
    """The effect of the local policy under SVP where a processor is shared, as subsets grow."""
    odd = _by_local((3, 5, 7, 9, 21, 101))
    found = {"equal promises": odd, "promises 0.85 and 0.15": _by_local((10, 30, 110), share=0.85)}
    both = {name: growing.mixed(each.axes[0][1], share) for (name, each), share in zip(found.items(), (0.5, 0.85))}
    if not growing_subsets:
        value, half = (np.full(4, getattr(odd, part)[0]) for part in ("value", "half"))
        found = {"3/2 processors each": replace(odd, value=value, half=half, axes=((NUMBER, (3, 9, 21, 99)),))}
    return conclude(
        *(
            everywhere(f"the effect of the local policy, {name},", each.steps(NUMBER), never_rises())
            for name, each in found.items()
        ),
        *(
            everywhere(f"on the most processors, {name}, it", each.at(number_of_processors=each.axes[0][1][-1]),
                       at_most(0.01))
            for name, each in found.items()
        ),
        *(
            everywhere(f"and less that on the fewest, {name}, it", each.at(number_of_processors=each.axes[0][1][-1])
                       - each.at(number_of_processors=each.axes[0][1][0]), smaller())
            for name, each in found.items()
        ),
        *(
            everywhere(f"the part of the processors with jobs of both groups, {name},", each.steps(NUMBER),
                       never_rises())
            for name, each in both.items()
        ),
        *(
            everywhere(f"and on the most processors, {name}, less that on the fewest, it",
                       each.at(number_of_processors=each.axes[-1][1][-1])
                       - each.at(number_of_processors=each.axes[-1][1][0]), smaller())
            for name, each in both.items()
        ),
        whole=True,
    )  # fmt: skip


@check("thesis-5-124", few=True)
def large_subsets(few=False):
    """Deviations of groups with large subsets, size by size."""
    loads = tuple(load for load in LOADS if load <= 0.9)
    found = {"5": points.of("case 1").at(policy="SVP", load=loads)}
    if not few:
        found = {"100": growing.curves("JSQ", (100,)).at(load=loads)}
        for P in (200, 1000):
            rows = simulated.along(
                "load", (0.5, 0.8, 0.9), False, policies=("SVP", "DVP"), local=("GPPS",), processors=P
            )
            found[f"{P // 2} of {P}"] = points.of_rows(rows, "load")
    return conclude(
        *(everywhere(f"with {size} own processors, the deviation", each, at_most("very close"))
          for size, each in found.items()),
        provided=[
            everywhere(f"with {size} own processors, the deviation at loads up to 0.8",
                       each.at(load=tuple(load for load in dict(each.axes)["load"] if load <= 0.8)),
                       at_most("very close"))
            for size, each in found.items()
            if not few
        ],
    )  # fmt: skip
