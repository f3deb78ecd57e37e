"""The optional capabilities of a world, each a runtime-checkable protocol.

If a world lacks a capability, the function below the protocol returns a default. For capabilities
that are needed at every timestep, `brings` checks the world's class only once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple, Protocol, TypeVar, runtime_checkable

from typing_extensions import TypeIs

from cookmas.episodes.answered import check_ending, check_movers
from cookmas.episodes.world import AnyWorld, Commands, Json, Outcome

State = TypeVar("State")


def members_of(protocol: object) -> tuple[str, ...]:
    """Return the names of the members that a protocol requires, in order."""
    return tuple(name for name in vars(protocol) if not name.startswith("_"))


def _has(kind: type, capability: type) -> bool:
    return all(hasattr(kind, name) for name in members_of(capability))


brings: Callable[[type, type], bool] = cache(_has)
"""Return whether a class of worlds has all members of a capability; the result is cached."""


@runtime_checkable
class TurnBased(Protocol):
    """A world in which not every worker acts at every timestep."""

    def movers(self, state: Any) -> Sequence[str]:
        """Return the workers whose move it is, in the order of `workers`.

        An empty list means that the world moves on its own, such as by a roll of dice.
        """
        ...


def is_turn_based(world: Any) -> TypeIs[TurnBased]:
    """Return whether a world states whose move it is."""
    return brings(type(world), TurnBased)


def movers(world: AnyWorld[Any], state: Any) -> Sequence[str]:
    """Return the workers whose move it is, in the world's order; by default all of them.

    Raise WorldFailedError if the world does not return a list of its workers.
    """
    if not brings(type(world), TurnBased):
        return world.workers
    turn_based: Any = world
    return check_movers(world, turn_based.movers(state))


@runtime_checkable
class Disclosing(Protocol):
    """A world that states whether agents see decisions of other agents at the same timestep."""

    @property
    def discloses_decisions(self) -> bool:
        """True if an agent that decides sees what other agents have decided on already.

        These are their actions at this timestep, and what is left of their earlier plans.
        """
        ...


def discloses_decisions(world: AnyWorld[Any]) -> bool:
    """Return whether an agent that decides sees what other agents have decided on already.

    This is about actions of the same timestep. The default is False.
    """
    return isinstance(world, Disclosing) and world.discloses_decisions


@runtime_checkable
class Talking(Protocol):
    """A world that limits how much the agents of a team may talk."""

    @property
    def talk_rounds(self) -> int:
        """Maximum number of turns of each agent in the talk at a timestep; 0 forbids talk."""
        ...


def talk_rounds(world: AnyWorld[Any], wished: int) -> int:
    """Return the maximum number of turns of each agent in the talk at a timestep.

    This is `wished`, or the world's limit if that is lower.
    """
    return min(wished, world.talk_rounds) if isinstance(world, Talking) else wished


@runtime_checkable
class Listening(Protocol):
    """A world in which workers hear and speak although it is not their move."""

    def listeners(self, state: Any) -> Sequence[str]:
        """Return the workers that take part in a talk besides those whose move it is."""
        ...


def listeners(world: AnyWorld[Any], state: Any) -> Sequence[str]:
    """Return the workers that only hear and speak at a timestep; by default none."""
    return world.listeners(state) if isinstance(world, Listening) else ()


@runtime_checkable
class Watching(Protocol):
    """A world in which a worker does not see all actions of other workers."""

    def filter_commands(self, commands: Commands, worker: str) -> Commands:
        """Return the commands that `worker` has seen, among those of a timestep."""
        ...


def filter_commands(world: AnyWorld[Any], commands: Commands, worker: str | None) -> Commands:
    """Return the commands that a worker, or a central planner (None), has seen; by default all."""
    if worker is None or not isinstance(world, Watching):
        return commands
    return world.filter_commands(commands, worker)


class Ending(NamedTuple):
    """How a game has ended, and why."""

    how: Literal["won", "lost", "over"]
    """The result of the game."""
    why: str
    """The reason, in the world's words."""


@runtime_checkable
class Concluding(Protocol):
    """A world whose episodes can be won, lost, or over for another reason."""

    def ending(self, state: Any) -> Ending | None:
        """Return how the episode has ended in this state; None if it continues."""
        ...


def ending(world: AnyWorld[Any], state: Any) -> Ending | None:
    """Return how an episode has ended according to its world; None if it continues.

    Raise WorldFailedError if the world returns anything else.
    """
    if not brings(type(world), Concluding):
        return None
    concluding: Any = world
    found: Ending | None = concluding.ending(state)
    if found is None:
        return None
    check_ending(world, found)
    return found


@runtime_checkable
class Scoring(Protocol):
    """A world whose `Tally.score` grades an episode, in addition to or instead of success."""

    @property
    def best_score(self) -> float:
        """The highest score that an episode can reach, or an upper bound of it."""
        ...


@runtime_checkable
class Rewarding(Protocol):
    """A world that rewards each worker at each timestep, for training and statistics."""

    def rewards(
        self, before: Any, after: Any, outcomes: Mapping[str, Outcome]
    ) -> Mapping[str, float]:
        """Return each worker's reward for the timestep between two states."""
        ...


def is_rewarding(world: Any) -> TypeIs[Rewarding]:
    """Return whether a world computes rewards for its workers."""
    return brings(type(world), Rewarding)


@runtime_checkable
class Spectated(Protocol[State]):
    """A world in which a spectator sees a different part of the state than a central planner."""

    def spectate(self, state: State) -> State:
        """Return the state without the parts that a spectator may not see."""
        ...


def _is_spectated(world: Any) -> TypeIs[Spectated[Any]]:
    return brings(type(world), Spectated)


def spectate(world: AnyWorld[State], state: State) -> State:
    """Return the part of a state that a spectator sees; by default what a central planner sees."""
    return world.spectate(state) if _is_spectated(world) else world.observe(state)


@runtime_checkable
class Decentralized(Protocol):
    """A world that states whether one planner may plan for all workers."""

    @property
    def central(self) -> bool:
        """True if one planner may plan for all workers."""
        ...


def has_central_planner(world: AnyWorld[Any]) -> bool:
    """Return whether one planner may plan for all workers; by default True."""
    central: bool = getattr(world, "central", True)
    return central


@runtime_checkable
class Simulable(Protocol[State]):
    """A world in which planners may simulate timesteps from what they have observed."""

    def simulable(self, observed: State, worker: str | None) -> State | None:
        """Return a state from which the planner of `worker` may simulate.

        `observed` is the state that the planner has observed. If `worker` is None, the planner is
        the central planner. Return None if the planner may not simulate.
        """
        ...


def simulable(world: AnyWorld[State], observed: State, worker: str | None = None) -> State | None:
    """Return a state from which the planner of `worker` may simulate; None if it may not.

    `observed` is the state that the planner has observed. If `worker` is None, the planner is the
    central planner.
    """
    return world.simulable(observed, worker) if isinstance(world, Simulable) else None


def is_simulable(world: AnyWorld[Any]) -> bool:
    """Return whether any planner can simulate from its observation of the initial state."""
    if not isinstance(world, Simulable):
        return False
    state = world.start()
    observers = (*world.workers, *([None] if has_central_planner(world) else []))
    return any(
        world.simulable(world.observe(state, observer), observer) is not None
        for observer in observers
    )


@runtime_checkable
class Narrating(Protocol):
    """A world that tells a situation in words, for a model that reads words better than data."""

    def narrate(self, observed: Any, worker: str | None) -> Sequence[str]:
        """Return sentences about an observed state, as they are told to a worker.

        If `worker` is None, they are told to a central planner.
        """
        ...


def narrate(world: AnyWorld[Any], observed: Any, worker: str | None = None) -> Sequence[str]:
    """Return an observed state in sentences for a worker or a central planner; by default none."""
    return world.narrate(observed, worker) if isinstance(world, Narrating) else ()


@runtime_checkable
class Populated(Protocol):
    """A world with agents that are not workers, such as an adversary; the rules decide for them."""

    @property
    def characters(self) -> Sequence[str]:
        """The names of the agents that are not workers."""
        ...


def characters(world: AnyWorld[Any]) -> Sequence[str]:
    """Return the names of the agents that are not workers; by default none."""
    return world.characters if isinstance(world, Populated) else ()


@runtime_checkable
class Formal(Protocol):
    """A world that lists the forms of its actions."""

    @property
    def actions(self) -> Mapping[str, str]:
        """The effect of each form of action, by the form, such as `ring(BELL)`."""
        ...


def forms_of_actions(world: AnyWorld[Any]) -> Mapping[str, str]:
    """Return the forms of a world's actions with their effects; empty if it lists none."""
    return world.actions if isinstance(world, Formal) else {}


@runtime_checkable
class Declining(Protocol):
    """A world in which a planner can announce that a request will not be fulfilled."""

    def decline_event(self, name: str, why: str) -> Json:
        """Return the event that withdraws the request `name` for the reason `why`."""
        ...


@runtime_checkable
class Forecasting(Protocol):
    """A world that knows when the remaining time is too short to achieve anything."""

    def futile(self, state: Any, timesteps: int) -> bool:
        """Return whether no action within the next `timesteps` can change the result."""
        ...


def forecasts(world: Any) -> TypeIs[Forecasting]:
    """Return whether a world knows when nothing more can be achieved."""
    return brings(type(world), Forecasting)


@runtime_checkable
class Staffed(Protocol[State]):
    """A world in which workers can be out of service."""

    def remove_workers(self, state: State, workers: Sequence[str]) -> State:
        """Return an observed state in which these workers are out of service from now on."""
        ...


@runtime_checkable
class Alterable(Protocol[State]):
    """A world whose setup can change during an episode, namely at a fork."""

    def alter(self, setup: Json, state: State) -> AnyWorld[State]:
        """Return the world that `setup` describes, in which the episode continues from this state.

        Raise TraceError if the setup is invalid, InputError if a part of the state does not fit
        into the setup.
        """
        ...


@runtime_checkable
class Hiding(Protocol[State]):
    """A world that hides information from a worker and can draw alternatives for it."""

    def draw_alike(self, state: State, worker: str, seed: int) -> State:
        """Return a random state that the worker cannot distinguish from the given one."""
        ...
