"""Claims of `balanced`, Section 5, on what Figures 1 to 4 show: each panel, class and load."""

import itertools

import numpy as np

from clustershare import multiserver
from compendium.press.findings import beyond, check, finding, over_domain
from compendium.press.words import SCALE
from pages.balanced_fairness.points.published import FIGURES, classes, curve, difference_between, points
from pages.balanced_fairness.systems import LOADS, paper_sizes, three_servers

QUANTITIES = ("mean_service_rate", "mean_delay")
OTHER = {1: 2, 2: 1, 3: 4, 4: 3}  # the figure whose exact curves a control takes


def judged(least, greatest, *, above=None, most=None):
    """Whether points hold for certain, and whether they fail for certain, from intervals of a difference."""
    if above is not None:
        return least >= above, greatest < above
    return greatest <= most, least > most


def told(panels, worst):
    """What a finding says of panels: the worst case, and how far up (or from where on) each holds; and its points.

    A panel is its name, what holds and what fails for certain, by load.
    """
    said, decided, open_points = [], [], 0
    for name, holds, fails in panels:
        loads = np.array(LOADS)
        ends = np.unique([loads[holds].min(), loads[holds].max()]) if holds.any() else []
        said.append(f"{name}: {' to '.join(f'{end:g}' for end in ends) or 'no load'}")
        decided += holds[holds | fails].tolist()
        open_points += int((~holds & ~fails).sum())
    return f"{worst}; holds at loads " + ", ".join(said) + f"; points too wide to tell: {open_points}", decided


def close_to_curve(figures, letters, interruptions, other=False):
    """Points against the exact curves, each panel of rate and delay, all classes: within "very close"."""
    panels, worst = [], (0.0, "")
    for number, letter in itertools.product(figures, letters):
        holds, fails = np.ones(len(LOADS), dtype=bool), np.zeros(len(LOADS), dtype=bool)
        for quantity, index in itertools.product(QUANTITIES, classes(number)):
            exact = curve(OTHER[number] if other else number, letter, quantity, index)
            found = points(number, letter, interruptions, quantity, index)
            least, greatest = difference_between(found, (exact, 0 * exact))
            fine, bad = judged(least, greatest, most=SCALE["very close"].most)
            holds, fails = holds & fine, fails | bad
            off = np.abs(found[0] - exact) / np.maximum(found[0], exact)
            worst = max(worst, (off.max(), f"{number}{letter} at load {LOADS[off.argmax()]:g}"))
        panels.append((f"{number}{letter}", holds, fails))
    return over_domain(*told(panels, f"worst {worst[0]:.3f} in {worst[1]}"))


@check("balanced-027", interruptions=0)
def one_interruption_helps(interruptions=1):
    """m = 1 against FCFS (`balanced`, Figures 1, 2).

    In the control interrupted jobs stay at the head of the line, which is FCFS with any m.
    """
    panels, worst = [], (np.inf, "")
    for number, letter in itertools.product((1, 2), "abc"):
        holds, fails = np.ones(len(LOADS), dtype=bool), np.zeros(len(LOADS), dtype=bool)
        for index in classes(number):
            better, fcfs = (points(number, letter, m, index=index) for m in (interruptions, 0))
            least, greatest = difference_between(better, fcfs)
            fine, bad = judged(least, greatest, above=SCALE["clear"].least)
            larger = better[0] > fcfs[0]
            holds, fails = holds & fine & larger, fails | bad | ~larger
            gain = 1 - fcfs[0] / better[0]
            worst = min(worst, (gain.min(), f"{number}{letter} at load {LOADS[gain.argmin()]:g}"))
        panels.append((f"{number}{letter}", holds, fails))
    return over_domain(*told(panels, f"least gain {worst[0]:.3f} in {worst[1]}"))


@check("balanced-028", interruptions=0)
def five_interruptions_suffice(interruptions=5):
    """m = 5 against balanced fairness, bimodal and hyperexponential sizes (`balanced`, Figures 1, 2)."""
    return close_to_curve((1, 2), "ab", interruptions)


@check("balanced-029", interruptions=0)
def even_for_zipf(interruptions=5):
    """m = 5 against balanced fairness, Zipf numbers of phases (`balanced`, Figures 1, 2)."""
    return close_to_curve((1, 2), "c", interruptions)


@check("balanced-035", other=True)
def one_interruption_is_enough(other=False):
    """m = 1 among a hundred servers (`balanced`, Figures 3, 4); the control has the curves of the other degree."""
    return close_to_curve((3, 4), "abc", 1, other)


@check("balanced-075", other=True)
def five_among_a_hundred(other=False):
    """m = 5 among a hundred servers (`balanced`, Figures 3, 4); the control has the curves of the other degree."""
    return close_to_curve((3, 4), "abc", 5, other)


def spread(number, index, interruptions, other=False):
    """The least and the greatest difference of the mean service rates under the four laws, and by the estimates."""
    exact = curve(OTHER[number] if other else number, "a", index=index)
    laws = [*(points(number, letter, interruptions, index=index) for letter in "abc"), (exact, 0 * exact)]
    pairs = [difference_between(one, two) for one, two in itertools.combinations(laws, 2)]
    middle = np.array([value for value, _ in laws])
    least, greatest = (np.max([pair[end] for pair in pairs], axis=0) for end in (0, 1))
    return least, greatest, 1 - middle.min(axis=0) / middle.max(axis=0)


def spread_over(figures, interruptions, other=False, **bound):
    """The spread over the four laws in each figure, all classes, judged by a bound."""
    panels, seen = [], []
    for number in figures:
        holds, fails = np.ones(len(LOADS), dtype=bool), np.zeros(len(LOADS), dtype=bool)
        for index in classes(number):
            least, greatest, middle = spread(number, index, interruptions, other)
            fine, bad = judged(least, greatest, **bound)
            holds, fails = holds & fine, fails | bad
            seen.append(middle)
        panels.append((f"Figure {number}", holds, fails))
    return over_domain(*told(panels, f"difference of the laws {np.min(seen):.3f} to {np.max(seen):.3f}"))


@check("balanced-030", interruptions=5)
def first_come_first_served_is_sensitive(interruptions=0):
    """The service rates of FCFS under the four laws (`balanced`, Figures 1, 2, 3, 4)."""
    return spread_over(FIGURES, interruptions, above=SCALE["much"].least)


@check("balanced-073", other=True)
def a_few_suffice(other=False):
    """m = 5: the rates of the four laws (`balanced`, Figures 1, 2, 3, 4); another curve in the control."""
    return spread_over(FIGURES, 5, other, most=SCALE["close"].most)


@check("balanced-074", other=True)
def one_suffices_among_a_hundred(other=False):
    """m = 1: the rates of the four laws (`balanced`, Figures 3, 4); another curve in the control."""
    return spread_over((3, 4), 1, other, most=SCALE["close"].most)


def upper_class(capacities, upper):
    """How far a class is above the other by the exact rates of the nested system, at its least over 219 loads."""
    loads = (*LOADS, *np.linspace(0.005, 0.995, 200))
    rates = [multiserver.balanced_fairness(**three_servers(load, capacities)).mean_service_rate for load in loads]
    return min(rate[upper] / rate[1 - upper] for rate in rates)


@check("balanced-032", capacities=(0.0, 1.0, 1.0))
def shared_server_is_slower(capacities=(1.0, 0.0, 1.0)):
    """Nested classes: class 1 against class 2, exactly and in every simulation (`balanced`, Figure 2)."""
    margin, apart = upper_class(capacities, 0), True
    for letter, m in itertools.product("abc", (0, 1, 5)):
        (high, high_doubt), (low, low_doubt) = (points(2, letter, m, index=index) for index in (0, 1))
        margin, apart = min(margin, (high / low).min()), apart and bool((high - high_doubt > low + low_doubt).all())
    return finding(f"class 1 over class 2: at least {margin:.3f}", margin > 1 and apart)


@check("balanced-044", capacities=(0.0, 1.0, 1.0))
def order_of_the_curves(capacities=(1.0, 0.0, 1.0)):
    """The six panels of Figure 2, curve by curve: class 1 above for the rate, below for the delay."""
    least, apart = upper_class(capacities, 0), True
    for letter, m, quantity in itertools.product("abc", (0, 1, 5), QUANTITIES):
        upper = QUANTITIES.index(quantity)
        (high, high_doubt), (low, low_doubt) = (points(2, letter, m, quantity, index) for index in (upper, 1 - upper))
        apart &= bool((high - high_doubt > low + low_doubt).all())
        exact = [curve(2, letter, quantity, index) for index in (upper, 1 - upper)]
        least = min(least, (exact[0] / exact[1]).min())
    said = "apart" if apart else "not apart"
    return finding(f"exact curves by a factor of at least {least:.3f}; simulated ones {said}", apart and least > 1)


def in_groups(degree, size):
    """Delays of FCFS and of sharing at the 19 loads in groups of so many servers without overlap.

    By Pollaczek and Khinchine; the control of the claim on choice.
    """
    loads = np.array(LOADS)
    waiting = loads / (1 - loads) * (size.variance / size.mean**2 + 1) / 2
    return size.mean * (1 + waiting) / degree, size.mean / (1 - loads) / degree


@check("balanced-037", groups=True)
def more_choice(groups=False):
    """Delays, and those of FCFS over balanced fairness, for two and three servers a job (`balanced`, Figures 3, 4)."""
    shorter, less, more, ratios = [], [], [], []
    for letter, size in paper_sizes().items():
        for m in (0, 1, 5):
            (few, few_doubt), (many, many_doubt) = (points(number, letter, m, "mean_delay") for number in (3, 4))
            shorter.append(many + many_doubt < few - few_doubt)
        two, three = (
            (*points(number, letter, 0, "mean_delay"), curve(number, letter, "mean_delay")) for number in (3, 4)
        )
        if groups:
            two, three = ((fcfs, 0.0, fair) for fcfs, fair in (in_groups(degree, size) for degree in (2, 3)))
        less.append((three[0] + three[1]) / three[2] < (two[0] - two[1]) / two[2] * (1 - 1e-12))
        more.append((three[0] - three[1]) / three[2] > (two[0] + two[1]) / two[2] * (1 + 1e-12))
        ratios.append((two[0] / two[2] - three[0] / three[2])[LOADS.index(0.8)])
    overlap = [f"{LOADS[k]:g}" for k in np.flatnonzero(~np.all(less, axis=0))]
    return beyond(
        f"delays {'shorter at every load' if np.all(shorter) else 'not always shorter'}; FCFS over balanced fairness "
        f"at load 0.8 smaller by {min(ratios):.2f} at least; intervals overlap at "
        + (f"loads {', '.join(overlap)}" if len(overlap) < len(LOADS) else "all loads"),
        bool(np.all(shorter)) and not np.any(more) and len(overlap) < len(LOADS),
    )
