"""What drawings of all parts share: a policy has one colour and one marker through the whole book."""

from compendium.press.figures import COLOURS

CLASS_COLOURS = (COLOURS[5], COLOURS[2], COLOURS[4], COLOURS[3], COLOURS[0], COLOURS[1])  # dark text is legible on all

# Colours for readers with any colour vision are seven: policies share one where no figure shows both. Markers of two
# sizes, the large ones behind: policies that often agree are both seen.
LOOKS = {
    "FCFS": (COLOURS[0], "o", 4),
    "HOL": (COLOURS[1], "s", 8),
    "UD": (COLOURS[2], "^", 5),
    "PQ": (COLOURS[3], "D", 6),
    "PS": (COLOURS[4], "v", 9),
    "PPS": (COLOURS[5], "+", 9),
    "GPPS": (COLOURS[6], "x", 6),
    "HPRS": (COLOURS[6], "X", 7),
    "VPRS": ("0.45", "*", 9),
    "JSQ": (COLOURS[0], "o", 4),
    "HP": (COLOURS[1], "s", 6.5),
    "SVP": (COLOURS[2], "^", 4),
    "DVP": (COLOURS[3], "D", 6.5),
    "JSQ(2)": (COLOURS[4], "v", 6.5),
    "SPILL": (COLOURS[5], "P", 5),
    "Shortest": (COLOURS[4], "v", 5),
    "Distributed HP": (COLOURS[1], "s", 5),
    "Nice": (COLOURS[5], "P", 5),
    "Sender": (COLOURS[0], "o", 5),
    "Receiver": (COLOURS[1], "s", 5),
    "Reservation": (COLOURS[2], "^", 5),
    "random": (COLOURS[6], "X", 5),
    "cyclic": (COLOURS[5], "P", 5),
    "threshold of 2": (COLOURS[2], "^", 5),
    "stride": (COLOURS[0], "o", 5),
    "lottery": (COLOURS[1], "s", 5),
}


def policy_of(name):
    """The policy with which the name of a curve begins; None if it begins with none.

    Examples
    --------
    >>> [policy_of(name) for name in ("JSQ all asked", "JSQ(2)/PS", "HPRS, P = 4", "P = 2")]
    ['JSQ', 'JSQ(2)', 'HPRS', None]
    """
    ends = (" ", "/", ",")
    found = [policy for policy in LOOKS if name == policy or name.startswith(tuple(policy + end for end in ends))]
    return max(found, key=len, default=None)


def colour(policy):
    """The colour of a policy."""
    return LOOKS[policy][0]


def marks(policy, *, full=True):
    """Colour and marker of a policy, as matplotlib's keywords; marks that are not full show what is under them."""
    own, marker, size = LOOKS[policy]
    return {"color": own, "marker": marker, "markersize": size if full else size + 3, "zorder": 3 - size / 20,
            "markerfacecolor": own if full else "none"}  # fmt: skip
