"""Claims of `balanced`, Figures 3, 4, on random assignment among a hundred servers, and on what a jump is."""

import functools

import numpy as np

from clustershare import multiserver
from clustershare.sizes import Exponential
from compendium import study
from compendium.press.claims import AGREES, UNDECIDABLE, Finding, check, finding
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


@check("balanced-035", interruptions=0)
def one_interruption_is_enough(interruptions=1):
    """Delay over that of balanced fairness at load 0.8, for each size distribution and degree.

    `balanced`, Figures 3, 4.
    """
    found = {degree: [delay(degree, letter, interruptions) for letter in NAMES] for degree in (2, 3)}
    text = "; ".join(
        f"d = {degree}: " + ", ".join(f"{name} {ratio:.3f}" for name, (ratio, _, _) in zip(NAMES.values(), ratios))
        for degree, ratios in found.items()
    )
    return finding(text, all(ratio + doubt < 1.25 for ratios in found.values() for ratio, doubt, _ in ratios))


@check("balanced-037", small=3, large=2)
def more_choice(small=2, large=3):
    """Delays, and those of FCFS over balanced fairness, for two and three servers a job (`balanced`, Figures 3, 4)."""
    shorter, ratios = True, []
    for letter in NAMES:
        for m in (0, 1, 5):
            (_, few_doubt, few), (_, many_doubt, many) = delay(small, letter, m), delay(large, letter, m)
            shorter &= many * (1 + many_doubt) < few * (1 - few_doubt)
        (few, few_doubt, _), (many, many_doubt, _) = delay(small, letter, 0), delay(large, letter, 0)
        ratios.append((few, many, many + 1.5 * many_doubt < few - 1.5 * few_doubt))  # 1.96 se is a half width
    text = ", ".join(f"{name} {few:.2f} to {many:.2f}" for name, (few, many, _) in zip(NAMES.values(), ratios))
    return finding(f"FCFS over balanced fairness: {text}", shorter and all(less for *_, less in ratios))


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
