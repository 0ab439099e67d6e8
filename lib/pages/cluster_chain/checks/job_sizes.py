"""Claims of `ctmc`, Section 5.2: what is said on Figures 7, 8, 9, 10 and their job sizes."""

from dataclasses import replace

import numpy as np

from clustershare.cluster_chain import harmonic_sizes, normal_sizes, saturated_jobs, uniform_sizes
from compendium.press.findings import check, over_domain
from compendium.press.words import SCALE
from pages.cluster_chain.domains import (
    AXIS,
    RESOLVED,
    SATURATING,
    SPREAD_AXIS,
    apart,
    in_proportion,
    instant_tracker,
    listed_where,
    measured,
    one_server_more,
    quick_servers,
    resolved,
    rises,
    same,
    small_rates,
    surface,
    time_wasted,
    told_steps,
    without_queue,
)
from pages.cluster_chain.draws import drawn_sizes, mean_and_deviation
from pages.cluster_chain.systems import figure_7, figure_10

NAMES = ("uniform", "bounded normal", "harmonic")
NO_BIAS = {"harmonic": harmonic_sizes(16, 0.0)}  # uniform ones, in the place of harmonic ones
HARMONIC = {"uniform": harmonic_sizes(16)}
WHOLE = {"uniform": {16: 1.0}}
WIDE = {"harmonic": normal_sizes(16, 4.25)}


def system_7(name, rate, in_place=None):
    """The cluster of Figures 7, 8, 9, or one with another law in the place of the named one."""
    model = figure_7(name, rate)
    return replace(model, job_sizes=in_place[name]) if in_place and name in in_place else model


def curves(quantity, in_place=None, rates=AXIS, system=same):
    """A quantity of the three laws, shape (laws, rates)."""
    return surface(lambda name, rate: system(system_7(name, rate, in_place)), NAMES, rates, quantity)


@check("ctmc-045", system=in_proportion)
def blocking_rises(system=same):
    """Blocking at small arrival rates, and its rise (`ctmc`, Figure 7)."""
    small = [
        max(measured(system(figure_7(name, rate)))["blocking"] for rate in small_rates(system(figure_7(name, 1))))
        for name in NAMES
    ]
    blocking = curves("blocking", system=system)
    steps = rises(blocking, 1)[(blocking > 1e-12)[:, :-1]]
    return over_domain(
        f"at most {max(small):.1e} up to 0.3 of what a saturated cluster accepts; relative steps {told_steps(steps)}",
        [max(small) <= SCALE["close"].most, (steps > RESOLVED).all()],
    )


@check("ctmc-077", service_rate=1.0)
def lightly_occupied(service_rate=10.0):
    """The queue at small arrival rates (`ctmc`, Figure 7)."""
    full, until = [], []
    for name in NAMES:
        rates = (*small_rates(figure_7(name, 1)), *AXIS)
        part = [
            measured(replace(figure_7(name, rate), service_rates=service_rate))["mean_queue"] / 15 for rate in rates
        ]
        full.extend(part[:5])
        until.append(max((rate for rate, value in zip(AXIS, part[5:], strict=True) if value <= 0.05), default=0))
    told = ", ".join(f"{rate} ({name})" for name, rate in zip(NAMES, until, strict=True))
    return over_domain(
        f"E[q] at most {max(full):.4f} of C; at most 0.05 of it up to {told} per second",
        np.array(full) <= SCALE["close"].most,
    )


@check("ctmc-023", in_place=NO_BIAS)
def harmonic_blocks_much_less(in_place=None):
    """How much lower the blocking of harmonic sizes is than that of both others (`ctmc`, Figure 7)."""
    uniform, normal, harmonic = curves("blocking", in_place)
    seen = np.maximum(uniform, normal) > RESOLVED
    less = 1 - (harmonic / np.minimum(uniform, normal))[seen]
    rates = np.array(AXIS)[seen]
    much = less >= SCALE["much"].least
    return over_domain(
        f"lower by {less.min():.3f} to {less.max():.3f}; by half or more at {listed_where(much, rates)} of "
        f"{rates[0]} to {rates[-1]} per second",
        much,
    )


@check("ctmc-025", in_place=NO_BIAS)
def harmonic_waits_much_less(in_place=None):
    """How much shorter the delay of harmonic sizes is than that of both others (`ctmc`, Figure 8)."""
    uniform, normal, harmonic = curves("mean_delay", in_place)
    less = 1 - harmonic / np.minimum(uniform, normal)
    return over_domain(
        f"shorter by {less.min():.3f} (at {AXIS[less.argmin()]} per second) to {less.max():.3f}",
        less >= SCALE["much"].least,
    )


@check("ctmc-083", in_place=NO_BIAS)
def harmonic_is_best(in_place=None):
    """Blocking and delay of harmonic sizes against both others (`ctmc`, Figures 7, 8)."""
    less = []
    for quantity in ("blocking", "mean_delay"):
        uniform, normal, harmonic = curves(quantity, in_place)
        others = np.minimum(uniform, normal)
        less.append((1 - harmonic / others)[others > 1e-12])
    told = "B lower by {:.3f} to {:.3f}, E[D] by {:.3f} to {:.3f}"
    limits = [limit for values in less for limit in (values.min(), values.max())]
    return over_domain(told.format(*limits), np.concatenate(less) > RESOLVED)


@check("ctmc-078", in_place=WIDE)
def the_law_is_noticed(in_place=None):
    """The largest blocking of the three laws against the least (`ctmc`, Figure 7)."""
    blocking = curves("blocking", in_place)
    part = 1 - blocking.min(axis=0) / blocking.max(axis=0)
    large = np.array(AXIS) >= 30
    similar = apart(*blocking[:2])[large]
    return over_domain(
        f"{part[large].min():.3f} to {part[large].max():.3f} of the largest from 30 per second on, and "
        f"{part[~large].min():.3f} or more before; uniform and normal {similar.min():.3f} to {similar.max():.3f} apart",
        part[large] >= SCALE["clear"].least,
    )


@check("ctmc-024", in_place=HARMONIC)
def uniform_blocks_slightly_less(in_place=None):
    """Blocking of uniform sizes against that of bounded normal ones (`ctmc`, Figure 7)."""
    uniform, normal, _ = curves("blocking", in_place)
    seen = np.minimum(uniform, normal) > RESOLVED
    less, rates = (1 - uniform / normal)[seen], np.array(AXIS)[seen]
    lower, slightly, similar = less > RESOLVED, less <= SCALE["close"].most, less <= SCALE["comparable"].most
    return over_domain(
        f"lower at {listed_where(lower, rates)}, by {less.min():.3f} to {less.max():.3f}; similar (0.2) at "
        f"{listed_where(similar, rates)} per second, slightly (0.05) at {listed_where(slightly, rates)}",
        lower & slightly & similar,
    )


@check("ctmc-080", in_place=WHOLE)
def uniform_waits_slightly_less(in_place=None):
    """Delay and utilisation of uniform sizes against those of bounded normal ones (`ctmc`, Figures 8, 9)."""
    uniform, normal, _ = curves("mean_delay", in_place)
    less, gap = 1 - uniform / normal, apart(uniform, normal)
    use = apart(*curves("utilisation", in_place)[:2])
    lower, slightly = less > RESOLVED, (less > RESOLVED) & (gap <= SCALE["close"].most)
    delay, busy = gap <= SCALE["comparable"].most, use <= SCALE["comparable"].most
    return over_domain(
        f"the delay is shorter at {listed_where(lower, AXIS)}, by {less.min():.3f} to {less.max():.3f}: slightly "
        f"(0.05) at {listed_where(slightly, AXIS)}, similar (0.2) at {listed_where(delay, AXIS)} per second; "
        f"utilisation {use.max():.3f} apart at most, similar at {listed_where(busy, AXIS)}",
        [lower, slightly, delay, busy],
    )


@check("ctmc-079", in_place=NO_BIAS)
def more_harmonic_jobs_run(in_place=None):
    """Jobs in service of the three laws, and of a cluster that is never short of them (`ctmc`, Figure 7)."""
    rates = (*AXIS, SATURATING)
    uniform, normal, harmonic = curves("mean_jobs_in_service", in_place, rates)
    steps = harmonic / np.maximum(uniform, normal) - 1
    seen = curves("blocking", in_place, rates).max(axis=0) > RESOLVED
    limit = []
    for name in NAMES:
        model = instant_tracker(system_7(name, SATURATING, in_place))
        limit.append((measured(model)["mean_jobs_in_service"], saturated_jobs(16, dict(model.job_sizes))))
    off = max(apart(*pair) for pair in limit)
    larger = steps[seen] > RESOLVED
    text = ", ".join(f"{closed:.4f} ({name})" for name, (_, closed) in zip(NAMES, limit, strict=True))
    return over_domain(
        f"more by up to {steps.max():.3f}, at {listed_where(larger, np.array(rates)[seen])} per second (before, nobody "
        f"is lost); saturated {text}, by the chain within {'1e-3' if off < 1e-3 else f'{off:.1g}'}",
        [*larger, off < 1e-3 and limit[2][1] > max(limit[0][1], limit[1][1])],
    )


@check("ctmc-035", exponent=0.0)
def harmonic_jobs_are_small(exponent=1.5):
    """Mean sizes by the laws and of drawn jobs, for every largest size (`ctmc`, Figure 7)."""
    gaps, drawn = [], []
    for largest in range(2, 17):
        laws = (harmonic_sizes(largest, exponent), uniform_sizes(largest), normal_sizes(largest))
        means = [sum(size * chance for size, chance in law.items()) for law in laws]
        found = [mean_and_deviation(law, drawn_sizes(law, seed=largest)) for law in laws]
        gaps.append(min(means[1:]) - means[0])
        drawn.append(all(found[0][0] + found[0][1] < mean - width for mean, width, *_ in found[1:]))
    return over_domain(
        f"smaller by {min(gaps):.3f} (T = 2) to {max(gaps):.3f} servers (T = 16); drawn ones, too, by more than the "
        f"intervals, at {listed_where(drawn, range(2, 17))} of T",
        np.array(drawn) & (np.array(gaps) > RESOLVED),
    )


@check("ctmc-073", law=normal_sizes)
def small_jobs_are_likelier(law=harmonic_sizes):
    """Probabilities and frequencies of neighbouring sizes, for every largest size (`ctmc`, Section 5.1)."""
    holds, seen = [], 0
    for largest in range(2, 17):
        sizes = law(largest)
        steps = -np.diff(list(sizes.values()))
        often = drawn_sizes(sizes, seed=largest) / 1e6
        drops, widths = -np.diff(often), 1.96 * ((often[1:] + often[:-1]) / 1e6) ** 0.5
        holds.extend((steps > 0) & ((drops > widths) | (steps <= 2 * widths)))
        seen += int((steps > 2 * widths).sum())
    return over_domain(f"falls at {sum(holds)} of {len(holds)} steps; {seen} of them seen in 10^6 jobs", holds)


@check("ctmc-053", system=quick_servers(10))
def delay_levels_off(system=same):
    """From where on the delay rises ever more slowly, and how full the queue is there (`ctmc`, Figure 8)."""
    delay, queue = curves("mean_delay", system=system)[:2], curves("mean_queue", system=system)[:2] / 15
    holds, told = [], []
    for name, curve, full in zip(NAMES, delay, queue, strict=False):
        steps = np.diff(curve)
        start = next(
            (k for k in range(len(steps) - 1) if (steps[k:] > 0).all() and (np.diff(steps[k:]) < 0).all()), None
        )
        filled = full.max() >= 1 - SCALE["very close"].most
        holds.append(start is not None and filled)
        where = "nowhere" if start is None else f"from {AXIS[start]} per second on (queue {full[start]:.3f} of C)"
        told.append(f"{name} {where}, at last {full[-1]:.3f} of C")
    return over_domain("more slowly at each step: " + "; ".join(told), holds)


@check("ctmc-027", system=without_queue)
def linear_then_flat(system=same):
    """Utilisation against a line through 0, and against the limit (`ctmc`, Figure 9)."""
    holds, told = [], []
    use = curves("utilisation", rates=(*AXIS, SATURATING), system=system)
    for name, line in zip(NAMES, use, strict=True):
        rates = np.array(small_rates(system(figure_7(name, 1))))
        values = np.array([measured(system(figure_7(name, rate)))["utilisation"] for rate in rates])
        bent = np.abs(values / (values[-1] * rates / rates[-1]) - 1).max()
        flat = next((rate for k, rate in enumerate(AXIS) if apart(line[k:], line[k]).max() <= 0.01), None)
        holds.extend([bent <= SCALE["very close"].most, flat is not None])
        told.append(f"{name} off the line by {bent:.1g} up to {rates[-1]:.2f} per second, flat from {flat} on")
    return over_domain("; ".join(told), holds)


@check("ctmc-030", law=harmonic_sizes)
def most_are_like_the_mean(law=None):
    """The part of the sizes near their mean, by the law and drawn (`ctmc`, Figure 10)."""
    spreads = [*(sigma for sigma in SPREAD_AXIS if sigma < 1.6), 1.6]

    def near(sizes):
        mean = sum(size * chance for size, chance in sizes.items())
        close = np.array([apart(size, mean) <= SCALE["comparable"].most for size in sizes])
        return float(np.array(list(sizes.values())) @ close), float(drawn_sizes(sizes) @ close / 1e6)

    parts = np.array([near(law(15) if law else normal_sizes(15, sigma)) for sigma in spreads])
    wide = [sigma for sigma in SPREAD_AXIS if near(law(15) if law else normal_sizes(15, sigma))[0] > 0.5]
    return over_domain(
        f"{parts.min():.3f} of the jobs or more; more than half up to sigma {max(wide, default=0):.3g}",
        (parts > 0.5).all(axis=1),
    )


@check("ctmc-041", sizes=(7, 9))
def deviation_grows_with_sigma(sizes=None):
    """The standard deviation of the sizes along the axis, of the law and of drawn sizes (`ctmc`, Figure 10)."""
    exact, off, short = [], [], []
    for sigma in SPREAD_AXIS:
        law = normal_sizes(15, sigma)
        if sizes:
            law = {size: law[size] / sum(law[other] for other in sizes) for size in sizes}
        mean = sum(size * chance for size, chance in law.items())
        exact.append(sum((size - mean) ** 2 * chance for size, chance in law.items()) ** 0.5)
        *_, deviation, width = mean_and_deviation(law, drawn_sizes(law))
        off.append(abs(deviation - exact[-1]) / max(width, 1e-4))
        short.append(1 - exact[-1] / sigma)
    return over_domain(
        f"from {exact[0]:.2g} to {exact[-1]:.4f}; short of sigma by up to {max(short):.3f} of it; at most "
        f"{np.sqrt((15**2 - 1) / 12):.4f} (all sizes alike); drawn sizes within {max(off):.1f} half widths",
        np.append(np.diff(exact) > 0, max(off) < 2),
    )


def along_spread(quantity, system):
    """The relative steps of a quantity along Figure 10."""
    return rises([measured(system(figure_10(sigma)))[quantity] for sigma in SPREAD_AXIS])


@check("ctmc-055", system=one_server_more)
def spread_sizes_wait_less(system=same):
    """Delay against the spread (`ctmc`, Figure 10)."""
    steps = along_spread("mean_delay", system)
    return over_domain(f"relative steps {told_steps(steps)}", steps[resolved(steps)] < 0)


@check("ctmc-056", system=one_server_more)
def spread_sizes_run_together(system=same):
    """Utilisation and jobs in service against the spread (`ctmc`, Figure 10)."""
    use, jobs = (along_spread(quantity, system) for quantity in ("utilisation", "mean_jobs_in_service"))
    return over_domain(
        f"relative steps of E[U] {told_steps(use)}, of E[J] {told_steps(jobs)}",
        np.append(use[resolved(use)] > 0, jobs[resolved(jobs)] > 0),
    )


@check("ctmc-081", system=one_server_more)
def idle_servers_of_no_use(system=same):
    """The part of the time that fewer idle servers than 8 wait in vain, against the spread (`ctmc`, Figure 10)."""
    part = np.array([time_wasted(system(figure_10(sigma)), 8) for sigma in SPREAD_AXIS])
    steps, small = rises(part), np.array(SPREAD_AXIS) <= 1.6
    up = [f"{sigma:.3g}" for sigma, step in zip(SPREAD_AXIS[1:], steps, strict=True) if step > RESOLVED]
    return over_domain(
        f"{part[small].min():.3f} to {part[small].max():.3f} of the time up to sigma 1.6, {part[-1]:.3f} at 100; rises "
        f"in the steps to {', '.join(up) or 'none'} (by {max(steps.max(), 0):.2g} at most)",
        [(part[small] > 0.5).all(), not up],
    )
