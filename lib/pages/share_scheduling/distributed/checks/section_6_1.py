"""Claims of `thesis`, Section 6.1: few decisions, few probes, and how far one network carries."""

import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np

from clustershare.dispatch import numbers_in_one_line
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, grid, somewhere
from compendium.press.clauses.conditions import agrees, at_least, at_most, equal, larger, not_larger
from compendium.press.findings import check
from pages.share_scheduling.central.witnesses.paths import passed
from pages.share_scheduling.distributed.points.growing import (
    ALLOWED,
    LIMITS,
    LOAD,
    excess_of_segments,
    first_above,
    loaded,
    many,
    probing,
)
from pages.share_scheduling.distributed.points.limits import five, from_which_on
from pages.share_scheduling.distributed.points.network_times import by_migration_time
from pages.share_scheduling.distributed.points.stored import (
    REQUESTS,
    SIZE,
    UTILISATION,
    WORDS,
    as_it_stands,
    largest_of,
)
from pages.share_scheduling.distributed.printed.rules import whole_parts
from pages.share_scheduling.distributed.systems import MANY_PROCESSORS
from pages.share_scheduling.distributed.witnesses.alone import by_chance
from pages.share_scheduling.distributed.witnesses.followed import library
from pages.share_scheduling.distributed.witnesses.parts import Setting

GUESTS, EVENTS = 100_000, 5_000
LARGE, SEGMENTS = (200, 500, 1000), (10, 20)


@check("thesis-6-102", limits=(3, 9))
def thirty_percent_against_none(limits=(0, 3)):
    """Three probed against none, as the measures stand; the control has nine against three."""
    (none, some), clauses = limits, []
    for quantity, word in WORDS.items():
        found = five(quantity)
        first = found.at(limit=none, **({"policy": "JSQ"} if none == 0 else {}))  # JSQ that asks nobody is Isolation
        gain = as_it_stands(first - found.at(limit=some))
        before, after = (found.at(limit=limit) for limit in limits)
        relative = exact(1 - after.value / before.value, **dict(before.axes))
        every = as_it_stands(first - found)
        clauses += [
            at_each(f"what {word} falls by", gain, larger("clear")),
            aside(f"the fall of {word} relative to the policy's own with {none} asked", relative),
            aside(f"the limit from which on {word} falls by 0.1", from_which_on(every, larger("clear"))),
        ]
    return conclude(*clauses)


@check("thesis-6-103", of_limits=(2, 3), reference=0)
def marginal_beyond(of_limits=(4, 5, 6, 7, 8, 9), reference=3):
    """What four to nine probed gain over three; the control has two and three over none."""
    gains = {
        word: as_it_stands(five(quantity).at(limit=reference) - five(quantity).at(limit=of_limits))
        for quantity, word in WORDS.items()
    }
    return conclude(
        *(at_each(f"what {word} falls by", gain, at_most("close")) for word, gain in gains.items()),
        *(aside(f"the largest fall of {word}", gain.largest("policy").largest("case")) for word, gain in gains.items()),
        provided=[
            *(everywhere(f"what more probes add to {word}", -gain, not_larger()) for word, gain in gains.items()),
            *(
                everywhere(f"{word} with nobody asked, less that of Isolation,",
                           five(quantity).at(policy=("JSQ", "HP", "DVP"), limit=0) - by_chance(quantity), agrees())
                for quantity, word in WORDS.items()
            ),
        ],
    )  # fmt: skip


@check("thesis-6-005", slow=True)
def well_below_five_percent(slow=False):
    """The utilisation in all cases; in the control migrations take ten times as long."""
    found = by_migration_time(UTILISATION, (0.1,)) if slow else five(UTILISATION)
    alone = replace(found, risk=None)  # with its own half width
    return conclude(
        at_each("the utilisation of the network", alone, at_most(0.045)),
        aside("the largest utilisation", found.largest("policy").largest(found.axes[-1][0])),
        largest_of("the largest of all", found),
        aside("points at which it is at most half of 5 %", exact(np.sum(found.high() <= 0.025))),
    )


def _guests(setting, events, seed=127):
    """On a path of the library: the most guests, and after what part of the events one is idle while another has two.

    Guests are jobs on a processor that is no part of their group's.
    """
    cluster = library(setting, np.random.default_rng([seed, setting.limit]))
    away = np.transpose(whole_parts(setting.shares, setting.processors)) == 0
    most, idle = 0, 0
    for _ in range(events):
        cluster.run(1)
        totals, rows = cluster.system.count[:, 0], cluster.system.count[:, 1:]
        most, idle = max(most, (rows * away).sum(axis=1).max()), idle + (totals.min() == 0 and totals.max() > 1)
    return most, idle / events


def _guests_of_chapter_5(P, shares, loads):
    """The most guests on a processor on a path of the central policy."""
    path = passed("SVP", "GPPS", P, tuple(map(float, shares)), loads, EVENTS, migration=True)
    return (path.jobs * (np.transpose(whole_parts(shares, P)) == 0)).sum(axis=2).max()


def _of_guests():
    """The systems of thesis-6-127: shares and loads of two groups, equal and not, and of three."""
    halves, quarters = (Fraction(1, 2),) * 2, (Fraction(3, 4), Fraction(1, 4))
    three = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
    return ((halves, (0.4, 0.4)), (quarters, (0.4, 0.4)), (three, (0.3, 0.3, 0.2)))


@check("thesis-6-127", complete=True)
def new_states(complete=False):
    """Guests on paths of SVP; in the control all are asked over a network that takes no time."""
    fast, found = {"probe_time": 1e-12, "migration_time": 1e-12}, {}
    for P, limit, (k, (shares, loads)) in itertools.product((4, 10), (1, 2, 3), enumerate(_of_guests())):
        setting = Setting("SVP", shares, loads, P, P - 1 if complete else limit, **(fast if complete else {}))
        found[P, limit, k] = _guests(setting, -(-GUESTS // 18))
    most, idle = (np.array([each[k] for each in found.values()]).reshape(2, 3, 3) for k in (0, 1))
    axes = {"number of processors": (4, 10), "limit": (1, 2, 3)}
    alike = [(P, shares, loads) for P in (4, 10) for shares, loads in _of_guests()]
    whole = [_guests(Setting("SVP", shares, loads, P, P - 1, **fast), EVENTS)[0] for P, shares, loads in alike]
    return conclude(
        somewhere("the most guests on a processor", exact(most.max(axis=2), **axes), at_least(2)),
        everywhere("that with all asked and no delays", exact(whole, system=None), at_most(1)),
        everywhere("that under the central policy", cases("system", alike).measure(_guests_of_chapter_5), at_most(1)),
        aside("the part of the events with one idle while another has two jobs", exact(idle, **axes, system=None)),
        *(aside(f"the most guests on one of {P} processors", exact(row.max(axis=1), limit=(1, 2, 3)))
          for P, row in zip((4, 10), most)),
        whole=True,
    )  # fmt: skip


@check("thesis-6-104", probes_alone=True)
def one_network_or_segments(probes_alone=False):
    """The network's utilisation with a quarter asked; in the control probes alone, with three asked."""
    found, other = loaded(many(UTILISATION, "P/4")), loaded(many(UTILISATION, "P/4 down"))
    if probes_alone:
        alone = [probing(P, 3) for P in MANY_PROCESSORS]
        found = exact(np.zeros(found.value.shape), **dict(found.axes)) - -exact(alone, **{SIZE: MANY_PROCESSORS})
    return conclude(
        at_each("the utilisation of one network", found.at(**{SIZE: LARGE}), larger(ALLOWED)),
        *(aside(f"the utilisation of the network of {P} processors", found.at(**{SIZE: P})) for P in LARGE),
        aside("what it changes by if a quarter is rounded down", (other - found).distance()),
        aside("the number of processors from which on requests and replies alone are above it",
              exact(first_above(LIMITS["P/4"]))),
        *(aside(f"{word} of segments of {P}, less that of one network of 500,",
                as_it_stands(excess_of_segments(quantity)).at(**{SIZE: P}))
          for quantity, word in WORDS.items() for P in SEGMENTS),
        provided=[everywhere("the utilisation of segments' networks", found.at(**{SIZE: SEGMENTS}), at_most(ALLOWED))],
    )  # fmt: skip


@check("thesis-6-101", services=(1, 2, 5, 10))
def decisions_a_second(services=(60, 100, 180, 600, 1800, 3600, 10800, 36000)):
    """An arrival and a departure are a decision each; the control has jobs of seconds."""
    P, loads = 1000, (*(k / 10 for k in range(1, 10)), 0.99)

    def busy(load):
        law = numbers_in_one_line(load, P, P + int(np.log(1e-13) / np.log(load)) + 1)
        return law @ np.minimum(np.arange(len(law)), P) / (P * load) - 1

    rates = grid(load=loads, service_time=services).measure(lambda load, seconds: 2 * P * load / seconds)
    asked = many("traffic", "30", REQUESTS).at(**{SIZE: P})
    return conclude(
        at_each("the decisions a second", rates, at_least(10)),
        provided=[
            everywhere("the decisions a second", rates, at_most(100)),
            everywhere(
                "the busy processors of M/M/P and its load, relative to it,",
                cases("load", loads).measure(busy),
                equal(1e-9),
            ),
            everywhere("the decisions in a mean service for which others are asked on demand, less 2 P rho,",
                       asked - 2 * P * LOAD, agrees()),
        ],
    )  # fmt: skip
