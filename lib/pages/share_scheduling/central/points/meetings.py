"""How many processors serve several groups at once: stored points of systems with three groups and with two.

In whole processors, under SVP, these are the processors on which a guest runs beside jobs that are none.
"""

import functools

from clustershare import dispatch
from compendium import study
from pages.share_scheduling.central.systems import several_groups

SYSTEMS = {
    "three processors": (3, (1 / 3, 1 / 3, 1 / 3)),
    "six processors": (6, (1 / 6, 1 / 3, 1 / 2)),
    "two groups": (6, (1 / 2, 1 / 2)),
}
"""Processors and required shares; the loads of the groups are in proportion to these."""
RULES = ("JSQ", "HP", "SVP", "SVP without M1")
LOADS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


@functools.cache
def mixed(system, loads=LOADS, rules=RULES, local="PS", fidelity="book"):
    """The mean number of processors with jobs of several groups, with migration.

    Parameters
    ----------
    system : str
        In `SYSTEMS`.
    loads : tuple of float
        Of all groups together.
    rules : tuple of str
        In `RULES`.
    local : str
    fidelity : str

    Returns
    -------
    pandas.DataFrame
        With columns rule, load, estimate and half_width.
    """
    points = study.grid(system=[system], rule=rules, local=[local], load=loads)
    rows = study.run("central-guests", dispatch.simulate_central, points, _arguments, fidelity=fidelity)
    parts = rows[rows["quantity"] == "mixed_processors"]  # of two jobs, and of more: together
    return parts.groupby(["rule", "load"], sort=False)[["estimate", "half_width"]].sum().reset_index()


def _arguments(system, rule, local, load):
    processors, shares = SYSTEMS[system]
    policy, _, reading = rule.partition(" ")
    return several_groups(
        policy, local, True, shares, tuple(round(load * share, 12) for share in shares), processors,
        **({"reading": reading} if reading else {}),
    )  # fmt: skip
