"""Claims of `thesis`, Section 5.3, on what others had found: response times, ratios, tails."""

import math

import numpy as np
from scipy import optimize, special, stats

from clustershare import routing, splitting
from clustershare.dispatch import exact_central
from compendium.press.clauses import at_each, cases, conclude, everywhere, exact, grid
from compendium.press.clauses.conditions import at_most, equal, larger, rises
from compendium.press.findings import check
from pages.share_scheduling.central.witnesses import lengths
from pages.share_scheduling.objectives import queues

LOADS = tuple(round(0.05 * k, 12) for k in range(1, 20))
SPREADS = {2: 14, 3: 10, 4: 8}  # where the chains are cut, of which gains by a tenth know nothing


def _cyclic(load, P=None):
    """Mean response time, in service times, of jobs that are dealt in turn; to very many processors without P."""
    if P:
        return queues.cyclic(P, load)
    return 1 / (1 - optimize.brentq(lambda x: math.exp((x - 1) / load) - x, 0, 1 - 1e-9))


@check("thesis-5-107", dynamic=False)
def dynamic_against_static(dynamic=True):
    """Mean response times; the control has random choice in place of the dynamic policies."""

    def shorter(own, load, P=None):
        """What is saved of the time under a static policy, random or cyclic."""
        own = own if dynamic else 1 / (1 - load)
        return {"random": 1 - own * (1 - load), "cyclic": 1 - own / _cyclic(load, P)}

    queue = grid(number_of_processors=SPREADS, load=LOADS).measure(lambda P, load: shorter(
        lengths.mean_jobs(load, P, lengths.most(load, P, 1e-6), SPREADS[P]) / (P * load), load, P))  # fmt: skip
    threshold = grid(threshold=(1, 2, 3), load=LOADS).measure(
        lambda T, load: shorter(routing.transfer_response_time("Random", load, T), load)
    )
    static = grid(number_of_processors=SPREADS, load=LOADS).measure(_alone)
    return conclude(
        *(
            at_each(f"what {name} saves of the response time of {static} choice", found[static], condition)
            for name, found in (("JSQ", queue), ("a threshold", threshold)) for static in ("random", "cyclic")
            for condition in (larger(), larger("clear"))
        ),
        provided=[everywhere("the response time under the library's JSQ and that by lengths, up to 12 jobs,",
                             cases("system", ((2, 0.2), (2, 0.5), (3, 0.2), (3, 0.5), (4, 0.2))).measure(_apart),
                             equal(1e-9)),
                  everywhere("the library's response times under HPRS and VPRS and M/M/1's", static, equal(1e-9)),
                  everywhere("its response times if jobs are dealt in turn and those of E_P/M/1",
                             grid(number_of_processors=SPREADS, load=LOADS).measure(_in_turn), equal(1e-9)),
                  everywhere("that with a threshold and by the root for the part of the queues that are long",
                             grid(threshold=(1, 2, 3), load=LOADS).measure(
                                 lambda T, load: routing.transfer_response_time("Random", load, T)
                                 / _with_threshold(load, T) - 1), equal(1e-9))],
    )  # fmt: skip


def _in_turn(P, load):
    """The library's mean response time of jobs that are dealt in turn, relative to that by a root."""
    found = splitting.pattern_allocation(range(P), P * load, (1.0,) * P)
    return (1 + found.overall_waiting_time) / _cyclic(load, P) - 1


def _with_threshold(load, T):
    """Mean response time where those that find T jobs are sent elsewhere once: by the part of the queues with T."""

    def law(long):
        terms = np.cumprod([1.0, *[load * (1 + long)] * T, *[load * long] * 500])
        return terms / terms.sum()

    long = optimize.brentq(lambda long: law(long)[T:].sum() - long, 0, 1, xtol=1e-14)
    return law(long) @ np.arange(T + 501) / load


def _alone(P, load):
    """The library's mean response times of groups that are alike, by chance and apart, relative to that of M/M/1."""
    shares, loads = (1 / P,) * P, (load / P,) * P
    found = splitting.horizontal(shares, loads, shares), splitting.vertical(shares, loads, P)
    return np.abs(np.array([each.mean_response_time for each in found]) * (1 - load) / P - 1).max()


def _apart(P, load, placed=True, moved=False):
    """The library's mean response time of one group alone, relative to that by lengths, both up to 12 jobs."""
    found = exact_central(
        "JSQ" if placed else "JSQ(1)", migration=moved, required_shares=(0.5, 0.5), loads=(load, 0), processors=P,
        most_jobs=12,
    )  # fmt: skip
    return load * found.mean_response_time[0] / lengths.mean_jobs(load, P, 12, 12, placed, moved) - 1


def _mixtures(rng, number, rising):
    """Tails and densities of random laws with mean near 1: exponential, hyperexponential, Pareto; or Erlang."""
    for _ in range(number):
        if rising:
            law = stats.gamma(int(rng.integers(2, 6)), scale=rng.uniform(0.2, 1))
            yield law.logsf, law.pdf, law.mean(), 0.0, False
            continue
        scale = rng.uniform(0.5, 2)
        yield stats.expon(scale=scale).logsf, stats.expon(scale=scale).pdf, scale, 0.0, True
        branches = int(rng.integers(2, 5))
        p, rates = rng.dirichlet(np.ones(branches)), rng.uniform(0.1, 5, branches)
        yield (
            lambda x, p=p, rates=rates: special.logsumexp(np.log(p) - np.multiply.outer(x, rates), axis=-1),
            lambda x, p=p, rates=rates: np.exp(-np.multiply.outer(x, rates)) @ (p * rates),
            float((p / rates).sum()), 0.0, False,
        )  # fmt: skip
        law = stats.pareto(rng.uniform(1.2, 4), scale=scale)
        yield law.logsf, law.pdf, law.mean(), scale, False


@check("thesis-5-108", rising=True)
def hazard_rates(rising=False):
    """(5.1) by differences, and what a falling one means; the control has Erlang laws."""

    def measures(tail, density, mean, least, memoryless):
        x = least + mean * np.linspace(0.25, 10, 40)
        step = 1e-5 * mean
        slope = -(tail(x + step) - tail(x - step)) / (2 * step)
        hazard = density(x) / np.exp(tail(x))
        conditional = [tail(x + h * mean) - tail(x) for h in (0.1, 1.0, 5.0)]
        # Far out a mixture of exponentials is one of them but for rounding.
        falling = (np.diff(hazard) < 1e-9 * hazard[1:]).all() and hazard[-1] < hazard[0]
        falling &= all((np.diff(values) > -1e-9).all() and values[-1] > values[0] for values in conditional)
        return {"ratio": np.abs(slope / hazard - 1).max(), "falls": memoryless or falling,
                "constant": np.abs(hazard * mean - 1).max() * memoryless}  # fmt: skip

    laws = _mixtures(np.random.default_rng(5108), 50, rising)
    found = cases("random law", laws, seed=5108).measure(measures)
    return conclude(
        everywhere("(5.1) and density over tail", found["ratio"], equal(1e-6)),
        everywhere("the hazard of an exponential law and 1 / E[X]", found["constant"], equal(1e-9)),
        everywhere("with the age other hazards fall, and the tail conditional on an age rises", found["falls"]),
        whole=True,
    )


def _inverse(rates, weights, power, cut):
    """E[S^-power] of a hyperexponential size, given that it is above the cut."""
    tails = weights @ np.exp(-rates * cut)
    integral = special.expn(power, rates * cut) * rates * cut ** (1 - power)
    return float(weights @ integral / tails)


def _variances(cut):
    """Of waiting over service time under PS and FCFS, exponential sizes above a cut, at `LOADS`."""
    # PS: the conditional variance of M/M/1 over the square of the size; FCFS: a wait with an atom at 0.
    loads, one, x = np.array(LOADS), np.ones(1), cut + np.append(0.0, np.geomspace(cut, 60, 4000))
    a = 1 - loads[:, None]
    both = -special.expm1(-a * x) / a
    spread = 2 * loads[:, None] / a**3 * (x - both) / x**2
    inverse, square = (_inverse(one, one, power, cut) for power in (1, 2))
    return {
        "PS": exact(np.trapezoid(spread * np.exp(cut - x), x, axis=1), load=LOADS),
        "FCFS": exact(2 * loads / (1 - loads) ** 2 * square - (loads / (1 - loads) * inverse) ** 2, load=LOADS),
    }  # fmt: skip


@check("thesis-5-111", fixed=True)
def waiting_time_ratios(fixed=False):
    """Mean and variance of waiting over service time; the control has sizes that are all the same."""
    cuts = (1e-2, 1e-4, 1e-6, 1e-8)

    def factor(cv2):
        """The mean ratio under FCFS, as many times that under PS, for each cut."""
        if fixed:
            return exact(np.full(4, 0.5), cut=cuts)
        p = (1 + math.sqrt((cv2 - 1) / (cv2 + 1))) / 2  # balanced means
        weights, rates = np.array([p, 1 - p]), 2 * np.array([p, 1 - p])
        return exact([(1 + cv2) / 2 * _inverse(rates, weights, 1, cut) for cut in cuts], cut=cuts)

    variations = np.random.default_rng(5111).uniform(1, 20, 20)
    means = cases("random law", [(cv2,) for cv2 in variations], seed=5111).measure(factor)
    variance = cases("cut", cuts).measure(_variances)
    bound = np.array(LOADS) / (1 - np.array(LOADS)) ** 2
    return conclude(
        everywhere("the mean ratio under FCFS, as many times that under PS, less 1", means - 1, larger()),
        everywhere("this factor, as the cut falls,", means.steps("cut"), rises()),
        everywhere("the variance under FCFS less that under PS", variance["FCFS"] - variance["PS"], larger()),
        everywhere("the variance under FCFS, as the cut falls,", variance["FCFS"].steps("cut"), rises()),
        everywhere("that under PS less its value at size 0", variance["PS"] - bound, at_most(0)),
        whole=True,
    )


@check("thesis-5-110", placed=False, moved=False)
def large_jobs(placed=True, moved=True):
    """A job that never ends, beside others; the control neither places nor moves."""
    names = {"placement": (placed, False), "migration": (False, moved), "both": (placed, moved)}

    def saved(P, load):
        """Of the time beside others if jobs are placed by chance and do not move."""
        most, found = lengths.most(load, P, 1e-9), {}
        for name, how in names.items():
            own, probability = lengths.law(load, P, most, 25, *how, tagged=True) if any(how) else (None, None)
            found[name] = 1 - (1 - load) / float(probability @ (1 / own[:, 0])) if any(how) else 0.0
        return found

    points = [(2, round(0.1 * k, 12)) for k in range(1, 10)] + [(3, round(0.1 * k, 12)) for k in range(1, 8)]
    found = cases("point", points, [f"{P} processors, load {load}" for P, load in points]).measure(saved)
    systems = [(P, load, *how) for P, load in ((2, 0.2), (2, 0.5), (3, 0.2)) for how in names.values() if any(how)]
    return conclude(
        *(
            at_each(f"what {name} saves of the time of a very large job", each, larger("clear"))
            for name, each in found.items()
        ),
        provided=[everywhere("without that job, the response time in the library and that by lengths, up to 12 jobs,",
                             cases("system", systems).measure(_apart), equal(1e-9))] if systems else [],
    )  # fmt: skip
