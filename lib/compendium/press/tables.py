"""Tables of simulated points."""


def table(frame, index, columns, digits=4):
    """Simulated points as a table of ``estimate ± half width``.

    Parameters
    ----------
    frame : pandas.DataFrame
        Rows of `run`, one a point.
    index, columns : str
        The parameters that go down and across.
    digits : int
        Decimal places.

    Returns
    -------
    pandas.DataFrame
        Of strings.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"load": [0.5], "m": [1], "estimate": [0.25], "half_width": [0.01]})
    >>> table(frame, "load", "m").loc[0.5, 1]
    '0.2500 ± 0.0100'
    """
    shown = [f"{value:.{digits}f} ± {width:.{digits}f}" for value, width in zip(frame["estimate"], frame["half_width"])]
    return frame.assign(shown=shown).pivot(index=index, columns=columns, values="shown")
