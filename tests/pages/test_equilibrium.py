"""Stored points of dispatch that are no equilibrium: those known to be none, and no others."""

import json

import pytest

from compendium import places
from compendium.press.clauses import measured
from compendium.study import store
from pages.share_scheduling.distributed.points.stored import in_equilibrium


@pytest.fixture(scope="module")
def outside():
    """The arguments of all points at which a group obtains less than its load, by one joint level."""
    arguments, values, halves, loads = [], [], [], []
    for path in sorted(places.DATA.glob("results/*.csv")):
        for row in store.read(path).values():
            asked, found = json.loads(row.task.arguments), row.estimates.get("obtained_share")
            if row.task.model.startswith("dispatch.") and found and "loads" in asked and len(found["value"]) > 1:
                values += found["value"]
                halves += found["half_width"]
                loads += asked["loads"]
                arguments += [asked] * len(asked["loads"])
    assert len(loads) == len(values) > 10_000
    stays = in_equilibrium([measured(values, halves, group=None)], [loads])
    return [asked for asked, each in zip(arguments, stays) if not each]


def infinite_variance(asked):
    sizes = asked.get("sizes")
    return isinstance(sizes, dict) and sizes["class"] == "sizes.Pareto" and sizes["fields"]["exponent"] <= 2


def confined(asked):
    """Whether a group may be held on fewer processors than it needs: without migration, or with few or none asked."""
    held = asked["policy"] in ("SVP", "DVP", "Nice", "SPILL") and not asked.get("migration", "probe_limit" in asked)
    return held or asked.get("arrival_preference") == "VP" or (asked["policy"] == "SVP" and asked["probe_limit"] <= 1)


def test_no_other_point_is_out_of_equilibrium(outside):
    """A point taken for stationary that is not would show here before a claim rests on it."""
    known = infinite_variance, confined
    assert [asked for asked in outside if not any(each(asked) for each in known)] == []


def test_what_is_known_to_be_out_of_equilibrium_is_seen(outside):
    assert any(map(infinite_variance, outside))
    one_asked = {"loads": [0.2, 0.6], "policy": "SVP", "probe_limit": 1, "required_shares": [0.75, 0.25]}
    assert any(one_asked.items() <= asked.items() for asked in outside)
