"""Ask a model for single decisions in chosen states (Appendix C.4 of Collab-Overcooked).

    python -m benchmarks.collab_overcooked.probes [--model NAME --base-url URL] [--repeats N]

A task of level 3 begins with five actions of the assistant. For each of them there is a state in
which this action comes next. In one probe the chef is asked, and its requests are judged. In
another one the assistant is asked, after a right request, and its plan is judged. A decision
succeeds if its ITES is positive. The recipe is in prose, has a step for each action, or has the
step that comes next moved to the front. Without --model the scripted model answers, with faults:
this shows the form of the table, but the scripted model does not read the recipe.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import cookmas
from cookmas.episodes.conversation import requests_in, speech
from cookmas.episodes.world import Command
from cookmas.evals.trajectories import classify_astray, ites
from cookmas.modelserver.answers import ScriptedModel
from cookmas.modelserver.faults import Faults
from cookmas.orchestrator.dialogue.prompting import PRESETS
from cookmas.orchestrator.models.message import Model
from cookmas.orchestrator.models.openai_model import OpenAIModel
from cookmas.orchestrator.planner import Observation, TeamMessage
from cookmas.orchestrator.planners.llm import SchedulingPlanner
from cookmas.solving.collab_overcooked.fewest_actions import references_of
from cookmas.solving.collab_overcooked.stepwise import joint_plan
from cookmas.solving.collab_overcooked.useful import goal_of
from cookmas.world_names import WORLDS, domain_of
from cookmas.worlds.collab_overcooked.judging import read
from cookmas.worlds.collab_overcooked.rules.state import CollabState
from cookmas.worlds.collab_overcooked.scenario import CollabScenario
from cookmas.worlds.collab_overcooked.voice import VOICE

GROUP = "level_3"
"""The group of the tasks, as in the paper."""

ACTIONS = 5
"""Number of the assistant's actions that are probed."""

KINDS = ("prose", "steps", "moved")
"""The forms of the recipe: `moved` has the step that comes next at the front."""

RATES = {"illegal": 0.1, "wrong_item": 0.1, "missing_worker": 0.1}
"""The faults of the scripted model."""

MOST = 60
"""Greatest number of timesteps until an action is done."""


class DecisionProbe(NamedTuple):
    """A decision in a state: which action comes next, and who decides."""

    scenario: CollabScenario
    kind: str
    number: int
    """Number of the action that comes next, from 1."""
    initiates: bool
    """True if the chef is asked, False if the assistant is."""


class ProbeResult(NamedTuple):
    """The decision in a probe."""

    probe: DecisionProbe
    succeeded: bool
    category: str
    """The paper's category of a failed decision; empty for one that succeeded."""


def probes(kinds: Sequence[str] = KINDS) -> list[DecisionProbe]:
    """Return the probes of all tasks, with recipes of some of the KINDS."""
    found = []
    for name in domain_of("collab-overcooked").names(GROUP):
        for kind in kinds:
            for number in range(1, ACTIONS + 1):
                settings = {} if kind == "prose" else {"recipe": "steps"}
                if kind == "moved":
                    settings["moved"] = str(number)
                scenario: Any = cookmas.load_scenario(
                    f"collab-overcooked/{name}", settings=settings
                )
                found += [DecisionProbe(scenario, kind, number, first) for first in (True, False)]
    return found


async def ask(probe: DecisionProbe, model: Model) -> ProbeResult:
    """Return how a model decides in the state of a probe."""
    scenario = probe.scenario
    world, kitchen = scenario.world(), scenario.kitchen
    goal = goal_of(kitchen, scenario.order, scenario.tables)
    assert goal
    chef = next(n for n, name in enumerate(kitchen.cooks) if name in kitchen.readers)
    helper = 1 - chef
    plan = [edge.action for edge in joint_plan(goal) if edge.number == helper][:ACTIONS]
    done, left = plan[: probe.number - 1], plan[probe.number - 1 :]
    state = reach(scenario, kitchen.cooks[helper], done, left[0])
    known = references_of(goal)
    assert known
    references = known.by_cook[helper]
    before = [TeamMessage(kitchen.cooks[chef], _request(done))] if done else []
    now = (
        []
        if probe.initiates
        else [TeamMessage(kitchen.cooks[chef], _request(left), state.timestep)]
    )
    asked = kitchen.cooks[chef if probe.initiates else helper]
    texts = {scenario.order: await scenario.look_up(scenario.order)} if probe.initiates else {}
    turn = await SchedulingPlanner(model, PRESETS["collab"], voice=VOICE).turn(
        Observation(
            timestep=state.timestep,
            triggers=(),
            world=world,
            state=world.observe(state, asked),
            texts=texts,
            fails={},
            agent=asked,
            movers=tuple(world.movers(state)),
            talk=tuple(now),
            heard=tuple(before),
            rounds=PRESETS["collab"].talk,
        )
    )
    texts_of = requests_in(turn.say) if probe.initiates else (turn.actions or ())
    actions = [read(text) or text for text in texts_of if not text.startswith("wait(")]
    succeeded = ites(actions, done, references) > 0
    first = actions[0] if actions else None
    parts = [{asked: reference} for reference in references]
    category = "" if succeeded else classify_astray(first, {asked: done}, parts)
    return ProbeResult(probe, succeeded, category)


def reach(scenario: CollabScenario, helper: str, actions: Sequence[str], then: str) -> CollabState:
    """Return the state after the cook `helper` has done some actions and can begin `then`.

    The other cook waits. For each action at most MOST timesteps are played.
    """
    world = scenario.world()
    state = world.start()
    for _, event in scenario.events():
        state, _ = world.apply(state, event)
    number = world.workers.index(helper)
    for action in actions:
        count = len(state.done[number])
        for _ in range(MOST):
            if len(state.done[number]) > count and helper in world.movers(state):
                break
            legal = helper in world.movers(state) and action in world.legal(state, helper)
            state, _, _ = world.step(state, [Command(helper, action)] if legal else [])
    for _ in range(MOST):
        if helper in world.movers(state) and then in world.legal(state, helper):
            break
        state, _, _ = world.step(state, [])
    return state


def _request(actions: Sequence[str]) -> str:
    return speech("Please do this. [END]", [f"request('{action}')" for action in actions])


def table(results: Sequence[ProbeResult]) -> str:
    """Return the share of successes by recipe and action, and the categories of failures."""
    lines = ["| who, recipe | " + " | ".join(f"action {n}" for n in range(1, ACTIONS + 1)) + " |"]
    lines.append("|---|" + "---:|" * ACTIONS)
    for initiates in (True, False):
        for kind in dict.fromkeys(result.probe.kind for result in results):
            own = [r for r in results if (r.probe.kind, r.probe.initiates) == (kind, initiates)]
            cells = []
            for number in range(1, ACTIONS + 1):
                found = [r.succeeded for r in own if r.probe.number == number]
                cells.append(f"{100 * sum(found) / len(found):.0f}%, n={len(found)}")
            who = "initiating" if initiates else "responding"
            lines.append(f"| {who}, {kind} | {' | '.join(cells)} |")
    failed = Counter(r.category for r in results if r.probe.initiates and not r.succeeded)
    words = ", ".join(f"{kind} {number}" for kind, number in sorted(failed.items())) or "none"
    return "\n".join([*lines, f"failed initiations: {words}"])


async def run(models: Sequence[Model]) -> list[ProbeResult]:
    """Return the results of all probes, once for each model."""
    return [await ask(probe, model) for model in models for probe in probes()]


def main(arguments: Sequence[str]) -> int:
    """Ask for all decisions and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.collab_overcooked.probes")
    parser.add_argument("--model")
    parser.add_argument("--base-url")
    parser.add_argument("--repeats", type=int, default=1)
    given = parser.parse_args(arguments)
    models: list[Model] = [
        OpenAIModel(given.model, given.base_url)
        if given.model
        else ScriptedModel(WORLDS, Faults(rates=RATES, seed=seed))
        for seed in range(given.repeats)
    ]
    print(table(asyncio.run(run(models))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
