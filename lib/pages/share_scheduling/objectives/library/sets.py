"""What can be delivered to groups, and partitions of these, against all sets and placements."""

import itertools

import numpy as np

from clustershare import (
    delivery,
    partitions,
)
from compendium.press.clauses import cases, equalities, fact
from pages.agreement import gap
from pages.share_scheduling.objectives.library.shared import ROUNDING, differs, subsets


def on_delivery():
    """The best margins: with migration by sets of groups, without it also by all placements."""

    def margin(targets, jobs_or_places, size):
        """The least room of a set of groups, each with as much; `size` is what its jobs can have."""
        return min(
            (size([jobs_or_places[g] for g in some]) - sum(targets[g] for g in some)) / len(some)
            for some in subsets(range(len(targets)))
        )

    def one(targets, members, capacities, placement):
        total, P, groups = sum(capacities), len(capacities), range(len(targets))
        most = sum(capacities[: len(members)]) / total

        def placed(places):
            sets = [{p for p, m in zip(places, members) if m == g} for g in groups]
            return margin(targets, sets, lambda some: sum(capacities[p] for p in set().union(*some)) / total)

        def whole(places):
            return abs(sum(capacities[p] for p in set(places)) / total - most) < 1e-12

        every = list(itertools.product(range(P), repeat=len(members)))
        jobs = [members.count(g) for g in groups]
        free = margin(targets, jobs, lambda some: sum(capacities[: sum(some)]) / total)
        ways = [
            ({}, free),
            ({"lossless": True}, free),
            ({"migration": False}, max(map(placed, every))),
            ({"migration": False, "lossless": True}, max(placed(places) for places in every if whole(places))),
            ({"placement": placement}, placed(placement)),
            ({"placement": placement, "migration": False}, placed(placement)),
        ]
        if whole(placement):
            ways.append(({"placement": placement, "lossless": True}, placed(placement)))
        found = {"margins and sets of groups": 0.0, "weights and margins": 0.0, "feasibility and margins": 0.0}
        for named, best in ways:
            answer = delivery.deliver(targets, members, capacities, **named)
            weights = answer.weights
            obtained = [sum(weights[j] @ capacities for j, m in enumerate(members) if m == g) / total for g in groups]
            beyond = [weights.sum(axis=0).max() - 1, weights.sum(axis=1).max() - 1, -weights.min()]
            if "placement" in named:
                beyond.append(weights.sum() - sum(weights[j, p] for j, p in enumerate(placement)))
            elif "migration" in named:
                beyond.append((weights > 1e-6).sum(axis=1).max() - 1)
            if named.get("lossless"):
                beyond.append(most - sum(obtained))
            found["margins and sets of groups"] += gap(answer.margin, best)
            found["weights and margins"] += abs(min(np.subtract(obtained, targets)) - answer.margin)
            found["weights and margins"] += max(0.0, *beyond)
            found["feasibility and margins"] += differs(answer.feasible, best >= -1e-7)
        return found

    some = (
        ([0.375, 0.375, 0.25], [0, 1, 2], [2.0, 1.0, 1.0], [0, 0, 1]),
        ([0.4, 0.4, 0.2], [2, 0, 1], [2.0, 1.0, 1.0], [2, 1, 0]),
        ([0.2, 0.65], [1, 0, 1, 1], [3.0, 1.5, 0.5], [2, 0, 0, 1]),
        ([0.1, 0.2], [0, 1, 1], [1.0, 0.7], [1, 0, 0]),
        ([0.3, 0.5, 0.2], [1, 1, 0], [4.0, 2.0, 1.0, 1.0], [3, 1, 2]),
        ([0.7], [0, 0], [1.3, 0.6], [1, 1]),
        ([0.4, 0.1], [1], [2.0, 1.0], [1]),
    )
    yield from equalities(cases("system", some).measure(one), 1e-7)
    nobody = delivery.deliver([0.2, 0.3], [], [2, 1])
    right = nobody.margin == -0.3 and not nobody.feasible and nobody.weights.shape == (0, 2)
    right = right and delivery.deliver([0.0, 0.0], [], [1]).feasible
    yield fact("nobody has nothing", right, "nobody has something")


def on_partitions():
    """Groups and processors that can be split off, against all sets; what a group can claim on its own ones."""

    def one(required, capacities):
        total, groups, processors = sum(capacities), range(len(required)), range(len(capacities))
        alike = lambda some, own: abs(sum(required[g] for g in some) - sum(capacities[p] for p in own) / total) < 1e-9  # noqa: E731
        first = next(
            ((some, own) for some in subsets(groups) if len(some) < len(groups)
             for own in subsets(processors) if alike(some, own)), None,
        )  # fmt: skip
        owners = [
            owner for owner in itertools.product(groups, repeat=len(processors))
            if all(alike((g,), [p for p in processors if owner[p] == g]) for g in groups)
        ]  # fmt: skip
        whole = partitions.full_partition(required, capacities)
        if whole is not None:
            sets = [p for own in whole for p in own]
            whole = sorted(sets) == list(processors) and all(alike((g,), own) for g, own in zip(groups, whole))
        single = next((own for own in itertools.permutations(processors, len(required))
                       if all(alike((g,), (p,)) for g, p in zip(groups, own))), None)  # fmt: skip
        far = 0.0
        for own in subsets(processors):
            part, jobs = sum(capacities[p] for p in own) / total, [0, 1, 2, 5]
            for share in (part, 0.6 * part):
                found = partitions.partitioned_feasible_share(share, jobs, own, capacities)
                far += gap(found, [min(share, part * n / len(own)) for n in jobs])
        return {
            "sets that are split off and the first of all": differs(partitions.partition(required, capacities), first),
            "full partitions and all owners": differs(whole, True if owners else None),
            "processors one to one and all orders": differs(
                partitions.one_to_one_partition(required, capacities), single
            ),
            "shares on a group's own processors and counts": far,
        }

    rng = np.random.default_rng(6)
    some = [([0.5, 0.5], [2.0, 1.0, 1.0]), ([0.4, 0.6], [2.0, 1.0, 1.0]), ([0.25, 0.5, 0.25], [2.0, 1.0, 1.0])]
    some += [
        ([0.3, 0.2, 0.5], [5.0, 3.0, 2.0]),
        ([0.4, 0.3, 0.3], [3.0, 3.0, 2.0, 1.0, 1.0]),
        ([0.25, 0.75], [1.0] * 8),
    ]
    some += [([0.55, 0.45], [4.0, 3.0, 2.0, 1.0, 1.0]), ([0.34, 0.66], [1.0])]
    some += [
        ([0.35, 0.15, 0.5], [2.0, 1.0, 1.0]),
        ([0.1, 0.2, 0.3, 0.4], [1.0, 1.0]),
        ([0.2, 0.3, 0.1, 0.4], [3.0, 1.5, 1.5]),
    ]
    for _ in range(5):
        capacities = np.sort(rng.integers(1, 6, rng.integers(2, 6)))[::-1].astype(float)
        parts = np.bincount(rng.integers(3, size=len(capacities)), capacities, 3) + np.array(
            [0, 1e-3, 0]
        ) * rng.integers(2)
        parts = parts[parts > 0]
        if len(parts) > 1:
            some.append(((parts / parts.sum()).tolist(), capacities.tolist()))
    yield from equalities(cases("system", some, seed=6).measure(one), ROUNDING)
