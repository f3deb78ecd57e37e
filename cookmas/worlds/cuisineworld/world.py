"""CuisineWorld as a world: the engine with the methods of the world protocol.

Orders come through the mailbox, so neither the world nor its state has future orders.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Self

from pydantic import ValidationError

from cookmas.episodes.base import World
from cookmas.episodes.world import DONE, Command, Commands, Json, Outcome, Ruling, Tally, Trigger
from cookmas.files.errors import InputError, TraceError
from cookmas.worlds.cuisineworld.rules.book import TaskBook, book, kitchen_in
from cookmas.worlds.cuisineworld.rules.commands import Feedback, read_agent
from cookmas.worlds.cuisineworld.rules.engine import (
    RULES,
    CuisineTask,
    futile,
    legal_commands,
    play,
    start,
)
from cookmas.worlds.cuisineworld.rules.kitchen import CuisineKitchen, CuisineState, Order, steps_of
from cookmas.worlds.cuisineworld.words import tell_game


class CuisineWorld(World):
    """The kitchen of a level with its agents.

    An action is a command of the engine without the agent's name, such as `goto_pot0`.
    """

    name = "cuisineworld"
    rules = RULES
    idle = "noop"
    state_type = CuisineState

    def __init__(self, kitchen: CuisineKitchen, source: TaskBook | None = None) -> None:
        self.kitchen = kitchen
        self._source = source or book()
        self._task = CuisineTask(kitchen=kitchen, stream=())
        self.workers = tuple(f"agent{number}" for number in range(kitchen.agents))
        """Names of the agents, by number."""

    def setup(self) -> dict[str, Any]:
        """Return the level as plain data, with a book of its recipes and of all tools."""
        kitchen, source = self.kitchen, self._source
        return {
            "level": kitchen.level,
            "tau": kitchen.tau,
            "agents": kitchen.agents,
            "book": {
                "tools": {name: dict(tool) for name, tool in source.tools.items()},
                "ingredients": list(source.ingredients),
                "recipes": {name: source.recipes[name] for name in kitchen.recipes},
                "levels": {kitchen.level: source.levels[kitchen.level].model_dump()},
            },
        }

    @classmethod
    def of_setup(cls, setup: Json) -> Self:
        """Return the world that `setup` describes. Raise TraceError if it describes none."""
        try:
            source = TaskBook.model_validate(setup["book"])
            return cls(kitchen_in(source, setup["level"], setup["tau"], setup["agents"]), source)
        except (KeyError, TypeError, ValueError, ValidationError, InputError, RecursionError):
            raise TraceError("the trace's header does not describe a CuisineWorld") from None

    def start(self) -> CuisineState:
        """Return the state with all agents at the serving table and no order."""
        return start(self._task)

    def apply(self, state: CuisineState, event: Json) -> tuple[CuisineState, Ruling]:
        """Apply an order: `{"kind": "order", "dish": ...}`. Raise InputError for another event."""
        match event:
            case {"kind": "order", "dish": str(dish)} if dish in self.kitchen.dishes:
                order = Order(self.kitchen.lifetimes[dish], dish)
                orders = tuple(sorted((*state.orders, order)))
                trigger = Trigger(kind="new_order", cause=f"{dish} was ordered")
                return state._replace(orders=orders, arrived=state.arrived + 1), Ruling(
                    trigger=trigger
                )
        known = ", ".join(self.kitchen.dishes)
        raise InputError("event", f"expected an order for one of {known}")

    def step(
        self, state: CuisineState, commands: Commands
    ) -> tuple[CuisineState, Mapping[str, Outcome], Sequence[Trigger]]:
        """Carry out the commands in their order; the engine refuses a malformed list as a whole."""
        lines = [_line(worker, action) for worker, action in commands]
        after, step = play(self._task, state, lines)
        outcomes = dict.fromkeys(self.workers, DONE)
        for (name, _), ok in zip(commands, step.ok, strict=True):
            worker = self._worker(name)
            if not ok and worker is not None:
                outcomes[worker] = _refusal(step.feedback, worker)
        expired = [
            Trigger(kind="expired", cause=f"the order for {dish} ran out")
            for dish in step.failed
            if self._has_left_over(after, dish)
        ]
        return after, outcomes, expired

    @cached_property
    def _parts(self) -> Mapping[str, frozenset[str]]:
        """The items that are made into each dish, with the dish itself."""
        steps = {dish: [*steps_of(dish, self.kitchen.recipes)] for dish in self.kitchen.dishes}
        return {
            dish: frozenset({dish}).union(*(step.inputs for step in steps[dish])) for dish in steps
        }

    def _has_left_over(self, state: CuisineState, dish: str) -> bool:
        """Return whether something was begun for a dish that is of use for no open order.

        Otherwise its expiry changes nothing for a planner, which has known when it would come.
        """
        begun = {agent.holding for agent in state.agents}.union(*state.inside.values())
        wanted = frozenset[str]().union(*(self._parts[order.dish] for order in state.orders))
        return not begun.isdisjoint(self._parts[dish] - wanted)

    def commands(self, lines: Sequence[str]) -> list[Command]:
        """Return the commands for lines in the engine's format, such as `goto_agent0_pot0`."""
        workers = [f"agent{_read_agent(line)}" for line in lines]
        return [Command(who, _action(line, who)) for who, line in zip(workers, lines, strict=True)]

    def legal(self, state: CuisineState, worker: str) -> list[str]:
        """Return the actions that the agent could do now if no other agent acted."""
        number = int(worker.removeprefix("agent"))
        return [_action(line, worker) for line in legal_commands(self.kitchen, state, number)]

    def _worker(self, name: str) -> str | None:
        """Return the worker that the engine finds by a name, such as `agent0` for `0`.

        Return None if it finds none.
        """
        number, agents = read_agent(name), self.kitchen.agents
        if number is None or not -agents <= number < agents:
            return None
        return self.workers[number]

    def refusal(self, commands: Commands) -> str | None:
        """Return None, because the engine itself refuses a malformed list.

        Then every agent loses the timestep, as in MindAgent.
        """
        return None

    def tally(self, state: CuisineState) -> Tally:
        """Return the completed and the failed orders; the score is their difference."""
        done, lost = len(state.completed), len(state.failed)
        return Tally(done=done, lost=lost, score=float(done - lost))

    def progress_key(self, state: CuisineState) -> dict[str, Any]:
        """Return the whole state, so that no episode ends for lack of progress."""
        return self.dump(state)

    def futile(self, state: CuisineState, timesteps: int) -> bool:
        """Return whether no dish can be put on the serving table within this many timesteps."""
        return futile(self.kitchen, state, timesteps)

    def lookups(self, state: CuisineState) -> list[str]:
        """Return the keys of the texts to look up: all dishes of the level."""
        return list(self.kitchen.dishes)

    def narrate(self, observed: CuisineState, worker: str | None) -> list[str]:
        """Return where the agents stand, what they hold, what is in the places, and the orders."""
        return [*tell_game(observed, self.workers, worker)]


def _line(worker: str, action: str) -> str:
    """Return an action as a line in the engine's format, with the agent's name after the verb."""
    verb, _, rest = action.strip().partition("_")
    return "_".join(filter(None, (verb, worker, rest)))


def _read_agent(line: str) -> str:
    return line.split("_")[1].removeprefix("agent")


def _action(line: str, worker: str) -> str:
    """Return the action of a line: the line without the agent's name."""
    return line.replace(f"_{worker}", "", 1)


def _refusal(feedback: Sequence[Feedback], worker: str) -> Outcome:
    """Return the FAIL of an agent, with the kitchen's answers to the agent as its reason.

    If no answer names the agent, all answers are the reason. The kind of the first answer is the
    kind of the FAIL.
    """
    number = int(worker.removeprefix("agent"))
    why = [each for each in feedback if each.agent == number] or feedback
    return Outcome(str(why[0].kind), " ".join(each.words for each in why))
