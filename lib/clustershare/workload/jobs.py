"""The jobs of a log, checked once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clustershare.arguments import LARGEST, SMALLEST, affordable, array, fail, integer, sequence
from clustershare.results import same
from clustershare.typing import FloatArray, IntArray, Integers, Numbers

MOST_JOBS, MOST_GROUPS, MOST_SERVERS = 10**8, 10**6, 10**9


@dataclass(frozen=True, eq=False)
class Workload:
    """Jobs in the order of their arrivals. Its arrays are copies of what is given, and cannot be written to.

    Parameters
    ----------
    arrivals : sequence of float, shape (jobs,)
        Times, at least 0, none before the one that stands before it.
    sizes : sequence of float, shape (jobs,)
        How long each job is served when it is alone on what it asks for, above 0.
    groups : sequence of int, shape (jobs,), optional
        From 0; all 0 if not given.
    servers : sequence of int, shape (jobs,), optional
        How many a job takes at once, at least 1; 1 if not given.
    names : sequence of str, optional
        Of the groups, each another; their numbers if not given. A group may have no jobs.
    estimates : sequence of float, shape (jobs,), optional
        Of the sizes, by the users, above 0; the sizes themselves if not given.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> jobs = Workload([0.0, 0.5, 2.0], [1.0, 3.0, 0.5], groups=[0, 1, 0], names=("physics", "biology"))
    >>> jobs
    Workload of 3 jobs of 2 groups
    >>> jobs.sizes[jobs.groups == 0]
    array([1. , 0.5])
    """

    arrivals: FloatArray
    sizes: FloatArray
    groups: IntArray = None  # type: ignore[assignment]
    servers: IntArray = None  # type: ignore[assignment]
    names: tuple[str, ...] = None  # type: ignore[assignment]
    estimates: FloatArray = None  # type: ignore[assignment]

    if TYPE_CHECKING:  # of what may be given, `__post_init__` makes what is there

        def __init__(
            self, arrivals: Numbers, sizes: Numbers, groups: Integers | None = None, servers: Integers | None = None,
            names: Sequence[str] | None = None, estimates: Numbers | None = None,
        ) -> None: ...  # fmt: skip

    def __post_init__(self) -> None:
        affordable("the number of jobs", len(sequence("arrivals", self.arrivals)), MOST_JOBS)
        arrivals = array("arrivals", self.arrivals, 1, 0, LARGEST)
        if (np.diff(arrivals) < 0).any():
            late = int(np.argmax(np.diff(arrivals) < 0)) + 1
            fail(f"arrivals[{late}]", float(arrivals[late]), f"at least arrivals[{late - 1}] = {arrivals[late - 1]:g}")
        jobs = len(arrivals)
        sizes = _above_0("sizes", self.sizes, jobs)
        with np.errstate(over="ignore"):
            if not np.isfinite(arrivals[-1] + sizes.sum()):
                fail("sizes", self.sizes, "such that the last arrival and all of them together are a float")
        groups = _whole("groups", self.groups, jobs, 0, 0, MOST_GROUPS - 1)
        names = _names(self.names, int(groups.max()) + 1)
        servers = _whole("servers", self.servers, jobs, 1, 1, MOST_SERVERS)
        estimates = sizes if self.estimates is None else _above_0("estimates", self.estimates, jobs)
        made = {
            "arrivals": arrivals, "sizes": sizes, "groups": groups, "servers": servers, "names": names,
            "estimates": estimates,
        }  # fmt: skip
        for name, value in made.items():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
            object.__setattr__(self, name, value)

    def __len__(self) -> int:
        return len(self.arrivals)

    def __eq__(self, other: object) -> bool:
        return same(self, other)

    def __hash__(self) -> int:
        return hash((len(self), self.names))

    def __repr__(self) -> str:
        return f"Workload of {len(self)} jobs of {len(self.names or ())} groups"


def _of_length(name, values, jobs):
    if len(sequence(name, values)) != jobs:
        fail(name, values, f"a sequence of {jobs} entries, one for each arrival")


def _above_0(name, values, jobs):
    _of_length(name, values, jobs)
    return array(name, values, 1, SMALLEST, LARGEST)


def _whole(name, values, jobs, default, least, most):
    if values is None:
        return np.full(jobs, default)
    _of_length(name, values, jobs)
    given = array(name, values, 1)
    wrong = (given != np.floor(given)) | (given < least) | (given > most)
    if wrong.any():
        k = int(np.argmax(wrong))
        value = given[k]
        integer(f"{name}[{k}]", int(value) if value == np.floor(value) else float(value), least, most)
    return given.astype(np.int64)


def _names(names, groups):
    if names is None:
        return tuple(map(str, range(groups)))
    given = tuple(sequence("names", names))
    if not all(isinstance(name, str) for name in given) or len(set(given)) < len(given) or len(given) < groups:
        fail("names", names, f"a sequence of at least {groups} texts, one for each group, each another")
    return given
