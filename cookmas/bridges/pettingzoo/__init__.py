"""CookMAS as an environment of PettingZoo, for training agents.

    env = parallel_env("level1/01")
    observations, infos = env.reset(seed=0)

`aec_env` is for turn-based worlds: only the agents whose turn it is act. The package needs the
extra `pettingzoo`; nothing else of CookMAS imports it.
"""

from __future__ import annotations

from cookmas.bridges.pettingzoo.environment import TogetherEnv, parallel_env
from cookmas.bridges.pettingzoo.rewards import Rewards
from cookmas.bridges.pettingzoo.turns import TurnsEnv, aec_env

__all__ = ["Rewards", "TogetherEnv", "TurnsEnv", "aec_env", "parallel_env"]
