"""The systems of `thesis`, Chapter 3, as arguments of the models, once for the pages and for the checks."""

from clustershare import uniprocessor

# Where the simulated points of a figure lie.
FRACTIONS = tuple(round(0.05 * number, 12) for number in range(1, 11))
SPLITS = tuple(round(0.05 * number, 12) for number in range(1, 20))
# The first is a half with group 1 in front of ties, as in Figures 3.10 to 3.15 of `thesis`.
SHARES = (0.5 + 1e-9, 0.525, 0.55, 0.575, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)


def two_groups(fraction, load=0.8, required_share=0.5):
    """Two groups on one processor; group 1 brings a fraction of the load (`thesis`, Section 3.5.1, case 1).

    Examples
    --------
    >>> two_groups(0.25)
    {'required_shares': (0.5, 0.5), 'arrival_rates': (0.2, 0.6000000000000001)}
    """
    return {
        "required_shares": (required_share, 1 - required_share),
        "arrival_rates": (load * fraction, load * (1 - fraction)),
    }


def beside_permanent_jobs(policy, required_share, permanent_jobs, load=0.5):
    """Two equal loads beside permanent jobs of both groups (`thesis`, Section 3.5.2), or their limit.

    Examples
    --------
    >>> beside_permanent_jobs("FCFS", 0.75, 2)
    {'required_shares': (0.75, 0.25), 'arrival_rates': (0.25, 0.25), 'permanent_jobs': (2, 2)}
    >>> beside_permanent_jobs("PQ", 0.75, 1)["arrival_rates"]
    (0.25, 0.0)
    """
    system = {**two_groups(0.5, load, required_share), "permanent_jobs": (permanent_jobs, permanent_jobs)}
    return uniprocessor.limiting(policy, **system)
