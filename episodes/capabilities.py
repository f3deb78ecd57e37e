"""The optional parts of a world: one runtime-checkable protocol for each capability.

A function beside a protocol says what holds for a world that lacks the capability. What is asked at
every timestep is looked up in the world's class once (`brings`).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple, Protocol, TypeVar, runtime_checkable

from typing_extensions import TypeIs

from episodes.answered import check_ending, check_movers
from episodes.world import Commands, Json, Outcome, World

State = TypeVar("State")


def members_of(protocol: object) -> tuple[str, ...]:
    """Return the names of what a protocol itself asks for, in order."""
    return tuple(name for name in vars(protocol) if not name.startswith("_"))


@cache
def _has(kind: Hashable, capability: Hashable) -> bool:
    return all(hasattr(kind, name) for name in members_of(capability))


def brings(world: Any, capability: type) -> bool:
    """Return whether the class of a world has the members of a capability."""
    kind: Any = type(world)
    return _has(kind, capability)


@runtime_checkable
class TurnBased(Protocol):
    """A world in which not every worker acts at every timestep."""

    def movers(self, state: Any) -> Sequence[str]:
        """Return the workers whose move it is, in the order of `workers`.

        An empty list means that the world moves alone, such as a roll of dice.
        """
        ...


def is_turn_based(world: Any) -> TypeIs[TurnBased]:
    """Return whether a world says whose move it is."""
    return brings(world, TurnBased)


def movers(world: World[Any], state: Any) -> Sequence[str]:
    """Return the workers whose move it is: all of them where the world does not say.

    They are in the order of the workers. Raise WorldFailedError if that is no list of workers.
    """
    if not is_turn_based(world):
        return world.workers
    return check_movers(world, world.movers(state))


@runtime_checkable
class Disclosing(Protocol):
    """A world that says whether members see what others have decided at the same timestep."""

    @property
    def discloses_decisions(self) -> bool:
        """Whether a member sees the actions that members before it have decided on."""
        ...


def discloses_decisions(world: World[Any]) -> bool:
    """Return whether later members of a timestep see earlier decisions: by default they do not."""
    return isinstance(world, Disclosing) and world.discloses_decisions


@runtime_checkable
class Talking(Protocol):
    """A world that says how much the agents of a team may talk."""

    @property
    def talk_rounds(self) -> int:
        """How often each may have a turn at a timestep at most; 0 forbids all talk."""
        ...


def talk_rounds(world: World[Any], wished: int) -> int:
    """Return how often each agent has a turn at a timestep: as wished where the world lets it."""
    return min(wished, world.talk_rounds) if isinstance(world, Talking) else wished


@runtime_checkable
class Watching(Protocol):
    """A world in which not everybody sees what the others do."""

    def watched(self, commands: Commands, worker: str) -> Commands:
        """Return what `worker` sees of the commands that have been carried out at a timestep."""
        ...


def watched(world: World[Any], commands: Commands, worker: str | None) -> Commands:
    """Return what a worker, or a central planner (None), sees of what was done: by default all."""
    if worker is None or not isinstance(world, Watching):
        return commands
    return world.watched(commands, worker)


class Ending(NamedTuple):
    """How a game ended, and `why` in the world's words."""

    how: Literal["won", "lost", "over"]
    why: str


@runtime_checkable
class Concluding(Protocol):
    """A world whose episodes can be won or lost, or can be over for another reason."""

    def ending(self, state: Any) -> Ending | None:
        """Return how the episode has ended in this state; None if it goes on."""
        ...


def concludes(world: Any) -> TypeIs[Concluding]:
    """Return whether a world says how its episodes end."""
    return brings(world, Concluding)


def ending(world: World[Any], state: Any) -> Ending | None:
    """Return how a world says that an episode has ended; None if it goes on or does not say.

    Raise WorldFailedError if what it says is no ending.
    """
    if not concludes(world) or (found := world.ending(state)) is None:
        return None
    check_ending(world, found)
    return found


@runtime_checkable
class Scoring(Protocol):
    """A world whose `Tally.score` grades an episode, beside success or instead of it."""

    @property
    def best_score(self) -> float:
        """The highest score that an episode can reach, or an upper bound of it."""
        ...


@runtime_checkable
class Rewarding(Protocol):
    """A world that rewards each worker for each timestep, for training and for statistics."""

    def rewards(
        self, before: Any, after: Any, outcomes: Mapping[str, Outcome]
    ) -> Mapping[str, float]:
        """Return each worker's reward for the timestep between two states."""
        ...


def is_rewarding(world: Any) -> TypeIs[Rewarding]:
    """Return whether a world rewards its workers itself."""
    return brings(world, Rewarding)


@runtime_checkable
class Spectated(Protocol[State]):
    """A world in which a spectator sees other things than a central planner."""

    def spectate(self, state: State) -> State:
        """Return the state without what a spectator may not see."""
        ...


def _is_spectated(world: Any) -> TypeIs[Spectated[Any]]:
    return brings(world, Spectated)


def spectate(world: World[State], state: State) -> State:
    """Return what a spectator sees: by default what a central planner sees."""
    return world.spectate(state) if _is_spectated(world) else world.observe(state)


@runtime_checkable
class Decentralized(Protocol):
    """A world that says whether one planner may plan for all workers."""

    @property
    def central(self) -> bool:
        """Whether the world has a central planner."""
        ...


def has_central_planner(world: World[Any]) -> bool:
    """Return whether one planner may plan for all workers: by default it may."""
    return not isinstance(world, Decentralized) or world.central


@runtime_checkable
class Simulable(Protocol[State]):
    """A world in which what follows from an observed state can be simulated."""

    def simulable(self, observed: State, worker: str | None) -> State | None:
        """Return a state that can be stepped in place of what `worker` observed.

        None as `worker` is the central planner; None is returned where nothing may be simulated.
        """
        ...


def simulable(world: World[State], observed: State, worker: str | None = None) -> State | None:
    """Return a state to simulate from; None where the world does not say that it can be done."""
    return world.simulable(observed, worker) if isinstance(world, Simulable) else None


def is_simulable(world: World[Any]) -> bool:
    """Return whether somebody can simulate from what is seen at the start."""
    if not isinstance(world, Simulable):
        return False
    state = world.start()
    observers = (*world.workers, *([None] if has_central_planner(world) else []))
    return any(
        world.simulable(world.observe(state, observer), observer) is not None
        for observer in observers
    )


@runtime_checkable
class Populated(Protocol):
    """A world with agents that are no workers and act by its rules, such as an adversary."""

    @property
    def characters(self) -> Sequence[str]:
        """Their names."""
        ...


def characters(world: World[Any]) -> Sequence[str]:
    """Return the names of the agents that are no workers: by default there are none."""
    found: Sequence[str] = getattr(world, "characters", ())
    return found


@runtime_checkable
class Formal(Protocol):
    """A world that says which forms its actions have."""

    @property
    def actions(self) -> Mapping[str, str]:
        """The forms, such as `ring(BELL)`, each with what it does."""
        ...


def forms_of_actions(world: World[Any]) -> Mapping[str, str]:
    """Return the forms of a world's actions, and what each does; none where it does not say."""
    return world.actions if isinstance(world, Formal) else {}


@runtime_checkable
class Declining(Protocol):
    """A world in which a planner can say that something asked for will not be done."""

    def declining(self, name: str, why: str) -> Json:
        """Return the event that withdraws what is called `name`, because of `why`."""
        ...


@runtime_checkable
class Forecasting(Protocol):
    """A world that knows when the time that is left is too short to reach anything."""

    def futile(self, state: Any, timesteps: int) -> bool:
        """Return whether no action of the next so many timesteps can change what is reached."""
        ...


def forecasts(world: Any) -> TypeIs[Forecasting]:
    """Return whether a world knows when nothing more can be reached."""
    return brings(world, Forecasting)


@runtime_checkable
class Staffed(Protocol[State]):
    """A world in which workers can be out of service."""

    def without(self, state: State, workers: Sequence[str]) -> State:
        """Return an observed state in which these workers are out of service from now on."""
        ...


@runtime_checkable
class Alterable(Protocol[State]):
    """A world that can be built otherwise while an episode goes on, as forks do."""

    def altered(self, setup: Json, state: State) -> World[State]:
        """Return the world that `setup` describes, in which the episode goes on from this state.

        Raise TraceError if that describes none, InputError if something of the state has no place
        in it.
        """
        ...


@runtime_checkable
class Hiding(Protocol[State]):
    """A world that hides something from a worker, and can show what else it might be."""

    def alike(self, state: State, worker: str, seed: int) -> State:
        """Return another state that could be the true one by all that the worker may know."""
        ...
