"""Events to the graph of foods: what is told, event by event."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from kitchen.components import DonenessTable
from worlds.restaurant.reading.foods import Batch, Node, Step
from worlds.restaurant.reading.values import PREP, Event, Ref, Span
from worlds.restaurant.reading.words import Lexicon


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
    placed: Batch | None = None
    """What cooks there so far."""
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
        node.asked = node.asked and "asked" in event.cues
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
        """Several foods became one: it bears the name that was announced last."""
        self.new(node)
        promises = [n for n in self.nodes if n.kind == "promise" and n.within is not node]
        if promises:
            node.name = promises[-1].name
            self.fulfil(promises[-1], node)

    def fulfil(self, promise: Node, node: Node) -> None:
        """Put what was made where it was announced."""
        if promise.within is not None and node.within is None and promise.within not in node.walk():
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
        for node in [*gone, *self.focus[-1:]] if "focus" in event.cues else gone:
            if node.kind == "food" and not node.steps and node.within is None:
                self.withdraw(node)

    def uncut(self, event: Event) -> None:
        """What is spoken of stays whole, in its skin, or at least is not done what is denied."""
        gone = {event.process or "peel"} if event.process or "skin" in event.cues else PREP
        for node in self.focus:
            node.asked = False
            if node.heat() is None:
                node.steps = [step for step in node.steps if step.process not in gone]
