"""What a page publishes: figures, tables and claims; and the book made of the pages."""

from compendium.press.explorables import axis, explorable, grid
from compendium.press.figures import axes, exact_line, publish, simulated_points, simulated_series
from compendium.press.tables import below, estimated, shown, table

__all__ = [
    "axes", "axis", "below", "estimated", "exact_line", "explorable", "grid", "publish", "shown", "simulated_points",
    "simulated_series", "table",
]  # fmt: skip
