"""The claim on one of the two copies of `roundrobin`: its blocks stand in the wrong order."""

import itertools

from compendium.press.clauses import fact, mended
from compendium.press.findings import check

# First and last words of the blocks of the columns copy, in its order: a block is what no break of a column parts.
BLOCKS = {
    "I": ("I. Computer cluster", "the service rate of the job is the sum"),
    "I, II": ("of the capacities of the computers.", "whenever the timer of one of its machine"),
    "II": ("expires. The time before interruption", "a too high parallelization overhead."),
    "III, end": ("distribution of this state proves", "supported by simulations."),
    "III, beginning": ("III. Queueing model", "beyond the traffic intensity of each class."),
    "IV": ("IV. Conclusion", "the sensitivity of the resource allocation."),
    "III, middle": ("Network of processor-sharing queues.", "The stationary"),
}
OTHER_COPY = ("I", "I, II", "II", "III, beginning", "III, middle", "III, end", "IV")


def reads_on(order):
    """Whether each block that ends within a sentence is followed by one that begins within one, and sections rise."""
    inside = [(BLOCKS[name][0][0].islower(), not BLOCKS[name][1].endswith(".")) for name in order]
    joined = all(ends == begins for (_, ends), (begins, _) in itertools.pairwise(inside))
    sections = [name.split(",")[0] for name in order]
    return joined and not inside[-1][1] and sections == sorted(sections, key=("I", "II", "III", "IV").index)


@check("roundrobin-009", order=OTHER_COPY)
def order_of_the_blocks(order=tuple(BLOCKS)):
    """The order of the blocks in the columns copy, and that of the other copy."""
    return mended(
        fact(
            "in the columns copy the blocks read on", reads_on(order), "in the columns copy the blocks do not read on"
        ),
        fact("in the order of the other copy they do", reads_on(OTHER_COPY), "nor do they in that of the other copy"),
    )
