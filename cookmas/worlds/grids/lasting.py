"""Worlds whose actions last for several timesteps.

It is a worker's move when its action is done. Until then it carries on, and its only command is to
idle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cookmas.episodes.base import State, World
from cookmas.episodes.world import DONE, Commands, Outcome, Trigger, refuse_workers
from cookmas.worlds.grids.hands import Sight


class UnableError(Exception):
    """A worker cannot begin an action; the message is the kind of FAIL."""


class LastingWorld(World):
    """A world whose actions last for several timesteps.

    It defines `fails`, `sight`, `begin`, `carry_out` and `list_legal` in the place of `advance` and
    `legal`.
    Its states have a field `doing`: the action of each worker, by its number, as text when it is
    printed; None if it is the worker's move.
    """

    lasting = True

    # What such a world overrides

    fails: Mapping[str, str]
    """The kinds of FAILs, each with the reason."""

    def sight(self, state: State, number: int) -> Sight[Any, Any, Any]:
        """Return what worker `number` has before it."""
        raise NotImplementedError(f"{self.name} has no sight")

    def begin(self, state: State, number: int, text: str) -> Any:
        """Return the action that worker `number` begins. Raise UnableError if it cannot."""
        raise NotImplementedError(f"{self.name} has no begin")

    def carry_out(self, state: State, actions: Sequence[Any]) -> tuple[State, Sequence[Trigger]]:
        """Return the state after a timestep, and its triggers.

        `actions` has the action of each worker, just begun or not; None if it could not begin one.
        """
        raise NotImplementedError(f"{self.name} has no carry_out")

    def list_legal(self, state: State, number: int) -> Sequence[str]:
        """Return the actions that worker `number` can begin, as it is its move."""
        raise NotImplementedError(f"{self.name} has no list_legal")

    def is_asked(self, state: State, number: int) -> bool:
        """Return whether it is the move of worker `number`; by default if it is at no action."""
        return state.doing[number] is None

    def simulable(self, observed: State, worker: str | None) -> State:
        """Return the observed state; what is hidden in it does nothing, or makes unknown things."""
        return observed

    # The machinery

    def movers(self, state: State) -> Sequence[str]:
        """Return the workers whose move it is."""
        return [name for number, name in enumerate(self.workers) if self.is_asked(state, number)]

    def listeners(self, state: State) -> Sequence[str]:
        """Return all workers; one whose action still lasts can hear and answer too."""
        return self.workers

    def legal(self, state: State, worker: str) -> Sequence[str]:
        """Return the actions that a worker can begin; in the middle of one it can only idle."""
        number = self.workers.index(worker)
        return self.list_legal(state, number) if self.is_asked(state, number) else [self.idle]

    def step(
        self, state: State, commands: Commands
    ) -> tuple[State, Mapping[str, Outcome], Sequence[Trigger]]:
        """Carry out one timestep: workers whose move it is begin an action, then all carry on."""
        given = dict(commands)
        actions: list[Any] = []
        outcomes: dict[str, Outcome] = {}
        for number, name in enumerate(self.workers):
            text = given.get(name, self.idle)
            action, outcomes[name] = self._obey(state, number, text)
            actions.append(action)
        after, triggers = self.carry_out(state, actions)
        return after, outcomes, triggers

    def _obey(self, state: State, number: int, text: str) -> tuple[Any, Outcome]:
        """Return the action of a worker after a command for it, and the command's outcome."""
        name = self.workers[number]
        if not self.is_asked(state, number):
            action = state.doing[number]
            waits = text == self.idle
            return action, DONE if waits else Outcome("not_your_turn", f"{name} is at {action}.")
        try:
            return self.begin(state, number, text), DONE
        except UnableError as error:
            kind = str(error)
            return None, Outcome(kind, f"{name} cannot {text[:200]}: {self.fails[kind]}.")

    def give_up(self, number: int, action: Any, why: str) -> Trigger:
        """Return the trigger of a worker that gives up its action."""
        name = self.workers[number]
        return Trigger(kind="given_up", cause=f"{name} gives up {action}: {why}", to=(name,))

    def refusal(self, commands: Commands) -> str | None:
        """Return which command names no worker, or is a worker's second; None if there is none.

        An action that cannot be read FAILs when it should begin.
        """
        return refuse_workers(commands, self.workers)

    def progress_key(self, state: State) -> dict[str, Any]:
        """Return the timestep, so that no episode ends for lack of progress."""
        return {"timestep": state.timestep}
