"""A fingerprint changes with the behaviour of a simulator, and with nothing else."""

import sys
import textwrap

import pytest

from clustershare import names
from compendium.study import fingerprints

MODEL = '''
    """A model."""
    import numpy as np
    from sample.parts import draw, SCALE
    from sample import rules
    from sample.arguments import Refused, fail, positive
    from sample.parts import fast, slow

    SPEEDS = {"fast": fast, "slow": slow}

    LIMIT = 3
    UNUSED = 4

    class Law:
        """A law."""
        mean = 1.0
        def __init__(self, mean):
            self.mean = mean
        def sample(self, rng):
            return self.mean * draw(rng)
        def exact(self):
            return np.sqrt(self.mean)
        def __eq__(self, other):
            return self.mean == other.mean

    def simulate(law: Law, rng, speed="fast", jumps=10):
        """Simulate."""
        positive("jumps", jumps)
        if jumps > 10**9:
            fail("jumps", jumps)
        elif law.mean > 1:
            raise Refused(law)
        scale = positive("mean", law.mean)
        total = 0.0  # so far
        for _ in range(jumps):
            if total > LIMIT:
                raise ValueError(f"too much: {total}")
            total += rules.first([law.sample(rng) for draw in range(2)]) * SCALE
        return SPEEDS[speed](total) if type(law) is not Unlawful else 0

    class Unlawful(Law):
        bad = True

    def recursion(n):
        return 1 if n == 0 else n * recursion(n - 1)
'''
PARTS = """
    SCALE = 2.0

    def draw(rng):
        return rng.random()

    def fast(total):
        return total / 2

    def slow(total):
        return total * 2
"""
RULES = """
    def first(jobs):
        return jobs[0]

    def last(jobs):
        return jobs[-1]
"""
ARGUMENTS = """
    class Refused(ValueError):
        pass

    def fail(name, value):
        raise ValueError(name)

    def positive(name, value):
        if value <= 0:
            fail(name, value)
        return float(value)
"""


@pytest.fixture
def digest(tmp_path, monkeypatch):
    """The fingerprint of a sample's simulator and of a class of its arguments, when the files hold the given text."""
    monkeypatch.syspath_prepend(tmp_path)

    places = ("sample.model:simulate", "sample.model:Law")

    def of(model=MODEL, parts=PARTS, rules=RULES, places=places, words=None, asked=None, **more):
        folder = tmp_path / "sample"
        folder.mkdir(exist_ok=True)
        texts = {"__init__": "", "model": model, "parts": parts, "rules": rules, "arguments": ARGUMENTS, **more}
        for name, text in texts.items():
            (folder / f"{name}.py").write_text(textwrap.dedent(text))
        forget()
        return fingerprints.fingerprint(*places, words=words, asked=asked)

    yield of
    forget()


def forget():
    """Forget the sample that was read."""
    for cache in (fingerprints._parsed, fingerprints._record, fingerprints._digest, fingerprints._keys):
        cache.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "sample"]:
        del sys.modules[name]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# so far", "# until now"),
        ('"""Simulate."""', '"""Run."""'),
        ("law: Law", "law"),
        ("too much", "far too much"),
        ("UNUSED = 4", "UNUSED = 5"),
        ("n * recursion(n - 1)", "recursion(n - 1) * n"),
        ("return np.sqrt(self.mean)", "return self.mean ** 0.5"),
        ("total = 0.0", "total = (0.0)"),
        ('positive("jumps", jumps)', 'positive("jumps", jumps); positive("mean", law.mean)'),
        ("10**9", "10**8"),
        ("law.mean > 1:", "law.mean > 2:"),
        ("self.mean == other.mean", "self.mean is other.mean"),
        ("bad = True", "bad = 1"),
        ("mean = 1.0", "mean = 1.0; __array_ufunc__ = None"),
        ("bad = True", "bad = True\n        if TYPE_CHECKING:\n            worse: bool"),
    ],
)
def test_what_is_no_behaviour_does_not_count(digest, old, new):
    assert old in MODEL
    assert digest(model=MODEL.replace(old, new)) == digest()


def test_that_an_answer_remembers_its_call_does_not_count(digest):
    decorator = "def {}(function):\n    return function"
    more = {module: decorator.format(module) for module in ("calls", "other")}
    models = [MODEL.replace("    def sim", f"    from sample.{m} import {m}\n\n    @{m}\n    def sim") for m in more]
    assert [digest(model=model, **more) == digest() for model in models] == [True, False]


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("model", "LIMIT = 3", "LIMIT = 4"),
        ("model", "range(2)", "range(3)"),
        ("model", 'scale = positive("mean", law.mean)', 'scale = positive("mean", jumps)'),
        ("model", "raise Refused(law)", "total = 1"),
        ("model", "if jumps > 10**9", "if (jumps := jumps + 1) > 10**9"),
        ("model", "self.mean * draw(rng)", "draw(rng)"),
        ("model", "jumps=10", "jumps=20"),
        ("model", "rules.first(", "rules.last("),
        ("model", "is not Unlawful", "is Unlawful"),
        ("model", "is not Unlawful", "is not Law"),
        ("model", "            total +=", "        total +="),
        ("parts", "SCALE = 2.0", "SCALE = 3.0"),
        ("parts", "total / 2", "total / 3"),
        ("parts", "total * 2", "total * 3"),
        ("parts", "rng.random()", "1 - rng.random()"),
        ("rules", "jobs[0]", "jobs[-1]"),
    ],
)
def test_behaviour_counts_in_every_file(digest, file, old, new):
    text = {"model": MODEL, "parts": PARTS, "rules": RULES}[file]
    assert old in text
    assert digest(**{file: text.replace(old, new)}) != digest()


def test_of_a_table_what_the_words_choose_counts(digest):
    """A point that names one speed does not depend on the other, nor on what else the table offers."""
    fast, slow = ({"words": [word, "some law"]} for word in ("fast", "slow"))
    assert len({digest(**fast), digest(**slow), digest(), digest(words=["fast", "slow"])}) == 3
    other = PARTS.replace("total * 2", "total * 3")
    assert digest(parts=other, **fast) == digest(**fast)
    assert digest(parts=other, **slow) != digest(**slow)
    more = {"model": MODEL.replace('"slow": slow}', '"slow": slow, "none": draw}')}
    assert digest(**more, **fast) == digest(**fast)
    elsewhere = {"model": MODEL.replace("SPEEDS[speed](total)", "slow(SPEEDS[speed](total))")}
    assert digest(**elsewhere, parts=other, **fast) != digest(**elsewhere, **fast)


def test_how_arguments_are_checked_is_no_behaviour(digest):
    assert digest(arguments=ARGUMENTS.replace("value <= 0", "not value > 0")) == digest()


def test_code_may_move(digest):
    """The rule for who is first goes into a file of its own, under a new way to import it."""
    imported = MODEL.replace("from sample import rules", "from sample.elsewhere import first")
    moved = {
        "model": imported.replace("rules.first", "first"),
        "rules": "from sample.elsewhere import first\n",
        "elsewhere": RULES,
    }
    assert digest(**moved) == digest()


LATER = MODEL.replace("jumps=10)", "jumps=10, records=False)")
LATER = LATER.replace("total = 0.0  # so far", "total = 0.0\n        seen = Law(2.0) if records else None")
LATER = LATER.replace("return SPEEDS[speed](total)", "return SPEEDS[speed](total, seen)")
HANDED = PARTS.replace("def fast(total)", "def fast(total, seen=None)")
HANDED = HANDED.replace("return total / 2", "if seen is not None:\n            return seen\n        return total / 2")


def test_what_came_later_counts_for_who_asks_for_it(digest):
    """An option that may be left out changes nothing for a point that leaves it out, wherever it is handed on."""
    later = {"model": LATER, "parts": HANDED}
    changed = later | {"parts": HANDED.replace("return seen", "return 1")}
    without, asking = {"asked": ["law"]}, {"asked": ["law", "records"]}
    assert digest(**later, **without) == digest(**changed, **without) == digest(**without) == digest()
    assert len({digest(), digest(**later, **asking), digest(**changed, **asking), digest(**later)}) == 3


def test_a_text_may_ask_for_what_came_later(digest, monkeypatch):
    """As a regular expression, of the whole text."""
    monkeypatch.setattr(
        fingerprints, "_LATER", fingerprints._LATER | {"records": {r"JSQ\(\d+\)"}, "seen": {r"JSQ\(\d+\)"}}
    )
    later = {"model": LATER, "parts": HANDED}
    assert digest(**later, asked=["law", "JSQ"]) == digest(**later, asked=["JSQ(2) of them"]) == digest()
    assert digest(**later, asked=["law", "JSQ(12)"]) == digest(**later) != digest()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("records=False)", "records=True)"),  # asked for if nothing is said
        ("if records else None", "if speed else None"),
        ("if seen is not None:", "if seen is None:"),
        ("if seen is not None:", "if total is not None:"),
        ("return total / 2", "return total / 3"),
        ("return seen\n", "return seen\n        total += 1\n"),
    ],
)
def test_what_came_later_hides_nothing_else(digest, old, new):
    assert old in LATER + HANDED
    assert digest(model=LATER.replace(old, new), parts=HANDED.replace(old, new), asked=["law"]) != digest()


def test_a_name_that_is_no_definition_is_refused(digest):
    with pytest.raises(ValueError, match="place must be of the form package.module:name"):
        digest(places=["sample.model:nothing"])


def test_every_simulator_has_a_fingerprint_of_its_own():
    assert len({fingerprints.fingerprint(place) for place in names.SIMULATORS.values()}) == len(names.SIMULATORS)


def test_the_classes_of_the_arguments_count():
    place = names.SIMULATORS["multiserver.simulate"]
    assert fingerprints.fingerprint(place, names.CLASSES["sizes.ErlangMixture"]) != fingerprints.fingerprint(place)


def test_an_exact_recursion_is_not_part_of_a_simulator():
    models = fingerprints.Scope(("clustershare",))
    reached = {key[-1] for key in fingerprints.Reach([names.SIMULATORS["multiserver.simulate"]], models).records}
    assert "subset_recursion" not in reached and "balanced_fairness" not in reached
    reached = {key[-1] for key in fingerprints.Reach([names.SIMULATORS["uniprocessor.simulate"]], models).records}
    assert "priority_class" in reached  # who is served first
    assert "exact" not in reached
