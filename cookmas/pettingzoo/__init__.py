"""CookMAS as an environment of PettingZoo, for training agents.

    from cookmas.pettingzoo import parallel_env

    env = parallel_env("level1/01")
    observations, infos = env.reset(seed=0)

It needs the extra `pettingzoo`; nothing else of CookMAS imports this package.
"""

from __future__ import annotations

from cookmas.pettingzoo.environment import KitchenEnv, parallel_env
from cookmas.pettingzoo.rewards import Rewards

__all__ = ["KitchenEnv", "Rewards", "parallel_env"]
