"""Runs pages with other parameters, for the tests of each chapter: files apart, so that workers share them out."""

import nbformat

from compendium.press import notebooks


def execute(name, tmp_path, **parameters):
    """Run a notebook at quick fidelity with other parameters; what it glued, as numbers where they are numbers."""
    source = next(path for path in notebooks.notebooks() if path.stem == name)
    target = tmp_path / source.name
    environment = {"COMPENDIUM_FIGURES": str(tmp_path), "COMPENDIUM_RESULTS": str(tmp_path)}
    notebooks.execute(source, target, parameters, environment)
    return notebooks.glued(nbformat.read(target, 4))
