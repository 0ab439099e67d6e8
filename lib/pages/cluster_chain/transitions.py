"""The transitions of the cluster chain, read from its generator and told apart by what they change."""

import pandas as pd

# The families of `ctmc`, Table 2, told apart by the change of the number queued, whether a job enters the tracker or
# leaves it empty, and the change of the number of running jobs.
FAMILIES = {
    (0, True, 0): "arrival to an empty tracker",
    (1, False, 0): "arrival to the queue",
    (0, False, -1): "end of a job",
    (-1, True, 1): "job mapped, the next one enters",
    (0, True, 1): "job mapped, nobody waits",
}


def written(state):
    """A state as the source writes it.

    Examples
    --------
    >>> written((1, 2, (1, 3))), written((0, 0, ()))
    ('1, 2, (1, 3)', '0, 0, (0)')
    """
    x1, x2, V = state
    return f"{x1}, {x2}, ({', '.join(map(str, V)) if V else 0})"


def transitions(cluster):
    """All entries of the generator, those of the diagonal too (`ctmc`, Table 2).

    Parameters
    ----------
    cluster : clustershare.cluster_chain.ServiceCluster

    Returns
    -------
    pandas.DataFrame
        Numbers of the states `row` and `column`, `rate`, and the `family`: a category in the order of `FAMILIES`,
        missing on the diagonal.

    Examples
    --------
    >>> from clustershare.cluster_chain import ServiceCluster
    >>> found = transitions(ServiceCluster(1, 0, {1: 1.0}, 2.0, 9.0, 1.0))
    >>> found[found["row"] == 0].dropna()[["column", "rate", "family"]].values.tolist()
    [[2, 2.0, 'arrival to an empty tracker']]
    """
    states, Q = cluster.state_list(), cluster.generator().tocoo()
    rows, columns = Q.coords
    families = [
        None if row == column else FAMILIES[_family(states[row], states[column])]
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
    ]
    found = {"row": rows, "column": columns, "rate": Q.data, "family": pd.Categorical(families, FAMILIES.values())}
    return pd.DataFrame(found)


def _family(state, target):
    return target[0] - state[0], target[1] != state[1] or target[0] < state[0], len(target[2]) - len(state[2])


def ways_out(cluster, state):
    """The transitions out of a state (`ctmc`, Table 2).

    Parameters
    ----------
    cluster : clustershare.cluster_chain.ServiceCluster
    state : tuple
        As in ``cluster.state_list()``.

    Returns
    -------
    pandas.DataFrame
        `target` as the source writes it, `rate`, `family`.
    """
    states, found = cluster.state_list(), transitions(cluster)
    found = found[(found["row"] == states.index(state)) & found["family"].notna()].sort_values("column")
    targets = [written(states[column]) for column in found["column"]]
    return found[["rate", "family"]].assign(target=targets).reset_index(drop=True)


def transition_table(cluster):
    """`ctmc`, Table 2 from the generator: its entries off the diagonal, counted by family.

    Parameters
    ----------
    cluster : clustershare.cluster_chain.ServiceCluster

    Returns
    -------
    pandas.DataFrame
        A row for each family, with an example of its own.
    """
    states, found = cluster.state_list(), transitions(cluster)
    rows = []
    for family, entries in found.groupby("family", observed=False):
        row, column, rate = entries[["row", "column", "rate"]].iloc[-1]
        example = f"{written(states[int(row)])} to {written(states[int(column)])} at {rate:g}"
        rows.append((family, len(entries), example))
    return pd.DataFrame(rows, columns=["transition", "in Q", "the last one"])
