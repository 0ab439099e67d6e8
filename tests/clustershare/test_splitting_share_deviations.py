"""Several processors with one law: convolved chains against paths, and tails where deviations have no digits left."""

from fractions import Fraction

import numpy as np
import pytest

from clustershare.splitting import horizontal
from clustershare.uniprocessor import chain
from pages.share_scheduling.splitting.points.cases import (
    better,
    delivered,
    lacking,
    lines,
    of_groups,
    smaller_by_tails,
    unused,
    worst,
)  # fmt: skip
from pages.share_scheduling.splitting.witnesses.mixed_paths import followed, half_widths, points


@pytest.mark.parametrize("local", ["PS", "PPS", "GPPS"])
@pytest.mark.parametrize("processors", [2, 7])
def test_paths_of_all_processors_agree_with_one_chain(local, processors):
    """Four intervals of 95 % at a time, held jointly by doubling them."""
    shares, loads = [0.7, 0.3], [0.25, 0.4]
    found = followed(local, shares, loads, processors, steps=200_000)
    expected = horizontal(shares, loads, np.full(processors, 1 / processors), local).group_share_deviation
    assert (abs(found.value - expected) < 2 * found.half_width).all() and found.half_width.max() < 0.02


def test_one_chain_answers_for_any_number_of_processors(monkeypatch):
    calls = []
    solved = chain.law
    monkeypatch.setattr(chain, "law", lambda *arguments: calls.append(1) or solved(*arguments))
    results = [horizontal([0.61, 0.39], [0.3, 0.2], np.full(P, 1 / P), "GPPS") for P in (1, 3, 9)]
    assert len(calls) == 1 and len({result.group_share_deviation[0] for result in results}) == 3


@pytest.mark.parametrize("policy", ["HPRS/PS", "HPRS/GPPS", "VPRS"])
def test_what_is_lacking_makes_the_deviation(policy):
    for share, loads, P in ((0.5, (0.3, 0.4), 4), (0.75, (0.35, 0.2), 8)):
        deviation = delivered(policy, share, loads, P).group_share_deviation[0]
        assert 1 - lacking(policy, share, loads, P) - loads[0] / share == pytest.approx(deviation, abs=1e-8)
        assert 1 - unused(policy, share, loads, P) - sum(loads) == pytest.approx(
            delivered(policy, share, loads, P).capacity_loss, abs=1e-12
        )


def test_tails_say_what_fractions_say():
    """E(N - 1)^+ and E(N - 2)^+ of geometric numbers, exactly."""
    for load in (Fraction(1, 100), Fraction(3, 10), Fraction(9, 10)):
        own, mixed = [load] * 2, [load / 2 / (1 - load / 2)] * 4

        def mean_of_least(ratios, level):
            law = [Fraction(1)] + [Fraction(0)] * (level - 1)
            for a in ratios:
                for n in range(level):
                    law[n] = (1 - a) * law[n] + (a * law[n - 1] if n else 0)
            return level - sum((level - n) * p for n, p in enumerate(law))

        assert smaller_by_tails(4, float(load)) == (mean_of_least(own, 2) < mean_of_least(mixed, 2))


def test_the_groups_may_change_their_names():
    assert worst("HPRS/GPPS", 0.3, (0.2, 0.4), 3) == worst("HPRS/GPPS", 0.7, (0.4, 0.2), 3)
    gain, part = better("VPRS", "HPRS/PS", 0.5, (0.4, 0.4), 500)
    assert 0 < gain < 1e-16 and 0 < part < 1e-15


def test_points_are_of_the_group_that_lacks_more():
    systems = {0.1: (0.5, (0.1, 0.5)), 0.2: (0.5, (0.3, 0.3))}
    series = points("PS", systems, [2], steps=20_000)
    exact = lines({"HPRS/PS": "PS"}, systems.values(), [2])
    rows = series["PS, P = 2"]
    assert rows["x"].tolist() == [0.1, 0.2]
    np.testing.assert_allclose(rows["estimate"], exact["PS, P = 2"], atol=0.02)
    far = half_widths(series, np.array([0.1, 0.2]), exact)["PS, P = 2"]
    assert far == round(max(abs(rows["estimate"] - exact["PS, P = 2"]) / rows["half_width"]), 1)
    moved = {"PS, P = 2": exact["PS, P = 2"] + 1}
    assert half_widths(series, np.array([0.1, 0.2]), moved)["PS, P = 2"] > 10


def test_curves_of_both_groups_stand_under_their_names():
    found = of_groups({"HPRS/PS": "shared", "VPRS": "own"}, [(0.5, (0.2, 0.5)), (0.5, (0.1, 0.1))], 4)
    assert list(found) == ["shared, group 1", "shared, group 2", "own, group 1", "own, group 2"]
    assert found["own, group 2"][0] == 0 and max(found["shared, group 1"][0], found["shared, group 2"][0]) == round(
        worst("HPRS/PS", 0.5, (0.2, 0.5), 4), 12
    )
