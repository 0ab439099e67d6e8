"""The live simulator is a second implementation: its answers and its paths are held against the library's."""

import pytest
from live_engine import misfits, page_of
from live_paths import of_algorithm, of_choices, of_network, of_up_down
from live_systems import PARTS, systems

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def live(visit, tmp_path_factory):
    return page_of(visit, tmp_path_factory.mktemp("live"))


@pytest.mark.parametrize("part", PARTS)
def test_answers_are_the_librarys(live, part):
    """Six random systems of each policy; exact where there is an exact answer, else simulated by both."""
    assert misfits(live, systems(part)) == []


@pytest.mark.parametrize("policy", ["JSQ", "HP", "SVP", "DVP", "JSQ(d)", "SPILL"])
def test_rules_choose_as_the_librarys_at_each_event(live, policy):
    """On 10^4 events: the same next states, with the same probabilities, whatever is left to chance."""
    assert of_choices(live, policy, True, "GPPS", [0.5, 0.5], 3) == []
    assert of_choices(live, policy, True, "GPPS", [0.625, 0.375], 4, 800, 10) == []
    assert of_choices(live, policy, False, "PS", [0.5, 0.3, 0.2], 5, 300, 12) == []


def test_up_down_serves_as_the_kernel_does(live):
    """On 10^4 events with the kernel's numbers; loads for which neither group always comes first."""
    assert of_up_down(live, [0.5, 0.5], [0.45, 0.45]) == []


def test_algorithm_1_has_the_librarys_queue(live):
    """On 10^4 events with the kernel's numbers: the same jobs in the same order at the same times."""
    assert of_algorithm(live, [[0, 2], [1, 2]], [1, 1, 1], [1.2, 1.2], 3) == []
    assert of_algorithm(live, [[0], [0, 1], [1, 2, 3]], [1, 2, 0.5, 1], [0.7, 1.3, 1.3], 0.5, 2000) == []


NETWORKS = (
    {"shares": ("3/4", "1/4"), "loads": (0.4, 0.4), "processors": 10, "limit": 3, "events": 2500},
    {"shares": ("3/4", "1/4"), "loads": (0.4, 0.4), "processors": 10, "limit": 3, "events": 2500, "period": 0.5},
    {"shares": ("5/8", "3/8"), "loads": (0.5, 0.3), "processors": 4, "limit": 2, "events": 1500, "arrival": "VP",
     "probing": "VP"},
    {"shares": ("1/2", "1/4", "1/4"), "loads": (0.3, 0.3, 0.2), "processors": 4, "limit": 1, "events": 1500,
     "probing": "VP", "local": "PS"},
    {"shares": ("5/8", "3/8"), "loads": (0.5, 0.3), "processors": 4, "limit": 0, "events": 500, "migration": False},
)  # fmt: skip


@pytest.mark.parametrize("policy", ["JSQ", "HP", "SVP", "DVP", "Isolation"])
def test_processors_ask_as_printed(live, policy):
    """Event by event with the numbers of the loop that was written from the words of Chapter 6."""
    for network in NETWORKS if policy != "Isolation" else NETWORKS[-1:]:
        assert of_network(live, policy, **network) == []
