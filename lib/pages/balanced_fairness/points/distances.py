"""The distance to balanced fairness as a function of the number of interruptions."""

import numpy as np
import pandas as pd

from clustershare import multiserver
from clustershare.arguments import one_of
from clustershare.sizes import Exponential
from compendium.study.points import run
from compendium.study.tasks import grid
from pages.balanced_fairness.points.published import FIGURES
from pages.balanced_fairness.systems import paper_sizes

# The systems of Figures 1, 2, 3, 4, whose points are used again.
SYSTEMS = dict(zip(("three servers", "two nested classes", "2 of 100", "3 of 100"), FIGURES.values()))


def fair_jobs(graph, arrival_rates, mean):
    """Mean numbers of jobs under balanced fairness, for jobs of that mean size."""
    return np.atleast_1d(multiserver.balanced_fairness(graph, arrival_rates, Exponential(mean)).mean_jobs)


def of_system(system, interruptions, loads, fidelity):
    """Relative distance of the mean numbers of jobs from balanced fairness, in the class where it is largest.

    Parameters
    ----------
    system : str
        A name in `SYSTEMS`.
    interruptions, loads : sequence of float
    fidelity : str

    Returns
    -------
    pandas.DataFrame
        `letter` of the sizes (as in `balanced`, Figures 1, 2, 3, 4), `load`, `interruptions`, `estimate`, `half_width`,
        `certain`: whether the distance is larger than its own interval, and `below`: whether there are fewer jobs than
        under balanced fairness.
    """
    study, arguments = SYSTEMS[one_of("system", system, SYSTEMS)]
    job_sizes = paper_sizes()
    rows = run(
        study, multiserver.simulate, grid(letter=list(job_sizes), load=loads, interruptions=interruptions),
        lambda letter, load, interruptions: {
            **arguments(load, mean_size=job_sizes[letter].mean), "sizes": job_sizes[letter],
            "interruptions": interruptions,
        },
        fidelity=fidelity,
    )  # fmt: skip
    rows = rows[rows["quantity"] == "mean_jobs"]
    found = []
    for (letter, load, m), classes in rows.groupby(["letter", "load", "interruptions"], sort=False):
        mean = job_sizes[letter].mean
        fair = fair_jobs(**arguments(load, mean_size=mean), mean=mean)
        above = classes["estimate"].to_numpy() / fair - 1
        distance = np.abs(above)
        farthest = distance.argmax()
        half_width = classes["half_width"].to_numpy()[farthest] / fair[farthest]
        certain, below = distance[farthest] > half_width, above[farthest] < 0
        found.append((letter, load, m, distance[farthest], half_width, certain, below))
    columns = ["letter", "load", "interruptions", "estimate", "half_width", "certain", "below"]
    return pd.DataFrame(found, columns=columns)


def of_all_systems(interruptions, loads, fidelity):
    """`of_system` for every one of `SYSTEMS`, by its name."""
    return {system: of_system(system, interruptions, loads, fidelity) for system in SYSTEMS}


def variance_ratios(rows):
    """How much the companion takes away: the variance of the first class's mean number without it, over that with it.

    Parameters
    ----------
    rows : pandas.DataFrame
        Of `compendium.study.run` and a simulator of `clustershare.multiserver` with a companion, over `load`, `m` and
        perhaps `letter`.

    Returns
    -------
    pandas.Series
        By these.
    """
    parameters = [name for name in ("letter", "load", "m") if name in rows]
    chosen = rows[rows["quantity"].isin(["plain_jobs", "mean_jobs"]) & (rows["index"] == 0)]
    widths = chosen.pivot(index=parameters, columns="quantity", values="half_width")
    return (widths["plain_jobs"] / widths["mean_jobs"]) ** 2


def products(rows):
    """The distance of all jobs together times the number of interruptions, which the law says is nearly constant.

    Parameters
    ----------
    rows : pandas.DataFrame
        Of `compendium.study.run` and a simulator of `clustershare.multiserver` with a companion, over `m` and others.

    Returns
    -------
    pandas.DataFrame
        The rows of `total_distance`, with `estimate` and `half_width` times `m`, and `precision`, the half width over
        the distance.
    """
    found = rows[rows["quantity"] == "total_distance"].copy()
    found["precision"] = found["half_width"] / found["estimate"].abs()
    found[["estimate", "half_width"]] = found[["estimate", "half_width"]].mul(found["m"], axis=0)
    return found
