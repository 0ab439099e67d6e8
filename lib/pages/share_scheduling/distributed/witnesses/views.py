"""What the compiled rules of the library do with what a processor knows: all that may come of a decision, by tapes."""

import functools
from fractions import Fraction

import numpy as np

from clustershare.dispatch import kernel, state
from clustershare.dispatch.central import LOCAL
from clustershare.dispatch.rules.distributed_horizontal import DistributedHorizontal
from clustershare.dispatch.rules.dynamic_vertical import DynamicVerticalPartitioning
from clustershare.dispatch.rules.horizontal import HorizontalPartitioning
from clustershare.dispatch.rules.nice import Nice
from clustershare.dispatch.rules.shortest_queue import ShortestQueue
from clustershare.dispatch.rules.static_vertical import StaticVerticalPartitioning
from clustershare.dispatch.tape import blank_tape, courses, ways
from clustershare.dispatch.view import ASKED, GROUP, OWN_FIRST, RULE, SCALED, SOURCE, TARGET, UNSCALED, blank, estimate
from pages.share_scheduling.distributed.printed.rules import Asked, whole_parts

KINDS = {
    "JSQ": ShortestQueue, "HP": HorizontalPartitioning, "SVP": StaticVerticalPartitioning,
    "DVP": DynamicVerticalPartitioning, "D-HP": DistributedHorizontal, "Nice": Nice,
}  # fmt: skip
NAMES = ("I1", "I2", "I3", "I4", "I5", "M1", "M2", "M3", "M4")  # as `clustershare.dispatch.words` numbers them


class CompiledRules:
    """A policy of the library, asked what it makes of partial information.

    Parameters
    ----------
    policy : str
    shares : tuple of fractions.Fraction
        Required ones of the groups.
    processors : int
    local : str
        "GPPS" or "PS".
    reading : str, optional
        Another reading of the rules, as the policy's class names it; or "bare sums".
    **fields
        Of the policy's class, such as `migration` and `gap`.

    Examples
    --------
    >>> rules = CompiledRules("SVP", (Fraction(1, 2), Fraction(1, 2)), 4, migration=True)
    >>> rules.placement((3, 2), ((0, 1), (0, 1)), 0)
    {('I5', None): Fraction(1, 1)}
    """

    def __init__(self, policy, shares, processors, local="GPPS", reading=None, **fields):
        kind, self.parts = KINDS[policy], None
        self.scale = UNSCALED if reading == "bare sums" else SCALED
        if "parts" in kind._fields:
            self.parts = np.array(whole_parts(tuple(shares), processors), float).T.copy()
            fields["parts"] = self.parts.copy()
        if reading not in (None, "bare sums"):
            fields["reading"] = {**kind.readings, **kind.partial_readings}[reading]
        self.policy = kind(**fields)
        self.view = blank(processors, LOCAL[local], np.array(shares, float))
        self.tape = blank_tape()

    def placement(self, known, jobs, g):
        """Places of a job of a group: dict of (rule, processor) to probability; the processor is None with rule I5.

        Parameters
        ----------
        known : tuple of int
            The processors known, the deciding one first.
        jobs : tuple of tuple of int
            Jobs of each group recorded for each of them.
        g : int

        Returns
        -------
        dict
        """

        def decide(view):
            k = kernel.place(self.policy, view, self.tape, g)
            return NAMES[view.noted[RULE]], _processor(known, k)

        return self._all(known, jobs, True, decide)

    def migration(self, known, left, g):
        """What is asked for after a departure of group g, which left these jobs: dict of `Asked` or None."""

        def decide(view):
            kernel.rebalance(self.policy, view, self.tape, g, 0, 0.0)
            return _asked(known, view)

        return self._all(known, left, False, decide)

    def sent_away(self, known, jobs, g, p):
        """What becomes of guests where I2 placed a job of group g on p; `jobs` have it there: dict of `Asked`."""

        def decide(view):
            kernel.resettle(self.policy, view, self.tape, g, known.index(p), 0.0)
            return _asked(known, view)

        return self._all(known, jobs, True, decide)

    def shares(self, jobs):
        """The obtained and the feasible shares of the groups as estimated from these jobs: ndarrays."""
        of_groups = state.of_groups(self._seen(jobs).level)
        return of_groups[:, state.OBTAINED_SHARE], of_groups[:, state.FEASIBLE_SHARE]

    def _seen(self, jobs):
        view = self.view._replace(score=self.view.score[: len(jobs)])
        view.count[: len(jobs)] = [(sum(row), *row) for row in jobs]
        estimate(view, self.scale)
        return view

    def _all(self, known, jobs, own_first, decide):
        view = self._seen(jobs)
        view.noted[OWN_FIRST] = own_first
        if self.parts is not None:
            self.policy.parts[: len(known)] = self.parts[list(known)]
        found = {}
        for _ in courses(self.tape):
            view.noted[ASKED] = False
            comes, chance = decide(view), _one_in(ways(self.tape))
            found[comes] = found[comes] + chance if comes in found else chance
        return found


@functools.cache
def _one_in(number):
    return Fraction(1, number)


def _processor(known, k):
    return known[k] if k >= 0 else None


def _asked(known, view):
    if not view.noted[ASKED]:
        return None
    g = int(view.noted[GROUP])
    return Asked(
        NAMES[view.noted[RULE]], g if g >= 0 else None, _processor(known, view.noted[SOURCE]),
        _processor(known, view.noted[TARGET]),
    )  # fmt: skip
