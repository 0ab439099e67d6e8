"""Sets of groups whose sizes sum to whole numbers, by going through all of them."""

import numpy as np

from clustershare.compiled.jit import kernel


@kernel
def most_whole_sums(parts, common):
    """The group that each set of groups takes in last, such that most sets on the way sum to multiples of `common`.

    A partition into sets with whole sums is a chain of sets that passes through as many whole sums as it has parts.
    """
    groups = len(parts)
    sets = 1 << groups
    total, best, last = np.zeros(sets, np.int64), np.zeros(sets, np.int8), np.zeros(sets, np.int8)
    for chosen in range(1, sets):
        most = -1
        for g in range(groups):
            if chosen >> g & 1:
                without = chosen & ~(1 << g)
                if best[without] > most:
                    most, last[chosen] = best[without], g
                    total[chosen] = (total[without] + parts[g]) % common
        best[chosen] = most + (total[chosen] == 0)
    return last
