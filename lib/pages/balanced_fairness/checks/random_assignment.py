"""Claims of `balanced`, Figures 3, 4, on random assignment among a hundred servers, and on what a jump is."""

import functools

import numpy as np

from clustershare import multiserver
from clustershare.sizes import Exponential
from compendium import study
from compendium.press.claims import AGREES, UNDECIDABLE, Finding, check
from pages.balanced_fairness.systems import LOADS, paper_sizes, random_servers

NAMES = {"a": "bimodal", "b": "hyperexponential", "c": "Zipf"}


@functools.cache
def delay(degree, letter, interruptions, load=0.8):
    """Mean delay in Figures 3 and 4 over that of balanced fairness, its half width, and the delay itself."""
    size = paper_sizes()[letter]
    rows = study.run(
        "random-servers", multiserver.simulate, study.grid(load=[load]),
        lambda load: {
            **random_servers(load, degree, mean_size=size.mean), "sizes": size, "interruptions": interruptions,
        },
        fidelity="paper",
    )  # fmt: skip
    row = rows[rows["quantity"] == "mean_delay"].iloc[0]
    fair = size.mean * multiserver.random_assignment(100, degree, load).mean_delay
    return row["estimate"] / fair, row["half_width"] / fair, row["estimate"]


@check("balanced-048", letter=None, interruptions=0)
def what_is_a_jump(letter="a", interruptions=5):
    """Events of a job if phases and interruptions are counted as jumps, and the loads whose answer that could move.

    Both readings estimate the same mean; they differ by the number of jobs in a run.
    """
    size = paper_sizes()[letter] if letter else Exponential()
    counts, _, weights = size.erlang_mixture()
    events = 1 + counts @ weights + interruptions
    doubt = max(delay(2, "a", 5, load)[1] for load in LOADS)
    if events == 2:
        return Finding("2 events a job on either reading", AGREES)
    return Finding(
        f"{events:.0f} events a job or 2; at the paper's run length the intervals would be "
        f"{np.sqrt(events / 2):.1f} times wider or narrower, and the widest here is {doubt:.1%}",
        UNDECIDABLE,
    )
