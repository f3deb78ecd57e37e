"""Capacity over time, as integers whose bits are timesteps.

A resource of capacity c has c levels; bit t of level k says that at least k + 1 units are taken at
timestep t. A negative integer has its bits set for ever, which is how something without a known end
is written.
"""

from __future__ import annotations


def span(start: int, end: int) -> int:
    """The timesteps from `start` until before `end`."""
    return ((1 << (end - start)) - 1) << start


def take(levels: list[int], base: int, top: int, mask: int) -> None:
    """Take one unit at the timesteps of `mask`; the levels are those from `base` to `top`."""
    for level in range(top, base, -1):
        levels[level] |= levels[level - 1] & mask
    levels[base] |= mask


def give_back(levels: list[int], base: int, top: int, start: int) -> None:
    """Give back one unit that is taken for ever, from `start` on."""
    before = (1 << start) - 1
    for level in range(base, top):
        levels[level] = (levels[level] & before) | (levels[level + 1] & ~before)
    levels[top] &= before
