"""The systems of `thesis`, Sections 5.6 and 5.7, as arguments of `clustershare.dispatch.simulate_central`."""

import itertools

POLICIES, LOCAL = ("JSQ", "HP", "SVP", "DVP"), ("PS", "GPPS")
COMBINATIONS = tuple(itertools.product(POLICIES, LOCAL))

# Where the points of the figures lie. The scan shows no grid but in words; these are ours.
LOADS = (*(round(0.05 * number, 12) for number in range(1, 20)), 0.97)
PROCESSORS = tuple(range(2, 21))
FRACTIONS = (*(round(0.03 * number, 12) for number in range(17)), 0.5)
SHARES = tuple(round(0.5 + 0.025 * number, 12) for number in range(20))


def two_groups(policy, local, migration, processors=10, load=0.8, fraction=0.5, share=0.5, **other):
    """Two groups on equal processors; group 1 brings a fraction of the load and is promised a share.

    Other arguments, such as `reading` and `sizes`, are handed on.

    Case 1 is `thesis`, Figures 5.5 to 5.11, 5.16 and 5.17; case 2, with another fraction, Figures 5.12, 5.13 and 5.18;
    case 3, with another share, Figures 5.14, 5.15 and 5.19.

    Examples
    --------
    >>> two_groups("JSQ", "PS", False, fraction=0.25)["loads"]
    (0.2, 0.6)
    """
    return {
        "policy": policy, "local": local, "migration": migration, "processors": processors,
        "required_shares": (share, round(1 - share, 12)),
        "loads": (round(load * fraction, 12), round(load * (1 - fraction), 12)),
        **other,
    }  # fmt: skip


def several_groups(policy, local, migration, required_shares, loads, processors, **other):
    """Any groups on equal processors; other arguments, such as `reading` and `sizes`, are handed on.

    Examples
    --------
    >>> several_groups("SVP", "PS", True, (0.5, 0.3, 0.2), (0.2, 0.2, 0.4), 12, reading="without M1")["reading"]
    'without M1'
    """
    return {
        "policy": policy, "local": local, "migration": migration, "processors": processors,
        "required_shares": required_shares, "loads": loads, **other,
    }  # fmt: skip
