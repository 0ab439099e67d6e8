"""Pages of curves to play with: what a page tells the scripts in `assets`."""

import json

import numpy as np
from IPython.display import HTML


def axis(name, label, values, start, *, words=None, between=None):
    """Something that a reader may move: a slider over numbers, or a choice of words.

    Parameters
    ----------
    name : str
        By which laws and grids know it.
    label : str
    values : sequence
        Of numbers or strings.
    start : object
        The value at which the page opens.
    words : sequence of str, optional
        A choice of these words stands for the values, in place of a slider.
    between : int, optional
        Of the horizontal axis: laws are drawn at so many times as many points.

    Returns
    -------
    dict

    Examples
    --------
    >>> axis("load", "total load", (0.5, 0.8), 0.8)
    {'name': 'load', 'label': 'total load', 'values': [0.5, 0.8], 'start': 1}
    """
    found = {"name": name, "label": label, "values": list(values), "start": list(values).index(start)}
    return found | {key: value for key, value in (("words", words), ("between", between)) if value is not None}


def grid(axes, values, digits=4):
    """Numbers computed beforehand, as whole numbers of the last decimal place that is shown.

    Parameters
    ----------
    axes : sequence of str
        The names of the first dimensions; the horizontal axis and the columns follow.
    values : array_like, shape (..., points, columns)
        nan where there is nothing to show.
    digits : int
        Decimal places.

    Returns
    -------
    dict

    Examples
    --------
    >>> grid(["load"], [[[0.12344, -0.5], [np.nan, np.nan]]])
    {'axes': ['load'], 'scale': 10000, 'values': [[[1234, -5000], None]]}
    """
    scale = 10**digits

    def plain(entry):
        if entry.ndim > 1:
            return [plain(one) for one in entry]
        return None if np.isnan(entry).any() else [round(value * scale) for value in entry.tolist()]

    return {"axes": list(axes), "scale": scale, "values": plain(np.asarray(values, dtype=float))}


def explorable(*, controls, x, columns, shows, curves, grids=(), named="curve", digits=4, keep=False):
    """The specification of a page's curves, which `assets/curves.js` draws in place of the figure that stands there.

    Parameters
    ----------
    controls : list of dict
        Each an `axis`.
    x : dict
        The horizontal `axis`, whose slider moves the place at which values are told.
    columns : sequence of str
        Of the table: what a law, and an entry of a grid, gives a value for.
    shows : dict
        Label: the columns of which the curves show the largest.
    curves : dict
        Label: names of its `law` of ``assets/laws.js`` and of its `grid`, each of them or both; the law goes first.
    grids : dict, optional
        Each a `grid`.
    named : str
        What a curve stands for: the head of the table's first column.
    digits : int
        Decimal places of the table.
    keep : bool
        Whether the first curve may be kept as it is, for comparison.

    Returns
    -------
    IPython.display.HTML
        A script that does nothing but hold the data.
    """
    told = {
        "controls": controls, "x": x, "columns": list(columns), "digits": digits, "named": named,
        "grids": dict(grids),
        "shows": [{"label": label, "of": list(of)} for label, of in shows.items()],
        "curves": [{"label": label, **curve} for label, curve in curves.items()],
    }  # fmt: skip
    if keep:
        told["keep"] = True
    text = json.dumps(told, separators=(",", ":"), allow_nan=False).replace("</", "<\\/")
    return HTML(f'<script type="application/json" class="explorable-specification">{text}</script>')
