"""Upper bounds for numbers that a user gives on the command line or in a file."""

from __future__ import annotations

LONGEST_WAIT = 1e6
"""Greatest value of any time limit, in seconds."""

MOST_MONEY = 1e9
"""Greatest value of any price or budget of money."""

HOTTEST = 100.0
"""Greatest sampling temperature of a model."""
