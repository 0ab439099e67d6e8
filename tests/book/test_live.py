"""The live simulator is a second implementation: its answers and its paths are held against the library's."""

import pytest
from live_engine import misfits, page_of
from live_systems import PARTS, systems

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def live(visit, tmp_path_factory):
    return page_of(visit, tmp_path_factory.mktemp("live"))


@pytest.mark.parametrize("part", PARTS)
def test_answers_are_the_librarys(live, part):
    """Six random systems of each policy; exact where there is an exact answer, else simulated by both."""
    assert misfits(live, systems(part)) == []
