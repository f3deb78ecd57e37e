"""The discourse: a graph of the foods in a recipe, with the steps applied to them, and the moment
at which the text is.

`resolve` finds the nodes that words mean. `conclude` is the final stage: from the graph to
components, with the source of each step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Literal, NamedTuple

from cookmas.kitchen.components import Component, DonenessTable, StepSpec, combine
from cookmas.kitchen.layout import STANDARD_WORK
from cookmas.solving.restaurant.reading.values import (
    HEAT,
    Event,
    ReadStep,
    Ref,
    Source,
    Span,
    Words,
)
from cookmas.solving.restaurant.reading.words import Lexicon

NodeKind = Literal["food", "mix", "batch", "group", "announced"]
"""What a node stands for, in this order: a food; foods that were mixed; foods that cook together;
foods that were only put together; or a dish that was announced by name but not made yet."""


@dataclass(slots=True, eq=False, repr=False)
class ProcessingStep:
    """A processing step of a node; the minutes of cooking are stored in its batch."""

    process: str
    """Name of the process; `cut` if the shape is not stated yet."""
    words: list[Words]
    """The words that state the step."""
    sentence: int
    """Number of the sentence that stated the step first."""
    span: Span | None = None
    """Minutes, if stated."""
    batch: Batch | None = None
    """The batch in which the food cooks."""
    only_mentioned: bool = False
    """Whether the step was only mentioned as an attribute, such as `the chopped onion`."""


@dataclass(slots=True, eq=False, repr=False)
class FoodNode:
    """A food, or several foods that became one.

    A group is only put together; it becomes one item when it is cooked or worked on as a whole.
    """

    kind: NodeKind
    """What the node stands for."""
    name: str = ""
    """Name of the food or of the mixture."""
    sentence: int = 0
    """Number of the sentence that mentioned the node first."""
    parts: list[FoodNode] = field(default_factory=list)
    """The nodes that it consists of."""
    steps: list[ProcessingStep] = field(default_factory=list)
    """Its steps, in order."""
    within: FoodNode | None = None
    """The node that it has become part of."""
    words: list[Words] = field(default_factory=list)
    """The words that mention the node."""
    coat: bool = False
    """Whether the node combines a food with its coating."""
    united: bool = False
    """For a group: whether it was cooked or worked on as a whole."""
    cut: str = "chop"
    """For a food: the process that cuts it if no shape is stated."""
    said: int = -1
    """Number of the sentence that mentioned the node last."""
    asked: bool = False
    """For a food: whether it was mentioned only in questions."""
    last: int = 0
    """Time of the last mention, by the clock of the discourse."""

    @property
    def is_loose(self) -> bool:
        """Whether the node is a group that was not cooked or worked on as a whole."""
        return self.kind == "group" and not self.united

    def list_containers(self) -> list[FoodNode]:
        """Return this node and all nodes that contain it, innermost first."""
        found = [self]
        while found[-1].within is not None and found[-1].within not in found:
            found.append(found[-1].within)
        return found

    def top(self) -> FoodNode:
        """Return the outermost node that contains this one, or this one if none does.

        Groups that are merely put together do not count, except coatings.
        """
        node = self
        for outer in self.list_containers()[1:]:
            if outer.is_loose and not outer.coat:
                break
            node = outer
        return node

    def walk(self) -> list[FoodNode]:
        """Return this node and all nodes within it, each once."""
        found, known = [self], {self}
        for node in found:
            if not node.parts:
                continue
            new = [part for part in node.parts if part not in known]
            found += new
            known.update(new)
        return found

    def leaves(self) -> list[FoodNode]:
        """Return the foods that this node consists of."""
        return [node for node in self.walk() if node.kind == "food"]

    def find(self, process: str) -> ProcessingStep | None:
        """Return the latest step of this node with a process; None if there is none."""
        return next((step for step in reversed(self.steps) if step.process == process), None)

    def heat(self) -> ProcessingStep | None:
        """Return the latest cooking step of this node; None if there is none."""
        return next((step for step in reversed(self.steps) if step.process in HEAT), None)

    def replace(self, other: FoodNode) -> None:
        """Put another node in the place of this one, in the node that contains this one."""
        other.within = self.within
        if self.within is not None:
            self.within.parts = [other if p is self else p for p in self.within.parts]

    def take(self, parts: Iterable[FoodNode]) -> None:
        """Make nodes part of this one, and remove them from groups that are merely put together."""
        for part in parts:
            if part.within is not None and part.within.is_loose:
                part.within.parts = [other for other in part.within.parts if other is not part]
            if part not in self.parts and self not in part.walk():
                part.within = self
                self.parts.append(part)

    def insert(self, step: ProcessingStep, *, early: bool) -> None:
        """Insert a step at the end or, if `early`, before the first cooking step.

        Early peeling becomes the first step of all.
        """
        heated = (i for i, known in enumerate(self.steps) if known.process in HEAT)
        at = next(heated, len(self.steps)) if early else len(self.steps)
        self.steps.insert(0 if early and step.process == "peel" else at, step)

    def assembly(self) -> ProcessingStep:
        """Return the assembly step of a group; create it if necessary."""
        step = self.find("assemble")
        if step is None:
            step = ProcessingStep("assemble", list(self.words), self.sentence)
            self.steps.insert(0, step)
        return step


@dataclass(slots=True)
class BatchEntry:
    """The phase in which a member joined a batch, and the minutes of that member alone."""

    phase: int
    """Index of the phase in which the member joined."""
    own: Span | None = None
    """Minutes of this member alone; None if those of the phases apply."""


@dataclass(slots=True, eq=False, repr=False)
class Batch:
    """Foods that cook in one place. A new phase begins when a food is added later."""

    process: str
    """Name of the cooking process."""
    sentence: int
    """Number of the sentence that began the batch."""
    members: dict[FoodNode, BatchEntry] = field(default_factory=dict)
    """The foods, each with the time at which it joined the batch."""
    phases: list[Span | None] = field(default_factory=lambda: [None])
    """Minutes of each phase; None while unknown."""
    level: str = ""
    """Level of doneness, if stated."""
    rest: Span | None = None
    """Minutes that remain for the next food that joins, derived from the time at which that food
    joins."""
    node: FoodNode | None = None
    """The node that the members become; None if there is only one member."""

    def admit(
        self, node: FoodNode, step: ProcessingStep, entry: BatchEntry, *, early: bool = False
    ) -> None:
        """Add a node to the batch; if `early`, the step comes before the node's other cooking."""
        step.batch = self
        node.insert(step, early=early)
        self.members[node] = entry
        if len(self.members) > 1:
            if self.node is None:
                first = next(iter(self.members))
                self.node = FoodNode("batch", sentence=self.sentence, last=first.last)
                first.replace(self.node)
            for member in self.members:
                member.within = self.node
            self.node.parts = list(self.members)

    @property
    def timed(self) -> bool:
        """Whether the minutes of the current phase are known."""
        return self.phases[-1] is not None

    def minutes(self, member: FoodNode) -> tuple[int, int, Source, list[Words]] | None:
        """Return the least and most minutes of a member, with their source and their words.

        Returns None if the minutes are unknown.
        """
        source: Source
        entry = self.members[member]
        if entry.own is not None:
            own = entry.own
            source = "inferred" if own.extent == "after" else "told"
            return own.low, own.high, source, [own.words]
        told = [span for span in self.phases if span is not None]
        spans = [span for span in self.phases[entry.phase :] if span is not None] or told
        if not spans:
            return None
        low, high = sum(span.low for span in spans), sum(span.high for span in spans)
        source = "told" if len(spans) == 1 else "inferred"
        return low, high, source, [span.words for span in spans]


class Moment(NamedTuple):
    """The subject of the text at an event, with the events before and after it."""

    focus: Sequence[FoodNode] = ()
    """The nodes that the text is about."""
    targets: Sequence[ProcessingStep] = ()
    """Steps to which a time or level without a verb belongs."""
    place: Event | None = None
    """A cooking event whose foods are not stated yet."""
    worked: Event | None = None
    """The last work by hand or machine, which a list of foods may continue."""
    aside: Event | None = None
    """The remark before this event, if it mentions foods; else None."""
    previous: Event | None = None
    """The previous event."""
    upcoming: Event | None = None
    """The next event."""
    stations: Mapping[str, tuple[Sequence[FoodNode], Sequence[ProcessingStep]]] = {}
    """Focus and targets at the end of each numbered step of the recipe."""

    def turn_to(self, focus: Iterable[FoodNode], targets: Iterable[ProcessingStep] = ()) -> Moment:
        """Return the moment with another focus, and the steps to which a time without a verb
        belongs.
        """
        return self._replace(focus=tuple(focus), targets=tuple(targets))

    def look_at(self, focus: Iterable[FoodNode]) -> Moment:
        """Return the moment with another focus and the same targets."""
        return self._replace(focus=tuple(focus))


@dataclass(frozen=True, slots=True)
class Discourse:
    """The graph of everything that was stated, and what was stated and belongs to nothing in it.

    The events fill it one by one; the later stages only read it.
    """

    lexicon: Lexicon
    """The vocabulary."""
    doneness: DonenessTable
    """Minutes for each food, process and level of doneness."""
    named: frozenset[str]
    """Foods that the text mentions by name."""
    foods: dict[str, FoodNode] = field(default_factory=dict)
    """Node of each food that was mentioned."""
    nodes: list[FoodNode] = field(default_factory=list)
    """All nodes, in order of mention."""
    batches: list[Batch] = field(default_factory=list)
    """All batches, in order."""
    dropped: set[str] = field(default_factory=set)
    """Foods that the text says are not in the dish."""
    waiting: list[tuple[Sequence[FoodNode], Event]] = field(default_factory=list)
    """Events with minutes or a level for cooking that is not stated yet, each with its foods."""
    added: list[tuple[Sequence[FoodNode], Sequence[FoodNode]]] = field(default_factory=list)
    """Foods that were added to others, and those others."""
    objectless: list[Event] = field(default_factory=list)
    """Work for which no food was found."""
    clock: Iterator[int] = field(default_factory=partial(count, 1))
    """Numbers of the mentions."""

    @property
    def group(self) -> FoodNode | None:
        """The latest group that is merely put together; None if there is none."""
        groups = [node for node in self.nodes if node.is_loose]
        return groups[-1] if groups else None

    def food(self, name: str, ref: Ref, event: Event) -> FoodNode:
        """Return the node of a food that is mentioned; create it at the first mention."""
        node = self.foods.get(name)
        if node is None:
            node = self.foods[name] = FoodNode("food", name, event.sentence, asked=True)
        node.asked = node.asked and event.has("asked")
        node.cut = "slice" if ref.word == "slice" else node.cut
        node.words.append(ref.words)
        node.said = event.sentence
        return self.mention(node)

    def mention(self, node: FoodNode) -> FoodNode:
        """Register a node as mentioned last, and return it."""
        if node not in self.nodes:
            self.nodes.append(node)
        node.last = next(self.clock)
        return node

    def processes_for(self, node: FoodNode, level: str) -> list[str]:
        """Return the processes by which a food can be cooked to a level."""
        return [
            process for (food, process), entry in self.doneness.items()
            if food == node.name and level in entry.levels
        ]  # fmt: skip

    def register_mixed(self, node: FoodNode) -> None:
        """Register a node that several foods became.

        The node takes the name and the place of the last dish that was announced, if there is one.
        """
        self.mention(node)
        announcements = [n for n in self.nodes if n.kind == "announced" and n.within is not node]
        for announcement in announcements[-1:]:
            node.name, place = announcement.name, announcement.within
            if place is not None and node.within is None and place not in node.walk():
                announcement.replace(node)
            self.withdraw(announcement)

    def withdraw(self, node: FoodNode) -> None:
        """Remove a node from the discourse."""
        self.foods.pop(node.name, None)
        self.nodes[:] = [known for known in self.nodes if known is not node]


def resolve(discourse: Discourse, now: Moment, refs: Sequence[Ref], event: Event) -> list[FoodNode]:
    """Return the nodes that references mean at a moment, each once."""
    found = (node for ref in refs for node in _resolve(discourse, now, ref, event))
    return list(dict.fromkeys(found))


def _resolve(discourse: Discourse, now: Moment, ref: Ref, event: Event) -> Sequence[FoodNode]:
    match ref.kind:
        case "food":
            return [discourse.food(ref.value, ref, event)]
        case "kind":
            return _of_kind(discourse, ref, event)
        case "mixture":
            return [_mixture(discourse, ref, event)]
        case "whole":
            return [n for n in discourse.nodes if n.kind == "group"][-1:] or now.focus
        case "shape":
            return _latest(node for node in discourse.nodes if node.find(ref.value))
        case _:
            return _pronoun(discourse, now, ref, event)


def _latest(nodes: Iterable[FoodNode]) -> list[FoodNode]:
    return sorted(nodes, key=lambda node: node.last)[-1:]


def _of_kind(discourse: Discourse, ref: Ref, event: Event) -> Sequence[FoodNode]:
    """Resolve `the fish`, `the vegetables`: foods mentioned before, or named in the text."""
    could, sets = discourse.lexicon.kinds[ref.value], discourse.lexicon.sets
    known = [node for name, node in discourse.foods.items() if name in could]
    if known:
        return known if ref.value in sets["several"] else _latest(known)
    named = [name for name in could if name in discourse.named]
    only = could if ref.value not in sets["shy"] and len(could) == 1 else []
    return [discourse.food(name, ref, event) for name in [*named, *only][:1]]


def _mixture(discourse: Discourse, ref: Ref, event: Event) -> FoodNode:
    """Resolve `the sauce`: a node of that name, a likely mixture, or a new announced dish."""
    typical = discourse.lexicon.mixtures[ref.value]

    def likeness(node: FoodNode) -> int:
        return sum(leaf.name in typical for leaf in node.leaves())

    labelled = [node for node in discourse.nodes if node.name == ref.value]
    if labelled:
        return labelled[-1].top()
    made = {node: likeness(node) for node in discourse.nodes if node.kind in ("mix", "batch")}
    like = [node for node, likely in made.items() if likely or not typical]
    if like:
        return max(like, key=lambda node: (made[node], node.last)).top()
    return discourse.mention(FoodNode("announced", ref.value, event.sentence, words=[ref.words]))


def _pronoun(discourse: Discourse, now: Moment, ref: Ref, event: Event) -> Sequence[FoodNode]:
    """Resolve `it`, `both`: the focus, or the recent nodes whose number the pronoun states."""
    focus, nodes = now.focus, [node for node in discourse.nodes if node.kind != "announced"]
    number = discourse.lexicon.numbers.get(ref.word, 0)
    if ref.value == "all" and not any(node.heat() for node in focus):
        return [n for n in nodes if n.within is None and (event.has("bowl") or not n.heat())]
    if ref.value == "many" and len(focus) < max(number, 2):
        worked = [n for n in nodes if n.said == event.sentence and n.steps and not n.heat()]
        if not number and len(worked) > 1:
            return worked
        if number and discourse.batches and len(discourse.batches[-1].members) == number:
            return list(discourse.batches[-1].members)
        recent = sorted((n for n in nodes if n.kind != "group"), key=lambda n: -n.last)
        tops = list(dict.fromkeys(node.top() for node in recent))
        if number or not focus:
            return tops[: number or 1][::-1]
    return foods_of_remark(discourse, now, event) or focus[-number:]


def foods_of_remark(discourse: Discourse, now: Moment, event: Event) -> list[FoodNode]:
    """Return the foods of the last remark; empty if the event is neither work nor cooking."""
    if now.aside is None or event.kind not in ("work", "heat"):
        return []
    return [discourse.food(ref.value, ref, event) for ref in now.aside.foods]


@dataclass(slots=True)
class ReadingResult:
    """The components of a discourse, and the problems found while building them."""

    components: list[Component] = field(default_factory=list)
    """The components."""
    steps: list[ReadStep] = field(default_factory=list)
    """The steps of the components, with their words and sources."""
    untimed: list[tuple[FoodNode, ProcessingStep]] = field(default_factory=list)
    """Cooking steps without minutes."""


def conclude(discourse: Discourse) -> ReadingResult:
    """Return the components of a discourse, their steps, and the cooking steps without minutes."""
    result = ReadingResult()
    for node in discourse.nodes:
        served = node.steps or not node.asked
        if served and node.within is None and node.leaves():
            component = _component(node, discourse.doneness, result)
            result.components += [component] if component.name else []
    result.components.sort(key=str)
    return result


def _component(node: FoodNode, doneness: DonenessTable, result: ReadingResult) -> Component:
    component = Component(node.name)
    if node.kind != "food":
        inner = [part for part in node.parts if part.leaves() and node not in part.walk()]
        made = [_component(part, doneness, result) for part in inner]
        component = combine(part for part in made if part.name)
    for step in node.steps:
        found = _spec(node, step, doneness)
        if found is None:
            result.untimed.append((node, step))
        elif not component.steps or component.steps[-1].process != found[0].process:
            spec, source, timed = found
            component = component.with_steps((*component.steps, spec))
            result.steps.append(ReadStep(component.name, str(spec), (*step.words, *timed), source))
    return component


def _spec(
    node: FoodNode, step: ProcessingStep, doneness: DonenessTable
) -> tuple[StepSpec, Source, list[Words]] | None:
    """Return a step with its minutes, and their source and words; None if they are unknown."""
    process = node.cut if step.process == "cut" else step.process
    if step.batch is not None:
        entry, level = doneness.get((node.name, process)), step.batch.level
        if entry is not None and level in entry.levels:
            return StepSpec(process, *entry.levels[level], level), "told", []
        found = step.batch.minutes(node)
        return found and (StepSpec(process, *found[:2]), *found[2:])
    if step.span is not None:
        return StepSpec(process, step.span.low, step.span.high), "told", [step.span.words]
    standard = STANDARD_WORK[process]
    return StepSpec(process, standard, standard), "house", []
