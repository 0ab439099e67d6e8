"""Claims of `thesis`, Section 5.6.1, Figures 5.5 to 5.8: two groups that are alike, on ten processors."""

import numpy as np

from clustershare import splitting
from compendium.press.findings import check, difference, erratum, finding, over_domain
from compendium.press.words import allows
from pages.share_scheduling.central import case_one, figures
from pages.share_scheduling.central.case_one import (
    DEVIATION,
    LOSS,
    SPREAD,
    VERTICAL,
    Measured,
    beyond,
    exact,
    longer,
    of_static,
    points,
    said,
    upper_ends,
)
from pages.share_scheduling.central.passed import passed
from pages.share_scheduling.central.simulated import joint
from pages.share_scheduling.central.systems import COMBINATIONS, LOADS, LOCAL, POLICIES
from pages.share_scheduling.central.two_processors_chain import LOADS as EXACT
from pages.share_scheduling.central.two_processors_chain import chain, shortest_queue_loss

TINY = 1e-9


@check("thesis-5-036", policies=("JSQ",), others=("HP",))
def own_processors_lose_more(policies=VERTICAL, others=SPREAD):
    """SVP and DVP less JSQ and HP, relative to the former; the control has JSQ, against HP."""
    found = {}
    for P in (2, 10):
        for local in LOCAL:
            for policy in policies:
                own = of_static(LOSS, "VPRS", 2) if P == 2 and policy in VERTICAL else points(LOSS, P)[policy, local]
                if P == 10 and policy in VERTICAL:  # what is lost at the lowest load takes longer to see
                    first = longer(LOSS, LOADS[0], P, VERTICAL)[policy, local]
                    own = Measured(*(np.append(one, other[1:]) for one, other in zip(first, own)))
                for other in others:
                    found[P, local, policy, other] = own - points(LOSS, P)[other, local], own.value
    wide = joint(len(found) * len(LOADS))
    least = {
        key: np.divide(gap.value - wide * gap.half, own, out=np.zeros(len(own)), where=own > 0)
        for key, (gap, own) in found.items()
    }
    holds = {P: np.array([[allows("clear", x) for x in ends] for key, ends in least.items() if key[0] == P])
             for P in (2, 10)}  # fmt: skip
    words = [f"P = {P}: by 0.1 or more in all pairs at the loads {said(LOADS, holds[P].all(axis=0))}" for P in holds]
    smallest = {P: min(ends[4:].min() for key, ends in least.items() if key[0] == P) for P in holds}
    words += [f"least from {LOADS[4]:g} on: {smallest[2]:.2f} and {smallest[10]:.2f}"]
    return over_domain("; ".join(words), [*holds[2].ravel(), *holds[10].ravel()])


def pairs_of(control):
    """Pairs of combinations that are said not to differ, by kind."""
    if control:
        return {"SVP/JSQ": [(("SVP", local), ("JSQ", local)) for local in LOCAL]}
    return {
        "PS/GPPS": [((policy, "PS"), (policy, "GPPS")) for policy in POLICIES],
        "JSQ/HP": [(("JSQ", local), ("HP", local)) for local in LOCAL],
        "SVP/DVP": [(("SVP", local), ("DVP", local)) for local in LOCAL],
    }


@check("thesis-5-037", control=True)
def no_differences_of_loss(control=False):
    """All pairs at all loads; the control compares SVP and JSQ."""
    kinds, ten = pairs_of(control), points(LOSS, 10)
    wide = joint(sum(map(len, kinds.values())) * len(LOADS))
    words, holds = [], []
    for name, pairs in kinds.items():
        gaps = [ten[one] - ten[other] for one, other in pairs]
        level = np.array([np.maximum(ten[one].value, ten[other].value) for one, other in pairs])
        values = np.array([gap.value for gap in gaps])
        within = np.array([np.abs(gap.value) <= wide * gap.half + TINY for gap in gaps])
        part = np.abs(values / np.maximum(level, TINY))[level > 1e-3].max()
        words.append(
            f"{name} at most {np.abs(values).max():.4f} apart ({part:.3f} of it where it is above 0.001), beyond the "
            f"intervals at {(~within).sum()} of {within.size} points"
        )
        holds += within.ravel().tolist()
    mean = np.mean([(ten["HP", local] - ten["JSQ", local]).value[12:] for local in LOCAL]) if not control else 0
    last = f"; HP loses {mean:.4f} more than JSQ on average from {LOADS[12]:g} on" if not control else ""
    return over_domain("; ".join(words) + last, holds)


@check("thesis-5-038", policies=("VPRS",))
def small_deviation(policies=VERTICAL):
    """The largest upper end; the control is VPRS."""
    if policies == VERTICAL:
        found = [points(DEVIATION, 10)[policy, local] for policy in policies for local in LOCAL]
    else:
        found = [of_static(DEVIATION, "VPRS", 10)]
    values, ends = np.array([one.value for one in found]), np.array(upper_ends(found))
    where = LOADS[int(values.max(axis=0).argmax())]
    exactly, five = "", 0.0
    if policies == VERTICAL:  # what JSQ loses on five processors (thesis-5-023), around the peak
        five = max(shortest_queue_loss(load, 5) for load in LOADS if 0.6 < load < 0.9)
        exactly = f"; exactly {five:.4f} at the peak, by the chain of five lengths"
    return finding(f"at most {values.max():.4f}, at the load {where:g}; largest upper end {ends.max():.4f}{exactly}",
                   max(ends.max(), five) < 0.05)  # fmt: skip


@check("thesis-5-140", one_group=True)
def neither_too_low_nor_too_high(one_group=False):
    """The ends of each curve against half of its peak; in the control one group brings all, under SVP on two."""
    curves = {}
    for P in (2, 10):
        curves |= {(P, "loss", *key): found for key, found in points(LOSS, P).items()}
    curves |= {(10, "deviation", *key): points(DEVIATION, 10)[key] for key in COMBINATIONS if key[0] in VERTICAL}
    if one_group:  # one processor with all jobs, and one with none
        lost = [splitting.vertical((0.5, 0.5), (0, load), 2).capacity_loss for load in LOADS]
        curves = {(2, "loss", "SVP", "PS"): exact(lost)}
    wide, words, holds = joint(2 * len(curves)), {}, []
    for (P, name, *_), found in curves.items():
        top = int(found.value.argmax())
        for end in (0, -1):
            width = np.hypot(found.half[top] / 2, found.half[end])
            holds.append(found.value[top] / 2 - found.value[end] - wide * width >= 0)
            part = found.value[end] / found.value[top]
            words[P, name, end] = max(part, words.get((P, name, end), 0))
    told = ", ".join(f"{name} at {LOADS[end]:g} (P = {P}) {part:.2f}" for (P, name, end), part in words.items())
    return over_domain(f"largest part of the peak: {told}", holds)


@check("thesis-5-143", shares=(0.6, 0.4))
def both_deviate_alike(shares=(0.5, 0.5)):
    """The groups' deviations, by chains and in all rows of case 1; the control has other shares, and SVP and DVP."""
    alike = shares == (0.5, 0.5)
    exactly = max(
        difference(*chain(policy, local, load, shares).deviations)
        for policy in (POLICIES if alike else VERTICAL) for local in LOCAL for load in (EXACT if alike else EXACT[:1])
    )  # fmt: skip
    if not alike:
        return finding(f"up to {exactly:.2f} apart in the chains", exactly <= TINY)
    gaps, halves = [], []
    for P, migration in ((2, False), (10, False), (None, False), (10, True), (None, True)):
        rows = case_one.rows(P, migration)
        rows = rows[rows["quantity"] == DEVIATION]
        # Both are of the same runs, and may hang together in any way: the half widths are added.
        gaps.append(np.diff(rows["estimate"].to_numpy().reshape(-1, 2)).ravel())
        halves.append(rows["half_width"].to_numpy().reshape(-1, 2).sum(axis=1))
    gaps, halves = np.concatenate(gaps), np.concatenate(halves)
    outside = int((np.abs(gaps) > joint(len(gaps)) * halves + TINY).sum())
    told = "equal within 1e-9" if exactly <= TINY else f"up to {exactly:.2g} apart"
    return finding(
        f"chains: {told}; {len(gaps)} rows: at most {np.abs(gaps).max():.3f} apart, outside their intervals {outside}",
        exactly <= TINY and outside == 0,
    )


@check("thesis-5-149", name="\\Delta^T")
def a_symbol_without_its_letter(name="\\Delta"):
    """Whether there is a measure of the printed name; the control has the name that the figure's caption has."""
    symbols = {symbol for label in figures.QUANTITIES.values() for symbol in label.split("$")[1::2]}
    lost = figures.QUANTITIES[LOSS]
    return erratum(
        f"a measure of the printed name: {'yes' if name in symbols else 'none'}; of the capacity loss: "
        f"{lost.split('$')[1].lstrip(chr(92))}",
        name in symbols, "\\Delta^T" in lost,
    )  # fmt: skip


@check("thesis-5-150", static=("SVP",), dynamic=("DVP",))
def chance_deviates_much_more(static=("HPRS", "VPRS"), dynamic=POLICIES):
    """HPRS and VPRS against the worst dynamic combination; the control has SVP against DVP."""
    ten, words, holds, larger = points(DEVIATION, 10), [], [], []
    keys = [key for key in COMBINATIONS if key[0] in dynamic]
    wide = joint(len(static) * len(keys) * len(LOADS))
    for policy in static:
        ours = ten[policy, "PS"] if policy in POLICIES else of_static(DEVIATION, policy, 10)
        gaps = [ours - ten[key] for key in keys]
        clear = np.all([gap.value > wide * gap.half for gap in gaps], axis=0)
        worst = np.max([ten[key].value for key in keys], axis=0)
        parts = 1 - worst / np.maximum(ours.value, TINY)
        much = np.array([allows("much", part) for part in parts])
        ratios = ours.value / np.maximum(worst, TINY)
        words.append(f"{policy}: {ratios[2:].min():.1f} to {ratios[2:].max():.0f} times the worst of them from "
                     f"{LOADS[2]:g} on; larger by half or more at {said(LOADS, much)}")  # fmt: skip
        holds += (much & clear).tolist()
        larger += clear.tolist()
    return over_domain("; ".join(words), [all(holds), any(larger)])


@check("thesis-5-151", processors=2)
def chance_loses_far_more(processors=10):
    """SVP and DVP against (4.81); the control has two processors."""
    base = of_static(LOSS, "HPRS", processors).value
    found = [points(LOSS, processors)[policy, local] for policy in VERTICAL for local in LOCAL]
    falls = 1 - np.array(upper_ends(found)) / base
    holds = np.vectorize(lambda fall: allows("much", fall))(falls)
    return over_domain(
        f"less by {falls.min() + 0.0:.2f} to {falls.max() + 0.0:.2f}; by half or more in all four at the loads "
        f"{said(LOADS, holds.all(axis=0))}",
        holds,
    )


@check("thesis-5-152", policies=("HPRS",))
def spread_jobs_deviate_less(policies=SPREAD):
    """SVP and DVP less JSQ and HP; the control has HPRS in place of these."""
    ten, gaps = points(DEVIATION, 10), []
    for local in LOCAL:
        for policy in policies:
            ours = of_static(DEVIATION, policy, 10) if policy not in POLICIES else ten[policy, local]
            gaps += [ten[other, local] - ours for other in VERTICAL]
    clear = np.array(beyond(gaps))
    values = np.array([gap.value for gap in gaps])
    enough = np.vectorize(lambda gap: allows("clear", gap))(values)
    return over_domain(
        f"smaller by {values.min():.3f} to {values.max():.3f}; beyond the intervals in all pairs at the loads "
        f"{said(LOADS, clear.all(axis=0))}; by 0.1 or more at {said(LOADS, enough.all(axis=0))}",
        [enough.all(), clear.any()],
    )


@check("thesis-5-153", processors=(5,))
def deviation_is_loss_in_a_subset(processors=(4, 10)):
    """States on paths: shares against what the own processors lose; the control has a shared processor."""
    worst, above, over = 0.0, 0.0, []
    for P in processors:
        for local in LOCAL:
            for policy in VERTICAL:
                jobs, obtained = passed(policy, local, P, events=3000)
                busy = (jobs > 0).sum(axis=1)  # processors that a group uses, shape (events, groups)
                lacking = np.minimum(jobs.sum(axis=1), P / 2) / P - obtained
                own = (np.minimum(jobs.sum(axis=1), P / 2) - busy) / P
                worst, above = max(worst, np.abs(lacking - own).max()), max(above, (obtained - 0.5).max())
            over += [(passed(policy, local, P, events=1000).obtained - 0.5).max() for policy in SPREAD]
    told = "equal within 1e-12 in every state" if worst <= 1e-12 else f"off by up to {worst:.2f}"
    return finding(
        f"deviation and loss within the subset {told}; under SVP and DVP a group obtains "
        f"{'never more than its share' if above <= 1e-12 else f'up to {above:.2f} more than its share'}, under JSQ and "
        f"HP up to {min(over):.2f} more or further",
        worst <= 1e-12 and above <= 1e-12 and min(over) > 1e-12,
    )
