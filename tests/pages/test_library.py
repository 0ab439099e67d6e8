"""What the library answers on each part's models is what witnesses say; where it is not, no verdict is given."""

import pytest

import proving
from clustershare import cluster_chain
from compendium.press import claims, library
from compendium.press.findings import AGREES, UNCONFIRMED


@pytest.mark.parametrize("part", library.parts())
def test_the_library_answers_as_the_witnesses(part):
    """Of those that are proven of today's code, one in twenty is asked again."""
    found = None if proving.again(part) else library.current(part)
    found = found or library.ask(part)
    assert found.verdict == AGREES, found.computed


def test_what_is_kept_of_the_library_is_of_todays_code():
    """Those named can be proven by ``python -m compendium prove --stale``."""
    assert [part for part in library.parts() if not library.current(part)] == []


def test_no_verdict_is_given_where_an_answer_is_wrong(monkeypatch):
    """Also of a claim that does not ask for that answer."""
    (check,) = claims.checks("ctmc-001").values()
    right = check()
    monkeypatch.setenv("COMPENDIUM_FRESH", "1")
    monkeypatch.delenv("COMPENDIUM_FINDINGS")
    library._asked.cache_clear()
    monkeypatch.setattr(cluster_chain, "saturated_jobs", lambda *given, **named: 0.0)
    assert check.function() == right
    found = check()
    library._asked.cache_clear()
    assert found.verdict == UNCONFIRMED and found.came_out.startswith(right.came_out)
