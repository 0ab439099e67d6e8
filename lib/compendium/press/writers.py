"""A Sphinx extension: as many processes read the pages as there are processors, and as many write them.

And what is the same for all pages is looked for once.
"""

import functools

import joblib
import pybtex.plugin

UNDECLARED = ("sphinx_multitoc_numbering", "sphinx_jupyterbook_latex")  # they work on what all have read


def setup(app):
    """What Sphinx calls."""
    # For each citation sphinxcontrib.bibtex asks what installed packages declare, a tenth of a second each time.
    pybtex.plugin.find_plugin = functools.cache(pybtex.plugin.find_plugin)
    app.connect("builder-inited", read_side_by_side)
    app.connect("env-updated", write_side_by_side)
    return {"parallel_read_safe": True}


def read_side_by_side(app):
    """Let Sphinx fork once its extensions are there."""
    from sphinx_proof.domain import ProofDomain

    # Its own list of theorems is put together by `sphinx_proof` itself; the domain has nothing besides.
    ProofDomain.merge_domaindata = lambda domain, names, other: None
    for name in UNDECLARED:
        app.extensions[name].parallel_read_safe = True
    app.parallel = joblib.cpu_count()


def write_side_by_side(app, env):
    """Let Sphinx fork, now that everything is read."""
    app.parallel = joblib.cpu_count() + 1  # of which one takes the pages apart for the others, and is done early
