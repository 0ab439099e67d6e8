"""Claims of `ctmc`, Section 5.2: what is said on Figures 7, 8, 9 and their job sizes."""

from dataclasses import replace

import numpy as np

from clustershare.cluster_chain import harmonic_sizes, normal_sizes, saturated_jobs, uniform_sizes
from compendium.press.clauses import aside, at_each, besides, conclude, everywhere, exact, grid
from compendium.press.clauses import measured as points
from compendium.press.clauses.conditions import at_least, at_most, larger, rises, smaller, within
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.cluster_chain.points import (
    AXIS,
    INSTANT,
    RESOLVED,
    SATURATING,
    changed,
    in_proportion,
    measured,
    over,
    relative,
    same,
    seen,
    settles,
    small_rates,
    steps_of,
    words_for,
)
from pages.cluster_chain.systems import NAMES, figure_7, moments
from pages.cluster_chain.witnesses.draws import drawn_sizes, mean_and_deviation, off_served

OF_ONE_MEAN = NAMES[:2]
PLACES = 15  # in the queue
FRACTIONS = (0.06, 0.12, 0.18, 0.24, 0.3)  # of what a saturated cluster accepts
NO_BIAS = {"harmonic": harmonic_sizes(16, 0.0)}  # uniform ones, in the place of harmonic ones
HARMONIC = {"uniform": harmonic_sizes(16)}
WHOLE = {"uniform": {16: 1.0}}
WIDE = {"harmonic": normal_sizes(16, 4.25)}


def system_7(name, rate, in_place=None):
    """The cluster of Figures 7, 8, 9, or one with another law in the place of the named one."""
    model = figure_7(name, rate)
    return replace(model, job_sizes=in_place[name]) if in_place and name in in_place else model


def of_laws(in_place=None, rates=AXIS, system=same):
    """The measures of Figures 7, 8 and 9."""
    return over(lambda law, rate: system(system_7(law, rate, in_place)), law=NAMES, λ=rates)


def at_small_rates(name, system, rates_of):
    """A measure at five arrival rates up to 0.3 of what the saturated cluster accepts, and these rates."""
    rates = [small_rates(rates_of(figure_7(law, 1))) for law in NAMES]
    values = [[measured(system(figure_7(law, rate)))[name] for rate in each] for law, each in zip(NAMES, rates)]
    return exact(values, law=NAMES, fraction=FRACTIONS), np.array(rates)


@check("ctmc-045", system=in_proportion)
def blocking_rises(system=same):
    """Blocking at small arrival rates, and its rise (`ctmc`, Figure 7)."""
    blocking = of_laws(system=system)
    what, steps = steps_of("blocking", "λ", blocking)
    lost = blocking["blocking"].value[:, :-1] > 1e-12
    return conclude(
        everywhere("the blocking up to 0.3 of what a saturated cluster accepts",
                   at_small_rates("blocking", system, system)[0], at_most("close")),
        everywhere(what, steps.where(lost, "hardly any job is lost"), rises()),
        everywhere(f"the blocking at λ = {AXIS[-1]}", blocking["blocking"].at(λ=AXIS[-1]), larger(SCALE["close"].most)),
        provided=seen(["7"], "blocking"),
    )  # fmt: skip


@check("ctmc-077", system=changed(service_rates=1.0))
def lightly_occupied(system=same):
    """The queue at small arrival rates (`ctmc`, Figure 7)."""
    what, part = "the mean queue, as a part of C,", 1 / PLACES
    return conclude(
        at_each(what, at_small_rates("mean_queue", system, same)[0].scaled(part), at_most("close")),
        besides(f"on the axis {what}", of_laws(system=system)["mean_queue"].scaled(part), at_most("close")),
        provided=seen(["7"], "mean_queue"),
    )


def harmonic_less(name, in_place, least=0.0):
    """A measure of harmonic sizes, less that of the lower of both others, where it is seen: a subject and points."""
    found = of_laws(in_place)[name]
    difference = relative(found.at(law="harmonic") - found.at(law=OF_ONE_MEAN).smallest("law"))
    kept = difference.where(found.value.max(axis=0) > least, "hardly any job is lost")
    return f"the {words_for(name)} of harmonic sizes, less that of the lower of the others,", kept


@check("ctmc-023", in_place=NO_BIAS)
def harmonic_blocks_much_less(in_place=None):
    """How much lower the blocking of harmonic sizes is than that of both others (`ctmc`, Figure 7)."""
    less = at_each(*harmonic_less("blocking", in_place, RESOLVED), smaller("much"))
    return conclude(less, provided=seen(["7"], "blocking"))


@check("ctmc-025", in_place=NO_BIAS)
def harmonic_waits_much_less(in_place=None):
    """How much shorter the delay of harmonic sizes is than that of both others (`ctmc`, Figure 8)."""
    less = at_each(*harmonic_less("mean_delay", in_place), smaller("much"))
    return conclude(less, provided=seen(["7"], "mean_delay"))


@check("ctmc-083", in_place=NO_BIAS)
def harmonic_is_best(in_place=None):
    """Blocking and delay of harmonic sizes against both others (`ctmc`, Figures 7, 8)."""
    return conclude(
        at_each(*harmonic_less("blocking", in_place, 1e-12), smaller()),
        at_each(*harmonic_less("mean_delay", in_place), smaller()),
        provided=seen(["7"], "blocking", "mean_delay"),
    )


@check("ctmc-078", in_place=WIDE)
def the_law_is_noticed(in_place=None):
    """The largest blocking of the three laws against the least (`ctmc`, Figure 7)."""
    blocking, large = of_laws(in_place)["blocking"], tuple(rate for rate in AXIS if rate >= 30)
    what, apart = "the largest blocking less the least", relative(blocking.largest("law") - blocking.smallest("law"))
    clear = at_least(SCALE["clear"].least)  # a number: that the largest is larger is no direction that was found
    of_one_mean = blocking.at(law="uniform") - blocking.at(law="bounded normal")
    return conclude(
        at_each(what, apart.at(λ=large), clear),
        besides(f"at smaller λ {what}", apart.at(λ=AXIS[: -len(large)]), clear),
        aside("uniform less bounded normal", relative(of_one_mean).at(λ=large)),
        provided=seen(["7"], "blocking"),
    )


def uniform_less(name, in_place):
    """A measure of uniform sizes, less that of bounded normal ones: a subject and points."""
    found = of_laws(in_place)[name]
    gap = found.at(law="uniform") - found.at(law="bounded normal")
    return f"the {words_for(name)} of uniform sizes, less that of bounded normal ones,", gap


@check("ctmc-024", in_place=HARMONIC)
def uniform_blocks_slightly_less(in_place=None):
    """Blocking of uniform sizes against that of bounded normal ones (`ctmc`, Figure 7)."""
    what, gap = uniform_less("blocking", in_place)
    lost = np.minimum(*(one.value for one in gap.terms[:2])) > RESOLVED
    less = relative(gap).where(lost, "hardly any job is lost")
    return conclude(
        at_each(what, less, smaller(), within("close")),
        *(besides(what, less, word) for word in (smaller(), within("close"), within("comparable"))),
        provided=seen(["7"], "blocking"),
    )


@check("ctmc-080", in_place=WHOLE)
def uniform_waits_slightly_less(in_place=None):
    """Delay and utilisation of uniform sizes against those of bounded normal ones (`ctmc`, Figures 8, 9)."""
    (delay, less), (use, gap) = (uniform_less(name, in_place) for name in ("mean_delay", "utilisation"))
    less = relative(less)
    return conclude(
        at_each(delay, less, smaller()),
        at_each(delay, less, smaller(), within("close")),
        at_each(delay, less, within("comparable")),
        at_each(use, relative(gap), within("comparable")),
        provided=seen(["7"], "mean_delay", "utilisation"),
    )


@check("ctmc-079", in_place=NO_BIAS)
def more_harmonic_jobs_run(in_place=None):
    """Jobs in service of the three laws, and of a cluster that is never short of them (`ctmc`, Figure 7)."""
    found = of_laws(in_place, (*AXIS, SATURATING))
    jobs = found["mean_jobs_in_service"]
    more = relative(jobs.at(law="harmonic") - jobs.at(law=OF_ONE_MEAN).largest("law"))
    models = {law: INSTANT(system_7(law, SATURATING, in_place)) for law in NAMES}
    limit = exact([saturated_jobs(16, dict(model.job_sizes)) for model in models.values()], law=NAMES)
    by_chain = exact([measured(model)["mean_jobs_in_service"] for model in models.values()], law=NAMES)
    what = "the mean number of jobs in service with harmonic sizes, less the larger of the others,"
    return conclude(
        at_each(what, more.where(found["blocking"].value.max(axis=0) > RESOLVED, "nobody is lost"), larger()),
        at_each(f"in a saturated cluster {what}", limit.at(law="harmonic") - limit.at(law=OF_ONE_MEAN).largest("law"),
                larger()),
        aside("that number in a saturated cluster", limit),
        provided=[everywhere("that number by the closed form, less that by the chain,", relative(limit - by_chain),
                             within(1e-3))],
    )  # fmt: skip


@check("ctmc-035", exponents=(0.0,))
def harmonic_jobs_are_small(exponents=()):
    """Mean sizes by the laws and of drawn jobs, for every largest size (`ctmc`, Figure 7)."""
    laws = {
        "uniform": uniform_sizes,
        "bounded normal": normal_sizes,
        "harmonic": lambda T: harmonic_sizes(T, *exponents),
    }

    def means(largest, law):
        sizes = laws[law](largest)
        mean, width, *_ = mean_and_deviation(sizes, drawn_sizes(sizes, seed=largest))
        return {
            "the mean size": moments(sizes)[0],
            "the mean size of drawn jobs": points(mean, width, risk=None),
        }

    found = grid(T=range(2, 17), law=laws).measure(means)
    return conclude(
        *(
            at_each(f"{what} of the harmonic law, less that of each other,",
                    each.at(law="harmonic").less(each.at(law=OF_ONE_MEAN), np.add), smaller())
            for what, each in found.items()
        ),
        together="T",
        provided=[everywhere("what the served sizes of a simulation are off the law, in standard errors,",
                             grid(law=laws).measure(lambda law: off_served(laws[law](16))), at_most(4))],
    )  # fmt: skip


@check("ctmc-053", system=changed(service_rates=100.0))
def delay_levels_off(system=same):
    """From where on the delay rises ever more slowly, and how full the queue is there (`ctmc`, Figure 8)."""
    found = of_laws(system=system)
    delay, queue = (found[name].at(law=OF_ONE_MEAN) for name in ("mean_delay", "mean_queue"))
    full = queue.scaled(1 / PLACES)
    steps = np.diff(delay.value)
    slower = (steps[:, 1:] > 0) & (steps[:, :-1] > 0) & (np.diff(steps) < 0)
    start = [next((k for k in range(len(AXIS) - 2) if line[k:].all()), -1) for line in slower]
    return conclude(
        at_each("the λ from which on the delay rises by less at each step",
                exact([AXIS[k] if k >= 0 else np.inf for k in start], law=OF_ONE_MEAN), at_most(AXIS[-3])),
        at_each("the largest mean queue, as a part of C,", full.largest("λ"), at_least(1 - SCALE["very close"].most)),
        aside("that part at this λ", exact([line[k] for line, k in zip(full.value, start)], law=OF_ONE_MEAN)),
        aside("that part at λ = 100", full.at(λ=100)),
        together="law",
        provided=seen(["7"], "mean_delay", "mean_queue"),
    )  # fmt: skip


@check("ctmc-027", system=changed(queue_capacity=0))
def linear_then_flat(system=same):
    """Utilisation against a line through 0, and against the limit (`ctmc`, Figure 9)."""
    use, rates = at_small_rates("utilisation", system, system)
    line = exact(use.value[:, -1:] * rates / rates[:, -1:], **dict(use.axes))
    flat = settles(of_laws(rates=(*AXIS, SATURATING), system=system)["utilisation"], "λ", "practically equal")
    return conclude(
        at_each("the utilisation, less that on a line through 0 and the last of five small λ,",
                relative(use - line).distance().largest("fraction"), at_most("very close")),
        at_each("the λ from which on the utilisation changes by 0.01 at most", flat, at_most(AXIS[-1])),
        aside("the last of the small λ", exact(rates[:, -1], law=NAMES)),
        provided=seen(["7"], "utilisation"),
    )  # fmt: skip
