"""Many processors with free migration: which service rates can be delivered, and how (`thesis`, Section 4.2).

`is_feasible` decides, `schedule` builds the timetable of the proof of Theorem 4.1, `group_weights` are those of the
policy MGPPS, which gives every group its feasible share and loses no capacity, and `timetable` turns any fractions of
time into a schedule.
"""

from clustershare.multiprocessor.schedules import Schedule, fractions, is_feasible, schedule, timetable
from clustershare.multiprocessor.weights import group_weights

__all__ = ["Schedule", "fractions", "group_weights", "is_feasible", "schedule", "timetable"]
