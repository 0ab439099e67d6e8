"""Claims of `thesis`, Section 5.6.2: how a load must be split over groups so that vertical partitioning loses most."""

import numpy as np

from clustershare.dispatch import partition, simulate_central
from clustershare.splitting import vertical
from compendium.press.findings import check, erratum, finding, over_domain
from pages.share_scheduling.central.splits import LOADS, losses, splits, subsets_of
from pages.share_scheduling.central.systems import several_groups

SYSTEMS = (*subsets_of(2), *subsets_of(3))


def _all_in(groups, which):
    """Where in `splits` one group has all of the load."""
    return int(np.flatnonzero(splits(groups)[:, which] == 1)[0])


@check("thesis-5-166", last=False)
def all_in_the_smallest(last=True):
    """The loss with all load in the last group, against all other splits; the control puts it in the first."""
    holds, excess, where = [], 0.0, []
    for subsets in SYSTEMS:
        if not last and len(set(subsets)) == 1:
            continue
        found = losses(subsets)[1:8:2]  # loads 0.2, 0.4, 0.6, 0.8
        over = found.max(axis=1) - found[:, _all_in(len(subsets), -1 if last else 0)]
        holds += [*(over <= 1e-7)]
        excess = max(excess, over.max())
        where += [load >= subsets[-1] / sum(subsets) for load in LOADS[1:8:2]]
    holds, where = np.array(holds), np.array(where)
    return over_domain(
        f"largest loss there in {holds[~where].sum()} of {(~where).sum()} cases with a load below r_G, in "
        f"{holds[where].sum()} of {where.sum()} above; "
        f"{'no split loses more' if excess <= 1e-7 else f'others lose up to {excess:.2f} more'}",
        holds,
    )


@check("thesis-5-050", group=0)
def largest_loss(group=-1):
    """Runs that overload the last group, and the largest loss of all splits; the control loads the first group."""
    off, systems = 0.0, 0
    for P in range(2, 7):
        for G in (2, 3):
            for sizes in subsets_of(G, P - 1):
                if sum(sizes) != P:
                    continue
                shares, loads = [size / P for size in sizes], [0.0] * G
                loads[group] = (shares[-1] + 1) / 2
                for policy in ("SVP", "DVP"):
                    found = simulate_central(
                        **several_groups(policy, "PS", False, shares, loads, P), jumps=100_000, warmup=10_000,
                        replications=1, seed=50,
                    )  # fmt: skip
                    off = max(off, abs(found.capacity_loss.value - (1 - shares[-1])))
                    systems += 1
    over = max(losses(subsets).max() - (1 - subsets[-1] / sum(subsets)) for subsets in SYSTEMS)
    return finding(
        f"{systems} runs {'within 0.01 of 1 - r_G' if off <= 0.01 else f'up to {off:.2f} off'}; "
        f"{'no split at any load loses more' if over <= 1e-9 else f'up to {over:.2f} more by exact chains'}",
        off <= 0.01 and over <= 1e-9,
    )


@check("thesis-5-085", below=True)
def when_queues_grow(below=False):
    """Drift of the number in the last group's subset, against both conditions; the control has low loads only.

    The library tells growth as well, where each of the subset's processors gets an equal part of the stream: there the
    mean number is that of M/M/1, once for each, or infinite.
    """
    rng, wrong = np.random.default_rng(85), {"printed": 0, "corrected": 0}
    unlike = 0
    for number in range(200):
        P = int(rng.integers(2, 13))
        cuts = np.sort(rng.choice(np.arange(1, P), int(rng.integers(1, P)), replace=False))
        sizes = sorted(np.diff([0, *cuts, P]).tolist(), reverse=True)
        shares = [size / P for size in sizes]
        last = shares[-1]
        load = last + (1 - last) * rng.random() if number % 2 and not below else last * rng.random()
        own = (partition(shares, P)[-1] > 0).sum()
        grows = load - own / P >= 0
        found = vertical([last, 1 - last], [load, 0.0], P).mean_jobs[0]
        each = load * P / own  # of one processor
        unlike += not np.isclose(found, np.inf if grows else own * each / (1 - each), rtol=1e-9, atol=0)
        wrong["printed"] += (load >= 1 / last) != grows
        wrong["corrected"] += (load >= last) != grows
    said = ", ".join(f"{name} {count}" for name, count in wrong.items())
    return erratum(
        f"growth told wrongly, of 200 systems: {said}; otherwise than by M/M/1 on each "
        f"processor of the group: {unlike}",
        not wrong["printed"],
        not wrong["corrected"] and not unlike,
    )
