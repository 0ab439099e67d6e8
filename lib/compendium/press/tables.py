"""Tables of pages."""

import pandas as pd


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


def shown(values, digits, missing="", *, name=None):
    """Numbers as a page shows them: decimals under each other, short powers of ten, words where there is no number.

    Parameters
    ----------
    values : pandas.DataFrame or dict
        A dictionary of numbers becomes a table of one column. Of an index, floats are written as short as they can be.
    digits : int or dict
        Decimal places of floats, for all or for each column that is not shown as it is; None for three significant
        digits.
    missing : str
        In place of nan: what it means there.
    name : str, optional
        Of the one column.

    Returns
    -------
    pandas.DataFrame
        Of strings where there were floats.

    Examples
    --------
    >>> shown({1e-7: 0.25, 0.5: float("nan")}, 2, "overloaded", name="loss").to_dict()["loss"]
    {'1e-07': '0.25', '0.5': 'overloaded'}
    """
    frame = pd.Series(values, name=name, dtype=float).to_frame() if isinstance(values, dict) else values
    made = frame.copy()
    for column in frame.columns:
        places = digits.get(column, "as it is") if isinstance(digits, dict) else digits
        if frame[column].dtype.kind == "f" and places != "as it is":
            written = "{:.3g}" if places is None else f"{{:.{places}f}}"
            made[column] = [missing if value != value else written.format(value) for value in frame[column]]
    if made.index.dtype.kind == "f":
        made.index = pd.Index([f"{value:g}" for value in made.index], name=made.index.name)
    return made
