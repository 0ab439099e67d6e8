"""Claims of `thesis`, Section 4.3.3: means of groups, and the letter of the capacity loss."""

import functools
import importlib
import math
import re

import numpy as np
from scipy import stats

from clustershare.splitting import horizontal, minimise_capacity_loss
from compendium import places
from compendium.press.clauses import at_each, cases, conclude, everywhere, fact, measured, mended
from compendium.press.clauses.conditions import agrees, larger
from compendium.press.findings import check
from pages.share_scheduling.splitting.systems.assignments import (
    best_found,
    equal,
    fully_partitionable,
    not_partitionable,
)
from pages.share_scheduling.splitting.witnesses import chance

EXACT = 1e-12


def mixes_apart(result):
    """How far the traffic mixes at the processors in use are apart: the part of group 1."""
    totals = result.processor_loads.sum(axis=0)
    return np.ptp(result.processor_loads[0, totals > 1e-9] / totals[totals > 1e-9])


@check("thesis-4-151", objective="capacity loss")
def best_mix(objective="deviation"):
    """Of 50 systems that VPRS fits and 20 that it does not; HPRS loses least capacity on equal processors."""

    def apart(required, loads, processors):
        if objective == "deviation":
            return mixes_apart(best_found(required, loads, processors))
        same = horizontal(required, loads, equal(processors))
        least = minimise_capacity_loss(equal(processors), sum(loads)).objective
        return mixes_apart(same) if abs(same.capacity_loss - least) <= EXACT else 1.0

    systems = [*fully_partitionable(50, 150), *not_partitionable(20, 151)]
    found = cases("random system", systems).measure(apart)
    return conclude(at_each("the distance of the parts that group 1 has at two processors", found, larger(0.01)))


def ratio(sums, counts):
    """The mean of all jobs from batches along the first axis, and its standard error."""
    mean = sums.sum(axis=0) / counts.sum(axis=0)
    spread = (sums - mean * counts).std(axis=0, ddof=1) / counts.mean(axis=0)
    return mean, spread / math.sqrt(len(sums))


@functools.cache
def sampled():
    """Of 50 systems, response times summed by batch, group and processor, the routing, and the least spread of one."""
    found, spread = [], np.inf
    for child in np.random.SeedSequence(29).spawn(50):
        rng = np.random.default_rng(child)
        groups, processors = rng.integers(2, 4), rng.integers(2, 5)
        sent, mix = rng.dirichlet(np.full(processors, 3.0), groups), rng.dirichlet(np.full(groups, 3.0))
        times = rng.uniform(0.3, 3, (groups, 1)) / rng.dirichlet(np.full(processors, 3.0))
        rate = rng.uniform(0.3, 0.7) / (mix @ (sent * times)).max()
        group, place, response = chance.responses(rng, 40_000, rate, mix, sent, times)
        cell = (np.arange(len(response)) // 1000 * groups + group) * processors + place
        shape = (40, groups, processors)
        counts, sums = (np.bincount(cell, of, math.prod(shape)).reshape(shape) for of in (None, response))
        found.append((counts, sums, sent))
        spread = min(spread, response.std())
    return found, spread


@check("thesis-4-029", equal=True)
def mean_of_means(equal=False):
    """The mean of a group's jobs against the means by processor of other jobs, weighted; a response time is no mean."""
    systems, spread = sampled()
    gaps, errors = [], []
    for counts, sums, sent in systems:
        weights = np.full_like(sent, 1 / sent.shape[1]) if equal else sent
        whole, error = ratio(sums[20:].sum(axis=2), counts[20:].sum(axis=2))
        means, own = ratio(sums[:20], counts[:20])
        gaps += [*((weights * means).sum(axis=1) - whole)]
        errors += [*np.hypot(error, np.linalg.norm(weights * own, axis=1))]
    half = stats.t.ppf(0.975, 19) * np.array(errors)
    return mended(
        fact("as printed, response times do not vary", spread == 0, "response times vary, and are no means"),
        everywhere("the difference of the mean of a group and the weighted means by processor",
                   measured(gaps, half, group_of_a_random_system=None, runs=20), agrees()),
    )  # fmt: skip


@check("thesis-4-030", letter="T")
def letter_of_the_loss(letter="F"):
    """Deviations and losses of the table of notation: is there one of that letter, and which is the capacity loss?"""
    rows = (places.ROOT / "chapters/ledger/notation.md").read_text(encoding="utf-8").splitlines()
    named = {(found, row) for row in rows for found in re.findall(r"\\Delta(?:_g)?\^([A-Z])", row)}
    public = importlib.import_module("clustershare.splitting")
    loss = any(found == "T" and "`capacity_loss`" in row for found, row in named) and callable(public.capacity_loss)
    return mended(
        fact(f"there is a Delta^{letter}", letter in {found for found, _ in named}, f"there is no Delta^{letter}"),
        fact("the capacity loss is Delta^T", loss, "the capacity loss is not Delta^T"),
    )
