"""The effort of a call: how much of it each search may spend.

The effort is a number that limits the modes tried and the cost of the searches. It does not depend
on the machine.
"""

from __future__ import annotations

from typing import NamedTuple

WIDEST = 120
"""Widest beam."""

NARROW, FEWEST_NARROWED = 0.2, 5
"""Width of the first beam relative to the full width, and the least number of lines for it. The
full width is not searched if the first schedule is far from the lower bound.
"""

FEW_TASKS = 40
"""Greatest number of tasks for which searches let a task wait on purpose."""

WAIT_BUDGET = 2
"""Of the states that follow a state, the most in which tasks wait on purpose that could start."""

LINES_AT_ONCE = 12
"""Greatest number of lines that one search plans at once."""

FEW_LINES = 8
"""Greatest number of lines for which the search of all lines at once suffices, if its schedule is
at most CLOSE times as long as the lower bound.
"""

CLOSE = 1.15
"""Ratio of a schedule's length to the lower bound up to which no second search is made."""

NEAR = 1.05
"""Ratio of a schedule's length to the lower bound at which further searches stop."""

URGED_LINES = 9
"""Greatest number of lines for searches with urgencies, and for sharing reused things again."""

ALONE_TRIES = 7
"""Modes per unit of effort for the searches with urgencies, for a single line."""

FEWEST_ROLLED = 3
"""Greatest number of lines for which the quick searches with urgencies suffice to try a handling if
they find a schedule.
"""

INSERTING_GLANCE = 14
"""Cost per unit of effort for planning the lines one after the other, in the quick search that
tries a handling.
"""

INSERTING_BRIEFLY = 1
"""Cost per unit of effort and per line for the same, if the handling before yields no schedule."""

FAR = 1.18
"""Ratio of a schedule's length to the lower bound from which the lines are planned one after the
other.
"""

FREED_STATIONS = 2
"""Greatest number of blocked stations whose foods a quick search abandons."""

MOST_RIVALS, RIVALS_SHARE = 2, 0.15
"""Greatest number of other schedules that are improved for a while, too; and the share of the
remaining cost for each of them.
"""

VARIED_LINES = 4
"""Greatest number of lines for which plans vary much: in the handling, and in the order of the
tasks. Planning a few lines again soon finds nothing new.
"""

PATIENCE = 12
"""Cost per unit of effort without a shorter schedule after which planning few lines again stops."""

GLANCE = 0.25
"""Modes per unit of effort for the quick search that tries a handling."""

WHOLE_COST = 440
"""Cost per unit of effort for all searches together."""

PREPARING = 170
"""Cost of computing the modes of a workload, for each of its tasks."""

COST_OF_A_TRY = 25
"""Average cost of trying a mode, everything included."""


class Shares(NamedTuple):
    """The effort of some searches, which depends on the number of lines.

    `tries` are the modes per unit of effort for the search for many lines, `handling` the cost per
    unit of effort for trying other handlings, if one yields a schedule. `inserting` is the share of
    the remaining cost for planning the lines one after the other.
    """

    tries: float
    handling: float
    inserting: float


FEW, MANY = Shares(0.25, 12, 0.02), Shares(0.5, 50, 0.15)
"""The shares for up to URGED_LINES lines, and for more. With few lines most of the effort goes to
planning some lines again, which yields more. With many lines this needs a good schedule to begin
with.
"""
