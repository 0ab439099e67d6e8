"""Numbers as a report shows them."""

import math

NONE = "–"
UNITS = ((86400.0, "d"), (3600.0, "h"), (60.0, "min"), (1.0, "s"))


def percent(value, width=None, digits=1):
    """A part of 1.

    Examples
    --------
    >>> percent(0.0372), percent(-1e-9), percent(0.0372, 0.0049), percent(float("nan"))
    ('3.7 %', '0.0 %', '3.7 ± 0.5 %', '–')
    """
    if value != value:
        return NONE
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    text = _signed(round(100 * value, digits) + 0.0, digits)
    return f"{text} ± {100 * width:.{digits}f} %" if _shown(width) else f"{text} %"


def times(value, width=None):
    """How many times as long.

    Examples
    --------
    >>> times(1.0301), times(33.76), times(5879.07), times(5.5, 1.94), times(float("inf"))
    ('1.03', '33.8', '5,879', '5.50 ± 1.94', '∞')
    """
    if value != value:
        return NONE
    if math.isinf(value):
        return "∞"
    digits = 2 if value < 10 else 1 if value < 100 else 0
    text = f"{value:,.{digits}f}"
    return f"{text} ± {width:,.{digits}f}" if _shown(width) else text


def duration(seconds):
    """A time.

    Examples
    --------
    >>> duration(45), duration(5400), duration(3e5), duration(0.02)
    ('45 s', '1.5 h', '3.47 d', '0.02 s')
    """
    if seconds != seconds:
        return NONE
    for unit, name in UNITS:
        if seconds >= unit:
            return f"{seconds / unit:.3g} {name}" if seconds < 1000 * unit else f"{seconds / unit:,.0f} {name}"
    return f"{seconds:.2g} s"


def chance(p):
    """A p-value.

    Examples
    --------
    >>> chance(0.042), chance(1e-9), chance(float("nan"))
    ('0.042', 'below 0.0001', '–')
    """
    return NONE if p != p else "below 0.0001" if p < 1e-4 else f"{p:.2g}"


def both(quantity):
    """Value and half width of what is exact or simulated."""
    if hasattr(quantity, "half_width"):
        return float(quantity.value), float(quantity.half_width)
    return float(quantity), None


def _shown(width):
    return width is not None and math.isfinite(width)


def _signed(value, digits):
    return f"{value:.{digits}f}".replace("-", "−")
