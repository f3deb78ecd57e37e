"""A planner with planted faults, and a scenario whose horizon forgives none of them."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from cookmas.causes.counterfactuals import Counterfactuals
from cookmas.episodes.trace import PlannerClass
from cookmas.loading import load_vetted
from cookmas.orchestrator.planner import Observation, Plan, Planner
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.solving.corridor.planners import EmbeddedPlanner

BELLS = """\
world: corridor
horizon: {horizon}
bells:
  - {{name: red, text: The red bell hangs 3 steps from the left end.}}
  - {{name: blue, text: Count eight steps from where you came in.}}
  - {{at: 4, name: green, text: "Green? Right where you stand at the beginning, at step 0."}}
"""


class Waiting:
    """The embedded planner, but at some timesteps it lets all wait for a number of timesteps."""

    name = "waiting"
    planner_class: PlannerClass = "embedded"

    def __init__(self, at: Collection[int], wait: int = 400) -> None:
        self._at = at
        self._wait = wait
        self._own = EmbeddedPlanner()

    async def plan(self, observation: Observation[Any]) -> Plan:
        if observation.timestep in self._at:
            return Plan(schedule=[[]] * self._wait)
        return await self._own.plan(observation)


class WaitsTwice(Waiting):
    def __init__(self) -> None:
        super().__init__((0, 4))


def write_bells(folder: Path, horizon: int) -> Path:
    """Write the scenario with its truth: it can be done in 10 timesteps, and no earlier."""
    file = folder / "bells.yaml"
    file.write_text(BELLS.format(horizon=horizon))
    file.with_suffix(".truth.yaml").write_text("{red: 3, blue: 8, green: 0}\n")
    return file


def counterfactuals_of(folder: Path, planner: Planner, horizon: int = 11) -> Counterfactuals:
    """Return the counterfactuals of an episode that a planner plays in the corridor."""
    loaded = load_vetted(RunRequest(scenario=str(write_bells(folder, horizon)), planner=planner))
    return Counterfactuals(loaded, loaded.domain.truth(loaded.scenario))
