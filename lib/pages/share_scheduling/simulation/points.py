"""Means of samples with the intervals by which Appendix A is judged: four standard errors, each by itself."""

import math

import numpy as np

from compendium.press.clauses import measured
from compendium.press.clauses.conditions import agrees

WITHIN_FOUR = agrees("is within four standard errors of what is told")


def sampled(value, error, **axes):
    """Values, less what is told of them, and their standard errors."""
    return measured(value, 4 * np.asarray(error), risk=None, **axes)


def mean_of(values, told=0.0, **axes):
    """The mean of independent values, along the last axis, less what is told of it."""
    values = np.asarray(values)
    return sampled(values.mean(axis=-1) - told, values.std(axis=-1, ddof=1) / math.sqrt(values.shape[-1]), **axes)


def part_of(holds, told, **axes):
    """The part of independent cases in which something holds, less its probability if it is as told."""
    part = np.mean(holds, axis=-1)
    error = math.sqrt(told * (1 - told) / np.shape(holds)[-1])
    return sampled(part - told, np.full(np.shape(part), error), **axes)
