"""Upper bounds of numbers that a user gives on the command line or in a file."""

from __future__ import annotations

LONGEST_WAIT = 1e6
"""Seconds of any time limit at most."""

MOST_MONEY = 1e9
"""Money of any price or budget at most."""

HOTTEST = 100.0
"""The highest temperature that a model's answers are drawn with."""
