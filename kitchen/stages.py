"""The work that a dish needs, as stages. A stage is one stay of food in one slot of a station.

A component unfolds into a tree of stages. Workers carry food from a dispenser into a stage, from a
stage into the next, and finally from the plating place to the pass. Consecutive work at one kind of
tool is one stage. Bounds and schedules are computed from the stages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cookmas.kitchen.components import Component, StepSpec
from cookmas.kitchen.layout import ASSEMBLE, KIND_OF_PROCESS, PLATE_NAME


@dataclass(frozen=True, slots=True)
class Fetch:
    """A source of food: a dispenser."""

    name: str
    """The name of the ingredient, or `plate`."""
    kind: str
    """The kind of dispenser that gives it out."""


@dataclass(frozen=True, slots=True)
class Made:
    """A source of food: the product of another stage."""

    stage: int
    """The index of the stage in the workload."""


@dataclass(frozen=True, slots=True)
class FoodInSlot:
    """A source of food: it already lies in a slot of the stage's own station."""

    since: int | None = None
    """The timestep at which its cooking was started; None if it does not cook."""
    slot: int = 1


@dataclass(frozen=True, slots=True)
class Held:
    """A source of food: the hand of a worker."""

    worker: int
    """The index of the worker in the kitchen's order."""


@dataclass(frozen=True, slots=True)
class Lying:
    """A source of food: a slot of another station."""

    station: str
    slot: int


Source = Fetch | Made | FoodInSlot | Held | Lying


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """A food that goes into a stage and cooks there for `low` to `high` timesteps (inclusive)."""

    source: Source
    low: int = 0
    high: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One stay of food in one slot: the inputs go in, then follows attended work or cooking."""

    line: str
    """The order line that the stage belongs to."""
    kind: str
    """The kind of station."""
    inputs: tuple[Input, ...]
    work: tuple[str, ...] = ()
    """One process for each timestep of attended work; empty if the food cooks or only rests."""
    station: str | None = None
    """The station at which the stage has begun; None if the stage has not begun."""

    @property
    def cooks(self) -> bool:
        """True if the food cooks in an appliance, unattended."""
        return not self.work and not self.rests

    @property
    def rests(self) -> bool:
        """True if the food only lies on a counter until a worker takes it."""
        return self.kind == "counter"


@dataclass(frozen=True, slots=True)
class Delivery:
    """A finished dish that a worker has to carry to the pass and serve for `line`."""

    line: str
    source: Source


@dataclass(slots=True)
class Workload:
    """The stages and deliveries of dishes; a stage comes after the stages it depends on."""

    stages: list[Stage] = field(default_factory=list)
    deliveries: list[Delivery] = field(default_factory=list)

    def add(self, stage: Stage) -> Made:
        """Add a stage and return its product as a source."""
        self.stages.append(stage)
        return Made(len(self.stages) - 1)

    def renumber(self, by: int) -> Workload:
        """Return the same workload with indices of stages that are greater by `by`."""

        def shift(source: Source) -> Source:
            return Made(source.stage + by) if isinstance(source, Made) else source

        stages = [
            replace(s, inputs=tuple(replace(e, source=shift(e.source)) for e in s.inputs))
            for s in self.stages
        ]
        return Workload(stages, [Delivery(d.line, shift(d.source)) for d in self.deliveries])


def join_workloads(works: Iterable[Workload]) -> Workload:
    """Return the stages and deliveries of several workloads as one."""
    joined = Workload()
    for work in works:
        if before := len(joined.stages):
            work = work.renumber(before)
        joined.stages += work.stages
        joined.deliveries += work.deliveries
    return joined


class Infeasible(ValueError):  # noqa: N818
    """A component that no kitchen can make, such as foods boiled into one but never together."""


def group_steps(steps: Sequence[StepSpec]) -> list[tuple[StepSpec, ...]]:
    """Group steps by stage: consecutive work at one kind of tool, or a single cooking step."""
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
    """Add the stages that apply `steps` to one food, and return where the result comes from.

    `station` is where the first of these stages has already begun; None if it has not.
    """
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
    """Return one process for each timestep that attended steps take at least."""
    return tuple(step.process for step in steps for _ in range(step.low))


@dataclass(frozen=True, slots=True)
class Joining:
    """The way in which the parts of a component become one food."""

    kind: str
    """The kind of station at which the parts are joined."""
    parts: tuple[Component, ...]
    """The parts as they go in.

    For a vessel, each lacks the step of cooking that the parts do together.
    """
    cooking: tuple[StepSpec, ...]
    """In a vessel, the step of cooking of each part, in the order of `parts`; else empty."""
    work: tuple[StepSpec, ...]
    """The attended steps that join the parts; empty in a vessel."""
    rest: tuple[StepSpec, ...]
    """The steps that follow on the joined food."""


def joining_of(component: Component) -> Joining:
    """Return how a component of several parts is joined. Raises Infeasible."""
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
    """Add all stages that make `component` from raw ingredients; return the component's source.

    `larder` maps each ingredient to its kind of dispenser. Raises Infeasible.
    """
    if not component.parts:
        if component.name not in larder:
            raise Infeasible(f"{component.name} is in no dispenser")
        fetched = Fetch(component.name, larder[component.name])
        return follow(workload, line, fetched, component.steps)
    join = joining_of(component)
    sources = [unfold(workload, line, part, larder) for part in join.parts]
    inputs = join_inputs(sources, join)
    product = workload.add(Stage(line=line, kind=join.kind, inputs=inputs, work=work_of(join.work)))
    return follow(workload, line, product, join.rest)


def join_inputs(sources: Sequence[Source], join: Joining) -> tuple[Input, ...]:
    """Return the inputs of a joining stage, each with the minutes it cooks there."""
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
    """Add all stages of a dish, from its raw ingredients to the plate, and its delivery.

    Raises Infeasible.
    """
    sources = [PLATE_SOURCE, *(unfold(workload, line, c, larder) for c in components)]
    inputs = tuple(Input(source=source) for source in sources)
    plated = workload.add(Stage(line=line, kind="plating", inputs=inputs, work=(ASSEMBLE,)))
    workload.deliveries.append(Delivery(line, plated))
