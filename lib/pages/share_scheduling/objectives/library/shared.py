"""What several of these rooms use."""

import itertools

from compendium.press.clauses import fact
from pages.agreement import refused

ROUNDING = 1e-9


def differs(found, expected):
    """1 unless two things are equal."""
    return float(found != expected)


def refusals(what, *calls):
    """A clause that all calls are refused: each an error, a function and its arguments."""
    missed = [number for number, call in enumerate(calls) if not refused(*call)]
    return fact(f"{what} are refused", not missed, f"{what} are not all refused: {missed}")


def subsets(things):
    """All subsets but for that of nothing, small ones first."""
    return (some for size in range(1, len(things) + 1) for some in itertools.combinations(things, size))


# Shares of groups (Sections 2.2 to 2.6).


SYSTEMS = (  # capacities, required shares, jobs
    ((2.0, 1.0, 1.0), (0.55, 0.25, 0.2), (1, 3, 0)),
    ((3.1, 1.3), (0.27, 0.73), (2, 1)),
    ((1.0,) * 8, (0.1, 0.3, 0.6), (4, 1, 2)),
    ((1.7,), (0.62, 0.38), (0, 3)),
    ((5.0, 2.5, 1.2, 0.3), (1.0,), (3,)),
    ((2.2, 2.2, 0.9, 0.4), (0.15, 0.5, 0.1, 0.25), (0, 2, 3, 0)),
    ((2.0, 1.0), (0.4, 0.6), (0, 0)),
)


def drawn_weights(rng, jobs, processors):
    """Fractions of time that neither a job nor a processor has too much of, some of them 0."""
    weights = rng.random((jobs, processors)) * (rng.random((jobs, processors)) < 0.7)
    return weights / max([1.0, *(1.05 * weights.sum(axis=0)), *(1.05 * weights.sum(axis=1))])
