"""Claims of `thesis`, Section 3.3.1 and Figure 3.4: PQ as a load is split and required shares vary."""

import functools

import numpy as np

from clustershare import uniprocessor
from compendium.press.findings import check, erratum, finding
from pages.share_scheduling.one_processor.points import PARTS, over_parts
from pages.share_scheduling.one_processor.printed import deviation_1, deviation_2
from pages.share_scheduling.one_processor.systems import random_parameters, two_groups
from pages.share_scheduling.one_processor.witnesses.chains import two_numbers

LOAD = 0.9  # in the figure
REQUIRED = tuple(round(0.55 + 0.05 * number, 2) for number in range(9))  # of group 1; those of the figure are lost


@check("thesis-3-054", policy="GPPS")
def smaller_share_better(policy="PQ"):
    """Deviation of group 2 as its required share rises; the control is GPPS beside a permanent job of each group."""
    shares, least = np.linspace(0.01, 0.49, 41), np.inf
    count, taken = (200, shares) if policy == "PQ" else (3, shares[::8])
    for number, (_, (rho_1, rho_2, alpha)) in enumerate(random_parameters(count)):
        alpha = float(np.clip(alpha, 0.05, 20))
        found = []
        for r in taken:
            system = (1 - r, r), (rho_1, rho_2 * alpha), (1.0, alpha), int(policy != "PQ")
            result = uniprocessor.exact(policy, **uniprocessor.limiting(policy, *system), tolerance=1e-6)
            found.append(result.group_share_deviation[1])
        least = min(least, np.diff(found).min())
        if number < 4 and policy == "PQ":
            law = two_numbers(rho_1, rho_2, alpha)
            least = min(least, np.diff([law.deviations(1 - r)[1] for r in taken]).min())
    return finding("rises at each step" if least > 1e-9 else f"smallest step {least:.2g}", bool(least > 1e-9))


@functools.cache
def curve(required_share, policy="PQ"):
    """A curve of the figure."""
    return over_parts(policy, required_share, LOAD)


@check("thesis-3-055", exchanged=True)
def what_is_plotted(exchanged=False):
    """The curves of Figure 3.4 against the library's deviation of group 2, and against the larger of both."""
    one = other = 0.0
    same = []
    for r in REQUIRED[::2]:
        found = np.array([uniprocessor.exact("PQ", **two_groups(x, LOAD, r)).group_share_deviation for x in PARTS])
        drawn = curve(round(1 - r, 2) if exchanged else r)
        one, other = max(one, np.abs(drawn - found[:, 1]).max()), max(other, np.abs(drawn - found.max(axis=1)).max())
        same.append(PARTS[np.abs(drawn - found[:, 1]) > 1e-9].max(initial=0.0))
    return erratum(
        f"the curves are off group 2's deviation by up to {one:.2f}, until x = {min(same):.2f} (r_1 = {REQUIRED[0]:g}) "
        f"to {max(same):.2f} ({REQUIRED[-1]:g}); {'never' if other < 1e-9 else f'up to {other:.2f}'} off the larger",
        one < 1e-9, other < 1e-9,
    )  # fmt: skip


@check("thesis-3-056", policy="HOL")
def shape_of_the_curves(policy="PQ"):
    """The curves of Figure 3.4 against (3.41), (3.42) and the chain, and their right end."""
    holds, said, last = True, [], 0.0
    places = np.linspace(0, len(PARTS) - 1, 20).astype(int)
    chains = [two_numbers(LOAD * x, LOAD * (1 - x), 1.0) for x in PARTS[places].tolist()]
    loads = LOAD * PARTS, LOAD * (1 - PARTS)
    for r in REQUIRED:
        drawn, first, second = curve(r, policy), deviation_1(loads[0], r), deviation_2(*loads, r, 1.0)
        bound = 1e-9 * np.maximum(1, loads[1] / (1 - r))
        change = int(np.argmax(second > first))
        holds &= bool((second > first)[change:].all() and change > 1)
        holds &= bool((np.abs(drawn - np.where(second > first, second, first)) <= bound).all())
        holds &= bool((np.diff(drawn[:change]) < 0).all())
        holds &= bool(max(abs(law.deviations(r).max() - value) for law, value in zip(chains, drawn[places])) < 1e-8)
        end = over_parts(policy, r, LOAD, 1 - 10.0 ** -np.arange(2, 7))
        ratios = end[:-1] / end[1:]
        holds &= bool((ratios > 1).all() and (np.diff(ratios) > 0).all() and 9.5 < ratios[-1] < 10.5 and end[-1] < 1e-4)
        said.append(f"{PARTS[change]:.2f} for {r:g}")
        last = max(last, end[-1])
        if not holds:
            break
    return finding(
        f"(3.41) and then, from x = {', '.join(said)} on, (3.42); at x = 1 - 1e-6 at most {last:.0e}"
        if holds else "not these curves",
        holds,
    )  # fmt: skip
