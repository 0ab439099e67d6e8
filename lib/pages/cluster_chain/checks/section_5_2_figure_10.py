"""Claims of `ctmc`, Section 5.2: what is said on Figure 10."""

import numpy as np

from clustershare.cluster_chain import harmonic_sizes, normal_sizes
from compendium.press.clauses import aside, at_each, besides, conclude, everywhere, grid
from compendium.press.clauses.conditions import at_most, equal, falls, larger, rises
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.cluster_chain.points import SPREAD_AXIS, changed, over, relative, same, seen, steps_of, time_wasted
from pages.cluster_chain.systems import figure_3, figure_10, moments
from pages.cluster_chain.witnesses import words
from pages.cluster_chain.witnesses.draws import drawn_sizes, off_served


@check("ctmc-030", law=harmonic_sizes)
def most_are_like_the_mean(law=None):
    """The part of the sizes near their mean, by the law and drawn (`ctmc`, Figure 10)."""

    def of_spread(sigma):
        return law(15) if law else normal_sizes(15, sigma)

    def near(sigma):
        sizes = of_spread(sigma)
        mean, chances = moments(sizes)[0], np.array(list(sizes.values()))
        close = np.array([abs(size - mean) <= SCALE["comparable"].most * max(size, mean) for size in sizes])
        return {"of all sizes": chances @ close - 0.5, "of drawn sizes": drawn_sizes(sizes) @ close / 1e6 - 0.5}

    small = tuple(sigma for sigma in SPREAD_AXIS if sigma < 1.6)
    found = grid(σ=(*small, 1.6, *SPREAD_AXIS[len(small) :])).measure(near)
    what = "the part {} within 0.2 of the mean, less a half,"
    return conclude(
        *(at_each(what.format(which), part.at(σ=(*small, 1.6)), larger()) for which, part in found.items()),
        besides(f"on the axis {what.format('of all sizes')}", found["of all sizes"], larger()),
        together="σ",
        provided=[
            everywhere("what the served sizes of a simulation are off the law, in standard errors,",
                       grid(σ=(0.5, 1, 1.6)).measure(lambda sigma: off_served(of_spread(sigma))), at_most(4)),
        ],
    )  # fmt: skip


def along_spread(name, system):
    """The steps of a measure along Figure 10: a subject and points."""
    return steps_of(name, "σ", over(figure_10, system, σ=SPREAD_AXIS))


@check("ctmc-055", system=changed(servers=16))
def spread_sizes_wait_less(system=same):
    """Delay against the spread (`ctmc`, Figure 10)."""
    return conclude(at_each(*along_spread("mean_delay", system), falls()), provided=seen(["10"], "mean_delay"))


@check("ctmc-056", system=changed(servers=16))
def spread_sizes_run_together(system=same):
    """Utilisation and jobs in service against the spread (`ctmc`, Figure 10)."""
    return conclude(
        *(at_each(*along_spread(name, system), rises()) for name in ("utilisation", "mean_jobs_in_service")),
        provided=seen(["10"], "utilisation", "mean_jobs_in_service"),
    )


def off_in_words(servers, rate):
    """How far `time_wasted` is from the same in the system in words, relative to that."""
    cluster, few = figure_3(servers, rate), servers - 1
    told = words.mean(cluster, lambda idle, tracked: (tracked > idle) & (idle > 0) & (idle < few))
    return time_wasted(cluster, few) / told - 1


@check("ctmc-081", system=changed(servers=16))
def idle_servers_of_no_use(system=same):
    """The time that idle servers, fewer than 8, are of no use, by the spread (`ctmc`, Figure 10), and in words."""
    in_words = grid(N=(3, 4), λ=(1, 20, 1000)).measure(off_in_words)
    part = grid(σ=SPREAD_AXIS).measure(lambda sigma: time_wasted(system(figure_10(sigma)), 8))
    small = tuple(sigma for sigma in SPREAD_AXIS if sigma <= 1.6)
    what, steps = "the part of the time that idle servers are of no use", relative(part.steps("σ"))
    return conclude(
        at_each(f"up to σ = 1.6 {what}, less a half,", part.at(σ=small).less(0.5, np.add), larger()),
        at_each(f"{what}, from one σ to the next,", steps, falls()),
        aside(f"{what}, at σ = 100", part.at(σ=SPREAD_AXIS[-1])),
        provided=[
            everywhere(f"at the smallest σ {what}, less a half,", part.at(σ=small[:1]).less(0.5, np.add), larger()),
            everywhere("that part by the library and by the system in words", in_words, equal(1e-9)),
        ],
    )
