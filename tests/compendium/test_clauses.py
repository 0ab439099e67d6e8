"""The vocabulary of claims: what holds, what does not, what cannot be told, and what is said of it."""

import numpy as np
import pytest

from clustershare.arguments import UnstableError
from compendium.press.clauses import (
    at_each,
    cases,
    conclude,
    everywhere,
    exact,
    fact,
    grid,
    measured,
    misprint,
    mostly,
    somewhere,
    widened,
)
from compendium.press.clauses.conditions import (
    agrees,
    at_most,
    between,
    equal,
    falls,
    larger,
    never_rises,
    rises,
    smaller,
    within,
)
from compendium.press.findings import AGREES, CORRECTED, DIFFERS, PART, UNCONFIRMED
from compendium.press.words import SCALE, allows

LOADS = (0.1, 0.5, 0.9)


def judged(points, *conditions):
    """The verdict, and at how many places."""
    found = conclude(at_each("it", points, *conditions))
    return found.verdict, found.part


def test_a_condition_holds_only_where_the_whole_interval_is_inside():
    points = measured([0.3, 0.12, 0.05], [0.05, 0.05, 0.01], load=LOADS, as_it_stands=True)
    assert judged(points, larger("clear")) == (PART, "1/2")  # of those that can be told
    assert judged(points, at_most(0.06)) == (DIFFERS, "") and judged(points, at_most(0.09)) == (PART, "1/2")
    assert judged(points, between(0, 0.5)) == (AGREES, "")
    assert "too wide to tell at 1 load" in conclude(at_each("it", points, larger("clear"))).computed


def test_all_that_is_asked_must_hold_together():
    """One interval tells 0.1 from 0; among a hundred, the same one does not."""
    one = measured([0.1], [0.09], load=(0.5,))
    many = measured([0.1] * 100, [0.09] * 100, load=range(100))
    assert judged(one, larger())[0] == AGREES and judged(many, larger())[0] == DIFFERS
    other = measured([5.0] * 99, [0.09] * 99, load=range(99))
    found = conclude(at_each("it", one, larger()), at_each("the other", other, larger()))
    assert found.part == "99/100" and "100 intervals hold together with 95 %" in found.computed


def test_what_is_told_at_less_than_half_of_its_places_was_not_shown():
    points = measured([0.3, 0.3, 0.05, 0.05], [0.05, 0.05, 0.04, 0.04], load=(0.1, 0.2, 0.5, 0.9), as_it_stands=True)
    assert judged(points, larger(0.06)) == (AGREES, "")
    assert judged(points.at(load=(0.2, 0.5, 0.9)), larger(0.06)) == (PART, "1/3")


def test_without_its_witness_nothing_is_concluded():
    gain, apart = exact([0.3, 0.2], load=(0.1, 0.9), as_it_stands=True), exact([1.0], load=(0.1,))
    found = conclude(at_each("it", gain, larger("much")), provided=[everywhere("the witness", apart, equal(1e-9))])
    assert found.verdict == UNCONFIRMED


def test_a_miss_in_size_alone_is_a_part():
    points = measured([0.3, 0.2, 0.4], [0.01] * 3, load=LOADS, as_it_stands=True)
    assert judged(points, larger("much")) == (PART, "0/3")
    assert judged(points.scaled(-1), smaller("much")) == (PART, "0/3")
    assert judged(points.scaled(-1), larger("much")) == (DIFFERS, "")
    assert judged(points - exact(0.35), larger("much")) == (DIFFERS, "")
    assert judged(points, larger(0.5)) == (DIFFERS, "")  # a number is one statement


def test_a_disagreement_must_be_clear_among_its_own_points_alone():
    """More points elsewhere in a claim do not make it easier to agree."""
    off = measured([0.1], [0.09], load=(0.5,))
    other = measured([5.0] * 99, [0.09] * 99, load=range(99))
    found = conclude(everywhere("it", off, agrees()), at_each("the other", other, larger()))
    assert found.part == "99/100" and "not" in found.came_out


@pytest.mark.parametrize("number", [1, 2, 40])
def test_intervals_hold_together_as_often_as_they_should(number):
    """By simulation of Student's law: at least 95 %, and hardly more where there are few."""
    runs, rng = 10, np.random.default_rng(number)
    draws = rng.standard_normal((4000, number, runs))
    half = 2.262157 * draws.std(axis=2, ddof=1) / np.sqrt(runs)
    held = (np.abs(draws.mean(axis=2)) <= widened(number, runs) * half).all(axis=1).mean()
    assert 0.94 < held < 0.97


def test_soft_words_take_quantities_relative_to_the_larger_and_deviations_as_they_stand():
    high, low = 2.0, 1.85
    for word in SCALE:
        relative = exact([high], load=(0.5,)) - exact([low], load=(0.5,))
        as_it_stands = exact([high], load=(0.5,), as_it_stands=True) - exact([low], load=(0.5,), as_it_stands=True)
        condition = larger(word) if np.isinf(SCALE[word].most) else at_most(word)
        assert (judged(relative, condition)[0] == AGREES) == allows(word, 1 - low / high), word
        assert (judged(as_it_stands, condition)[0] == AGREES) == allows(word, high - low), word
        mirrored = smaller(word) if np.isinf(SCALE[word].most) else within(word)
        assert (judged(-relative, mirrored)[0] == AGREES) == allows(word, 1 - low / high), word


def test_a_soft_word_does_not_take_a_quotient_of_what_may_be_negative():
    with pytest.raises(ValueError, match="points must be none, or points that soft words take as they stand"):
        judged(exact([-1.0], load=(0.5,)) - exact([1.0], load=(0.5,)), at_most("close"))


def test_steps_and_largest_keep_what_they_were_computed_from():
    points = measured([[1.0, 2.0, 1.5]], [[0.1, 0.1, 0.1]], policy=("SVP",), load=LOADS)
    found = conclude(at_each("the loss", points.steps("load"), rises()))
    assert found.part == "1/2" and "(not at policy SVP, load 0.5 to 0.9)" in found.came_out.replace(
        "at load", "at policy SVP, load"
    )
    assert (
        judged(points.steps("load"), never_rises()) == (PART, "1/2")
        and judged(-points.steps("load"), falls())[1] == "1/2"
    )
    groups = measured([[1.0, 2.0], [3.0, 1.0]], [[0.1, 0.4], [0.2, 0.3]], load=(0.1, 0.2), group=(1, 2)).largest(
        "group"
    )
    assert groups.value.tolist() == [2, 3] and groups.half.tolist() == [0.4, 0.2] and groups.asked == 4


def test_axes_are_matched_by_their_nouns():
    by_both = grid(policy=("JSQ", "HP"), load=LOADS).measure(lambda policy, load: load + (policy == "HP"))
    gap = by_both - exact(LOADS, load=LOADS)
    assert gap.value.round(9).tolist() == [[0, 0, 0], [1, 1, 1]]
    with pytest.raises(ValueError, match="points must be points with the same names"):
        by_both - exact([1.0, 2.0, 3.0], load=(1, 2, 3))


def test_a_domain_counts_what_it_leaves_out():
    def number(load):
        if load >= 1:
            raise UnstableError("overloaded", overloaded=())
        return load / (1 - load)

    found = cases("load", (0.5, 0.9, 1.0, 1.5)).without("as good as empty", lambda load: load < 0.6)
    points = found.measure(number, refused={UnstableError: "overloaded"})
    assert points.value.round(9).tolist() == [9] and points.axes == (("load", (0.9,)),)
    assert points.notes == ("1 load left out: as good as empty", "2 loads left out: overloaded")


def test_a_misprint_is_found_and_mended():
    sides, truth = cases("side", (1.0, 2.0, 3.0)), lambda a: measured([a * a], [0.01], side_of=("square",))
    kept = {"printed": lambda a: 2 * a, "corrected": lambda a: a**2}
    assert misprint("the area", sides, truth=truth, **kept).verdict == CORRECTED
    assert misprint("the area", sides, truth=truth, printed=lambda a: a**2, corrected=lambda a: a**2).verdict == AGREES
    assert misprint("the area", sides, truth=lambda a: a**3, **kept).verdict == DIFFERS


def test_what_is_said_has_nouns_and_no_empty_places():
    policies = {"policy": ("JSQ", "HP", "SVP", "DVP")}
    some = conclude(at_each("the loss", exact([1, 2, 3, 4], **policies), at_most(3)))
    assert some.came_out == "the loss is at most 3 for 3 of 4 policies (not for DVP)"
    none = conclude(at_each("the loss", exact([1, 2, 3, 4], **policies), at_most(0)))
    assert none.came_out == "the loss is at most 0 for none of the 4 policies"
    one = conclude(at_each("the loss", exact([1], load=(0.5,)), at_most(0)))
    assert one.came_out == "it is not so that the loss is at most 0, load 0.5"
    rounding = conclude(everywhere("the laws", exact([1e-17, 3e-16], random_system=None), equal(1e-9)))
    assert rounding.computed == "the laws are equal within 1e-9 in both random systems"
    there = conclude(somewhere("the loss", exact([1, 2, 3, 4], **policies), at_most(1)))
    assert there.came_out == "the loss is at most 1 for 1 of 4 policies (for JSQ)"


def test_a_whole_statement_does_not_hold_in_part():
    clauses = fact("it holds", True, "it does not"), fact("this too", False, "this does not")
    assert conclude(*clauses).verdict == PART and conclude(*clauses, whole=True).verdict == DIFFERS
    assert conclude(*clauses, ours=True).verdict == DIFFERS and conclude(clauses[0], ours=True).verdict == "ours"


def test_nothing_is_no_part_larger_than_nothing():
    """A soft word takes a difference relative to the larger: of 0 and 0 it is clear in no direction."""
    nothing = exact([0.0, 0.0], load=(0.1, 0.9)) - exact([0.0, 0.0], load=(0.1, 0.9))
    for condition in (larger("clear"), smaller("clear")):
        assert conclude(at_each("the gain", nothing, condition)).verdict == "differs"
    assert conclude(at_each("the gain", nothing, at_most("close"))).verdict == "agrees"


def test_what_a_claim_is_provided_with_may_hold_at_most_places():
    loss = exact([0.1, 0.1, 0.3], load=(0.1, 0.5, 0.9))
    each, most = (clause("the loss", loss, at_most(0.2)) for clause in (at_each, mostly))
    assert conclude(each, provided=[most]).part == "2/3"
    fewer = mostly("the loss", -loss, at_most(-0.2))
    assert conclude(each, provided=[fewer]).verdict == UNCONFIRMED


def test_what_is_provided_may_be_that_it_holds_somewhere():
    loss = exact([0.1, 0.3], load=(0.5, 0.9))
    always = at_each("the loss", loss, at_most(1))
    assert conclude(always, provided=[somewhere("the loss", loss, at_most(0.2))]).verdict == AGREES
    assert conclude(always, provided=[somewhere("the loss", loss, at_most(0.05))]).verdict == UNCONFIRMED


def test_of_two_that_are_nothing_none_is_clearly_larger():
    nothing = exact([0.0, 1.0], load=(0.5, 0.9)) - exact([0.0, 0.5], load=(0.5, 0.9))
    assert judged(nothing, larger("clear")) == (PART, "1/2")
