"""The spaces of a world in training form (`cookmas.worlds.base.training`), and the arrays in these
spaces.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from cookmas.worlds.base.training import NOTHING, Array, Rows, Training

Number = int | np.integer[Any]
"""Number of an action: a sample of a space, or a plain integer."""

Numbers = NDArray[np.int32]


def is_whole(value: Any) -> bool:
    """Return whether a value is a whole number; truth values, fractions and arrays are none."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


Observation = dict[str, Any]
"""An agent's observation: `me` is its index, `observation` has the world's arrays by name, and
`action_mask` marks the legal actions.
"""

HIGHEST = np.iinfo(np.int32).max
"""Upper bound of all values. The last timestep is not used as a bound, because it would reveal the
future.
"""


def observation_space(training: Training, agents: int) -> spaces.Dict:
    """Return the space of an agent's observation: integer arrays and the mask of legal actions."""
    seen: dict[str, spaces.Space[Any]] = {n: _box(array) for n, array in training.arrays.items()}
    mask = spaces.Box(0, 1, (len(training.actions),), np.int8)
    me = spaces.Box(0, agents - 1, (1,), np.int32)
    return spaces.Dict({"me": me, "observation": spaces.Dict(seen), "action_mask": mask})


def _box(array: Array) -> spaces.Box:
    return spaces.Box(NOTHING, HIGHEST, (array.rows, len(array.columns)), np.int32)


def arrays(training: Training, seen: Mapping[str, Rows]) -> dict[str, Numbers]:
    """Return the observed rows `seen` as arrays of fixed shapes; NOTHING fills the missing rows."""
    filled: dict[str, Numbers] = {}
    for name, (rows, columns) in training.arrays.items():
        filled[name] = np.full((rows, len(columns)), NOTHING, np.int32)
        if seen[name]:
            filled[name][: len(seen[name])] = seen[name]
    return filled


def mask(training: Training, legal: Sequence[int]) -> NDArray[np.int8]:
    """Return an array with 1 for each legal action and 0 for the others."""
    filled = np.zeros(len(training.actions), np.int8)
    filled[list(legal)] = 1
    return filled
