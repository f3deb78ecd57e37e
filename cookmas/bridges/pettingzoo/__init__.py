"""CookMAS as an environment of PettingZoo, for training agents.

    from cookmas.bridges.pettingzoo import parallel_env

    env = parallel_env("level1/01")
    observations, infos = env.reset(seed=0)

`aec_env` is the same for worlds of turns: only those act whose move it is. It needs the extra
`pettingzoo`; nothing else of CookMAS imports this package.
"""

from __future__ import annotations

from cookmas.bridges.pettingzoo.environment import TogetherEnv, parallel_env
from cookmas.bridges.pettingzoo.rewards import Rewards
from cookmas.bridges.pettingzoo.turns import TurnsEnv, aec_env

__all__ = ["Rewards", "TogetherEnv", "TurnsEnv", "aec_env", "parallel_env"]
