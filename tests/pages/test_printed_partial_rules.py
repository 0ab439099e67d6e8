"""The printed rules for partial information in plain Python: against those of Chapter 5, and the compiled ones."""

from collections import Counter
from fractions import Fraction as F
from itertools import combinations

import pytest

from pages.share_scheduling.central.printed import rules as central
from pages.share_scheduling.central.printed.policies import guests_on, shares_of
from pages.share_scheduling.central.printed.rules import changed_by
from pages.share_scheduling.central.witnesses.states import every_state
from pages.share_scheduling.distributed.printed.rules import Asked, Partial, law, migration, placement, sent_away
from pages.share_scheduling.distributed.witnesses.views import CompiledRules

# Processors, required shares, and the most jobs in a state: two groups with a shared processor, and three groups.
SYSTEMS = (
    (2, (F(2, 3), F(1, 3)), 5),
    (3, (F(3, 4), F(1, 4)), 3),
    (3, (F(1, 2), F(1, 4), F(1, 4)), 3),
    (4, (F(3, 4), F(1, 4)), 2),
)
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


def known_sets(P):
    """Every deciding processor with every set of others."""
    return [
        (q, *rest)
        for q in range(P)
        for size in range(P)
        for rest in combinations([p for p in range(P) if p != q], size)
    ]


def added(pairs):
    """A law with the results that are alike put together."""
    found = Counter()
    for result, chance in pairs:
        found[result] += chance
    return dict(found)


def without_place(rule, p):
    """Rule I5 draws by itself."""
    return rule, None if rule == "I5" else p


def of_guest(asked):
    """A guest and where it goes, if it is not rule I5 that tells."""
    return asked and (asked.group, asked.source, without_place(asked.rule, asked.target)[1])


def differences(policy, local, reading=None, changed=(), **fields):
    """Whether the library's rules differ from the printed ones: of each decision in each state."""
    migrates = fields["migration"]
    for P, shares, most in SYSTEMS:
        compiled = CompiledRules(policy, shares, P, local, reading, **fields)
        for known in known_sets(P):
            rules = Partial(policy, shares, P, migrates, local, (), changed, known, fields.get("gap", 2))
            for jobs in every_state(len(known), len(shares), most):
                for g in range(len(shares)):
                    place = law(lambda choose: placement(rules, jobs, g, choose))  # noqa: B023
                    place = added((without_place(*where), chance) for where, chance in place.items())
                    yield place != compiled.placement(known, jobs, g)
                    if migrates:
                        moves = law(lambda choose: migration(rules, jobs, g, choose))  # noqa: B023
                        yield moves != compiled.migration(known, jobs, g)
                    for p in [p for rule, p in place if rule == "I2" and policy == "SVP"]:
                        after = changed_by(jobs, known.index(p), g, 1)
                        guests = law(lambda choose: sent_away(rules, after, p, choose))  # noqa: B023
                        guests = added((of_guest(asked), chance) for asked, chance in guests.items())
                        seen = compiled.sent_away(known, after, g, p)
                        yield guests != added((of_guest(asked), chance) for asked, chance in seen.items())


@pytest.mark.parametrize("policy", ("SVP", "DVP", "D-HP", "Nice"))
def test_without_migration(policy):
    assert not any(differences(policy, "PS", migration=False))


@pytest.mark.parametrize(
    "policy, reading",
    [
        ("HP", "own first"),
        ("SVP", "own subset only"),
        ("SVP", "guests stay"),
        ("SVP", "without M4"),
        ("DVP", "bare sums"),
        ("DVP", "I2 fewest"),
        ("JSQ", None),
    ],
)
def test_other_readings(policy, reading):
    """Alike in the library; and told apart from the one chosen."""
    fields = {"migration": True} if reading else {"migration": True, "gap": 3}
    assert not any(differences(policy, "GPPS", reading, (reading,) if reading else (), **fields))
    assert any(differences(policy, "GPPS", reading, () if reading else ("ties alike",), **fields))
