"""The spaces of a world in numbers, and the arrays that go into them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from worlds.training import NOTHING, Array, Rows, Training

Number = int | np.integer[Any]
"""That of an action, as a space samples it or as it stands in a list."""

Numbers = NDArray[np.int32]
Observation = dict[str, Any]
"""`me`, which agent it is; `observation`, the arrays of a world by name; `action_mask`."""

HIGHEST = np.iinfo(np.int32).max
"""No timestep is the last one as far as a space tells: that would tell how much is to come."""


def observation_space(training: Training, agents: int) -> spaces.Dict:
    """What an agent is given: arrays of whole numbers, and which actions are legal."""
    seen: dict[str, spaces.Space[Any]] = {n: _box(array) for n, array in training.arrays.items()}
    mask = spaces.Box(0, 1, (len(training.actions),), np.int8)
    me = spaces.Box(0, agents - 1, (1,), np.int32)
    return spaces.Dict({"me": me, "observation": spaces.Dict(seen), "action_mask": mask})


def _box(array: Array) -> spaces.Box:
    return spaces.Box(NOTHING, HIGHEST, (array.rows, len(array.columns)), np.int32)


def arrays(training: Training, seen: Mapping[str, Rows]) -> dict[str, Numbers]:
    """What is seen in arrays of their full shapes."""
    filled: dict[str, Numbers] = {}
    for name, (rows, columns) in training.arrays.items():
        filled[name] = np.full((rows, len(columns)), NOTHING, np.int32)
        if seen[name]:
            filled[name][: len(seen[name])] = seen[name]
    return filled


def mask(training: Training, legal: Sequence[int]) -> NDArray[np.int8]:
    """Ones where an action is legal."""
    filled = np.zeros(len(training.actions), np.int8)
    filled[list(legal)] = 1
    return filled
