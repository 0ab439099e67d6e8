"""The points and curves of Figures 1 to 4 of `balanced`, as its pages publish them, side by side; and some beside."""

import functools
import itertools

import numpy as np

from clustershare import multiserver, sizes
from compendium import study
from compendium.press.clauses import at_each, cases, conclude, everywhere, exact, measured
from compendium.press.clauses.conditions import agrees, equal, within
from pages.balanced_fairness.systems import LOADS, fair_curves, paper_sizes, random_servers, three_servers
from pages.balanced_fairness.witnesses.paths import path, ratio_of

FIGURES = {
    1: ("three-servers", three_servers),
    2: ("nested-servers", lambda load, mean_size=1.0: three_servers(load, (1.0, 0.0, 1.0), mean_size)),
    3: ("random-servers", lambda load, mean_size=1.0: random_servers(load, 2, mean_size=mean_size)),
    4: ("random-servers", lambda load, mean_size=1.0: random_servers(load, 3, mean_size=mean_size)),
}
OTHER = {1: 2, 2: 1, 3: 4, 4: 3}  # the figure whose exact curves a control takes


def classes(number):
    """The classes of a figure, 0-based: those of Figures 3 and 4 are alike."""
    return (0, 1) if number < 3 else (0,)


EXPONENTIAL = "exponential"  # in place of the letter of a panel
RARE = 0.01  # interruptions of a job
RATE, DELAY = QUANTITIES = ("mean_service_rate", "mean_delay")
LAWS = ("a", "b", "c", EXPONENTIAL)
RUNS = {"paper": 100, "book": 30}


def laws():
    """The three laws of Section 5 by letter, and the exponential one of mean 1."""
    return {**paper_sizes(), EXPONENTIAL: sizes.Exponential()}


@functools.cache
def simulated(number, letters=("a", "b", "c"), interruptions=(0, 1, 5), loads=LOADS, fidelity="paper"):
    """Simulated points in the system of a figure: one data frame; its own points if nothing else is asked for."""
    name, system = FIGURES[number]
    return study.run(
        name, multiserver.simulate, study.grid(letter=letters, interruptions=interruptions, load=loads),
        lambda letter, interruptions, load: {
            **system(load, mean_size=laws()[letter].mean), "sizes": laws()[letter], "interruptions": interruptions,
        },
        fidelity=fidelity,
    )  # fmt: skip


def points(number, letter, quantity, index, interruptions):
    """The simulated points of a curve of a figure at its loads.

    Those of exponential sizes, and of interruptions that are `RARE`, are in no figure, and have shorter runs.
    """
    beside = {"letters": (letter,), "fidelity": "book"} if letter == EXPONENTIAL else {}
    if interruptions == RARE:
        beside = {"interruptions": (RARE,), "loads": (0.3, 0.6, 0.9), "fidelity": "book"}
    rows = simulated(number, **beside)
    rows = rows[(rows["letter"] == letter) & (rows["interruptions"] == interruptions)]
    rows = rows[(rows["quantity"] == quantity) & (rows["index"] == index)].sort_values("load")
    return measured(rows["estimate"], rows["half_width"], runs=RUNS[beside.get("fidelity", "paper")], load=rows["load"])


@functools.cache
def _fair(number, loads):
    return fair_curves(loads, [multiserver.balanced_fairness(**FIGURES[number][1](load)) for load in loads])


def curve(number, letter, quantity=RATE, index=0, loads=LOADS):
    """An exact curve of a figure at some loads, as it is drawn; that of exponential sizes has mean 1."""
    rows = _fair(number, tuple(loads))
    rows = rows[(rows["letter"] == ("a" if letter == EXPONENTIAL else letter)) & (rows["quantity"] == quantity)]
    return exact(rows[rows["index"] == index]["exact"], load=loads)


def curves(figures=FIGURES, letters="abc", quantities=QUANTITIES):
    """The curves of some figures, which are panels, quantities and classes: a domain of arguments of `curve`."""
    found = [
        (number, letter, quantity, index)
        for number, letter, quantity in itertools.product(figures, letters, quantities) for index in classes(number)
    ]  # fmt: skip
    names = [
        f"{n}{letter[0]} {'delay' if quantity == DELAY else 'rate'} {index + 1}" for n, letter, quantity, index in found
    ]
    return cases("curve", found, names=names)


def very_close(figures, letters, interruptions, of=lambda number: number, provided=()):
    """That simulated points are very close to balanced fairness, that of the same or another figure: a finding."""
    found = curves(figures, letters)
    simulated = found.measure(lambda *each: points(*each, interruptions))
    off = simulated - found.measure(lambda number, *rest: curve(of(number), *rest))
    near = at_each("what rate or delay differs by from balanced fairness", off, within("very close"))
    return conclude(near, provided=provided)


@functools.cache
def ten_paths(number, letter, m, load):
    """Ten paths in the system of a figure, and the arrival rates."""
    size = paper_sizes()[letter]
    system = FIGURES[number][1](load, mean_size=size.mean)
    length = {"events": 5_000, "until_empty": True} if number < 3 else {"events": 8_000, "warmup": 4_000}
    theta = size.mean / m if m else np.inf
    found = [
        path(system["graph"], system["arrival_rates"], size, theta=theta, seed=20, number=k, **length)
        for k in range(10)
    ]
    return np.atleast_1d(system["arrival_rates"]), found


def on_paths(numbers, figures=(1, 2), letters="ab"):
    """That stored rates of some figures and laws at load 0.6 are those of paths in the sources' words: a clause."""

    def off(number, letter, m, index):
        rates, found = ten_paths(number, letter, m, 0.6)
        value, half = ratio_of([each.time for each in found], [each.jobs[index] for each in found])
        work = rates[index] * paper_sizes()[letter].mean
        return measured(work * value, work * half, runs=10) - points(number, letter, RATE, index, m).at(load=0.6)

    points_of = itertools.product(figures, letters, numbers)
    domain = cases("point", [(number, *rest, index) for number, *rest in points_of for index in classes(number)])
    same = agrees("is the stored one within its interval")
    return everywhere("the mean service rate on paths", domain.measure(off), same)


def delays_fit(figures, letters, numbers):
    """That in stored points of some figures and laws delay times rate is the mean size: a clause."""

    def off(number, letter, m, index):
        rate, delay = (points(number, letter, quantity, index, m).value for quantity in QUANTITIES)
        return np.abs(rate * delay / laws()[letter].mean - 1).max()

    stored = itertools.product(figures, letters, numbers)
    domain = cases("curve", [(number, *rest, index) for number, *rest in stored for index in classes(number)])
    return everywhere("in the stored points, delay times rate and the mean size", domain.measure(off), equal(1e-9))


def bound(number, letter, quantity, index):
    """The capacity of all servers that a class of a figure may use."""
    graph = FIGURES[number][1](0.5)["graph"]
    return graph.service_rate([index]) if number < 3 else graph.degree


def laws_apart(figures, interruptions, of=lambda number: number):
    """By how much the mean service rates of the four laws of sizes differ, by class and load.

    Those of exponential sizes are on the curve of balanced fairness, of the same or another figure.
    """

    def rates(number, _, quantity, index):
        three = [points(number, letter, quantity, index, interruptions) for letter in "abc"]
        other = curve(of(number), EXPONENTIAL, quantity, index if index in classes(of(number)) else 0)
        values = [*(one.value for one in three), other.value]
        half = [*(one.half for one in three), np.zeros(len(LOADS))]
        return measured(values, half, runs=RUNS["paper"], law=LAWS, load=LOADS)

    found = curves(figures, "a", [RATE])
    names = [f"Figure {number}, class {index + 1}" for number, _, _, index in found.cases]
    found = cases("curve", found.cases, names=names).measure(rates)
    return found.largest("law").less(found.smallest("law"), np.add)
