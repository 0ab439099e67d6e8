"""Claim of `roundrobin`, abstract and Section IV: with a single computer the algorithm is like round robin."""

import functools
from dataclasses import replace

import numpy as np

from clustershare import interruptions
from compendium.press.clauses import at_each, conclude, everywhere, grid, measured
from compendium.press.clauses.conditions import agrees, never_rises, within
from compendium.press.findings import check
from pages.balanced_fairness.systems import ONE, paper_sizes
from pages.balanced_fairness.witnesses.paths import mean_of, path

JOBS = {1: 2000, 5: 1000, 50: 300}  # of a path, by the number of interruptions


@functools.cache
def stays(load, letter, m, kind):
    """Mean delays over the mean size on ten paths of one computer: of the algorithm, of round robin, or of FCFS."""
    size, found = paper_sizes()[letter], []
    theta = size.mean / m
    rule = {"algorithm": {"theta": theta}, "round robin": {"quantum": theta}, "first come": {}}[kind]
    for number in range(10):
        # The same jobs come, whatever the rule; a path ends with its last job.
        seen = path(ONE, [load / size.mean], size, 0, jobs=JOBS[m], until_empty=True, seed=15, number=number, **rule)
        found.append(seen.delays[0] / seen.departures[0] / size.mean)
    return np.array(found)


@functools.cache
def by_library(letter, m, rule):
    """Mean delay over the mean size at load 0.7 by the library's simulator."""
    size = paper_sizes()[letter]
    run = {"jumps": 40_000, "warmup": 4000, "seed": 15}
    found = interruptions.simulate(ONE, [0.7 / size.mean], size, m, rule, **run).mean_delay
    return measured(found.value[0] / size.mean, found.half_width[0] / size.mean, runs=10)


@check("roundrobin-015", kind="first come")
def like_round_robin(kind="algorithm"):
    """Delays of the algorithm and of round robin with fixed quanta on the same jobs, and in the library's simulator.

    In the control jobs are served first come, first served.
    """

    def relative(load, letter, m):
        """The difference over the same jobs, in parts of the larger: each point is judged by its own interval."""
        one, two = stays(load, letter, m, kind), stays(load, letter, m, "round robin")
        return measured(*mean_of((one - two) / max(one.mean(), two.mean())), runs=10, risk=None, as_it_stands=True)

    rules = {"timer": kind, "quantum": "round robin"}
    settings = grid(law="abc", m=JOBS, rule=rules)
    library = settings.measure(by_library)
    paths = settings.measure(lambda law, m, rule: measured(*mean_of(stays(0.7, law, m, rules[rule])), runs=10))
    steps = replace((library - 1 / (1 - 0.7)).distance(), risk=None).steps("m", np.add)
    apart = grid(load=(0.1, 0.3, 0.5, 0.7, 0.9), law="abc", m=JOBS).measure(relative)
    similar = within("comparable")
    return conclude(
        at_each("the difference of the delay to that of round robin", similar.told(apart), similar),
        everywhere("the delay in the library's simulator", library - paths, agrees("agrees with that on paths")),
        everywhere("its distance to the delay of processor sharing", steps, never_rises()),
    )
