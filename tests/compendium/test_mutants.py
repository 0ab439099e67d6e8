"""Faults put into the library on purpose are noticed by the claims named for them."""

import random

import pytest

from compendium.press import claims, findings, mutants

SAMPLE = 2


def test_every_mutant_stands_once_in_its_file_and_names_a_claim():
    found = mutants.mutants()
    assert len({mutant.identifier for mutant in found}) == len(found) >= SAMPLE
    assert all(mutant.old != mutant.new and mutant.what for mutant in found)


def test_a_fresh_sample_of_mutants_is_caught():
    seed = random.SystemRandom().randrange(2**32)
    for mutant, verdict, caught in mutants.survivors(SAMPLE, random.Random(seed)):
        assert caught, f"{mutant.identifier}: {mutant.claim} is '{verdict}' (sample drawn with seed {seed})"


def test_a_harmless_mutant_survives(monkeypatch):
    """What changes nothing turns no verdict: the judging itself can fail."""
    words = "Job-size distributions.", "How large jobs are."
    harmless = mutants.Mutant("harmless", "balanced-018", "clustershare/sizes.py", *words, "other words")
    monkeypatch.setattr(mutants, "mutants", lambda: [harmless])
    ((_, verdict, caught),) = mutants.survivors()
    assert verdict in findings.VERDICTS and not caught


@pytest.mark.parametrize(
    ("verdict", "turns"), [(findings.UNCONFIRMED, True), ("fails", False), ("does not end", False)]
)
def test_a_fault_is_caught_where_a_witness_disagrees(monkeypatch, verdict, turns):
    monkeypatch.setattr(mutants, "judge", lambda mutant: verdict)
    fault = mutants.Mutant("fault", "balanced-018", "clustershare/sizes.py", "Job", "Jobs", "a fault")
    monkeypatch.setattr(mutants, "mutants", lambda: [fault])
    assert list(mutants.survivors()) == [(fault, verdict, turns)]


def test_a_text_that_is_gone_is_a_sentence(monkeypatch, tmp_path):
    monkeypatch.setattr(mutants.places, "DATA", tmp_path)
    row = "one,balanced-001,clustershare/sizes.py,no such text,x,y"
    (tmp_path / "mutants.csv").write_text(f"identifier,claim,file,old,new,what\n{row}\n")
    monkeypatch.setattr(claims, "checks", lambda: {"balanced-001": None})
    with pytest.raises(ValueError, match="one: its text must stand once in clustershare/sizes.py; it stands 0 times."):
        mutants.mutants()


def test_a_mutant_that_is_not_in_the_list_is_a_sentence():
    with pytest.raises(ValueError, match="mutant must be one of .*; got 'no such mutant'"):
        list(mutants.survivors(only=["no such mutant"]))


def test_what_ends_in_an_error_or_was_never_judged_is_not_caught(monkeypatch):
    (chosen, *_) = mutants.mutants()
    monkeypatch.setattr(mutants, "mutants", lambda: [chosen])
    agrees, differs = findings.AGREES, findings.DIFFERS
    for found, committed in (("fails", agrees), (differs, findings.OPEN), (agrees, agrees)):
        monkeypatch.setattr(mutants, "judge", lambda mutant, found=found: found)
        monkeypatch.setattr(claims, "table", lambda verdict=committed: [{"id": chosen.claim, "verdict": verdict}])
        assert not any(caught for _, _, caught in mutants.survivors())
    monkeypatch.setattr(mutants, "judge", lambda mutant: findings.DIFFERS)
    assert all(caught for _, _, caught in mutants.survivors())
