"""The names that Inspect finds, such as `cookmas/level1`, `cookmas/orchestrator`,
`cookmas/scripted`.
"""

from __future__ import annotations

from cookmas.bridges.inspect_ai.provider import ScriptedAPI
from cookmas.bridges.inspect_ai.scorer import figures, verdict
from cookmas.bridges.inspect_ai.solver import orchestrator
from cookmas.bridges.inspect_ai.tasks import cuisineworld, level1, level2, level3, scenarios

__all__ = [
    "ScriptedAPI",
    "cuisineworld",
    "figures",
    "level1",
    "level2",
    "level3",
    "orchestrator",
    "scenarios",
    "verdict",
]
