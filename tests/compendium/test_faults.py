"""Faults made by machine: places are found, each is put where it belongs, what claims notice is noticed again."""

import random

import numpy as np
import pytest
from scipy import stats

from clustershare import shares
from compendium.__main__ import main
from compendium.press import claims, fault_sites, fault_trials, faults, findings, library, reaching
from compendium.press.fault_sites import Fault
from compendium.press.fault_trials import FAILED, NOTHING, NOTICED, TOLD, TURNED, UNENDED, VOID

CLAIMS, FRESH = 20, 2  # drawn in each run, and new faults for each
DEAR = 0.5  # claims that take longer, in seconds of the processor, are left to `make faults`

SOURCE = '''
"""A module."""
from clustershare.arguments import fail


def ratio(part, whole, most=1.0):
    """A ratio."""
    if whole <= 0:
        fail("whole", whole, "above 0")
    if part > whole and most < 2:
        return -most
    total = sum(part for _ in range(3))
    return total / (3 * whole)


class Kind:
    def value(self):
        return max(self.one, 5)
'''


def named(found):
    return {str(fault).partition(": ")[2] for fault in found}


def test_places_are_known_by_what_stands_there():
    found = fault_sites.sites(SOURCE, "m")
    assert {"another operator: total / (3 * whole)", "the first term dropped: 3 * whole"} <= named(found["ratio"])
    assert {"the range one shorter: range(3)", "the comparison turned: part > whole"} <= named(found["ratio"])
    assert {"min for max: max(self.one, 5)", "another number: 5"} <= named(found["Kind.value"])
    assert not any("fail" in name or "whole <= 0" in name for name in named(found["ratio"]))  # what refuses
    every = [fault for faults_of_one in found.values() for fault in faults_of_one]
    assert len(set(every)) == len(every)
    moved = fault_sites.sites("# longer\n\n" + SOURCE, "m")
    assert moved == found  # no line counts


def test_only_lines_that_were_executed_are_faulted():
    lines = {number for number, line in enumerate(SOURCE.splitlines(), 1) if "return -most" not in line}
    found = named(fault_sites.sites(SOURCE, "m", lines)["ratio"])
    assert "the sign dropped: -most" not in found
    # What was never taken is taken, but whether it is never taken makes no difference.
    assert any(name.startswith("this branch always: if part") for name in found)
    assert not any(name.startswith("this branch never: if part") for name in found)


@pytest.mark.parametrize("fault", [one for each in fault_sites.sites(SOURCE, "m").values() for one in each], ids=str)
def test_each_fault_is_another_code(fault):
    if fault.operator in fault_sites.RESULTS:
        return
    space = {}
    exec(compile(SOURCE, "m", "exec"), space)  # noqa: S102
    owner, _, name = fault.function.rpartition(".")
    function = getattr(space[owner], name) if owner else space[name]
    before = function.__code__
    function.__code__ = fault_sites.code(SOURCE, fault, "m")
    after = function.__code__
    assert (after.co_code, after.co_consts, after.co_names) != (before.co_code, before.co_consts, before.co_names)


def test_a_place_that_is_gone_has_no_code():
    assert fault_sites.code(SOURCE, Fault("m", "ratio", "another operator", "total * 3"), "m") is None
    assert fault_sites.code(SOURCE, Fault("m", "gone", "another number", "3"), "m") is None


def a_check(function):
    function.__module__ = "pages.share_scheduling.objectives.checks.section_2_4_5"
    return claims.Check("claim", function, {})


def outcome(function, fault, tmp_path):
    """What comes of a check, told as a check of the pages, with a fault."""
    check = a_check(function)
    with reaching.Given(function.__module__) as given:
        expected = function()
    before = given.digest()
    reaching.known()
    return fault_trials.noticed(check, fault, expected, before, 1.0, str(tmp_path))


SHARE = Fault("clustershare.shares", "feasible_group_share", fault_sites.RESULTS[1])


def checks():
    """Functions of a module that counts as one of checks."""
    space = {"__name__": a_check(lambda: None).function.__module__, "shares": shares, "finding": findings.finding}
    exec(  # noqa: S102
        "def share(): return float(shares.feasible_group_share(0.5, 1, 4))\n"
        "def notices(): return finding('', abs(share() - 0.25) < 1e-9)\n"
        "def tells(): return finding(f'{share():.3f}', True)\n"
        "def overlooks(): return finding('', share() > 0)\n"
        "def ends(): return finding('', {0.25: True}[share()])\n"
        "def asks_not(): return finding('', True)\n"
        "def is_slow():\n"
        "    while share() != 0.25: pass\n"
        "    return finding('', True)\n",
        space,
    )
    return space


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("notices", TURNED), ("tells", TOLD), ("overlooks", NOTHING), ("ends", FAILED), ("asks_not", VOID),
    ],
)  # fmt: skip
def test_what_comes_of_a_fault(name, expected, tmp_path):
    assert outcome(checks()[name], SHARE, tmp_path) == expected
    assert float(shares.feasible_group_share(0.5, 1, 4)) == 0.25  # nothing of it is left here


def test_a_fault_that_never_ends_is_ended(tmp_path, monkeypatch):
    monkeypatch.setitem(fault_trials.LIMIT, "times", 0)
    monkeypatch.setitem(fault_trials.LIMIT, "seconds", 1)
    assert outcome(checks()["is_slow"], SHARE, tmp_path) == UNENDED


def test_a_text_fault_is_in_every_place_that_knows_the_function(tmp_path):
    fault = Fault("clustershare.shares", "feasible_group_share", "another operator")
    (fault,) = [
        one
        for one in fault_sites.sites(reaching.sources("clustershare.shares")[0], "clustershare.shares")[fault.function]
        if one.operator == fault.operator
    ]
    assert outcome(checks()["notices"], fault, tmp_path) == TURNED


def test_stored_points_are_spoilt():
    values = [0.25, 1.0]
    root, tenth, exchanged = (fault_trials.spoilt_values(values, operator) for operator in fault_sites.RESULTS)
    assert root == [0.5, 1.0] and np.allclose(tenth, [0.275, 0.9]) and exchanged == [1.0, 0.25]
    assert np.allclose(fault_trials.spoilt_values(values, fault_sites.RESULTS[1], 1), [0.225, 1.1])


def test_fresh_faults_are_noticed_as_those_kept():
    """For claims drawn at random: of new faults not far fewer are noticed than of the old.

    Of every other claim, what was noticed is noticed again.

    One claim that does not notice a new fault tells nothing. All of them together would notice so few by chance in one
    run of a million, if their rates were those that are kept.
    """
    kept = faults.current()
    seed = random.SystemRandom().randrange(2**32)
    cheap = [line for line in kept.values() if float(line["seconds"]) <= DEAR and int(line["tried"])]
    chosen = random.Random(seed).sample(cheap, min(CLAIMS, len(cheap)))
    law, noticed, missed, lost = np.ones(1), 0, [], []
    for number, line in enumerate(chosen):
        again = faults.names(line["seen"])[:1] if number % 2 else []
        outcomes, _ = faults.judged(line["claim"], FRESH, seed, again)
        fresh = 0
        for fault, what in outcomes.items():
            if str(fault) in again:
                lost += [f"{line['claim']}: {fault}: {what}"] * (what not in (*NOTICED, UNENDED))
            elif what != UNENDED:
                fresh += 1
                noticed += what in NOTICED
                missed += [f"{line['claim']}: {fault}"] * (what not in NOTICED)
        known = faults.number(line)  # each rate is as likely as another, before any fault was tried
        urn = stats.betabinom(fresh, known + 1, int(line["tried"]) - known + 1)
        law = np.convolve(law, urn.pmf(np.arange(fresh + 1)))
    assert not lost, f"noticed before, and no longer (seed {seed}): {lost}"
    assert law[: noticed + 1].sum() > 1e-6, f"only {noticed} of {noticed + len(missed)} noticed (seed {seed}): {missed}"


def test_the_report_has_each_claim_of_todays_code_once():
    lines, every = faults.current(), claims.table()
    shown = faults.report().rows
    assert sorted(row[0][0] for row in shown) == sorted(lines)
    assert sum(row[1] for row in faults.totals().rows) == len(lines)
    assert sum(row[-1] for row in faults.totals().rows) == len(every) - len(lines)
    for line in lines.values():
        tried, told, unseen = int(line["tried"]), int(line["told"]), faults.names(line["unseen"])
        assert faults.number(line) + told <= tried
        assert bool(unseen) == (faults.number(line) < tried)


def test_a_room_is_asked_with_faults_of_the_models_alone():
    outcomes, _ = faults.judged("pages.round_robin", 3, 7)
    assert len(outcomes) == 3 and set(outcomes.values()) <= {TURNED, TOLD, NOTHING}
    assert TURNED in outcomes.values() and all(fault.module.startswith("clustershare.") for fault in outcomes)


def test_each_room_stands_once_in_its_report(monkeypatch):
    """One whose faults were made of other code is to be asked again."""
    line = {"tried": "4", "turned": "3", "failed": "0", "unseen": '["m:f: another number: 2"]'}
    monkeypatch.setattr(faults, "of_rooms", lambda: {"pages.round_robin": line})
    rows = {row[0]: row[1:] for row in faults.report_of_rooms().rows}
    assert len(rows) == len(library.parts())
    assert rows.pop("round robin") == ("3 of 4", ["m:f: another number: 2"])
    assert all(row == (faults.AGAIN, []) for row in rows.values())


def test_a_reason_is_of_a_claim_that_needs_one():
    """And where none is given, the report says that nobody has read it yet."""
    few = {name for name, line in faults.current().items() if not faults.enough(line)}
    assert all(faults.reasons().values()) and not set(faults.reasons()) & (set(faults.current()) - few)
    waiting = {row[0][0] for row in faults.report().rows if row[-1] == faults.UNREAD}
    assert waiting == set(faults.unread()) >= few - set(faults.reasons())


def test_the_command_says_what_is_noticed_and_what_is_not(monkeypatch, capsys):
    line = {"claim": "balanced-001", "turned": 2, "failed": 1, "tried": 4, "unseen": '["m:f: another number: 2"]'}
    monkeypatch.setattr(faults, "survey", lambda *asked: [line] * (asked == (["balanced-001"], 4, False)))
    assert main(["faults", "balanced-001", "--faults", "4"]) == 0
    assert capsys.readouterr().out.split() == "balanced-001 3 of 4 noticed not: m:f: another number: 2".split()
    assert main(["faults", "--faults", "0"]) == 2


def test_a_claim_that_is_none_is_a_sentence():
    with pytest.raises(ValueError, match="claim must be one of"):
        list(faults.survey(["no such claim"]))
