"""A planner whose endpoint is away, in a module that imports little, as it has its own process."""

from __future__ import annotations

from typing import Any

from cookmas.files.errors import InfrastructureError

AWAY = "the endpoint is away"


class Away:
    name = "away"
    planner_class = "pure"

    async def plan(self, observation: Any) -> Any:
        raise InfrastructureError(AWAY)
