"""Claims of `thesis`, (5.2)-(5.8): the closed form of JSQ with migration and PS, part by part."""

import math
from fractions import Fraction

import numpy as np

from clustershare import dispatch, markov
from clustershare.shares import feasible_group_share, maximum_obtainable_share
from compendium.press.findings import check, difference, equality, erratum, finding
from pages.share_scheduling.central import apart, closed_forms, lengths
from pages.share_scheduling.central.closed_forms import Group

MANY = (*range(1, 21), 50, 100)
LOADS = tuple(round(0.05 * k, 12) for k in range(1, 20))


@check("thesis-5-002", power=0)
def normalising_constant(power=1):
    """(5.3) against the sum of the terms of (5.2), corrected, and the library's law."""
    worst = worst_library = 0.0
    for P in MANY:
        for load in LOADS:
            summed = 1 / closed_forms.terms(closed_forms.enough(load, P), load, P).sum()
            printed = closed_forms.none(load, P, power)
            worst = max(worst, abs(printed / summed - 1))
            worst_library = max(worst_library, abs(dispatch.numbers_in_one_line(load, P, 0)[0] / summed - 1))
    return equality(max(worst, worst_library), 1e-10)


@check("thesis-5-079", migration=False)
def law_of_numbers(migration=True):
    """(5.2) in both forms and the library's against rates up and down; the control is JSQ without migration."""
    printed, corrected, library = 0, 0.0, 0.0
    for P in MANY if migration else (2, 3):
        for load in LOADS if migration else (0.3, 0.5):
            if migration:
                right = closed_forms.birth_and_death(load, P)
            else:
                found, probability = lengths.law(load, P, 40, 40)
                right = np.bincount(found.sum(axis=1), probability)
            one, other = (closed_forms.law(load, P, wrong)[: len(right)] for wrong in (True, False))
            printed += np.abs(one / right[: len(one)] - 1).max() > 1e-9
            corrected = max(corrected, np.abs(other / right[: len(other)] - 1).max())
            law = dispatch.numbers_in_one_line(load, P, len(right) - 1)
            library = max(library, np.abs(law / right - 1).max())
    good = max(corrected, library) <= 1e-9
    return erratum(
        f"as printed wrong in {printed} of {len(MANY) * len(LOADS) if migration else 4} systems; corrected "
        + ("right within 1e-9 in all" if good else f"off by a factor of up to {1 + corrected:.2g}"),
        not printed, good,
    )  # fmt: skip


def _by_chain(group):
    """E[f_g] from the chain of the jobs of a group and of all others in M/M/P with PS."""
    r, own, load, P = group
    most = P + math.ceil(math.log(1e-11) / math.log(load))
    i, j = np.divmod(np.arange((most + 1) ** 2), most + 1)
    i, j = (numbers[i + j <= most] for numbers in (i, j))
    place = np.full((most + 2, most + 2), -1)
    place[i, j] = np.arange(len(i))
    rate = np.minimum(i + j, P) / P / np.maximum(i + j, 1)
    moves = [(i + 1, j, own), (i, j + 1, load - own), (i - 1, j, rate * i), (i, j - 1, rate * j)]
    rows, columns, rates = [], [], []
    for to, other, speed in moves:
        inside = (to >= 0) & (other >= 0) & (to + other <= most)
        rows.append(np.flatnonzero(inside))
        columns.append(place[to[inside], other[inside]])
        rates.append(np.broadcast_to(speed, len(i))[inside])
    Q = markov.generator(len(i), *map(np.concatenate, (rows, columns, rates)))
    return float(markov.iterate(Q, load ** (i + j), 1e-12) @ np.minimum(r, i / P))


@check("thesis-5-005", local="GPPS")
def expected_feasible_share(local="PS"):
    """The first two forms of (5.7), the library's and chains; the control serves groups by GPPS on two processors."""
    if local == "GPPS":
        group = Group(0.9, 0.25, 0.5, 2)
        jobs, probability = apart.law("JSQ", True, "GPPS", (0.9, 0.1), (0.25, 0.25), 2, 40)
        by_chain = probability @ np.minimum(0.9, jobs.sum(axis=1)[:, 0] / 2)
        return finding(f"off by {abs(closed_forms.first_form(group) - by_chain):.3f}",
                       abs(closed_forms.first_form(group) - by_chain) <= 1e-8)  # fmt: skip
    groups, first = closed_forms.systems(), closed_forms.first_forms()
    second = [closed_forms.second_form(group) for group in groups]
    gap = max(difference(second, first), difference(_library(groups), first))
    few = [(group, form) for group, form in zip(groups, first) if group.processors <= 5 and group.load <= 0.7][:50]
    chains = difference([_by_chain(group) for group, _ in few], [form for _, form in few])
    small = Group(0.3, 0.1, 0.15, 2)  # of the two groups the one with the smaller share
    answer = dispatch.exact_central(
        "JSQ", migration=True, required_shares=(0.7, 0.3), loads=(0.05, 0.1), processors=2, most_jobs=12
    )
    of_library = answer.group_share_deviation[1] * small.share + small.own
    chains = max(chains, abs(of_library - closed_forms.first_form(small)))
    return finding(
        f"in 300 systems the two forms and the library's agree {_said(gap, 1e-10)}; "
        f"in {len(few)} of them the chain too {_said(chains, 1e-8)}",
        gap <= 1e-10 and chains <= 1e-8 and len(few) == 50,
    )  # fmt: skip


def _said(gap, bound):
    return f"within {bound:g}" if gap <= bound else f"up to {gap:.2g}"


def _library(groups):
    """E[f_g] from the deviation that the library gives."""
    found = []
    for r, own, load, P in groups:
        answer = dispatch.shortest_queue_with_migration((r, 1 - r), (own, load - own), P)
        found.append(answer.group_share_deviation[0] * r + own)
    return np.array(found)


@check("thesis-5-101", below_one=True)
def last_form(below_one=False):
    """The last form of (5.7) as printed and as corrected; the control takes r_g P < 1, where only m = 0 counts."""
    groups, first = closed_forms.systems(), closed_forms.first_forms()
    deciding = np.array([(group.whole < 1) if below_one else (group.whole >= 2) for group in groups])
    printed, corrected = (np.abs(closed_forms.last_forms(wrong) / first - 1) for wrong in (True, False))
    library = np.abs(_library(groups) / first - 1).max()
    good = max(corrected.max(), library) <= 1e-9
    return erratum(
        f"corrected: {'equal within 1e-9 in all 300 systems' if good else 'not equal'}; as printed: off by at least "
        f"{printed[deciding].min():.2g} of the value in the {deciding.sum()} systems with kappa of 2 or more"
        if not below_one else "the two forms agree where kappa is 0",
        (printed[deciding] <= 1e-9).all(), good and (printed[deciding] > 1e-9).all(),
    )  # fmt: skip


@check("thesis-5-006", more=0)
def negative_binomial(more=1):
    """(5.8) in exact fractions; the control has the exponent n."""
    rng, worst = np.random.default_rng(5006), 0.0
    for up in rng.integers(-17, 18, 50).tolist():
        a = Fraction(up, 20)
        for n in range(21):
            top, bottom, ways, power, i = 1, 1, 1, 1, 0  # of the sum so far; binom(n + i, n) and up^i
            while True:
                i += 1
                ways, power = ways * (n + i) // i, power * up
                growth = abs(up) * (n + i + 1) / (20 * (i + 1))  # of the terms, falling: the rest is geometric at most
                if growth < 1 and ways * (abs(up) / 20) ** i < 1e-14 * (1 - growth):
                    break
                top, bottom = top * 20 + ways * power, bottom * 20
            right = (1 / (1 - a)) ** (n + more)
            gap = abs(float(Fraction(top, bottom) - right))
            worst = max(worst, 0.0 if gap <= 1e-12 else gap / float(right))
    return equality(worst, 1e-10)


@check("thesis-5-083", less=1)
def whole_processors(less=0):
    """(5.6) for all r_g = a / b with b up to 30, against fractions; the control takes one processor less."""
    wrong = rounding = systems = 0
    for b in range(2, 31):
        for a in range(1, b):
            if math.gcd(a, b) > 1:
                continue
            systems += 60
            for P in range(1, 61):
                kappa = dispatch.own_processors(a / b, P) - less
                rounding += kappa != a * P // b
                # min(r, m / P) = r from kappa + 1 on, and is m / P < r before kappa; so is no term below 0.
                wrong += not ((kappa + 1) * b > a * P and (kappa - 1) * b < a * P and kappa * b <= a * P)
    far = dispatch.own_processors(0.29, 100) - less == 29
    return finding(f"of {systems} systems {wrong} where the sums miss a number or hold one too many, "
                   f"{rounding} where rounding tells", not wrong and not rounding and far)  # fmt: skip


@check("thesis-5-082", printed=True)
def finitely_many_terms(printed=False):
    """The last form in exact fractions, group loads up to the whole load; the control takes it as printed."""
    rng, worst, many = np.random.default_rng(5082), 0.0, 0
    for k in range(60):
        P, load = int(rng.integers(1, 13)), Fraction(int(rng.integers(5, 95)), 100)
        own = load if k % 3 == 0 else load * Fraction(int(rng.integers(1, 20)), 20)
        group = Group(Fraction(int(rng.integers(2, 49)), 50), own, load, P)
        try:
            value = closed_forms.last_form(group, printed)
        except ZeroDivisionError:
            return finding("divides by zero where the group brings all of the load", False)
        worst = max(worst, abs(float(value) - closed_forms.first_form(group)))
        kappa = group.whole
        many += closed_forms.number_of_terms(group) > (P + 1) * (kappa + 1) + 2 * (kappa + 1) * (P + 2)
    told = equality(worst, 1e-12)
    return finding(f"{told.computed} in 60 systems, 20 of them with all of the load; "
                   f"{many} with more terms than allowed", worst <= 1e-12 and not many)  # fmt: skip


@check("thesis-5-080", groups=(1,))
def what_is_summed(groups=(2, 3, 4)):
    """The summand of (5.7) is a group's feasible share, not that of all groups; the control has one group."""
    rng, total, own = np.random.default_rng(5080), True, True
    for _ in range(200):
        G, P = int(rng.choice(groups)), int(rng.integers(1, 9))
        shares = rng.dirichlet(np.ones(G)) if G > 1 else np.ones(1)
        jobs = rng.integers(0, 2 * P + 1, G)
        summand = np.minimum(shares, jobs / P)
        total &= difference(summand, maximum_obtainable_share(int(jobs.sum()), np.full(P, 1 / P))) <= 1e-12
        own &= difference(summand, feasible_group_share(shares, jobs, P)) <= 1e-12
    return erratum(f"in 200 states the summand is (2.41) {'always' if total else 'not always'}, "
                   f"(2.26) {'always' if own else 'not always'}", total, own)  # fmt: skip
