"""CITATION.cff is what programs that cite expect, and says what the bibliography says."""

import copy
import json
import re
import tomllib
from pathlib import Path

import jsonschema
import pytest
import yaml

from compendium import places

# As published by the Citation File Format project (version 1.2.0, CC BY 4.0).
SCHEMA = Path(__file__).with_name("citation-file-format-1.2.0.json")


@pytest.fixture
def citation():
    return yaml.safe_load((places.ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def faults(citation):
    """What the schema says against it."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return [error.message for error in jsonschema.Draft7Validator(schema).iter_errors(citation)]


def test_it_is_valid(citation):
    assert faults(citation) == []
    for name, value in (("license", "ours"), ("authors", []), ("cff-version", "2"), ("doi", "unknown")):
        assert faults(copy.deepcopy(citation) | {name: value}), name


def test_it_agrees_with_the_project(citation):
    project = tomllib.loads((places.ROOT / "pyproject.toml").read_text())["project"]
    assert (citation["version"], citation["license"]) == (project["version"], project["license"])
    bibliography = " ".join((places.ROOT / "references.bib").read_text(encoding="utf-8").split())
    for reference in citation["references"]:
        assert f"title = {{{reference['title']}}}" in bibliography
        assert reference.get("doi", "") in bibliography
        entry = re.search(rf"@\w+{{[^@]*{re.escape(reference['title'])}[^@]*", bibliography)[0]
        assert f"year = {{{reference['year']}}}" in entry
        assert all(author["family-names"] in entry for author in reference["authors"])
