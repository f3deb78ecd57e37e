"""The graph of foods that a recipe tells of: what was done to each, and what became one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from worlds.restaurant.reading.events import HEAT, PREP
from worlds.restaurant.reading.values import Source, Span, Words

NodeKind = Literal["food", "mix", "batch", "group", "promise"]


@dataclass(slots=True, eq=False, repr=False)
class Step:
    """One step of a node; the minutes of cooking are its batch's."""

    process: str
    words: list[Words]
    sentence: int
    span: Span | None = None
    level: str = ""
    batch: Batch | None = None
    soft: bool = False


@dataclass(slots=True, eq=False, repr=False)
class Node:
    """A food, or foods that became one. A group is only put together: work on it makes it one."""

    kind: NodeKind
    name: str = ""
    parts: list[Node] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    within: Node | None = None
    words: list[Words] = field(default_factory=list)
    sentence: int = 0
    coat: bool = False
    firm: bool = False
    """Of a group: whether it was worked on as one. Of a food: whether it was told plainly."""
    labels: set[str] = field(default_factory=set)
    said: int = -1
    """The sentence that named it last."""
    last: int = 0
    """When it was last spoken of."""

    def top(self) -> Node:
        """What it has become part of, groups not counted unless they are one or are a coat."""
        node, passed = self, [self]
        while (
            node.within is not None
            and node.within not in passed
            and (node.within.kind != "group" or node.within.firm or node.within.coat)
        ):
            node = node.within
            passed.append(node)
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

    def insert(self, step: Step, *, early: bool) -> None:
        """Add a step: at the end, or before it was cooked."""
        if early and step.process in PREP:
            at = next((i for i, s in enumerate(self.steps) if s.process in HEAT), len(self.steps))
            if step.process == "peel":
                at = 0
            self.steps.insert(at, step)
        else:
            self.steps.append(step)


@dataclass(slots=True)
class Entry:
    """When a member came to a batch."""

    phase: int
    last: Span | None = None
    after: Span | None = None


@dataclass(slots=True, eq=False, repr=False)
class Batch:
    """Foods that cook in one place, in phases: what came late has its own minutes."""

    process: str
    sentence: int
    members: dict[Node, Entry] = field(default_factory=dict)
    phases: list[Span | None] = field(default_factory=lambda: [None])
    total: Span | None = None
    level: str = ""
    after: Span | None = None
    node: Node | None = None

    def whole(self) -> Node:
        """The food it makes."""
        return self.node if self.node is not None else next(iter(self.members))

    def admit(self, node: Node, step: Step, entry: Entry, *, early: bool = False) -> None:
        """Let a node cook in it; early, if it was cooked otherwise later."""
        if node in self.members or any(member in node.walk() for member in self.members):
            return
        step.batch = self
        at = next((i for i, s in enumerate(node.steps) if s.process in HEAT), len(node.steps))
        node.steps.insert(at if early else len(node.steps), step)
        self.members[node] = entry
        if len(self.members) > 1:
            if self.node is None:
                self.node = Node("batch", sentence=self.sentence)
                first = next(iter(self.members))
                self.node.within, self.node.last = first.within, first.last
                if first.within is not None:
                    parts = first.within.parts
                    parts[parts.index(first)] = self.node
                later = first.steps[
                    first.steps.index(next(s for s in first.steps if s.batch is self)) + 1 :
                ]
                self.node.steps = later
                del first.steps[len(first.steps) - len(later) :]
                for moved in later:
                    if moved.batch is not None and first in moved.batch.members:
                        moved.batch.members[self.node] = moved.batch.members.pop(first)
            for member in self.members:
                member.within = self.node
            self.node.parts = list(self.members)

    @property
    def timed(self) -> bool:
        """Whether its current phase has its minutes."""
        return self.phases[-1] is not None or self.total is not None

    def minutes(self, member: Node) -> tuple[int, int, Source, list[Words]] | None:
        """Minutes of a member, both ends, and where they come from; None where none are told."""
        entry = self.members[member]
        told = [span for span in self.phases if span is not None]
        if entry.last is not None:
            return entry.last.low, entry.last.high, "told", [entry.last.words]
        total = self._total()
        if entry.after is not None and total is not None:
            low, high = total[0] - entry.after.low, total[1] - entry.after.high
            if low >= 1 and high >= low:
                return low, high, "inferred", [entry.after.words]
        spans = [span for span in self.phases[entry.phase :] if span is not None]
        if entry.phase == 0 and self.total is not None:
            return self.total.low, self.total.high, "told", [self.total.words]
        if entry.phase > 0 and self.total is not None and len(told) and not spans:
            return self.total.low, self.total.high, "inferred", [self.total.words]
        if not spans:
            if not told:
                return None
            spans = told
        source: Source = "told" if len(spans) == 1 else "inferred"
        return (
            sum(s.low for s in spans), sum(s.high for s in spans), source, [s.words for s in spans],
        )  # fmt: skip

    def _total(self) -> tuple[int, int] | None:
        if self.total is not None:
            return self.total.low, self.total.high
        spans = [span for span in self.phases if span is not None]
        return (sum(s.low for s in spans), sum(s.high for s in spans)) if spans else None
