"""A Sphinx extension: as many processes write the pages as there are processors.

They are read by one process: `sphinx_proof` cannot put together what several have read.
"""

import joblib


def setup(app):
    """What Sphinx calls."""
    app.connect("env-updated", write_side_by_side)
    return {"parallel_read_safe": True}


def write_side_by_side(app, env):
    """Let Sphinx fork, now that everything is read."""
    app.parallel = joblib.cpu_count() + 1  # of which one takes the pages apart for the others, and is done early
