"""One line for all, processors of one's own, and what each rule does in a state, as it is printed."""

import functools
import itertools
import math
from fractions import Fraction as F

import numpy as np

from clustershare import dispatch
from clustershare.arguments import UnstableError
from compendium.press.clauses import cases, everywhere, exact, fact
from compendium.press.clauses.conditions import equal
from pages.agreement import gap, refused
from pages.share_scheduling.central.library.shared import SAME, Model, models
from pages.share_scheduling.central.printed import closed_forms, matrices
from pages.share_scheduling.central.witnesses import compiled, reached
from pages.share_scheduling.central.witnesses.states import every_state


def on_one_line():
    """M/M/P and the groups in it, by (5.2)-(5.8) term by term."""
    rng = np.random.default_rng(51)

    def law(load, P):
        number = int(rng.integers(0, 2 * P + 3))
        long = closed_forms.birth_and_death(load, P)
        return {
            "number": gap(dispatch.numbers_in_one_line(load, P, number), long[: number + 1]),
            "queue": dispatch.queueing_probability(load, P) - long[P:].sum(),
        }

    def groups(P, shares, loads):
        found, load = dispatch.shortest_queue_with_migration(shares, loads, P), sum(loads)
        long = closed_forms.birth_and_death(load, P)
        feasible = [
            closed_forms.first_form(closed_forms.Group(share, own, load, P)) if own else 0.0
            for share, own in zip(shares, loads)
        ]
        jobs = np.array(loads) / load * (long @ np.arange(len(long)))
        with np.errstate(invalid="ignore"):
            times = jobs / np.array(loads)
        return max(
            gap(found.group_share_deviation, (np.array(feasible) - loads) / shares), abs(found.capacity_loss),
            gap(found.obtained_share, loads), gap(found.mean_jobs, jobs), gap(found.mean_response_time, times),
        )  # fmt: skip

    laws = cases("load", [(float(rng.uniform(0.05, 0.9)), P) for P in (1, 2, 3, 8, 17)], seed=51).measure(law)
    systems = [
        (1, (0.7, 0.3), (0.2, 0.5)), (2, (0.35, 0.65), (0.55, 0.2)), (3, (0.2, 0.5, 0.3), (0.5, 0.0, 0.35)),
        (8, (0.125, 0.65, 0.225), (0.3, 0.1, 0.2)), (13, (0.6, 0.4), (0.0, 0.7)),
    ]  # fmt: skip
    own = [(0.29, 100), (0.3, 1), (1.0, 7), (0.74, 4), (1 / 3, 6)]

    return (
        everywhere("the numbers in one line and those of a chain", laws["number"], equal(SAME)),
        everywhere("the probability of queueing and that by a chain", laws["queue"], equal(SAME)),
        everywhere("the law without jobs and a line that is empty",
                   exact([gap(dispatch.numbers_in_one_line(0.0, 3, 4), [1, 0, 0, 0, 0]),
                          dispatch.queueing_probability(0.0, 3)], line=None), equal(0)),
        everywhere("JSQ with migration and (5.4)-(5.8)", cases("system", systems).measure(groups), equal(SAME)),
        everywhere("whole processors and those counted",
                   exact([dispatch.own_processors(*each) - math.floor(F(each[0]).limit_denominator(1000) * each[1])
                          for each in own], system=None), equal(0)),
        fact("no line has a law at load 1", refused(UnstableError, dispatch.queueing_probability, 1.0, 3)
             and refused(UnstableError, dispatch.shortest_queue_with_migration, (0.5, 0.5), (0.5, 0.5), 2), "one has"),
    )  # fmt: skip


def on_partitions():
    """Step 1 against all partitions of the groups, step 2 against its words."""

    def off(*sizes):
        sets, P = dispatch.combinations(sizes), int(sum(sizes))
        X = np.full((len(sizes), P), F(0))
        for g, p, part in matrices.pieces(sizes, sets):
            X[g, p] = part
        given = [size / P for size in sizes]
        whole = all(sum(sizes[g] for g in one).denominator == 1 for one in sets)
        whole &= sorted(itertools.chain(*sets)) == list(range(len(sizes)))
        return {
            "sets": float(len(sets) != len(matrices.most_sets(sizes)) or not whole),
            "matrix": float((dispatch.partition(given, P) != X).any()
                            or (dispatch.partition([float(share) for share in given], P) != X).any()),
        }  # fmt: skip

    found = [matrices.EXAMPLE, *matrices.systems(12, 53)]
    found = cases("system", found, seed=53).measure(off)
    return (
        everywhere("the number of combinations and the most there can be,", found["sets"], equal(0)),
        everywhere("the matrix and that of the words", found["matrix"], equal(0)),
    )


def on_decisions():
    """What each rule does in all small states, on paths of four processors and three groups, and with many jobs."""
    rng, locals_ = np.random.default_rng(55), itertools.cycle(("GPPS", "PS"))
    events = []
    for k, model in enumerate(models()):
        shares = ((F(3, 8), F(1, 8), F(1, 2)), (F(1, 4), F(5, 12), F(1, 3)))[k % 2]
        model = model._replace(shares=shares, processors=4, local=next(locals_))
        loads = [1.1 * float(share) for share in shares[::-1]]
        steps = reached.path(model.rules, loads, 50, k)
        events += [(model, step.before, step.group, step.processor) for step in steps][10:]
        # SVP's guests are what a path made of them, and plain sums of thirds miss their bounds by a last digit.
        if model.policy != "SVP" and model.reading != "plain sums":
            # Most of these states are such as no path leads to, without balance; one group has two processors.
            small = model._replace(shares=(F(2, 3), F(1, 3)), processors=3)
            events += [(small, jobs, g, q) for jobs in every_state(3, 2, 5) for g in range(2)
                       for q in (None, 0, 1, 2) if q is None or jobs[q][g]]  # fmt: skip
        if model.policy != "SVP":
            for base in (0, 14, 62, 341):
                jobs = tuple(map(tuple, (rng.integers(0, 3, (4, 3)) + base + (base > 0)).tolist()))
                q = int(rng.integers(4))
                g = int(rng.integers(3))
                events += [(model, jobs, g, None), *([(model, jobs, g, q)] if jobs[q][g] else [])]

    least = Model("DVP", None, (F(1, 10**10), 1 - F(1, 10**10)), 3)  # a group with too much on its only processor
    bound = Model("DVP", None, (F(1, 2), F(1, 2)), 3)  # a group that has its share and a processor more, no less
    one = Model("SVP", None, (F(3, 8), F(1, 8), F(1, 2)), 4, True)  # guests on processors with unlike parts of a group
    two = Model("SVP", None, (F(1, 3), F(1, 6), F(1, 4), F(1, 4)), 4, True)  # guests who may come to unlike parts
    events += [
        (least, ((1, 0), (0, 1), (0, 0)), 0, None),
        (bound, ((0, 1), (0, 2), (2, 2)), 1, None),
        (one, ((0, 0, 1),) * 4, 0, None),
        (two, ((0, 1, 0, 0), (1, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0)), 1, 3),
    ]
    # The library lets a job stay where "every departure" may take it from the processor itself; the print says nothing.
    events = [
        (model, jobs, g, q) for model, jobs, g, q in events
        if model.reading != "every departure" or q is None or sum(jobs[q]) < 3
    ]  # fmt: skip

    @functools.cache
    def asked(model):
        return compiled.Compiled(
            model.policy, [float(share) for share in model.shares], model.processors, model.migration, model.local,
            model.reading,
        )  # fmt: skip

    def off(model, jobs, g, q):
        return float(asked(model).outcomes(jobs, g, q) != model.after(jobs, g, q))

    return (everywhere("what the library's rules do and what the printed ones do,",
                       cases("event", events, seed=55).measure(off), equal(0)),)  # fmt: skip
