"""Stored points of Figures 5.5 to 5.19 with their intervals, and exact answers at the same places."""

import functools
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from clustershare import dispatch, splitting
from compendium.press.clauses import everywhere, measured
from compendium.press.clauses.conditions import agrees
from compendium.press.clauses.sentences import shown
from pages.share_scheduling.central.points import simulated
from pages.share_scheduling.central.systems import FRACTIONS, LOADS, LOCAL, POLICIES, PROCESSORS, SHARES, two_groups

DEVIATION, LOSS = "group_share_deviation", "capacity_loss"
CHAINS_TO = 0.9  # the load up to which the chain of GPPS on one processor answers at once
NOUNS = {
    "load": "load", "processors": "number of processors", "fraction": "fraction", "share": "share", "groups": "system",
}  # fmt: skip
BUSY = 0.4  # below this load hardly anybody waits on ten processors, and nothing is to be told apart
HIGH, LOW = (tuple(load for load in LOADS if (load >= BUSY) == busy) for busy in (True, False))
VERTICAL, SPREAD = ("SVP", "DVP"), ("JSQ", "HP")
ALONG = "case 1 against P"


class Case(NamedTuple):
    """A parameter of `systems.two_groups`, its values, and what else is fixed."""

    axis: str
    values: tuple
    fixed: dict

    def systems(self, **chosen):
        """The arguments of the simulator at each point; the loads, shares and processors matter to static policies."""
        point = {"policy": "JSQ", "local": "PS", "migration": False, **self.fixed, **chosen}
        return [two_groups(**point, **{self.axis: value}) for value in self.values]

    @property
    def whole(self):
        """Whether every group requires whole processors, shape (points,)."""
        sizes = [np.multiply(system["required_shares"], system["processors"]) for system in self.systems()]
        return np.array([np.abs(size - size.round()).max() < 1e-9 for size in sizes])

    def some(self, whole):
        """The values at which every group requires whole processors, or at which one does not."""
        return tuple(value for value, is_whole in zip(self.values, self.whole) if is_whole == whole)


CASES = {
    "two processors": Case("load", LOADS, {"processors": 2}),
    "case 1": Case("load", LOADS, {"processors": 10}),
    "case 1 against P": Case("processors", PROCESSORS, {}),
    "case 2": Case("fraction", FRACTIONS, {}),
    "case 3": Case("share", SHARES, {}),
}
TEN = ("case 1", "case 2", "case 3")  # those with ten processors: Figures 5.7, 5.8 and 5.12 to 5.15


def of_rows(rows, axis, quantity=DEVIATION, group=None):
    """Rows of `simulated.along` as Points: along the policy, the local policy and the axis.

    Parameters
    ----------
    rows : pandas.DataFrame
    axis : str
    quantity : str
        If groups have it, the largest of them counts.
    group : int, optional
        That of one group instead.
    """
    rows = rows[rows["quantity"] == quantity]
    if group is not None:
        rows = rows[rows["index"] == group]
    names = {"policy": "policy", "local": "local policy", axis: NOUNS[axis], "index": "group"}
    places = {noun: tuple(rows[column].unique()) for column, noun in names.items()}
    table = rows.set_index(list(names))
    order = np.indices([len(each) for each in places.values()]).reshape(len(places), -1)
    wanted = [tuple(each[k] for each, k in zip(places.values(), place)) for place in order.T]
    value, half = (
        table[column].loc[wanted].to_numpy().reshape([len(each) for each in places.values()])
        for column in ("estimate", "half_width")
    )
    return measured(value, half, as_it_stands=quantity == DEVIATION, **places).largest("group")


@functools.cache
def static(name):
    """Both quantities of the static policies at the points of a case, nan where there is no answer.

    Returns
    -------
    dict
        ("HPRS", "PS"), ("HPRS", "GPPS"), ("VPRS", None): dict of quantity to shape (points,).
    """
    found = {key: {DEVIATION: [], LOSS: []} for key in (("HPRS", "PS"), ("HPRS", "GPPS"), ("VPRS", None))}
    case = CASES[name]
    for system, whole in zip(case.systems(), case.whole):
        P, required, loads = (system[key] for key in ("processors", "required_shares", "loads"))
        for (policy, local), values in found.items():
            if policy == "VPRS":
                answer = splitting.vertical(required, loads, P) if whole else None
            else:
                known = local == "PS" or sum(loads) < CHAINS_TO + 1e-9
                answer = splitting.horizontal(required, loads, (1 / P,) * P, local) if known else None
            values[DEVIATION].append(np.nan if answer is None else answer.group_share_deviation.max())
            values[LOSS].append(np.nan if answer is None else answer.capacity_loss)
    return {key: {name: np.array(each) for name, each in values.items()} for key, values in found.items()}


@functools.cache
def of(case, quantity=DEVIATION, migration=False, policies=POLICIES, group=None, simulated_only=False):
    """What a quantity is at the points of a case, along the policy, the local policy and the parameter of the case.

    Parameters
    ----------
    case : str
        Of `CASES`.
    quantity : str
    migration : bool
        The deviation under JSQ with PS is exact then, (5.5).
    policies : tuple of str
        HPRS and VPRS too, which are exact, and nan where there is no answer.
    group : int, optional
        That of one group; the largest of all if not given.
    simulated_only : bool
        Whether even what has an answer is as simulated.
    """
    axis, values, fixed = CASES[case]
    found = of_rows(simulated.along(axis, values, migration, **fixed), axis, quantity, group)
    value, half = dict(zip(POLICIES, found.value)), dict(zip(POLICIES, found.half))
    if migration and quantity == DEVIATION and group is None and not simulated_only:
        value["JSQ"][0], half["JSQ"][0] = [
            dispatch.shortest_queue_with_migration(
                **{name: system[name] for name in ("required_shares", "loads", "processors")}
            ).group_share_deviation.max()
            for system in CASES[case].systems()
        ], 0.0  # fmt: skip
    for policy in set(policies) - set(POLICIES):
        exact = static(case)
        value[policy] = np.array([exact[policy, local if policy == "HPRS" else None][quantity] for local in LOCAL])
        half[policy] = np.zeros_like(value[policy])
    return replace(
        found, value=np.array([value[policy] for policy in policies]),
        half=np.array([half[policy] for policy in policies]), axes=(("policy", tuple(policies)), *found.axes[1:]),
    )  # fmt: skip


def over(cases, function):
    """Points of several cases as those of one, whose axis "point" has the parameters of all.

    Parameters
    ----------
    cases : iterable
    function : callable
        Gives the points of a case.
    """
    return _side_by_side({case: function(case) for case in cases})


def _side_by_side(parts):
    first, related = next(iter(parts.values())), all(each.terms for each in parts.values())
    places = {case: [noun in NOUNS.values() for noun, _ in each.axes].index(True) for case, each in parts.items()}
    k = places[next(iter(parts))]
    names = tuple(f"{case}, {each.axes[k][0]} {shown(x)}" for case, each in parts.items() for x in each.axes[k][1])
    value, half = (np.concatenate([getattr(each, part) for each in parts.values()], k) for part in ("value", "half"))
    sides = [{case: each.terms[side] for case, each in parts.items()} for side in range(2) if related]
    terms = (*map(_side_by_side, sides), *(first.terms[2:] if related else ()))
    return replace(
        first, value=value, half=half, axes=(*first.axes[:k], ("point", names), *first.axes[k + 1 :]), terms=terms
    )


def best_static(case, quantity=DEVIATION):
    """The least of HPRS with PS, with the same local policy, and VPRS, as far as there are answers."""
    found = of(case, quantity, policies=("HPRS", "VPRS"))
    spread, own = found.value
    return replace(found.at(policy="HPRS"), value=np.fmin.reduce([spread, spread[[0, 0]], own]))


def group_gap(case, migration=False):
    """The deviation of group 2 less that of group 1: of the same runs, so that half widths are added."""
    one, other = (of(case, migration=migration, group=g) for g in (0, 1))
    return replace(one, value=other.value - one.value, half=other.half + one.half)


def gains(case, quantity=DEVIATION, migration=True):
    """What a quantity is without migration, less what it is with it; none if neither has migration."""
    return of(case, quantity) - of(case, quantity, migration)


def less(found, first, second):
    """What points are for some policies, less what they are for others with the same local policy, for all pairs."""
    return found.at(policy=first) - found.at(policy=second).renamed(policy="other policy")


def by_combination(found):
    """The same with one axis for both policies, as in "SVP/PS"."""
    (_, policies), (_, local), *rest = found.axes
    names = tuple(f"{policy}/{other}" for policy in policies for other in local)
    value, half = (each.reshape(len(names), *each.shape[2:]) for each in (found.value, found.half))
    return replace(found, value=value, half=half, axes=(("combination of policies", names), *rest), terms=())


def estimates(found):
    """The estimates alone, where a claim's rule asks for no intervals."""
    return replace(found, half=np.zeros_like(found.half), terms=())


def amplitude(found, places):
    """The mean of the values on one processor less and one more, less that on so many."""
    before, own, after = (found.at(number_of_processors=tuple(P + more for P in places)) for more in (-1, 0, 1))
    value, half = (before.value + after.value) / 2 - own.value, np.hypot(before.half, after.half) / 2
    return replace(own, value=value, half=np.hypot(half, own.half), terms=())


def mixed(case, migration=False):
    """The mean number of processors with jobs of both groups."""
    two, more = (of(case, "mixed_processors", migration, group=k) for k in (0, 1))
    return replace(two, value=two.value + more.value, half=two.half + more.half)


def since_lowest(found, noun):
    """Each value from the second on along an axis, the last one, less the lowest before it, which any may be."""
    many = found.value.shape[-1]
    lowest = np.stack([found.value[..., :k].argmin(axis=-1) for k in range(1, many)], axis=-1)
    before = (np.take_along_axis(each, lowest, -1) for each in (found.value, found.half))
    later = replace(found.at(**{noun: found.axes[-1][1][1:]}), intervals=many * found.intervals)
    return later - replace(later, **dict(zip(("value", "half"), before)))


def differences(found, noun):
    """Those of the values at any two places along an axis."""
    return found - found.renamed(**{noun: f"other {noun}"})


def reading_apart(policy, reading):
    """How much another reading of the rules with migration changes the deviation at most, by local policy.

    At the points of Figures 5.16, 5.18 and 5.19, for which other readings are stored.
    """
    worst = dict.fromkeys(LOCAL, 0.0)
    for case in TEN:
        axis, values, fixed = CASES[case]
        rows = simulated.along(axis, values, True, policies=(policy,), reading=reading, **fixed)
        gap = of(case, migration=True, simulated_only=True).at(policy=policy) - of_rows(rows, axis).at(policy=policy)
        worst = {local: max(most, float(gap.distance().at(local_policy=local).value.max()))
                 for local, most in worst.items()}  # fmt: skip
    return worst


@functools.cache
def jointly(name, quantity=DEVIATION, migration=False):
    """Estimates and half widths of a case by (policy, local), shape (points,); joint at 95 %."""
    case = CASES[name]
    rows = simulated.along(case.axis, case.values, migration, **case.fixed)
    means, widths = simulated.table(rows, case.axis, quantity)
    wide = simulated.joint(sum(map(len, widths.values())))
    return means, {key: wide * width for key, width in widths.items()}


def below(name, better, worse, quantity=DEVIATION):
    """By how much one combination is below another at each point, beyond both intervals: above 0 where it is.

    Parameters
    ----------
    name : str
        Of `CASES`.
    better, worse : tuple of str
        (policy, local); HPRS too.
    quantity : str

    Returns
    -------
    ndarray, shape (points,)
    """
    (low, around_low), (high, around_high) = (value(name, key, quantity) for key in (better, worse))
    return high - low - around_low - around_high


def value(name, key, quantity=DEVIATION):
    """Estimate and half width of a combination, or the exact value of a static one and 0; shape (points,) each."""
    if key[0] in ("HPRS", "VPRS"):
        exact = static(name)[key][quantity]
        return exact, np.zeros_like(exact)
    estimates, widths = jointly(name, quantity)
    return estimates[key], widths[key]


def equal_groups(policy, processors, loads, quantity=DEVIATION):
    """What HPRS with PS or VPRS does with two groups that require and bring the same (4.81), (4.136), (4.142)."""
    shares, speeds, found = (0.5, 0.5), np.full(processors, 1 / processors), []
    for load in loads:
        brought = (load / 2, load / 2)
        found.append(
            splitting.vertical(shares, brought, processors) if policy == "VPRS"
            else splitting.horizontal(shares, brought, speeds)
        )  # fmt: skip
    return np.array([np.max(getattr(each, quantity)) for each in found])


def alike_in_whole_processors(found):
    """A clause that stored points without migration agree, if all shares are whole processors: the loss, each group."""
    parts = {
        f"{case}, {name}": (case, quantity, group)
        for case in tuple(CASES)[1:]
        for quantity, group, name in (
            (LOSS, None, "loss"), (DEVIATION, 0, "deviation of group 1"), (DEVIATION, 1, "deviation of group 2"),
        )
    }  # fmt: skip

    def gap(name):
        case, quantity, group = parts[name]
        each = of(case, quantity, group=group)
        return found(each.at(**{each.axes[-1][0].replace(" ", "_"): CASES[case].some(True)}))

    return everywhere("their difference in stored points with whole processors", over(parts, gap),
                      agrees("is 0 within its interval"))  # fmt: skip


def obtained_less_loads(figures, total=False, beside=None):
    """Obtained shares less the loads of the groups, of all groups that are stable: cases and whether jobs migrate.

    That of both groups together too, if the total is asked for; and other such points, whose intervals are to hold
    together with these.
    """

    def gaps(name):
        case, migration = figures[name]
        systems = CASES[case].systems()
        loads = np.array([system["loads"] for system in systems]).T
        every = np.array(
            [np.less(system["loads"], np.array(system["required_shares"]) - 1e-9).all() for system in systems]
        )
        # Without migration a group of SVP or DVP may be sent more than its own processors can serve.
        stable = np.array([[migration or policy in SPREAD or each for each in every] for policy in POLICIES])
        first, second = (of(case, "obtained_share", migration, group=g) for g in (0, 1))
        found = {"group 1": first - loads[0], "group 2": second - loads[1]}
        if total:
            found["both groups"] = first.less(-second, np.add) - loads.sum(axis=0)
        return {f"{name}, {which}": (each, stable) for which, each in found.items()}

    parts = {name: each for figure in figures for name, each in gaps(figure).items()}
    joined = over(parts, lambda name: parts[name][0])
    stable = np.concatenate([each[1] for each in parts.values()], axis=1)[:, None]
    found = joined.where(stable, "the group is not stable")
    if beside is not None:
        more = beside.where(True, "")
        value, half = (np.append(getattr(found, part), getattr(more, part)) for part in ("value", "half"))
        found = replace(found, value=value, half=half, axes=(("point", found.axes[0][1] + more.axes[0][1]),), terms=())
    return everywhere(f"the obtained share of a group{' or both' if total else ''} less its load, as simulated,",
                      found, agrees("is 0 within its interval"))  # fmt: skip


def as_exact_with_migration(cases=TEN):
    """A clause: JSQ with PS and migration deviates as simulated as it does exactly, (5.5)."""

    def gap(case):
        exact, rows = (of(case, migration=True, simulated_only=only) for only in (False, True))
        return (rows - exact.value).at(policy="JSQ", local_policy="PS")

    what = "the deviation of JSQ with PS and migration as simulated, less what is exact,"
    return everywhere(what, over(cases, gap), agrees())
