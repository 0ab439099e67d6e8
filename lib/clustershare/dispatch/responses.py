"""Mean response times of answers that know mean numbers of jobs: Little's law."""

import functools
import inspect

import numpy as np

from clustershare.dispatch.memory import means_of
from clustershare.estimates import Estimate


def with_response_times(answer, package):
    """A simulator, or what answers exactly, whose results have a `mean_response_time`.

    Parameters
    ----------
    answer : callable
    package : str
        Where it is public.

    Returns
    -------
    callable
    """

    @functools.wraps(answer)
    def answered(*args, **kwargs):
        result = answer(*args, **kwargs)
        bound = inspect.signature(answer).bind(*args, **kwargs)
        bound.apply_defaults()
        given, loads = bound.arguments, np.array(bound.arguments["loads"], dtype=float)
        capacity = given["processors"] * given["processor_capacity"] if "processor_capacity" in given else 1.0
        object.__setattr__(result, "_arrival_rates", capacity * loads / means_of(given.get("sizes"), len(loads)))
        return result

    answered.__module__ = package  # where pickle finds it
    return answered


def by_littles_law(result):
    """Mean numbers of jobs over the arrival rates, which are known; None where they are not."""
    rates, jobs = vars(result).get("_arrival_rates"), result.mean_jobs
    if rates is None:
        return None
    with np.errstate(divide="ignore", invalid="ignore"):  # a group without arrivals has no response times
        if isinstance(jobs, Estimate):
            return Estimate(jobs.value / rates, jobs.half_width / rates)
        return jobs / rates
