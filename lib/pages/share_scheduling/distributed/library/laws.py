"""Whose processors are whose, where jobs arrive and who is asked, in fractions."""

from fractions import Fraction as F

from clustershare import dispatch
from compendium.press.clauses import cases, everywhere
from pages.share_scheduling.distributed.library.shared import PARTITIONS
from pages.share_scheduling.distributed.printed import probing

# Laws in fractions: whose processors are whose, where jobs arrive, who is asked.


def on_laws():
    systems = [
        (shares, X, g, own, limit)
        for shares, X in PARTITIONS if len(X[0]) <= 5
        for g in range(len(X)) for own in range(len(X[0])) for limit in range(len(X[0]))
    ]  # fmt: skip
    whose = cases("system", PARTITIONS).measure(
        lambda shares, X: dispatch.partition(shares, len(X[0])).tolist() == [list(row) for row in X]
    )
    return (
        everywhere("whole processors come first, and then those that are shared,", whose),
        everywhere("jobs arrive by (r_g P) or anywhere", cases("system", PARTITIONS).measure(_arriving)),
        everywhere("the probe set has its law", cases("probe set", systems).measure(_probed)),
    )


def _arriving(shares, X):
    P = len(X[0])
    laws = {
        "VP": [[F(part) / (share * P) for part in row] for share, row in zip(shares, X)],
        "HP": [[F(1, P)] * P for _ in X],
    }
    given = shares, tuple(map(float, shares))
    return all(dispatch.arrival_law(name, one, P).tolist() == law for name, law in laws.items() for one in given)


def _probed(shares, X, g, own, limit):
    """Whether the library's probabilities to be asked are those of one draw after the other."""
    P = len(X[0])
    given = {"group": g, "own": own, "probe_limit": limit}
    return all(
        dispatch.probe_law(name, shares, P, **given)
        == probing.inclusion(probing.probe_set_law(own, limit, P, X[g] if name == "VP" else None), P)
        for name in ("VP", "HP")
    )
