"""The systems of `thesis`, Section 6.7, as arguments of `clustershare.dispatch.simulate_distributed`."""

from clustershare.sizes import Exponential, Pareto

POLICIES = ("JSQ", "HP", "SVP", "DVP")
# Required shares and loads of the two groups in the five cases of Section 6.7.
CASES = {
    1: ((0.5, 0.5), (0.4, 0.4)),
    2: ((0.5, 0.5), (0.2, 0.6)),
    3: ((0.75, 0.25), (0.4, 0.4)),
    4: ((0.75, 0.25), (0.6, 0.2)),
    5: ((0.75, 0.25), (0.2, 0.6)),
}
ALL_CASES = tuple(CASES)

# Where the points of the figures lie: the scan shows no grid but in words, and these are ours where it has none.
LIMITS = tuple(range(10))
PERIODS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
SHORT_PERIODS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.625, 0.7, 0.8, 0.9, 1.0)
PROBE_TIMES = (0.0, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3)
MIGRATION_TIMES = (0.0, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1)
PROCESSORS = (4, 8, 12, 16, 20)
MANY_PROCESSORS = (10, 20, 50, 100, 200, 500, 1000)
RATIOS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
PREFERENCES = ("HP", "VP")


def of_case(
    policy, case=1, load=0.8, processors=10, probe_limit=3, ratio=1.0, ratio_of="overall mean", pareto=None, **other
):  # fmt: skip
    """One of the five cases, as `thesis` has it where nothing else is said.

    Parameters
    ----------
    policy : str
    case : int
    load : float
        In all; the groups' parts of it are the case's.
    processors, probe_limit : int
    ratio : float
        alpha of (6.1), of the mean service times; the group loads stay.
    ratio_of : str
        What is 1 at every ratio: the "overall mean" of the service times, or that of "group 1" or "group 2".
    pareto : float, optional
        The exponent b of (6.2) with mean 1, in place of exponential sizes.
    **other
        Handed on, such as `probe_period`, `arrival_preference` and `reading`.

    Returns
    -------
    dict

    Examples
    --------
    >>> of_case("JSQ", case=2)["loads"]
    (0.2, 0.6)
    >>> [size.mean for size in of_case("HP", ratio=3.0)["sizes"]]
    [2.0, 0.6666666666666666]
    """
    shares, loads = CASES[case]
    found = {
        "policy": policy, "required_shares": shares, "processors": processors, "probe_limit": probe_limit,
        "loads": tuple(round(each * load / 0.8, 12) for each in loads), **other,
    }  # fmt: skip
    if ratio != 1:
        found["sizes"] = tuple(Exponential(mean) for mean in means(ratio, ratio_of, loads))
    if pareto is not None:
        found["sizes"] = Pareto(1.0, pareto)
    return found


def means(ratio, ratio_of, loads):
    """Mean service times of two groups whose ratio is given: by what of them is 1.

    The groups' jobs arrive at rates in proportion to their load over their mean.

    Examples
    --------
    >>> means(4.0, "group 2", (0.4, 0.4)), means(4.0, "overall mean", (0.4, 0.4))
    ((4.0, 1.0), (2.5, 0.625))
    """
    first, second = {"group 1": (1.0, 1 / ratio), "group 2": (ratio, 1.0), "overall mean": (ratio, 1.0)}[ratio_of]
    if ratio_of == "overall mean":
        overall = sum(loads) / (loads[0] / first + loads[1] / second)
        first, second = first / overall, second / overall
    return first, second
