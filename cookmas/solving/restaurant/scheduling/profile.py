"""Capacity over time, as integers whose bits are timesteps.

A resource of capacity c has c levels. Bit t of level k is set if at least k + 1 units are taken at
timestep t. In a negative integer all higher bits are set: it stands for units that are taken for
ever. All resources have their levels in one list; those of a resource are at the indices from
`base` to `top`.
"""

from __future__ import annotations

from collections.abc import Sequence


def span(start: int, end: int) -> int:
    """Return an integer with the bits of the timesteps from `start` until before `end`."""
    return ((1 << (end - start)) - 1) << start


Layers = tuple[int, ...]
"""The units taken over time: bit t of layer k is set if at least k + 1 units are taken at t."""


def layers(spans: Sequence[tuple[int, int]]) -> Layers:
    """Return the units that spans of timesteps take together.

    A span (start, end) takes one unit from its start until before its end.
    """
    levels: list[int] = []
    for start, end in spans:
        over = span(start, end)
        for number, level in enumerate(levels):
            levels[number] |= over
            over &= level
        if over:
            levels.append(over)
    return tuple(levels)


def take(levels: list[int], base: int, top: int, mask: int) -> None:
    """Take one unit of a resource at the timesteps whose bits are set in `mask`."""
    for level in range(top, base, -1):
        levels[level] |= levels[level - 1] & mask
    levels[base] |= mask


def book(levels: list[int], base: int, top: int, taken: Layers, start: int) -> bool:
    """Take the units of `taken`, whose timesteps count from `start`.

    Return False and take none if too few units are free.
    """
    last = top
    for layer in taken:
        if last < base or levels[last] & layer << start:
            return False
        last -= 1
    for layer in taken:
        take(levels, base, top, layer << start)
    return True


def gap_from(level: int, start: int) -> int | None:
    """Return the first timestep after `start` at which a level is taken; None if it stays free.

    The level is free at `start`.
    """
    later = level >> start
    return start + (later & -later).bit_length() - 1 if later else None


def give_back(levels: list[int], base: int, top: int, mask: int) -> None:
    """Give back one unit of a resource at the timesteps whose bits are set in `mask`."""
    for level in range(base, top):
        levels[level] = (levels[level] & ~mask) | (levels[level + 1] & mask)
    levels[top] &= ~mask


def mask_to_last(level: int, until: int | None) -> int:
    """Return the bits of all timesteps up to the last one before `until` at which a level is taken.

    With `until` None, the last one is the last of all.
    """
    if until is not None:
        level &= (1 << until) - 1
    return -1 if level < 0 else (1 << level.bit_length()) - 1
