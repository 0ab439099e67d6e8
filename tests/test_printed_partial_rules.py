"""The printed rules for partial information in plain Python: against those of Chapter 5, and the compiled ones."""

from collections import Counter
from fractions import Fraction as F

import pytest

from pages.share_scheduling.central import printed_rules as central
from pages.share_scheduling.central.printed_policies import guests_on, shares_of
from pages.share_scheduling.central.states import every_state
from pages.share_scheduling.distributed.printed_rules import Asked, Partial, law, migration, placement

SYSTEMS = ((2, (F(2, 3), F(1, 3)), 6), (3, (F(3, 4), F(1, 4)), 4), (3, (F(1, 2), F(1, 4), F(1, 4)), 3))
POLICIES = ("JSQ", "HP", "SVP", "DVP")


def chances(pairs):
    """The law of weighted choices."""
    found = Counter()
    for chance, choice in shares_of(pairs):
        found[choice] += chance
    return found


@pytest.mark.parametrize("policy", POLICIES)
def test_with_all_known_they_are_those_of_chapter_5(policy):
    """In every state, ties apart: the same rule, and the same places and moves with the same probabilities.

    Several guests on a processor, which Chapter 5 excludes, are left out.
    """
    for P, shares, most in SYSTEMS:
        whole = central.Rules(policy, shares, P, True, "GPPS")
        alike = Partial(policy, shares, P, True, "GPPS", changed=("ties alike",), known=tuple(range(P)))
        own = Partial(policy, shares, P, True, "GPPS", known=tuple(range(P)))
        for jobs in every_state(P, len(shares), most):
            for g in range(len(shares)):
                rule, choices = central.placement(whole, jobs, g)
                found = law(lambda choose: placement(alike, jobs, g, choose)[1])  # noqa: B023
                assert found == chances(choices)
                found = law(lambda choose: placement(own, jobs, g, choose)[1])  # noqa: B023
                assert found == {0: 1} or 0 not in chances(choices) or policy == "DVP" and rule == "I2"
                if any(sum(count for count, _ in guests_on(whole, jobs, p)) > 1 for p in range(P)):
                    continue
                rule, choices = central.migration(whole, jobs, g, 0)
                moves = law(lambda choose: migration(own, jobs, g, choose))  # noqa: B023
                if policy == "JSQ":  # the request names no group
                    choices = [(weight, (None, p)) for weight, (_, p) in choices]
                expected = chances(choices) if choices else {None: 1}
                assert moves == {move and Asked(rule, *move, 0): chance for move, chance in expected.items()}
