"""The graph of foods that a recipe tells of: what was done to each, and what became one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from worlds.restaurant.reading.values import HEAT, Source, Span, Words

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
        for node in found:
            found += [node.within] if node.within is not None and node.within not in found else []
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
        """This node and all that is in it, each once."""
        found = [self]
        for node in found:
            found += [part for part in node.parts if part not in found]
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
            self.within.parts[self.within.parts.index(self)] = other

    def take(self, parts: Iterable[Node]) -> None:
        """Let nodes become part of this one."""
        for part in parts:
            if part.within is not None and part.within.loose:
                part.within.parts.remove(part)
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
