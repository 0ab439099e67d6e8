"""What was found of claims is kept with a digest of all that it depends on, and is computed again at random."""

import dataclasses
import functools
import random
import shutil
import subprocess

import pytest

import looks
from compendium import places
from compendium.press import claims, kept, mutants, notebooks, page_proofs, proofs, scorecard
from compendium.study import fingerprints

REPOSITORY = places.ROOT
PARTS = 12  # of the sample, side by side
SHARE = 20  # one in so many is computed again in each run


def test_every_proof_is_of_the_code_and_data_that_stand():
    """Those named can be proven by ``python -m compendium prove --stale``."""
    assert [check.identifier for check in claims.checks().values() if not proofs.current(check)] == []


@pytest.mark.parametrize("part", range(PARTS))
def test_a_fresh_sample_is_found_as_it_is_kept(part):
    seed = random.SystemRandom().randrange(2**32)
    known = [check for check in claims.checks().values() if proofs.current(check)]
    for check in random.Random(seed).sample(known, max(1, len(known) // SHARE // PARTS)):
        proof, again = proofs.current(check), proofs.prove(check)
        assert proof.stands(again), f"{proof} is found as {again} (sample drawn with seed {seed})"


def put_in(mutant):
    """The module of a fault, and its text with it."""
    text = (REPOSITORY / "lib" / mutant.file).read_text(encoding="utf-8").replace(mutant.old, mutant.new)
    return mutant.file.removesuffix(".py").removesuffix("/__init__").replace("/", "."), text


def test_every_mutant_makes_its_claim_stale():
    """As text: whether its verdict turns, the mutants themselves tell."""
    checks, missed = claims.checks(), []
    usual = functools.cache(lambda place: fingerprints.Reach([place], kept.SCOPE).digest())
    for mutant in mutants.mutants():
        place = "{0.__module__}:{0.__qualname__}".format(checks[mutant.claim].function)
        module, text = put_in(mutant)
        expected = usual(place)  # before the change
        with fingerprints.changed(module, text):
            if fingerprints.Reach([place], kept.SCOPE).digest() == expected:
                missed.append(mutant.identifier)
    assert missed == []


@pytest.fixture
def a_copy(tmp_path, monkeypatch):
    """Of what proofs read, in a folder of its own."""
    shutil.copytree(places.DATA, tmp_path / "data")
    shutil.copy(places.ROOT / "requirements.lock", tmp_path)
    monkeypatch.setattr(places, "ROOT", tmp_path)
    monkeypatch.setattr(places, "DATA", tmp_path / "data")
    kept.version.cache_clear()
    yield tmp_path
    kept.version.cache_clear()


def test_what_a_check_reads_makes_it_stale(a_copy):
    """Another value in any file, and a file that is gone."""
    (check,) = claims.checks("thesis-6-020").values()
    names = proofs.current(check).files
    assert names
    for name in names:
        whole = (a_copy / name).read_bytes()
        (a_copy / name).write_bytes(whole.replace(b"1", b"2", 1))
        assert proofs.current(check) is None
        (a_copy / name).unlink()
        assert proofs.current(check) is None
        (a_copy / name).write_bytes(whole)
        assert proofs.current(check)


def test_another_version_of_a_package_makes_it_stale(a_copy, monkeypatch):
    """One that the lock does not have: those of all Pythons are in it."""
    monkeypatch.setattr(proofs, "made_once", lambda make, *about: make())  # of what is installed
    (check,) = claims.checks("balanced-001").values()
    assert proofs.current(check)
    monkeypatch.setattr(kept.importlib.metadata, "version", lambda package: "99.0")
    kept.version.cache_clear()
    assert proofs.current(check) is None


def test_a_proof_that_was_edited_does_not_stand(a_copy, monkeypatch):
    """Whoever edits the finding alone is found by the sample; whoever edits the digest, at once."""
    monkeypatch.delenv("COMPENDIUM_FINDINGS")
    (check,) = claims.checks("balanced-001").values()
    proof = proofs.current(check)
    proofs.keep([dataclasses.replace(proof, digest="0" * 16)])
    assert proofs.current(check) is None
    proofs.keep([dataclasses.replace(proof, computed="equal")])
    assert check().computed == "equal" and not proofs.current(check).stands(proofs.prove(check))


def test_what_stands_is_left_as_it_was_kept(a_copy, monkeypatch):
    """Found again with other files, as beside other claims; what is found otherwise is written down."""
    (check,) = claims.checks("balanced-001").values()
    kept_one, before = proofs.current(check), proofs.KEPT.file.read_bytes()
    for changes, left in (({"files": ("data/claims.csv",)}, True), ({"computed": "otherwise"}, False)):
        again = dataclasses.replace(kept_one, **changes)
        monkeypatch.setattr(proofs, "side_by_side", lambda function, groups, again=again: [[again]])
        assert list(proofs.renew([check])) == [(kept_one, again)]
        assert (proofs.KEPT.file.read_bytes() == before) == left


def test_a_kept_finding_is_not_computed(monkeypatch):
    monkeypatch.delenv("COMPENDIUM_FINDINGS")
    (check,) = claims.checks("balanced-001").values()
    found = check()

    def computed():
        raise RuntimeError

    other = dataclasses.replace(check, function=computed, control={})
    monkeypatch.setattr(proofs, "digest", lambda function, files: proofs.KEPT.rows()["balanced-001",]["digest"])
    assert other() == found
    monkeypatch.setenv("COMPENDIUM_FRESH", "1")
    with pytest.raises(RuntimeError):
        other()


def test_the_scorecard_says_what_was_computed(monkeypatch):
    """Nothing is taken over where a build starts from nothing."""
    assert [row[1] for row in scorecard.rests().rows] == [0, len(claims.checks())]
    monkeypatch.setenv("COMPENDIUM_FRESH", "1")
    assert [row[1] for row in scorecard.rests().rows] == [len(claims.checks()), 0]


def test_what_was_read_already_counts():
    """Files count for the function that asked for them, and so for all checks that reach it: caches hide nothing."""
    (check,) = claims.checks("thesis-6-020").values()
    first, second = proofs.prove(check).files, proofs.prove(check).files
    assert first and second == first


def test_changes_of_neighbours_are_no_conflict(tmp_path):
    """Two people prove two claims that stand side by side."""

    def git(*words):
        identity = ["-c", "user.name=one", "-c", "user.email=one@example.org"]
        return subprocess.run(
            ["git", *identity, *words], cwd=tmp_path, capture_output=True, text=True, check=True
        ).stdout

    file = tmp_path / "claims.csv"
    text = proofs.KEPT.file.read_text(encoding="utf-8")
    first, second = (claim for claim in text.split("\n\n")[1:3])
    git("init", "-q", "-b", "main")
    for branch, claim in (("main", ""), ("one", first), ("other", second)):
        if branch != "main":
            git("switch", "-q", "main")
            git("switch", "-q", "-c", branch)
        file.write_text(text.replace(claim, claim.replace(",", ",changed", 1)) if claim else text, encoding="utf-8")
        git("add", ".")
        git("commit", "-qm", branch)
    git("merge", "-q", "-m", "both", "one")
    assert file.read_text(encoding="utf-8").count(",changed") == 2


def test_every_page_is_proven_as_it_stands():
    """Those named can be proven by ``make prove ONLY=stale``."""
    assert [path.stem for path in notebooks.notebooks() if page_proofs.current(path) is None] == []


@pytest.fixture
def a_page(a_copy, monkeypatch):
    """One that shows simulated points, with what its execution depends on."""
    monkeypatch.setattr(places, "CHAPTERS", a_copy / "chapters")
    for name in ("chapters", "figures"):
        shutil.copytree(REPOSITORY / name, a_copy / name)
    path = places.CHAPTERS / "share_scheduling" / "one_processor" / "equal_shares.ipynb"
    assert page_proofs.current(path) is not None
    return path


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("chapters/share_scheduling/one_processor/equal_shares.ipynb", "load = 0.8", "load = 0.7"),  # a cell
        ("chapters/share_scheduling/one_processor/equal_shares.ipynb", '"0.375"', '"0.376"'),  # an output
        ("figures/thesis-fig-3.5.svg", "</svg>", " </svg>"),
        ("figures/thesis-fig-3.5.csv", "0.01", "0.02"),
        ("data/results/uniprocessor.csv", "0.1", "0.2"),
    ],
)
def test_what_a_page_depends_on_makes_it_stale(a_copy, a_page, name, old, new):
    text = (a_copy / name).read_text(encoding="utf-8")
    assert old in text
    (a_copy / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    assert page_proofs.current(a_page) is None


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("data/claims.csv", "balanced-072,", "balanced-072,another "),
        ("data/proofs/claims.csv", "\n\nbalanced-072,", "\n\nbalanced-0720,"),
    ],
)
def test_a_page_that_shows_claims_depends_on_them(a_copy, a_page, name, old, new):
    """As the ledger's does, on those that differ."""
    ledger = places.CHAPTERS / "ledger" / "not_reproduced.ipynb"
    assert page_proofs.current(ledger) is not None
    text = (a_copy / name).read_text(encoding="utf-8")
    assert old in text
    (a_copy / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    assert page_proofs.current(ledger) is None


def test_what_a_page_does_not_depend_on_leaves_it_current(a_copy, a_page):
    """Other claims, other pages, other points; and its prose, of which a look is kept."""
    text = a_page.read_text(encoding="utf-8")
    a_page.write_text(text.replace("What to take away", "What is taken away", 1), encoding="utf-8")
    for name, old in (("data/claims.csv", "thesis-5-142,"), ("data/results/three-servers.csv", "0.1")):
        text = (a_copy / name).read_text(encoding="utf-8")
        (a_copy / name).write_text(text.replace(old, old[:-1] + " 1,", 1), encoding="utf-8")
    assert page_proofs.current(a_page) is not None


@pytest.fixture
def fault():
    """A module with a fault, and its text."""
    return put_in(next(one for one in mutants.mutants() if one.file.startswith("clustershare/uniprocessor/")))


def test_a_fault_in_what_a_page_reaches_makes_it_stale(fault, a_page):
    module, text = fault
    page_proofs._reach.cache_clear()
    with fingerprints.changed(module, text):
        assert page_proofs.current(a_page) is None
    page_proofs._reach.cache_clear()


def test_a_style_that_changed_is_looked_at_again(tmp_path, request):
    for name, text in (("page.html", "<p>"), ("book.css", "p { color: black; }")):
        (tmp_path / name).write_text(text)
    names = ["book.css", "page.html"]
    before = looks.digest(request.node, tmp_path, names)
    assert looks.digest(request.node, tmp_path, names) == before
    (tmp_path / "book.css").write_text("p { color: white; }")
    assert looks.digest(request.node, tmp_path, names) != before
