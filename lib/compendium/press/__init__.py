"""What a page publishes: figures, tables and claims; and the book made of the pages."""

from compendium.press.figures import axes, exact_line, publish, simulated_points, simulated_series
from compendium.press.tables import shown, table

__all__ = ["axes", "exact_line", "publish", "shown", "simulated_points", "simulated_series", "table"]
