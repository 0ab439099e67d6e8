"""Claims of `balanced`, Section 5, on three servers: formulas (10) and (11), stability, Figures 1 and 2."""

import numpy as np

from clustershare import multiserver
from clustershare.multiserver import CompatibilityGraph
from clustershare.sizes import Exponential
from compendium.press.clauses import at_each, cases, conclude, equalities, everywhere, exact, fact, grid, mended
from compendium.press.clauses.conditions import at_most, equal, larger, not_larger, within
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.balanced_fairness.points.published import (
    DELAY,
    FIGURES,
    QUANTITIES,
    RATE,
    bound,
    curve,
    curves,
    on_paths,
    points,
    very_close,
)
from pages.balanced_fairness.systems import LOADS, answered, paper_sizes, three_servers
from pages.balanced_fairness.witnesses.lines import law, lines, moves
from pages.balanced_fairness.witnesses.numbers import mass_falls, on_the_lattice

CAPACITIES = {1: (1.0, 1.0, 1.0), 2: (1.0, 0.0, 1.0)}  # by figure


def random_systems(count):
    """Three servers with capacities and arrival rates at random; in a third a class has no server of its own."""
    rng = np.random.default_rng(22)
    for number in range(count):
        capacities, mix = rng.uniform(0.05, 3, 3), rng.uniform(0.02, 0.98)
        if number % 3 == 0:
            capacities[number // 3 % 2] = 0.0
        a, b, c = capacities
        most = min((a + c) / mix, (b + c) / (1 - mix), a + b + c)
        yield capacities, rng.uniform(0.01, 0.97) * most * np.array([mix, 1 - mix])


def both_shared(capacities):
    """The graph of the three servers, those without capacity left out."""
    return three_servers(0.5, capacities)["graph"]


def one_server_only(graph):
    """A wrong system: each class has its first server and no other."""
    return CompatibilityGraph([own[:1] for own in graph.servers_of_class], graph.capacities)


def without_server_3(graph):
    """A wrong system: class 2 may not use the server in common."""
    first, second = graph.servers_of_class
    return CompatibilityGraph([first, second[:-1] or second], graph.capacities)


def jobs_in_words(graph, rates, pace=1.0):
    """The mean numbers of jobs of the chain of the line, cut at 10."""
    short = lines(2, 10)
    return law(short.first[-1], moves(short, graph, rates, pace=pace)) @ short.counts()


def closed(number, load, mean=1.0, unit=1.0):
    """(10) and (11) at a load of Figure 1 or 2, for sizes of some mean, with mu_s = C_s over a unit."""
    rates = three_servers(load, CAPACITIES[number], mean)["arrival_rates"]
    return multiserver.three_server_service_rates(np.array(CAPACITIES[number]) / unit, rates)


@check("balanced-022", change=without_server_3)
def closed_forms(change=lambda graph: graph):
    """(10) and (11) against sums over the lattice, the chain of the line at loads up to 0.1, and the drawn curves.

    In the control class 2 may not use server 3.
    """
    systems = cases("random system", random_systems(300), seed=22).without(
        "unstable", lambda capacities, rates: not multiserver.is_stable(change(both_shared(capacities)), rates / 0.98)
    )

    def gaps(capacities, rates):
        graph, found = change(both_shared(capacities)), multiserver.three_server_service_rates(capacities, rates)
        lattice = rates / on_the_lattice(graph, rates)[1]  # by the definition of the mean service rates
        recursion = multiserver.balanced_fairness(graph, rates).mean_service_rate
        return {
            "(10), (11) and sums over the lattice": np.abs(found / lattice - 1).max(),
            "(10), (11) and the recursion": np.abs(found / recursion - 1).max(),
        }

    def few(capacities, rates):
        rates = rates * 0.1 * min(capacities[0] + capacities[2], capacities[1] + capacities[2]) / rates.sum()
        found = rates / jobs_in_words(change(both_shared(capacities)), rates)
        return np.abs(multiserver.three_server_service_rates(capacities, rates) / found - 1).max()

    def drawn(number):
        exactly = [curve(number, "b", index=index).value for index in (0, 1)]
        return np.abs([closed(number, load) for load in LOADS] / np.transpose(exactly) - 1).max()

    found = {
        **systems.measure(gaps),
        "(10), (11) and the chain of the line, at loads up to 0.1,": cases("system", systems.cases[:3]).measure(few),
        "(10), (11) and the drawn curves": grid(figure=CAPACITIES).measure(drawn),
    }
    return conclude(*equalities(found, 1e-9), whole=True)


@check("balanced-025", changes=(one_server_only, without_server_3))
def alone_in_the_limit(changes=(None,)):
    """Rates of balanced fairness at smaller and smaller loads against all servers of a class, and simulated ones.

    In the control a job has one server, or class 2 may not use server 3.
    """
    loads = (1e-2, 1e-4, 1e-6)
    systems = [(np.array(capacities), np.array([0.5, 0.5])) for capacities in CAPACITIES.values()]
    systems += [(capacities, rates / rates.sum()) for capacities, rates in random_systems(50)]

    def off(capacities, mix, change):
        """What the rates are below the bound, of each class and by both ways, and by how much not in proportion."""
        bound = capacities[:2] + capacities[2]
        graph, arrivals = both_shared(capacities), [load * capacities.sum() * mix for load in loads]
        ways = [[multiserver.balanced_fairness(change(graph) if change else graph, each).mean_service_rate
                 for each in arrivals]]  # fmt: skip
        if not change:
            ways.append([multiserver.three_server_service_rates(capacities, each) for each in arrivals])
        rest = bound - np.array(ways)
        steady = np.abs(rest[:, 1:] / np.where(rest[:, :-1], rest[:, :-1], 1.0) * 100 - 1)
        return {"last": np.abs(rest[:, -1]).max(), "steady": np.where(np.abs(rest[:, 1:]) < 1e-12, 0, steady).max()}

    found = [cases("system", [(*each, change) for each in systems]).measure(off) for change in changes]
    nearest = min(found, key=lambda each: each["last"].value.max())  # of two wrong systems, the one that is less wrong
    drawn = curves((1, 2), quantities=[RATE])
    most = drawn.measure(bound)

    def at_no_load(number, letter, quantity, index, m):
        """1 / rate in a straight line from loads 0.1 and 0.05 on, times the bound, less 1."""
        at_01, at_005 = (1 / points(number, letter, quantity, index, m).at(load=load).value for load in (0.1, 0.05))
        return (2 * at_005 - at_01) * bound(number, letter, quantity, index) - 1

    lines_to_no_load = cases("simulated curve", [(*each, m) for each in drawn.cases for m in (0, 1, 5)])
    return conclude(
        everywhere("what the rate is below that of all servers, at load 1e-6,", nearest["last"], at_most(1e-5)),
        everywhere("what it falls by beyond proportion to the load, of that,", nearest["steady"],
                   at_most(SCALE["comparable"].most)),
        *(
            everywhere(f"simulated with m = {m} at load 0.05, the rate less its bound",
                       drawn.measure(lambda *each, m=m: points(*each, m).at(load=0.05)) - most, not_larger())
            for m in (0, 1, 5)
        ),
        everywhere("what 1 over the simulated rate, led on to no load, is off 1 over the bound, of that,",
                   lines_to_no_load.measure(at_no_load), within("close")),
        whole=True,
    )  # fmt: skip


@check("balanced-026", change=lambda graph: CompatibilityGraph([range(graph.servers)] * 2, graph.capacities))
def stability_region(change=lambda graph: graph):
    """The three inequalities against the growth of the mass of long lines, and the library's answer.

    In the control all servers are shared.
    """
    rng, systems = np.random.default_rng(26), []
    for number, (capacities, _) in enumerate(random_systems(300)):
        a, b, c = capacities
        mix = rng.uniform(0.05, 0.95)
        boundary = ((a + c) / mix, (b + c) / (1 - mix), a + b + c)[number % 3]
        systems += [(capacities, factor * boundary * np.array([mix, 1 - mix])) for factor in (0.95, 1.05)]

    def all_three(capacities, rates):
        (a, b, c), (first, second) = capacities, rates
        return first < a + c and second < b + c and first + second < a + b + c

    def same(capacities, rates):
        region, graph = all_three(capacities, rates), change(both_shared(capacities))
        return {"mass": region == mass_falls(graph, rates), "library": region == multiserver.is_stable(graph, rates)}

    def by_formulas(capacities, rates):
        return all_three(capacities, rates) == answered(multiserver.three_server_service_rates, capacities, rates)

    found = cases("random system", systems, seed=26).measure(same)
    few = cases("random system", systems[:200], seed=26)
    return conclude(
        everywhere("the mass of long lines dies out just if the three hold,", found["mass"]),
        everywhere("the library calls the system stable just if the three hold,", found["library"]),
        everywhere("it answers by (10) and (11) just if the three hold,", few.measure(by_formulas)),
        whole=True,
    )


@check("balanced-042", mean_of_figures=1.0)
def unit_of_the_service_rate(mean_of_figures=None):
    """Delays by the lattice against (10)-(11) with mu_s = C_s / sigma, and the curves of Figures 1c and 2c.

    In the control their sizes have mean 1.
    """
    rng, mean_c = np.random.default_rng(42), mean_of_figures or paper_sizes()["c"].mean

    def gaps(capacities, work):
        mean = rng.uniform(0.2, 5)
        delay = on_the_lattice(both_shared(capacities), work)[1] / (work / mean)
        gamma = multiserver.three_server_service_rates(capacities / mean, work / mean)
        answer = multiserver.balanced_fairness(both_shared(capacities), work / mean, Exponential(mean)).mean_delay
        return {
            "printed": np.abs(mean / gamma / delay - 1).max(),
            "corrected": np.abs(1 / gamma / delay - 1).max(),
            "library": np.abs(answer / delay - 1).max(),
        }

    def drawn(number):
        delays = np.transpose([curve(number, "c", DELAY, index).value for index in (0, 1)])
        return np.abs([1 / closed(number, load, mean_c, mean_c) for load in LOADS] / delays - 1).max()

    rates = np.array([0.04, 0.05])  # of jobs of mean size 2, a tenth of what the servers could do
    delay = jobs_in_words(both_shared((1, 1, 1)), rates, pace=1 / 2) / rates
    chain = 1 / multiserver.three_server_service_rates((0.5, 0.5, 0.5), rates) / delay - 1
    found = cases("random system", random_systems(200), seed=22).measure(gaps)
    return mended(
        everywhere("sigma / gamma and the delay", found["printed"], equal(1e-9)),
        everywhere("1 / gamma and the delay", found["corrected"], equal(1e-9)),
        everywhere("the library's delay for sizes of mean sigma and the delay", found["library"], equal(1e-9)),
        everywhere(
            "1 / gamma and the delay in the chain of jobs of size 2", exact(chain, **{"class": (1, 2)}), equal(1e-9)
        ),
        everywhere("1 / gamma and the curves of Figures 1c, 2c", grid(figure=CAPACITIES).measure(drawn), equal(1e-9)),
    )


@check("balanced-043", own=0.5)
def two_servers_or_three(own=0.0):
    """Figure 2 with mu_2 = 0 by (10)-(11), and as two servers by the recursion."""
    two = CompatibilityGraph([{0, 1}, {1}], [1, 1])

    def gap(load):
        fair = multiserver.balanced_fairness(two, [load, load]).mean_service_rate
        drawn = multiserver.balanced_fairness(**FIGURES[2][1](load)).mean_service_rate
        closed = multiserver.three_server_service_rates([1, own, 1], [load, load])
        return np.abs([closed / fair - 1, drawn / fair - 1]).max()

    servers = FIGURES[2][1](0.5)["graph"].servers
    return conclude(
        everywhere("three servers with mu_2 = 0, and the figure's system, and two servers",
                   grid(load=LOADS).measure(gap), equal(1e-12)),
        fact("the figure's system has two servers", servers == 2, f"the figure's system has {servers} servers"),
        whole=True,
    )  # fmt: skip


@check("balanced-027", interruptions=0)
def one_interruption_helps(interruptions=1):
    """m = 1 against FCFS (`balanced`, Figures 1, 2).

    In the control interrupted jobs stay at the head of the line, which is FCFS with any m.
    """

    def gain(quantity):
        found = grid(figure=(1, 2), law="abc", **{"class": (1, 2)})
        before, after = (
            found.measure(lambda number, letter, which, m=m: points(number, letter, quantity, which - 1, m))
            for m in (0, interruptions)
        )
        return after - before if quantity == RATE else before - after

    return conclude(
        at_each("what an interruption a job adds to the mean service rate", gain(RATE), larger("clear")),
        at_each("what it takes off the mean delay", gain(DELAY), larger("clear")),
        together=("figure", "law", "class", "load"),
        provided=[on_paths([0, 1])],
    )


@check("balanced-028", interruptions=0)
def five_interruptions_suffice(interruptions=5):
    """m = 5 against balanced fairness, bimodal and hyperexponential sizes (`balanced`, Figures 1, 2)."""
    return very_close((1, 2), "ab", interruptions, provided=[on_paths([5])])


@check("balanced-029", interruptions=0)
def even_for_zipf(interruptions=5):
    """m = 5 against balanced fairness, Zipf numbers of phases (`balanced`, Figures 1, 2)."""
    return very_close((1, 2), "c", interruptions, provided=[on_paths([5], letters="c")])


def above(quantity, upper, capacities):
    """That one class is above the other, in simulated points of Figure 2 and exactly: clauses.

    The exact rates are the drawn ones and, of any capacities, those at 219 loads.
    """
    loads = (*LOADS, *np.linspace(0.005, 0.995, 200))

    def factor(load):
        system = three_servers(load, capacities)
        fair = multiserver.balanced_fairness(**system).mean_service_rate
        by_formula = multiserver.three_server_service_rates(capacities, system["arrival_rates"])
        return min(one / two - 1 for one, two in (fair, by_formula))

    def gap(letter, m):
        high, low = (points(2, letter, quantity, index, m) for index in (upper, 1 - upper))
        return high.less(low, np.add)

    def drawn(letter):
        high, low = (curve(2, letter, quantity, index) for index in (upper, 1 - upper))
        return exact(high.value / low.value - 1, load=LOADS)

    what = "mean delay" if quantity == DELAY else "mean service rate"
    return (
        everywhere(f"the {what} of one class less that of the other, simulated,",
                   grid(law="abc", m=(0, 1, 5)).measure(gap), larger()),
        everywhere(f"in the drawn curves, what the {what} of one class is above the other's, of that,",
                   grid(law="abc").measure(drawn), larger()),
        everywhere("exactly, what the mean service rate of class 1 is above that of class 2, of that,",
                   grid(load=loads).measure(factor), larger()),
    )  # fmt: skip


@check("balanced-032", capacities=(0.0, 1.0, 1.0))
def shared_server_is_slower(capacities=CAPACITIES[2]):
    """Nested classes: class 1 against class 2, exactly and in every simulation (`balanced`, Figure 2)."""
    return conclude(*above(RATE, 0, capacities), whole=True)


@check("balanced-044", capacities=(0.0, 1.0, 1.0))
def order_of_the_curves(capacities=CAPACITIES[2]):
    """The six panels of Figure 2, curve by curve: class 1 above for the rate, below for the delay."""
    both = (above(quantity, upper, capacities) for upper, quantity in enumerate(QUANTITIES))
    return conclude(*(clause for clauses in both for clause in clauses), whole=True)
