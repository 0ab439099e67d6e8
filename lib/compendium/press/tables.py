"""Tables of pages."""

import re

import pandas as pd
from IPython import get_ipython

WORDS = {"True": "yes", "False": "no", "inf": "∞", "-inf": "−∞"}


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


def estimated(frame, widths, digits=3):
    """Columns of estimates with their half widths, ``estimate ± half width``; the estimate alone where it is exact.

    Parameters
    ----------
    frame : pandas.DataFrame
    widths : dict
        By the column of estimates that of their half widths, 0 where they are exact. The latter are dropped.
    digits : int
        Decimal places.

    Returns
    -------
    pandas.DataFrame
        Of strings in these columns.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"loss": [0.25, 0.5], "within": [0.01, 0.0]})
    >>> estimated(frame, {"loss": "within"})["loss"].tolist()
    ['0.250 ± 0.010', '0.500']
    """
    made = frame.drop(columns=list(widths.values())).astype(dict.fromkeys(widths, object))
    for column, width in widths.items():
        made[column] = [
            f"{value:.{digits}f}" + f" ± {half:.{digits}f}" * bool(half)
            for value, half in zip(frame[column].astype(float), frame[width].astype(float))
        ]
    return made


def below(value, bound):
    """Whether a number is below a power of ten, in words for a printed line.

    Parameters
    ----------
    value, bound : float

    Returns
    -------
    str

    Examples
    --------
    >>> below(3e-13, 1e-12)
    'below 10⁻¹²'
    >>> below(3e-11, 2e-12)
    '3·10⁻¹¹, not below 2·10⁻¹²'
    """
    said, allowed = (re.sub(r"<sup>(.*)</sup>", _raised, _written(f"{number:.0e}")) for number in (value, bound))
    return f"below {allowed}" if value < bound else f"{said}, not below {allowed}"


def _raised(found):
    """An exponent in characters."""
    return found[1].translate(str.maketrans("−0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def page_of(frame):
    """A table in HTML for readers: words for names of code and truth values, symbols, powers, no minus before 0.

    Parameters
    ----------
    frame : pandas.DataFrame

    Returns
    -------
    str

    Examples
    --------
    >>> import pandas as pd
    >>> page = page_of(pd.DataFrame({"mean_jobs": ["1e-07", "2.5e-09", "-0.00"], "sure": [True, False, True]}))
    >>> re.findall("<t[dh]>(.*?)</t[dh]>", page)[2:]  # doctest: +NORMALIZE_WHITESPACE
    ['sure', '0', '10<sup>−7</sup>', 'yes', '1', '2.5·10<sup>−9</sup>', 'no', '2', '0.00', 'yes']
    >>> page = page_of(pd.DataFrame({"highest at c_1": [0.5], "of 4^P": [0.1]}))
    >>> re.findall("<th>(.*?)</th>", page)[1:3]
    ['highest at c<sub>1</sub>', 'of 4<sup>P</sup>']
    """
    return re.sub(r"(<t[dh][^>]*>)([^<]*)(?=</t[dh]>)", lambda cell: cell[1] + _written(cell[2]), frame._repr_html_())


def _written(text):
    """What stands in one cell."""
    if text in WORDS:
        return WORDS[text]
    if re.fullmatch(r"[a-z]{2,}(_[a-z]{2,})+", text):
        return text.replace("_", " ")
    text = re.sub(r"(?<![\d.])-(0(?:\.0*)?)(?![\d.e])", r"\1", text)
    text = re.sub(r"\b([^\W\d_])_(\w+(?:,\w+)*)", r"\1<sub>\2</sub>", text)
    text = re.sub(r"\^([^\W\d_])\b", r"<sup>\1</sup>", text)
    return re.sub(r"(?<![\w.])(-?[\d.]+)e([+-])0*(\d+)", lambda found: power(*found.groups()), text)


def power(number, sign, exponent):
    """A number with a power of ten in HTML, of its parts as text.

    Examples
    --------
    >>> power("2.5", "-", "9"), power("1", "+", "4")
    ('2.5·10<sup>−9</sup>', '10<sup>4</sup>')
    """
    times = "" if float(number) == 1 else f"{number}·"
    return f"{times}10<sup>{'−' * (sign == '-')}{exponent}</sup>"


if shell := get_ipython():  # None outside of notebooks
    shell.display_formatter.formatters["text/html"].for_type(pd.DataFrame, page_of)
