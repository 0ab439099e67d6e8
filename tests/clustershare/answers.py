"""What must hold of an answer, whatever the question: finite numbers within their range, and relations to others."""

import contextlib
import dataclasses
import inspect
import itertools
import math
import numbers
import re

import numpy as np

from clustershare.estimates import Estimate

# By the name of a field or a function: numbers between 0 and 1, and numbers of at least 0.
PARTS = re.compile(r"share$|loss$|blocking|probabilit|utilisation$|fractions?$|_law$|numbers_in_one_line|success$")
AT_LEAST_0 = re.compile(
    r"(?<!function_)jobs|delay|respons|wait|time(?!_function)|queue|rates?$|loads?$|evictions|running|servers|held|mixed|busy|width|variance|error$"
)
ROUNDING = 1e-9


def faults(answer, name, told, method=None, corrected=False):
    """What is wrong with the numbers of an answer, in a line each.

    Parameters
    ----------
    answer : object
    name : str
        Of the function or the field.
    told : str
        Its documentation: infinite and nan are only what it says may be.
    method : str, optional
        Of the result that it is a part of.
    corrected : bool
        Whether something of known mean is subtracted from what was simulated: in a short run the value may then be out
        of its range, for it to be right on average.
    """
    if dataclasses.is_dataclass(answer) and not isinstance(answer, type):
        for field in dataclasses.fields(answer):
            if not field.name.startswith("_"):
                own = name if field.name == "value" else field.name
                about = _documented(type(answer), field.name)
                about += told if isinstance(answer, Estimate) or field.name == "error" else ""
                part, how = getattr(answer, field.name), getattr(answer, "method", method)
                estimated = field.name == "value" if isinstance(answer, Estimate) else isinstance(part, Estimate)
                yield from faults(part, own, about, how, corrected and estimated)
    elif isinstance(answer, dict):
        yield from faults(list(answer.values()), name, told)
    elif isinstance(answer, (list, tuple)) and not all(isinstance(one, numbers.Number) for one in answer):
        yield from (fault for one in answer[:1000] for fault in faults(one, name, told))
    elif isinstance(answer, (numbers.Real, np.ndarray, list, tuple)):
        if method not in (None, "simulation"):
            told = told.partition("Simulated")[0]
        with contextlib.suppress(TypeError, ValueError):  # an array of something else
            found = np.asarray(answer, float)
            may_be_nan = "nan" in told and (name != "error" or method == "simulation")
            wrong = np.isnan(found) & (not may_be_nan) | np.isinf(found) & (not re.search(r"\binf", told, re.I))
            part = PARTS.search(name) and not corrected
            signed = corrected or not part and (not AT_LEAST_0.search(name) or "difference" in told)
            low = -math.inf if signed else 0
            wrong |= (found < low - ROUNDING) | (found > (1 + ROUNDING if part else math.inf))
            if wrong.any():
                yield f"{name} is {' '.join(repr(answer).split()):.80}"


def _documented(kind, field):
    """What the classes say of a field."""
    lines, told = [line for one in kind.__mro__ for line in (inspect.getdoc(one) or "").splitlines()], []
    for k, line in enumerate(lines):
        if re.match(rf"[\w, ]*\b{field}\b[\w, ]*( : |$)", line):
            told += itertools.takewhile(lambda each: each.startswith("    "), lines[k + 1 :])
    return " ".join(told)


# Arguments with an entry for each group, class or processor: where these are exchanged, results are.
LABELS = {
    "dispatch.exact_central": ("required_shares", "loads"),
    "dispatch.shortest_queue_with_migration": ("required_shares", "loads"),
    "multiprocessor.group_weights": ("required_shares", "jobs"),
    "multiserver.balanced_fairness": ("arrival_rates", "graph.servers_of_class"),
    "multiserver.exact": ("arrival_rates", "graph.servers_of_class"),
    "multiserver.first_order_distance": ("arrival_rates", "graph.servers_of_class"),
    "splitting.assignment": ("required_shares", "processor_loads"),
    "splitting.capacity_loss": ("capacities", "processor_loads"),
    "splitting.fastest_responses": ("service_rates", "variances"),
    "splitting.horizontal": ("required_shares", "loads"),
    "splitting.minimise_capacity_loss": ("capacities",),
    "splitting.minimise_response_time": ("capacities",),
    "splitting.minimise_waiting_time": ("capacities",),
    "splitting.number_law": ("processor_loads",),
    "splitting.parallel_response_time": ("arrival_rates", "service_rates", "variances"),
    "splitting.pattern_allocation": ("service_rates", "pattern"),
    "splitting.shortest_waits": ("mean_sizes", "second_moments", "costs"),
    "splitting.vertical": ("required_shares", "loads"),
    "uniprocessor.discriminatory_response_times": ("weights", "arrival_rates", "service_rates"),
    "uniprocessor.exact": ("required_shares", "arrival_rates", "service_rates", "permanent_jobs"),
}
ORDERED = {"policy": ("HOL", "PQ")}  # where it matters which group is the first
# Arguments that grow with the unit of time, by their power of it: results grow by one, or stay.
OF_CLUSTER = {"cluster.arrival_rate": -1, "cluster.tracker_rate": -1, "cluster.service_rates": -1}
OF_GRAPH = {"graph.capacities": -1, "arrival_rates": -1}
UNITS = {
    "cluster_chain.exact": OF_CLUSTER,
    "cluster_chain.solve_directly": OF_CLUSTER,
    "cluster_variants.exact_priority": {
        "cluster.arrival_rates": -1,
        "cluster.tracker_rate": -1,
        "cluster.service_rates": -1,
    },
    "multiserver.balanced_fairness": OF_GRAPH,
    "multiserver.exact": OF_GRAPH,
    "routing.mean_response_time": {"service_rates": -1, "arrival_rate": -1},
    "routing.stationary_law": {"service_rates": -1, "arrival_rate": -1},
    "routing.throughput": {"service_rate": -1, "arrival_rate": -1},
    "routing.throughputs": {"service_rate": -1, "arrival_rate": -1},
    "splitting.fastest_responses": {"arrival_rate": -1, "service_rates": -1, "variances": 2},
    "splitting.parallel_response_time": {"arrival_rates": -1, "service_rates": -1, "variances": 2},
    "splitting.pattern_allocation": {"arrival_rate": -1, "service_rates": -1},
    "splitting.shortest_waits": {"arrival_rate": -1, "mean_sizes": 1, "second_moments": 2},
    "uniprocessor.discriminatory_response_times": {"arrival_rates": -1, "service_rates": -1},
    "uniprocessor.exact": {"arrival_rates": -1, "service_rates": -1},
}
# What certainly grows, all in all, with an argument; and where that sums to more than a queue can bear, in the first
# call of the docstring.
GROWING = {
    "dispatch.exact_central": ("loads", "mean_jobs", 1),
    "dispatch.queueing_probability": ("load", None, 1),
    "dispatch.shortest_queue_with_migration": ("loads", "mean_jobs", 1),
    "multiserver.balanced_fairness": ("arrival_rates", "mean_jobs", 3),
    "multiserver.exact": ("arrival_rates", "mean_jobs", 3),
    "multiserver.random_assignment": ("load", "mean_jobs", 1),
    "splitting.fastest_responses": ("arrival_rate", "objective", 1.5),
    "splitting.horizontal": ("loads", "mean_jobs", 1),
    "splitting.minimise_response_time": ("load", "objective", 1),
    "splitting.minimise_waiting_time": ("load", "objective", 1),
    "splitting.pattern_allocation": ("arrival_rate", "mean_jobs", 2),
    "splitting.shortest_waits": ("arrival_rate", "objective", 2),
    "splitting.vertical": ("loads", "mean_jobs", 5 / 6),
    "uniprocessor.discriminatory_response_times": ("arrival_rates", None, 1),
    "uniprocessor.exact": ("arrival_rates", "mean_jobs", 1),
}
LESS, UNIT = 1 - 2.0**-10, 2.0**10
CLOSE = 1e-6, 1e-12  # relative, absolute; and twice what results say of their errors


def broken_relations(name, function, arguments, answer):
    """Which relations to the answers of equal questions do not hold, in a line each."""
    bound = inspect.signature(function).bind(**arguments)
    bound.apply_defaults()
    given, first = {**arguments, **bound.arguments}, _numbers(answer)
    given.pop("run", None)
    if name in LABELS and not any(given.get(key) in values for key, values in ORDERED.items()):
        labels = len(given[LABELS[name][0]])
        changes = dict.fromkeys(LABELS[name], _exchanged)
        if "pattern" in changes:  # of labels, not by label
            changes["pattern"] = lambda value: [labels - 1 - one for one in value]
        other, slack = _again(function, given, answer, changes)
        for key, one in first.items():
            # A law is by number, and mixed_processors by the jobs that are there.
            by_label = one.ndim and len(one) == labels and not (name.endswith("_law") or key == "mixed_processors")
            may_be = [one[::-1] if by_label else one]
            may_be += [one[::-1, ::-1]] if one.ndim == 2 else []  # where groups take their processors with them
            if not any(_close(each, other[key], slack) for each in may_be):
                yield f"{key} is {_said(one)}, with labels exchanged {_said(other[key])}"
    if name in UNITS:
        changes = {path: times(UNIT**power) for path, power in UNITS[name].items()}
        other, slack = _again(function, given, answer, changes)
        for key, one in first.items():
            scales = (UNIT**power for power in (0, 1, -1, 2, -2))
            if not any(_close(one * scale, other[key], slack * scale) for scale in scales):
                yield f"{key} is {_said(one)}, with another unit of time {_said(other[key])}"
    if name in GROWING:
        path, key, _ = GROWING[name]
        other, slack = _again(function, given, answer, {path: times(LESS)})
        less, more = other[key].sum(), first[key].sum()
        if less > more * (1 + CLOSE[0]) + max(CLOSE[1], 2 * slack):
            yield f"{key or 'it'} sums to {more}, with less {path} to {less}"


def _again(function, given, answer, changes):
    """The numbers of the answer to a changed question, and the errors of both."""
    for path, change in changes.items():
        key, _, field = path.partition(".")
        value = given.get(key)
        if value is not None:
            new = dataclasses.replace(value, **{field: change(getattr(value, field))}) if field else change(value)
            given = given | {key: new}
    other = function(**given)
    return _numbers(other), sum(np.max(np.nan_to_num(getattr(one, "error", 0.0))) for one in (answer, other))


def _numbers(answer):
    """The arrays of an answer, by name; not those that say how well it was found."""
    fields = {None: answer}
    if dataclasses.is_dataclass(answer):
        fields = {one.name: getattr(answer, one.name) for one in dataclasses.fields(answer)}
    elif isinstance(answer, tuple):
        fields = dict(enumerate(answer))
    how = ("error", "residual", "sweeps", "flow_error", "little_error", "_entries", "_probabilities")
    arrays = {key: one for key, one in fields.items() if isinstance(one, (numbers.Real, np.ndarray)) and key not in how}
    return {key: np.asarray(one, float) for key, one in arrays.items()}


def _exchanged(value):
    return value[::-1] if hasattr(value, "__len__") else value


def times(factor):
    """The change of a number, or of all numbers of a sequence, by a factor."""
    return lambda value: np.multiply(value, factor).tolist()


def _close(one, other, slack):
    return one.shape == other.shape and np.allclose(one, other, CLOSE[0], max(CLOSE[1], 2 * slack), equal_nan=True)


def _said(array):
    return repr(array.tolist())[:80]
