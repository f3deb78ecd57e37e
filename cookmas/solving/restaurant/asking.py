"""The hybrid planner: a model reads recipes and notes, and the scheduler does the timing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cookmas.episodes.trace import PlannerClass
from cookmas.files.errors import NotationError
from cookmas.kitchen.components import Component, parse_component
from cookmas.kitchen.layout import KIND_OF_PROCESS, Kitchen
from cookmas.kitchen.state import KitchenState, OrderLine
from cookmas.kitchen.world import Restaurant
from cookmas.orchestrator.dialogue.blocks import call_data
from cookmas.orchestrator.dialogue.conversation import ModelQuestion, Unanswered
from cookmas.orchestrator.dialogue.look_ahead import foresee
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.orchestrator.planners.llm import AskingPlanner
from cookmas.solving.restaurant.scheduling.schedule import (
    find_dead_end,
    find_problem,
    make_schedule,
)
from cookmas.worlds.restaurant.voice import VOICE
from cookmas.worlds.restaurant.voice.answers import ReadAnswer, ReadLayout, render_reading


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
        conversation = self.open_conversation(observation)
        reasoning = "nothing new to read"
        if unread:
            try:
                answer = await conversation.ask(self._question(observation, unread), "read")
            except Unanswered as why:
                return Plan(
                    schedule=(),
                    gave_up=str(why),
                    calls=conversation.made,
                    measured=conversation.measured,
                )
            reasoning = answer.reasoning
            for name, line in unread.items():
                read[name] = _Reading(line.item, line.note, answer.lines[name])
        wanted = {name: _components(world.kitchen, read[name].components) for name in lines}
        ahead = foresee(observation, conversation.made)
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
            calls=conversation.made,
            measured=conversation.measured,
            memory={name: [*read[name]] for name in lines},
        )
        return ahead.complete(plan)

    def _question(
        self, observation: Observation[KitchenState], lines: Mapping[str, OrderLine]
    ) -> _ReadingQuestion:
        world = observation.world
        assert isinstance(world, Restaurant)
        return _ReadingQuestion(
            layout=ReadLayout(lines=lines, reasoning=self.prompting.chain_of_thought),
            messages=render_reading(observation, lines, self.prompting, self._templates),
            call=call_data(observation, "read"),
            kitchen=world.kitchen,
            lines=lines,
        )


@dataclass(kw_only=True)
class _ReadingQuestion(ModelQuestion[ReadAnswer]):
    """The question for a reading of order lines."""

    kitchen: Kitchen
    lines: Mapping[str, OrderLine]

    def check(self, answer: ReadAnswer) -> Sequence[str]:
        """Return a problem for each line whose components are wrong.

        They are wrong if they are missing, if their notation is invalid or names an unknown
        process, or if they cannot be made from the kitchen's ingredients.
        """
        return list(filter(None, (self._check_line(name, answer) for name in self.lines)))

    def _check_line(self, name: str, answer: ReadAnswer) -> str | None:
        if name not in answer.lines:
            return f"lines: {name} is missing."
        try:
            components = _components(self.kitchen, answer.lines[name])
        except NotationError as error:
            return f"lines.{name}: {error}."
        problem = find_problem(self.kitchen, components)
        return f"lines.{name}: {problem}." if problem else None


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
