"""The graph of foods that a recipe tells of: what was done to each, and what became one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from kitchen.components import DonenessTable
from worlds.restaurant.reading.values import HEAT, Event, Ref, Source, Span, Words
from worlds.restaurant.reading.words import Lexicon

NodeKind = Literal["food", "mix", "batch", "group", "promise"]


@dataclass(slots=True, eq=False, repr=False)
class Step:
    """One step of a node; the minutes of cooking are its batch's."""

    process: str
    words: list[Words]
    sentence: int
    span: Span | None = None
    batch: Batch | None = None
    soft: bool = False
    """Whether it was only mentioned while telling of something else."""


@dataclass(slots=True, eq=False, repr=False)
class Node:
    """A food, or foods that became one. A group is only put together: work on it makes it one."""

    kind: NodeKind
    name: str = ""
    sentence: int = 0
    parts: list[Node] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    within: Node | None = None
    words: list[Words] = field(default_factory=list)
    coat: bool = False
    firm: bool = False
    """Of a group: whether it was worked on as one."""
    cut: str = "chop"
    """Of a food: what cutting it is, where no shape is told."""
    said: int = -1
    """The sentence that named it last."""
    asked: bool = False
    """Of a food: whether it was only asked about."""
    last: int = 0
    """When it was last spoken of."""

    @property
    def loose(self) -> bool:
        """Whether it is a group that was not worked on as one."""
        return self.kind == "group" and not self.firm

    def around(self) -> list[Node]:
        """This node and all that it has become part of, innermost first."""
        found = [self]
        while found[-1].within is not None and found[-1].within not in found:
            found.append(found[-1].within)
        return found

    def top(self) -> Node:
        """What it has become part of, groups not counted unless they are one or are a coat."""
        node = self
        for outer in self.around()[1:]:
            if outer.loose and not outer.coat:
                break
            node = outer
        return node

    def walk(self) -> list[Node]:
        """Return this node and all that is in it, each once."""
        found, known = [self], {self}
        for node in found:
            if not node.parts:
                continue
            new = [part for part in node.parts if part not in known]
            found += new
            known.update(new)
        return found

    def leaves(self) -> list[Node]:
        """The foods it is made of."""
        return [node for node in self.walk() if node.kind == "food"]

    def find(self, process: str) -> Step | None:
        """Its latest step of a process."""
        return next((step for step in reversed(self.steps) if step.process == process), None)

    def heat(self) -> Step | None:
        """Its latest cooking."""
        return next((step for step in reversed(self.steps) if step.process in HEAT), None)

    def replace(self, other: Node) -> None:
        """Let another node take its place in what it is part of."""
        other.within = self.within
        if self.within is not None:
            self.within.parts = [other if p is self else p for p in self.within.parts]

    def take(self, parts: Iterable[Node]) -> None:
        """Let nodes become part of this one."""
        for part in parts:
            if part.within is not None and part.within.loose:
                part.within.parts = [other for other in part.within.parts if other is not part]
            if part not in self.parts and self not in part.walk():
                part.within = self
                self.parts.append(part)

    def insert(self, step: Step, *, early: bool) -> None:
        """Add a step: at the end, or before it was cooked."""
        heated = (i for i, known in enumerate(self.steps) if known.process in HEAT)
        at = next(heated, len(self.steps)) if early else len(self.steps)
        self.steps.insert(0 if early and step.process == "peel" else at, step)

    def assembly(self) -> Step:
        """Of a group: the step of putting it together."""
        step = self.find("assemble")
        if step is None:
            step = Step("assemble", list(self.words), self.sentence)
            self.steps.insert(0, step)
        return step


@dataclass(slots=True)
class Entry:
    """When a member came to a batch."""

    phase: int
    own: Span | None = None
    """Minutes that are told of it alone."""


@dataclass(slots=True, eq=False, repr=False)
class Batch:
    """Foods that cook in one place, in phases: what came late has its own minutes."""

    process: str
    sentence: int
    members: dict[Node, Entry] = field(default_factory=dict)
    phases: list[Span | None] = field(default_factory=lambda: [None])
    level: str = ""
    rest: Span | None = None
    """The minutes of what comes to it next, as is told by when it comes."""
    node: Node | None = None
    """What its members become, if there are several."""

    def admit(self, node: Node, step: Step, entry: Entry, *, early: bool = False) -> None:
        """Let a node cook in it; early, if it was cooked otherwise later."""
        step.batch = self
        node.insert(step, early=early)
        self.members[node] = entry
        if len(self.members) > 1:
            if self.node is None:
                first = next(iter(self.members))
                self.node = Node("batch", sentence=self.sentence, last=first.last)
                first.replace(self.node)
            for member in self.members:
                member.within = self.node
            self.node.parts = list(self.members)

    @property
    def timed(self) -> bool:
        """Whether its current phase has its minutes."""
        return self.phases[-1] is not None

    def minutes(self, member: Node) -> tuple[int, int, Source, list[Words]] | None:
        """Minutes of a member, both ends, and where they come from; None where none are told."""
        entry = self.members[member]
        if entry.own is not None:
            low, high, extent, words, _ = entry.own
            return low, high, "inferred" if extent == "after" else "told", [words]
        told = [span for span in self.phases if span is not None]
        spans = [span for span in self.phases[entry.phase :] if span is not None] or told
        if not spans:
            return None
        low, high = sum(span.low for span in spans), sum(span.high for span in spans)
        source: Source = "told" if len(spans) == 1 else "inferred"
        return low, high, source, [span.words for span in spans]


@dataclass(slots=True)
class Story:
    """What has been told so far: the one context of a reading."""

    lexicon: Lexicon
    doneness: DonenessTable
    named: frozenset[str]
    """Foods that the text names by their own name."""
    foods: dict[str, Node] = field(default_factory=dict)
    nodes: list[Node] = field(default_factory=list)
    batches: list[Batch] = field(default_factory=list)
    focus: list[Node] = field(default_factory=list)
    """What is spoken of."""
    targets: list[Step] = field(default_factory=list)
    """Steps that a bare time or level would be of."""
    place: Event | None = None
    """Heat that was told, but not yet of which foods."""
    waiting: list[tuple[list[Node], Event]] = field(default_factory=list)
    """Minutes and levels of cooking that is still to be told."""
    aside: Event | None = None
    """The last remark that names foods."""
    dropped: set[str] = field(default_factory=set)
    worked: Event | None = None
    """The last work with the hands, which a list may go on with."""
    clock: int = 0
    previous: Event | None = None
    upcoming: Event | None = None
    stations: dict[str, tuple[list[Node], list[Step]]] = field(default_factory=dict)
    """What was spoken of at the end of each numbered step."""
    loose: list[Event] = field(default_factory=list)
    """Work that was done to nothing."""
    spare: list[Span] = field(default_factory=list)
    """Times that belong to no step."""

    @property
    def group(self) -> Node | None:
        """What is being put together, until it is worked on as one."""
        groups = [node for node in self.nodes if node.loose]
        return groups[-1] if groups else None

    def food(self, name: str, ref: Ref, event: Event) -> Node:
        """The node of a food, new if it was not named before."""
        node = self.foods.get(name)
        if node is None:
            node = self.foods[name] = Node("food", name, event.sentence, asked=True)
        node.asked = node.asked and event.has("asked")
        node.cut = "slice" if ref.word == "slice" else node.cut
        node.words.append(ref.words)
        node.said = event.sentence
        return self.new(node)

    def new(self, node: Node) -> Node:
        """Let a node be part of the story, and what was spoken of last."""
        if node not in self.nodes:
            self.nodes.append(node)
        self.clock += 1
        node.last = self.clock
        return node

    def speak(self, focus: Iterable[Node], targets: Iterable[Step] = ()) -> None:
        """Let nodes be what is spoken of, and steps what a bare time is of."""
        self.focus, self.targets = list(focus), list(targets)

    def ways(self, node: Node, level: str) -> list[str]:
        """The processes that a food can be cooked to a level by."""
        return [
            process for (food, process), entry in self.doneness.items()
            if food == node.name and level in entry.levels
        ]  # fmt: skip

    def made(self, node: Node) -> None:
        """Several foods became one: it bears the name that was announced last, and its place."""
        self.new(node)
        promises = [n for n in self.nodes if n.kind == "promise" and n.within is not node]
        for promise in promises[-1:]:
            node.name, place = promise.name, promise.within
            if place is not None and node.within is None and place not in node.walk():
                promise.replace(node)
            self.withdraw(promise)

    def withdraw(self, node: Node) -> None:
        """Let a node be no part of the story."""
        self.foods.pop(node.name, None)
        self.nodes = [known for known in self.nodes if known is not node]
        self.focus = [known for known in self.focus if known is not node]

    def drop(self, event: Event) -> None:
        """Foods that are told not to be."""
        self.dropped |= {ref.value for ref in event.foods if ref.kind == "food"}
        gone = [node for name, node in self.foods.items() if name in self.dropped]
        for node in [*gone, *self.focus[-1:]] if event.has("focus") else gone:
            if node.kind == "food" and not node.steps and node.within is None:
                self.withdraw(node)

    def uncut(self, event: Event) -> None:
        """What is spoken of stays in its skin, or at least is not done what is denied."""
        denied = event.process or "peel"
        for node in self.focus:
            node.asked = False
            if node.heat() is None:
                node.steps = [step for step in node.steps if step.process != denied]
