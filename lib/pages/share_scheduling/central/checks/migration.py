"""Claims of `thesis`, Section 5.7: what migration gains, and how that changes with the number of processors."""

from fractions import Fraction as F

import numpy as np

from clustershare.dispatch import simulate_central
from compendium.press import words
from compendium.press.findings import Finding, check, finding, over_domain
from pages.share_scheduling.central import simulated
from pages.share_scheduling.central import with_migration as figures
from pages.share_scheduling.central.printed_rules import Rules
from pages.share_scheduling.central.reached import capacity_loss, reached
from pages.share_scheduling.central.systems import COMBINATIONS, LOCAL, POLICIES, PROCESSORS

EXACT = 1e-12
FEW = (*range(3, 11), 15, 20)
"""Numbers of processors of Figure 5.11 up to 20."""
CUT = 26
"""Jobs of two processors: at load 0.5, where all wait in one line, there are more for less than 1e-8 of the time."""


@check("thesis-5-066", migration=False)
def no_loss(migration=True):
    """The loss in every state of the chain of two processors, and along the library's paths and the stored runs."""
    states, worst = 0, 0.0
    for policy in POLICIES:
        found = reached(Rules(policy, (F(1, 2), F(1, 2)), 2, migration), CUT if migration else 6, like=True)
        states, worst = states + len(found), max(worst, max(map(capacity_loss, found)))
    along = max(
        simulate_central(
            policy, local=local, migration=migration, required_shares=(0.5, 0.3, 0.2), loads=(0.2, 0.3, 0.3),
            processors=P, jumps=10_000, warmup=0, replications=1, seed=66,
        ).capacity_loss.value
        for P in range(2, 8) for policy, local in COMBINATIONS
    )  # fmt: skip
    stored = max(
        np.abs(each.mean).max()
        for axis in figures.AXES
        for each in figures.points(axis, migration, "capacity_loss").values()
    )
    return finding(
        f"{states} states, their loss {_zero(worst)}; three groups on 2 to 7 processors {_zero(along)}; stored runs "
        f"{_zero(stored)}",
        max(worst, along, stored) <= EXACT,
    )


def _zero(loss):
    return "none" if loss <= EXACT else f"up to {loss:.2f}"


@check("thesis-5-069", chance=True)
def alike_on_many_processors(chance=False):
    """How far apart the policies are, and what one processor more does to SVP and DVP; the control has HPRS for JSQ."""
    found = dict(figures.points("processors"))
    if chance:
        found["JSQ", "PS"] = found["JSQ", "GPPS"] = figures.by_chance("processors")
    odd = range(1, len(PROCESSORS) - 1, 2)
    series = {}
    for local in LOCAL:
        means = np.array([found[policy, local].mean for policy in POLICIES])
        widths = np.array([found[policy, local].width for policy in POLICIES])
        ends, number = (means.argmax(axis=0), means.argmin(axis=0)), np.arange(len(PROCESSORS))
        series[f"spread with {local}"] = figures.Points(
            np.ptp(means, axis=0), np.hypot(widths[ends[0], number], widths[ends[1], number])
        )
        for policy in ("SVP", "DVP"):
            mean, width = found[policy, local]
            series[f"{policy}/{local}"] = figures.Points(
                np.array([abs((mean[k - 1] + mean[k + 1]) / 2 - mean[k]) for k in odd]),
                np.array([np.sqrt((width[k - 1] ** 2 + width[k + 1] ** 2) / 4 + width[k] ** 2) for k in odd]),
            )
    steps = {name: _steps(each, 2 if "spread" in name else 1) for name, each in series.items()}
    joint = simulated.joint(sum(len(later.mean) for _, later in steps.values()))
    falls = {name: ~former.below(later, joint) for name, (former, later) in steps.items()}
    ends = {name: _halved(each.mean, (1, 2) if "spread" in name else (0,)) for name, each in series.items()}
    said = "; ".join(
        f"{name} {each.mean[1 if 'spread' in name else 0]:.3f} to {each.mean[-2 if 'spread' in name else -1]:.3f}"
        f"{'' if falls[name].all() else f', rises at {(~falls[name]).sum()} of {len(falls[name])} steps'}"
        for name, each in series.items()
    )
    ordered = all(ends.values())
    verdict = over_domain("", [ordered, all(fall.all() for fall in falls.values())]).verdict if ordered else "differs"
    return Finding(f"P = 3 to 19, differences of Delta^G: {said}", verdict)


def _steps(each, apart):
    return each.part(slice(None, -apart)), each.part(slice(apart, None))


def _halved(mean, first):
    """Whether the last values are less than half of those at some places from the start: P = 3 and 4, or P = 3."""
    return all(mean[k - len(first) - first[0]] < mean[k] / 2 for k in first)


@check("thesis-5-144", migration=False)
def substantially(migration=True):
    """Delta^G without migration less that with it, at every point; the control has migration in neither."""
    gains = {axis: figures.gains(axis, migration) for axis in figures.AXES}
    joint = simulated.joint(sum(len(each.mean) for found in gains.values() for each in found.values()))
    much, lower, said = [], [], []
    for axis, name in figures.CASES.items():
        mean = np.concatenate([gains[axis][key].mean for key in COMBINATIONS])
        beyond = mean > joint * np.concatenate([gains[axis][key].width for key in COMBINATIONS]) + EXACT
        above = mean < -joint * np.concatenate([gains[axis][key].width for key in COMBINATIONS]) - EXACT
        clear = mean >= words.SCALE["clear"].least
        said.append(f"{name}: {clear.sum()}, {beyond.sum()} and {above.sum()} of {len(mean)}")
        much.append(clear)
        lower.append(beyond)
    largest = {key: max(found[key].mean.max() for found in gains.values()) for key in COMBINATIONS}
    few = ", ".join("/".join(key) for key, gain in largest.items() if gain < words.SCALE["clear"].least)
    much, lower = np.concatenate(much), np.concatenate(lower)
    return Finding(
        f"points at which Delta^G is lower by 0.1, lower at all, and higher: {'; '.join(said)}; never by 0.1: "
        f"{few or 'none'}",
        "agrees" if much.all() else "agrees in part" if lower.any() else "differs",
    )


@check("thesis-5-186", load=0.5)
def less_on_more_processors(load=0.8):
    """The gain from migration against the number of processors; the control is JSQ/PS at another load."""
    numbers = PROCESSORS if load == 0.8 else FEW
    gains = figures.gains("processors") if load == 0.8 else {("JSQ", "PS"): figures.shortest_gains(FEW, load)}
    few = gains["JSQ", "PS"].part([numbers.index(10), numbers.index(20)])
    line = figures.Points(*map(np.concatenate, zip(few, figures.shortest_gains((50, 100), load))))
    pairs = [(k, numbers.index(P + 2)) for k, P in enumerate(numbers) if P + 2 in numbers]
    former, later = (list(each) for each in zip(*pairs))
    joint = simulated.joint(len(gains) * len(pairs) + len(line.mean) - 1)
    holds, falling, said = [], [], []
    for key, gain in gains.items():
        falls = ~gain.part(former).below(gain.part(later), joint)
        right = falls.all() and (gain.mean[-2:] < gain.mean.max() / 2).all()
        if key == ("JSQ", "PS"):
            right &= not line.part(slice(None, -1)).below(line.part(slice(1, None)), joint).any()
            right &= line.mean[-1] < line.mean.max() / 2
        holds.append(right)
        falling.append(falls)
        said.append(f"{'/'.join(key)} {gain.mean.max():.3f} at {numbers[gain.mean.argmax()]}, {gain.mean[-1]:.3f}")
    rises = [numbers[k] for k, fall in zip(former, np.all(falling, axis=0)) if not fall]
    return over_domain(
        f"largest gain, and that at P = 20: {'; '.join(said)}; "
        f"{'still rising from P = ' + ', '.join(map(str, rises)) if rises else 'rising nowhere'}; JSQ/PS at P = 50 and "
        f"100 {line.mean[-2] + 0.0:.3f}, {line.mean[-1]:.3f}",
        holds,
    )
