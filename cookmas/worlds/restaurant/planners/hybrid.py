"""The hybrid planner: a model reads recipes and notes, and the scheduler does the timing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from cookmas.episodes.trace import PlannerClass
from cookmas.files.errors import NotationError
from cookmas.kitchen.components import Component, parse_component
from cookmas.kitchen.layout import KIND_OF_PROCESS, Kitchen
from cookmas.kitchen.state import KitchenState, OrderLine
from cookmas.kitchen.world import Restaurant
from cookmas.orchestrator.dialogue.blocks import call_data
from cookmas.orchestrator.dialogue.calls import Calls
from cookmas.orchestrator.dialogue.dialogue import Dialogue, Unanswered
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.orchestrator.planners.foreseeing import foresee
from cookmas.orchestrator.planners.llm import AskingPlanner
from cookmas.worlds.restaurant.prompts.answers import ReadAnswer, read_schema
from cookmas.worlds.restaurant.prompts.reading import render_reading
from cookmas.worlds.restaurant.prompts.voice import VOICE
from cookmas.worlds.restaurant.scheduling.schedule import (
    find_dead_end,
    find_problem,
    make_schedule,
)


class _Reading(NamedTuple):
    """The model's reading of a line, with the item and the note that the model was given."""

    item: str
    note: str
    components: Sequence[str]

    def of(self, line: OrderLine) -> bool:
        """Return whether the line still has the item and the note of this reading."""
        return (self.item, self.note) == (line.item, line.note)


class HybridPlanner(AskingPlanner):
    """A planner whose model reads each order line once, and again when the line's note changes."""

    voice = VOICE
    planner_class: PlannerClass = "hybrid"
    default_name = "hybrid"
    ways = frozenset({"chain_of_thought", "recipes", "retries"})
    default_prompting = Prompting(chain_of_thought=True)

    async def plan(self, observation: Observation[KitchenState]) -> Plan:
        """Return a schedule for the model's readings.

        Give up if a valid reading is missing, or if the search finds no schedule.
        """
        world, state = observation.world, observation.state
        assert isinstance(world, Restaurant)
        lines = state.open_lines()
        earlier = {name: _Reading(*data) for name, data in observation.memory.items()}
        read = {n: earlier[n] for n, line in lines.items() if n in earlier and earlier[n].of(line)}
        unread = {name: line for name, line in lines.items() if name not in read}
        calls = Calls(self._model, observation.timestep)
        reasoning = "nothing new to read"
        if unread:
            try:
                answer = await self._dialogue(observation, unread, calls).ask(
                    "read", ReadAnswer, _check(world.kitchen, unread)
                )
            except Unanswered as why:
                return Plan(
                    schedule=(), gave_up=str(why), calls=calls.made, measured=calls.measured
                )
            reasoning = answer.reasoning
            for name, line in unread.items():
                read[name] = _Reading(line.item, line.note, answer.lines[name])
        wanted = {name: _components(world.kitchen, read[name].components) for name in lines}
        ahead = foresee(observation, calls.made)
        state = ahead.observation.state
        wanted = {name: wanted[name] for name in state.open_lines()}
        underway = [dict(entry) for entry in ahead.observation.underway]
        result = make_schedule(world.kitchen, state, wanted, underway=underway)
        hopeless = find_dead_end(state, result)
        plan = Plan(
            schedule=() if hopeless else result.schedule,
            gave_up=hopeless,
            search=result.record(),
            reasoning="; ".join([reasoning, *observation.unread]),
            understood={name: [str(c) for c in components] for name, components in wanted.items()},
            calls=calls.made,
            measured=calls.measured,
            memory={name: [*read[name]] for name in lines},
        )
        return ahead.complete(plan)

    def _dialogue(
        self,
        observation: Observation[KitchenState],
        lines: Mapping[str, OrderLine],
        calls: Calls,
    ) -> Dialogue:
        return Dialogue(
            calls,
            self.dialogue_settings(observation),
            render_reading(observation, lines, self.prompting, self._templates),
            read_schema(tuple(lines), reasoning=self.prompting.chain_of_thought),
            call_data(observation, "read"),
        )


def _components(kitchen: Kitchen, texts: Sequence[str]) -> tuple[Component, ...]:
    """Return the components that a model's texts describe, sorted by their notation.

    Raises NotationError, also for a process that no kitchen has.
    """
    components = [parse_component(text, kitchen.doneness) for text in texts]
    for component in components:
        for step in (step for part in component.walk() for step in part.steps):
            if step.process not in KIND_OF_PROCESS:
                known = ", ".join(KIND_OF_PROCESS)
                raise NotationError(str(component), f"{step} is no process, expected {known}")
    return tuple(sorted(components, key=str))


def _check(
    kitchen: Kitchen, lines: Mapping[str, OrderLine]
) -> Callable[[ReadAnswer], Sequence[str]]:
    """Return a function that lists what is wrong with a reading of these lines.

    The components of a line are wrong if they are missing, if their notation is invalid or names an
    unknown process, or if they cannot be made from the kitchen's ingredients.
    """

    def check_line(name: str, answer: ReadAnswer) -> str | None:
        if name not in answer.lines:
            return f"lines: {name} is missing."
        try:
            components = _components(kitchen, answer.lines[name])
        except NotationError as error:
            return f"lines.{name}: {error}."
        problem = find_problem(kitchen, components)
        return f"lines.{name}: {problem}." if problem else None

    return lambda answer: list(filter(None, (check_line(name, answer) for name in lines)))
