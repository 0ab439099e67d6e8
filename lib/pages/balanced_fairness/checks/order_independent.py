"""Claims of `balanced`, Sections 2 to 4: the order-independent queue and its Whittle network."""

import itertools
from fractions import Fraction

from compendium.press.findings import check, erratum


def rates_of(kind, length):
    """Service rates of the places in a line of so many jobs: one server in turn, one shared, or one for each job."""
    if kind == "first come, first served":
        return [Fraction(place == 0) for place in range(length)]
    return [Fraction(1, length) if kind == "processor sharing" else Fraction(1)] * length


def total_rate(kind, factor):
    """The mu whose differences, times a factor of the length, are the rates of the places; None if there is none."""
    mu = {(): Fraction(0)}
    for length in range(1, 5):
        for c in itertools.product(range(2), repeat=length):
            for place, rate in enumerate(rates_of(kind, length)):
                value = mu[c[:place]] + rate / factor(length)
                if mu.setdefault(c[: place + 1], value) != value:
                    return None
    alike = all(mu[c] == mu[tuple(sorted(c))] for c in mu)
    return mu if alike and all(mu[c] >= mu[c[:-1]] > 0 for c in mu if len(c) > 1) else None


@check("balanced-054", kinds=("first come, first served", "infinitely many servers"))
def covers_single_queues(kinds=("first come, first served", "infinitely many servers", "processor sharing")):
    """Is there a mu for each kind of queue, as Section 2 defines it, and with a factor for the number of jobs?"""
    plain = {kind: total_rate(kind, lambda length: 1) is not None for kind in kinds}
    wider = {kind: total_rate(kind, lambda length: Fraction(1, length)) is not None for kind in kinds}
    missing = [kind for kind, there in plain.items() if not there]
    said = f"no mu for {', '.join(missing)}" if missing else "a mu for each"
    return erratum(
        f"{said}, by Section 2; with a factor 1 / n before the differences "
        + ("each has one" if all(plain[kind] or wider[kind] for kind in kinds) else "some have none"),
        not missing, all(plain[kind] or wider[kind] for kind in kinds),
    )  # fmt: skip
