"""What has to be done for a dish: stages, each one stay of food in one slot of a station.

A component is unfolded into a tree of stages. Food is carried from a dispenser into a stage, from a
stage into the next, and at last from the plating place to the pass. Consecutive work at one kind of
tool is one stage. This is the view of a dish that bounds and schedules are made from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kitchen.components import Component, StepSpec
from kitchen.layout import ASSEMBLE, KIND_OF_PROCESS, PLATE_NAME


@dataclass(frozen=True, slots=True)
class Fetch:
    """From a dispenser: the name of what is picked there, and the kind of dispenser."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Made:
    """What comes out of another stage, by its index."""

    stage: int


@dataclass(frozen=True, slots=True)
class Here:
    """In a slot of the stage's station already; `since` is when its cooking was started."""

    since: int | None = None
    slot: int = 1


@dataclass(frozen=True, slots=True)
class Held:
    """In the hand of a worker, by its index."""

    worker: int


@dataclass(frozen=True, slots=True)
class Lying:
    """In a slot of some other station."""

    station: str
    slot: int


Source = Fetch | Made | Here | Held | Lying


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """Something that goes into a stage, to be cooked there for `low` to `high` timesteps."""

    source: Source
    low: int = 0
    high: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One stay in one slot: `inputs` go in, then `work` (a process for each timestep) or cooking.

    `station` is where the stage is under way; None where it has not begun.
    """

    line: str
    kind: str
    inputs: tuple[Input, ...]
    work: tuple[str, ...] = ()
    station: str | None = None

    @property
    def cooks(self) -> bool:
        """Whether the stage runs unattended."""
        return not self.work and not self.rests

    @property
    def rests(self) -> bool:
        """Whether food only lies on a counter until somebody takes it on."""
        return self.kind == "counter"


@dataclass(frozen=True, slots=True)
class Delivery:
    """A finished dish to be carried to the pass and served for `line`."""

    line: str
    source: Source


@dataclass(slots=True)
class Workload:
    """All stages and deliveries; inputs come before the stages they go into."""

    stages: list[Stage] = field(default_factory=list)
    deliveries: list[Delivery] = field(default_factory=list)

    def add(self, stage: Stage) -> Made:
        """Add a stage and return its product as a source."""
        self.stages.append(stage)
        return Made(len(self.stages) - 1)


class Infeasible(ValueError):  # noqa: N818
    """A component that no kitchen can make, such as foods boiled as one but never together."""


def group_steps(steps: Sequence[StepSpec]) -> list[tuple[StepSpec, ...]]:
    """Steps by stage: work at one kind of tool together, each cooking step alone."""
    groups: list[list[StepSpec]] = []
    for step in steps:
        kind = KIND_OF_PROCESS[step.process]
        if groups and kind.role == "tool" and kind is KIND_OF_PROCESS[groups[-1][-1].process]:
            groups[-1].append(step)
        else:
            groups.append([step])
    return [tuple(group) for group in groups]


def follow(
    workload: Workload,
    line: str,
    source: Source,
    steps: Sequence[StepSpec],
    station: str | None = None,
) -> Source:
    """Add the stages of `steps` done to one food; `station` is where the first is under way."""
    for group in group_steps(steps):
        kind = KIND_OF_PROCESS[group[0].process]
        if kind.role == "tool":
            stage = Stage(
                line=line,
                kind=kind.name,
                inputs=(Input(source=source),),
                work=work_of(group),
                station=station,
            )
        else:
            cooked = Input(source=source, low=group[0].low, high=group[0].high)
            stage = Stage(line=line, kind=kind.name, inputs=(cooked,), station=station)
        source, station = workload.add(stage), None
    return source


def work_of(steps: Sequence[StepSpec]) -> tuple[str, ...]:
    """One process for each timestep that attended steps take at least."""
    return tuple(step.process for step in steps for _ in range(step.low))


@dataclass(frozen=True, slots=True)
class Joining:
    """How the parts of a component become one: where, by which first steps, and what follows.

    In a vessel `parts` are stripped of the cooking they get together, which is in `cooking`.
    """

    kind: str
    parts: tuple[Component, ...]
    cooking: tuple[StepSpec, ...]
    work: tuple[StepSpec, ...]
    rest: tuple[StepSpec, ...]


def joining(component: Component) -> Joining:
    """How a component of several parts is joined. Raises Infeasible."""
    steps = component.steps
    last = [part.steps[-1] if part.steps else None for part in component.parts]
    processes = {step.process if step else None for step in last}
    process = processes.pop()
    if process and not processes and KIND_OF_PROCESS[process].vessel:
        stripped = tuple(part.with_steps(part.steps[:-1]) for part in component.parts)
        cooking = tuple(step for step in last if step)
        return Joining(KIND_OF_PROCESS[process].name, stripped, cooking, (), steps)
    if steps and KIND_OF_PROCESS[steps[0].process].name in ("mixer", "plating"):
        first = group_steps(steps)[0]
        kind = KIND_OF_PROCESS[first[0].process].name
        return Joining(kind, component.parts, (), first, steps[len(first) :])
    raise Infeasible(f"{component} is joined by nothing the kitchen can do")


def unfold(
    workload: Workload, line: str, component: Component, larder: Mapping[str, str]
) -> Source:
    """Add all stages that make `component` from raw ingredients; returns where it comes from."""
    if not component.parts:
        if component.name not in larder:
            raise Infeasible(f"{component.name} is in no dispenser")
        fetched = Fetch(component.name, larder[component.name])
        return follow(workload, line, fetched, component.steps)
    join = joining(component)
    sources = [unfold(workload, line, part, larder) for part in join.parts]
    inputs = joined_inputs(sources, join)
    made = workload.add(Stage(line=line, kind=join.kind, inputs=inputs, work=work_of(join.work)))
    return follow(workload, line, made, join.rest)


def joined_inputs(sources: Sequence[Source], join: Joining) -> tuple[Input, ...]:
    """The inputs of a joining stage, with the minutes each is cooked there."""
    if not join.cooking:
        return tuple(Input(source=source) for source in sources)
    return tuple(
        Input(source=source, low=step.low, high=step.high)
        for source, step in zip(sources, join.cooking, strict=True)
    )


PLATE_SOURCE = Fetch(PLATE_NAME, "plates")


def unfold_dish(
    workload: Workload, line: str, components: Sequence[Component], larder: Mapping[str, str]
) -> None:
    """Add everything from the raw ingredients of a dish to its serving."""
    sources = [PLATE_SOURCE, *(unfold(workload, line, c, larder) for c in components)]
    inputs = tuple(Input(source=source) for source in sources)
    plated = workload.add(Stage(line=line, kind="plating", inputs=inputs, work=(ASSEMBLE,)))
    workload.deliveries.append(Delivery(line, plated))
