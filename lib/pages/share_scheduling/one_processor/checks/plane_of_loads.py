"""Claims of `thesis`, Section 3.3.1 and Figure 3.3: the plane of two loads under PQ, and the ends of its zero line."""

import decimal
import functools
import itertools
import math

import numpy as np
from matplotlib.path import Path
from scipy.optimize import brentq

from compendium.press.findings import check, finding
from pages.share_scheduling.one_processor.points import above_the_line, on_grid
from pages.share_scheduling.one_processor.printed import excess, gamma
from pages.share_scheduling.one_processor.witnesses.chains import two_numbers
from pages.share_scheduling.one_processor.witnesses.priority_points import BOUND, answer, digits, zero

SHARES = (0.5 + 1e-6, 0.6, 0.7, 0.8, 0.9, 0.99)  # of group 1; at one half there is no first group


@check("thesis-3-045", exchanged=True)
def extreme_ratios(exchanged=False):
    """Where the library's deviation of group 2 vanishes, for ever more extreme ratios of the service rates."""
    falling, last = True, 0.0
    for r in SHARES:
        for sign, limit in ((-1, r), (1, 0.0)):
            places = [zero(r, 1e-9, 10.0 ** (sign * k), exchanged=exchanged) for k in range(1, 7)]
            gaps = np.abs(np.array(places) - limit)
            falling &= bool((np.diff(gaps) < 0).all())
            last = max(last, gaps[-1]) if gaps[-1] == gaps[-1] else math.inf
        line = [zero(r, part * (1 - r), 1e-6, exchanged=exchanged) for part in (0.1, 0.5, 0.9)]
        last = max(last, *(abs(place - r) if place == place else math.inf for place in line))
    return finding(
        f"{'nearer with every tenfold ratio' if falling else 'not nearer'}, at a ratio of a million "
        f"{'within 1e-4' if last < 1e-4 else 'elsewhere'}",
        falling and last < 1e-4,
    )


@check("thesis-3-046", rate=2.0)
def gamma_at_one(rate=1.0):
    """(3.52) and where the library's deviation vanishes, for equal service rates."""
    shares = np.linspace(0.5 + 1e-6, 0.99, 50)
    expected = 1 - np.sqrt(1 - shares)
    formula = np.abs(gamma(shares, rate) - expected).max()
    place = np.abs([zero(r, 1e-9, rate) for r in shares] - expected).max()
    return finding(
        f"formula {'equal' if formula < 1e-12 else f'off by up to {formula:.2f}'}; the library's zero "
        f"{'there' if place < 1e-6 else 'elsewhere'}",
        bool(formula < 1e-12 and place < 1e-6),
    )


@check("thesis-3-047", exchanged=True)
@digits
def limit_of_the_root(exchanged=False):
    """The bracket of (3.52) against b / 2 as its argument grows; in the wrong one r_1 and r_2 are exchanged."""
    falls, tenfold, last = True, True, 0
    for k in range(1, 100):
        r = decimal.Decimal(k) / 100
        b = 4 * r / (1 - r)
        gaps = [abs(excess(1 - r if exchanged else r, decimal.Decimal(10) ** n) / (b / 2) - 1) for n in range(1, 13)]
        for n, (gap, following) in enumerate(zip(gaps, gaps[1:]), 1):
            falls &= following < gap
            if 10**n >= 100 * (b + 1):
                tenfold &= abs(gap / following - 10) < decimal.Decimal("0.2")
        last = max(last, gaps[-1])
    return finding(
        f"{'nearer' if falls else 'not nearer'} with every tenfold argument, {'ten times' if tenfold else 'not so'} "
        f"where it is large; {'within 1e-9' if last < 1e-9 else 'elsewhere'} at the end",
        bool(falls and tenfold and last < 1e-9),
    )


@check("thesis-3-049", load=0.8)
def common_point(load=1.0):
    """Where the library's deviation of group 2 vanishes along lines of ever higher total load, and the chain there."""
    ratios, gaps = (1e-3, 1e-2, 1.0, 1e2, 1e3), []

    def crossing(r, alpha, total):
        """The load of group 1 on the line; nan if the deviation has one sign."""

        def value(rho_1):
            return answer((r, rho_1, total - rho_1, alpha)).probability_present[1] - (total - rho_1) / (1 - r)

        low, high = 1e-9, total - 1e-9
        return brentq(value, low, high, xtol=1e-12) if value(low) < 0 < value(high) else math.nan

    places = np.array([
        [[crossing(r, alpha, load * (1 - 10.0**-k)) for alpha in ratios] for r in SHARES] for k in range(2, 9)
    ])  # fmt: skip
    spread = np.ptp(places, axis=2).max(axis=1)
    off = np.abs(places[-1] - np.array(SHARES)[:, None]).max()
    for k, r, alpha in itertools.product((1, 2), (0.55, 0.75, 0.95), (1e-3, 1.0, 1e3)):
        total = load * (1 - 10.0**-k)
        place = crossing(r, alpha, total)
        if place == place:
            gaps.append(abs(two_numbers(place, total - place, alpha).deviations(r)[1]))
    near, nearer = spread[-1] < 1e-5 and off < 1e-5, bool((np.diff(spread) < 0).all())
    return finding(
        f"{'within 1e-5 of r_1' if near else 'not at r_1'} in the end, the ratios "
        f"{'ever closer' if nearer else 'apart'}; "
        f"in {sum(gap < 1e-8 for gap in gaps)} of {len(gaps)} chains the deviation is 0 there",
        bool(near and nearer and max(gaps) < 1e-8),
    )


@check("thesis-3-127", policy="HOL")
def signs_in_the_plane(policy="PQ"):
    """The region drawn in Figure 3.3 against the signs in the chain; the control asks the library about HOL."""
    wrong, sure, beyond = 0, 0, 0

    def deviation(rho_2, rho_1, r, alpha):
        if policy == "PQ":
            return two_numbers(rho_1, rho_2, alpha).deviations(r)[1]
        return answer((r, rho_1, rho_2, alpha), policy=policy).group_share_deviation[1]

    for alpha, r in itertools.product((0.1, 1.0, 10.0), (0.55, 0.6, 0.7, 0.9)):
        places, found = on_grid(functools.partial(deviation, r=r, alpha=alpha), most=1.0)
        drawn = Path(above_the_line(r, alpha)).contains_points(places)
        judged = np.abs(found) > BOUND
        sure += int(judged.sum())
        wrong += int((drawn != (found > 0))[judged].sum())
        beyond += int((found > 0)[places[:, 0] >= 1 - r].sum())
    return finding(
        f"{wrong} of {sure} points on the wrong side; {beyond} above 0 beyond r_2", wrong == 0 and beyond == 0
    )


@check("thesis-3-128", permanent=1)
def moving_upwards(permanent=0):
    """The library's deviation of group 2 along vertical lines, from no load of group 1 on, and the chain's."""
    rng, along = np.random.default_rng(128), np.append(np.linspace(0, 0.95, 19), 1)
    along[0] = 1e-9 * (permanent > 0)  # somebody must come beside permanent jobs
    begins = rises = changes = crossing = chains = 0
    count = 60
    for number in range(count):
        r, alpha = rng.uniform(0.501, 0.99), 10 ** rng.uniform(-3, 3)
        rho_2 = rng.uniform(0.02, 0.98) * rng.uniform(0.02, 0.98)
        if number % 2 and rho_2 > 1 - r:  # as many on either side of r_2
            rho_2 *= 1 - r
        whole = 1 - rho_2 - 1e-9
        results = [answer((r, part * whole, rho_2, alpha), permanent=permanent) for part in along]
        values = np.array([found.probability_present[1] - found.obtained_share[1] / (1 - r) for found in results])
        begins += values[0] < 0
        rises += bool((np.diff(values) > 0).all())
        changes += int((np.diff(np.sign(values)) != 0).sum()) == (rho_2 < 1 - r)
        crossing += bool(rho_2 < 1 - r)
        if number < 20 and rho_2 < 0.9:
            ones = np.linspace(0, 0.95 - rho_2, 6)
            law = [two_numbers(float(one), rho_2, alpha).deviations(r)[1] for one in ones]
            same = [
                law[k] * (answer((r, one, rho_2, alpha)).probability_present[1] - rho_2 / (1 - r)) > 0
                for k, one in enumerate(ones)
                if abs(law[k]) > BOUND
            ]
            chains += bool((np.diff(law) > 0).all() and all(same))
        elif number < 20:
            chains += 1
    return finding(
        f"below 0 without group 1 on {begins} of {count} lines, rising on {rises}; above 0 in the end on the "
        f"{crossing} with rho_2 < r_2, {'and on no other' if changes == count else 'or not'}; {chains} of "
        "20 chains alike",
        begins == rises == changes == count and chains == 20,
    )
