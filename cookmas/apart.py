"""What a person wrote and named on the command line runs apart, in processes of its own."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING

from episodes.apart.child import Child, Limits
from orchestrator.planners.own import own_planner

if TYPE_CHECKING:
    from episodes.scenario import Scenario
    from orchestrator.dialogue.options import AskingOptions
    from orchestrator.member import Team
    from orchestrator.models.options import ModelOptions
    from orchestrator.planner import Planner


class Apart:
    """Those processes, each reused over a suite until something fails in it.

    They are ended at the end of the block.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self._planners = Child("cookmas.hosted:HostedPlanner", limits or Limits())

    def __enter__(self) -> Apart:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._planners.close()

    def planner(
        self,
        spec: str,
        scenario: Scenario,
        world: str,
        model: ModelOptions | None,
        asking: AskingOptions | None,
    ) -> Planner | Team:
        """The planner or team `module:Class`, for a scenario of a world. Raises InputError."""
        played = scenario.world()
        asked = {
            "model": model.model_dump(mode="json") if model else None,
            "asking": asking.model_dump(mode="json") if asking else None,
        }
        return own_planner(self._planners, spec, {"world": world, "setup": played.setup()}, asked)
