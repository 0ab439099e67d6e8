"""The RO-Crate of a build: every figure with its page and data, as a validator and our own eyes read it."""

import email.message
import io
import json
import urllib.request
import urllib.response
from pathlib import Path

import pytest

from compendium import places
from compendium.__main__ import main
from compendium.press import crate, gallery
from compendium.study import points

READ = [
    {"study": "uniprocessor", "points": 2, "simulators": {"uniprocessor.simulate": "0123"}, "seeds": [7],
     "fidelities": ["book"]}
]  # fmt: skip


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    """A build as it stands before the crate is written, without executing: the figures as committed, with records."""
    source = tmp_path_factory.mktemp("build") / "source"
    (source / "figures").mkdir(parents=True)
    for name in ("chapters", "data", "lib"):
        (source / name).symlink_to(places.ROOT / name)
    for picture in (places.ROOT / "figures").glob("*.svg"):
        (source / "figures" / picture.name).symlink_to(picture)
        (source / "figures" / f"{picture.stem}.json").write_text(json.dumps(READ))
    return source.parent


def entities(output):
    """The crate of a build, by the names of its entities."""
    graph = json.loads(Path(output, "source", crate.NAME).read_text(encoding="utf-8"))["@graph"]
    assert len({entity["@id"] for entity in graph}) == len(graph)
    return {entity["@id"]: entity for entity in graph}


def references(value):
    """Every reference within a value."""
    if isinstance(value, dict):
        if value.keys() == {"@id"}:
            yield value["@id"]
        else:
            yield from references(list(value.values()))
    elif isinstance(value, list):
        for one in value:
            yield from references(one)


def faults(output):
    """What is wrong with the crate of a build: figures left out, files that are not there, names of nothing."""
    known, source = entities(output), Path(output, "source")
    found = [
        f"{name} names {one}"
        for name, entity in known.items()
        for one in references(entity)
        if one not in known and one != crate.VERSION
    ]
    parts, told = {one["@id"] for one in known["./"]["hasPart"]}, {one["@id"] for one in known["./"]["mentions"]}
    found += [f"{name} is no file" for name in parts if not (source / name).exists()]
    for row in gallery.catalogue():
        name, action = row["id"], known.get(f"#draw-{row['id']}")
        if name in gallery.captions():
            page = gallery.captions()[name][0].relative_to(places.ROOT).as_posix()
            if action is None or action["@id"] not in told:
                found.append(f"{name} is left out")
            elif {page, f"figures/{name}.svg"} - set(references([action["instrument"], action["result"]])):
                found.append(f"{name} is not drawn by its page")
            elif any("/" in one and one not in parts for one in references([action.get("object"), action["result"]])):
                found.append(f"{name} has data that are not the crate's")
        elif (places.CHAPTERS / f"{row['page']}.ipynb").exists():
            if known.get(f"#{name}", {}).get("isPartOf") != {"@id": f"chapters/{row['page']}.ipynb"}:
                found.append(f"{name} is left out")
    return found


def test_every_figure_is_in_it(build):
    crate.write(build)
    assert faults(build) == []
    drawn = entities(build)["#draw-thesis-fig-3.5"]
    assert [one["@id"] for one in drawn["object"]] == ["data/results/uniprocessor.csv", "#seed-7", "#fidelity-book"]
    assert "#uniprocessor.simulate-0123" in references(drawn["instrument"])


def test_what_is_left_out_is_seen(build, monkeypatch):
    for gone, fault in (
        ("#draw-thesis-fig-3.5", "thesis-fig-3.5 is left out"),
        ("#ctmc-tab-1", "ctmc-tab-1 is left out"),
        ("data/results/uniprocessor.csv", "./ names data/results/uniprocessor.csv"),
    ):
        crate.write(build)
        path = build / "source" / crate.NAME
        text = json.loads(path.read_text())
        text["@graph"] = [entity for entity in text["@graph"] if entity["@id"] != gone]
        path.write_text(json.dumps(text))
        assert fault in faults(build)


def test_a_figure_that_was_not_drawn_is_refused(build, capsys):
    record = build / "source" / "figures" / "thesis-fig-3.5.json"
    record.rename(record.with_suffix(".away"))
    assert main(["crate", "--output", str(build)]) == 2
    assert "got 'thesis-fig-3.5'" in capsys.readouterr().err
    record.with_suffix(".away").rename(record)


def test_the_tables_that_a_page_names_are_its_data():
    assert crate.tables_of(places.CHAPTERS / "cluster_chain" / "large_clouds.ipynb")[-1] == "large_clouds.csv"
    assert crate.tables_of(places.CHAPTERS / "cluster_chain" / "cloud.ipynb") == []


def test_what_is_read_is_recorded(monkeypatch, tmp_path):
    from clustershare import uniprocessor

    monkeypatch.setattr(points, "_read", {})
    monkeypatch.setenv("COMPENDIUM_RESULTS", str(tmp_path))
    system = dict(policy="FCFS", required_shares=(0.5, 0.5), service_rates=(1, 1))
    for rate in (0.1, 0.2, 0.2):
        points.run("tried", uniprocessor.simulate, [{"rate": rate}],
                   lambda rate: {**system, "arrival_rates": (rate, rate)}, fidelity="quick", seed=5)  # fmt: skip
    (study,) = points.read()
    assert (study["study"], study["points"], study["seeds"], study["fidelities"]) == ("tried", 2, [5], ["quick"])
    assert list(study["simulators"]) == ["uniprocessor.simulate"]


@pytest.fixture
def offline(monkeypatch):
    """The context that crates refer to, as the package rocrate brings it (of 1.3, which holds the terms of 1.1)."""
    rocrate = pytest.importorskip("rocrate", reason="rocrate, an independent reader, is not installed")
    text = Path(rocrate.__file__).with_name("data").joinpath("ro-crate.jsonld").read_bytes()

    def serve(self, request, *_, **__):
        url = getattr(request, "full_url", request)
        assert url == f"{crate.VERSION}/context", url
        head = email.message.Message()
        head["Content-Type"] = "application/ld+json"
        return urllib.response.addinfourl(io.BytesIO(text), head, url, 200)

    monkeypatch.setattr(urllib.request.OpenerDirector, "open", serve)


@pytest.mark.parametrize("spoilt", [False, True])
def test_a_validator_accepts_it(build, offline, spoilt):
    """By the packages roc-validator and rocrate, which take a while to import."""
    from rocrate_validator import services
    from rocrate_validator.models import Severity, ValidationSettings

    path = crate.write(build)
    if spoilt:
        path.write_text(path.read_text().replace('"datePublished"', '"published"'))
    settings = ValidationSettings(
        rocrate_uri=str(path.parent),
        profile_identifier="ro-crate-1.1",
        requirement_severity=Severity.REQUIRED,
        skip_checks=["ro-crate-1.1_3.1", "ro-crate-1.1_3.2"],  # they fetch the context anew, over another way
    )
    issues = services.validate(settings).get_issues()
    assert bool(issues) == spoilt, [issue.message for issue in issues]
