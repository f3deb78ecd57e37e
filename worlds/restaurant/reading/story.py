"""Events to the graph of foods: who is meant, and what happens to them."""

from __future__ import annotations
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from kitchen.components import DonenessTable
from worlds.restaurant.reading.events import HEAT, MIXING, PREP
from worlds.restaurant.reading.foods import Batch, Entry, Node, Step
from worlds.restaurant.reading.values import Event, Ref, Span, Words
from worlds.restaurant.reading.words import Lexicon

JOINING = frozenset({"fry", "boil"})
"Cooking in a pan or pot: what shares it becomes one food."
LONG = 4
"Minutes that nobody takes to cut a food."


@dataclass(slots=True)
class Story:
    """What has been told so far: the one context of a reading."""

    lexicon: Lexicon
    doneness: DonenessTable
    named: frozenset[str]
    "Foods that the text names by their own name."
    foods: dict[str, Node] = field(default_factory=dict)
    nodes: list[Node] = field(default_factory=list)
    focus: list[Node] = field(default_factory=list)
    batches: list[Batch] = field(default_factory=list)
    group: Node | None = None
    targets: list[Step] = field(default_factory=list)
    "Steps that a bare time or level would be of."
    previous: Event | None = None
    waiting: list[tuple[list[Node], Event]] = field(default_factory=list)
    loose: list[tuple[str, Event, Words]] = field(default_factory=list)
    "What was told and belongs to nothing."
    aside: list[Ref] = field(default_factory=list)
    "Foods that were only remarked upon last."
    aside_at: int = -9
    listing: int = -1
    "The sentence that lists what comes to a batch."
    opened: int = -1
    "The sentence that lists the foods of an assembly."
    opening: Event | None = None
    "An assembly that was announced before its foods."
    placed: tuple[int, list[Node], str] | None = None
    "Foods that were named after a place: their sentence, and the place."
    place_at: int = 0
    correcting: int = -1
    "The sentence that takes back what was told."
    asking: Node | None = None
    "A mixture of which it was asked what comes to it."
    late: tuple[int, Span] | None = None
    "Minutes before the end, told before what comes then."
    stations: dict[str, tuple[list[Node], list[Step]]] = field(default_factory=dict)
    "What was spoken of at the end of each numbered step."
    jumped: int = -1
    unkept: list[Node] = field(default_factory=list)
    "Mixtures that were spoken of and never made."
    told: Event | None = None
    "The event that told the last time or level."
    spare: list[Span] = field(default_factory=list)
    "Times that belong to no step."
    gap: Event | None = None
    "The last attended work, which a list may go on with."
    upcoming: Event | None = None
    label: str = ""
    place: str = ""
    "Where heat was told of, but not yet of which foods."
    clock: int = 0
    asked: set[Node] = field(default_factory=set)
    dropped: dict[str, Words] = field(default_factory=dict)

    def food(self, name: str, ref: Ref, event: Event) -> Node:
        """The node of a food, new if it was not named before."""
        node = self.foods.get(name)
        if node is None:
            node = self.foods[name] = Node("food", name, sentence=event.sentence)
            self.nodes.append(node)
            self.asked.add(node)
        node.labels.add("slice")
        node.words.append(ref.words)
        node.said = event.sentence
        self.touch(node)
        return node

    def touch(self, node: Node) -> None:
        """Remember that a node was spoken of."""
        self.clock += 1
        node.last = self.clock

    def resolve(self, refs: Sequence[Ref], event: Event) -> list[Node]:
        """The nodes that words stand for, each once."""
        found: list[Node] = []
        for ref in refs:
            for node in self._resolve(ref, event, found):
                found.append(node)
        return found

    def _resolve(self, ref: Ref, event: Event, before: Sequence[Node]) -> list[Node]:
        if ref.kind == "food":
            return [self.food(ref.value, ref, event)]
        if ref.kind == "kind":
            found = self._of_kind(ref, event)
            return found
        if ref.kind == "mixture":
            return self._mixture(ref, event, before)
        if ref.kind == "shape":
            shaped = [n for n in self.nodes if n.find(ref.value)]
            return [max(shaped, key=lambda n: n.last)] if shaped else []
        return self._pronoun(ref, event, before)

    def _of_kind(self, ref: Ref, event: Event) -> list[Node]:
        could = self.lexicon.kinds[ref.value]
        several = [
            self.foods[name]
            for name in self.foods
            if name in could and self.foods[name].said >= event.sentence - 2
        ]
        if len(several) > 1:
            return several
        known = [
            self.foods[name]
            for name in could
            if name in self.foods and self.foods[name] not in self.asked
        ]
        if known:
            return [max(known, key=lambda node: node.last)]
        named = [name for name in could if name in self.named and name not in self.dropped]
        if ref.value in self.lexicon.sets["shy"] and (not named):
            return []
        return [self.food((named or could)[0], ref, event)]
        return []

    def _mixture(self, ref: Ref, event: Event, before: Sequence[Node]) -> list[Node]:
        joined = [n for n in self.nodes if n.kind in ("mix", "batch", "promise")]
        labelled = [n for n in joined if ref.value in n.labels]
        if labelled:
            return [labelled[-1].top()]
        typical = self.lexicon.mixtures.get(ref.value) or [name for name in self.named]
        ranked = []
        for node in joined:
            leaves = {leaf.name for leaf in node.leaves()}
            score = sum((name in leaves for name in typical[:2])) * 2 + sum(
                (name in leaves for name in typical)
            )
            if score or not typical:
                ranked.append(
                    (
                        score,
                        node.last,
                        id(node) and self.nodes.index(node) if node in self.nodes else 0,
                        node,
                    )
                )
        if ranked:
            return [max(ranked, key=lambda item: item[:3])[3].top()]
        promise = Node(
            "promise", ref.value, sentence=event.sentence, labels={ref.value}, words=[ref.words]
        )
        self.nodes.append(promise)
        return [promise]

    def _pronoun(self, ref: Ref, event: Event, before: Sequence[Node]) -> list[Node]:
        number = self.lexicon.numbers.get(ref.word, 0)
        if ref.value == "all" and event.kind == "heat":
            recent = [n.top() for n in self.nodes]
            return list(dict.fromkeys(recent))
        if ref.value == "many" and (not number) and (event.kind != "name"):
            worked = [
                n for n in self.nodes if n.said == event.sentence and n.steps and (n.heat() is None)
            ]
            return worked
        tops: list[Node] = []
        for node in sorted(self.nodes, key=lambda n: -n.last):
            if node not in self.asked and node.top() not in tops:
                tops.append(node.top())
        if self.batches and len(self.batches[-1].members) == number:
            return list(self.batches[-1].members)
        if number:
            return list(reversed(tops[:number]))
        return list(self.focus) or list(reversed(tops[:1]))
        fresh = [r for r in self.aside]
        return list(self.focus)

    def tell(self, event: Event, upcoming: Event | None = None) -> None:
        """Take in one event, with a look at the one after it."""
        self.upcoming = upcoming
        if "no" in event.flags:
            self.correcting = event.sentence
        for flag in event.flags:
            self.focus, self.targets = self.stations.get(flag[5:], (self.focus, self.targets))
        if self.placed and (event.sentence != self.placed[0] or event.kind in ("time", "heat")):
            self._flush(event)
        if "aside" in event.flags:
            self.aside, self.aside_at = (list(event.foods), event.sentence)
            return
        match event.kind:
            case "work":
                self._work(event)
            case "heat":
                self._heat(event)
            case "join":
                self._join(event)
            case "add":
                self._add(event)
            case "name" | "serve":
                self._name(event)
            case "drop":
                self._drop(event)
            case "uncut":
                self._uncut(event)
            case "time" | "level":
                self._time(event)
        if event.kind == "work":
            self.gap = event
        for flag in event.flags:
            if flag.startswith("at ") and event.sentence != self.jumped:
                self.stations[flag[3:]] = (list(self.focus), list(self.targets))
        self.previous = event

    def _flush(self, event: Event) -> None:
        """Heat what was named of a place that was told before."""
        assert self.placed is not None
        sentence, nodes, process = self.placed
        if process != self.place:
            return
        place, at = (self.place, self.place_at)
        same = event.kind == "heat" and event.sentence == sentence
        self._heat(Event(kind="heat", words=event.words, sentence=sentence, process=process))
        if event.sentence == sentence and process not in JOINING:
            self.place, self.place_at = (place, at)

    def _confirm(self, nodes: Sequence[Node]) -> None:
        for node in nodes:
            for leaf in node.leaves():
                self.asked.discard(leaf)

    def _work(self, event: Event) -> None:
        process = event.process
        named = self.resolve(event.foods, event)
        if process in MIXING:
            self._mix(event, named, self.resolve(event.others, event))
            return
        nodes = named or list(self.focus)
        if not nodes and (not event.foods):
            nodes = [self.food(r.value, r, event) for r in self.aside]
        pronoun = event.foods and all((ref.kind == "pronoun" for ref in event.foods))
        if all((ref.value == "one" for ref in event.foods)) and len(nodes) > 1:
            nodes = nodes[-1:]
        uncut = self.lexicon.sets["uncut"]
        nodes = [n for n in nodes if n.name not in uncut]
        if not nodes and event.foods:
            self.loose.append(("nothing to cut", event, event.words))
        self._confirm(nodes)
        gap = self.previous
        if "likewise" in event.flags and gap.kind == "work":
            event = replace(event, span=gap.span)
        steps = []
        for node in nodes:
            target = node
            if process == "cut" and node.kind in ("group", "mix"):
                continue
            steps.append(self._prepare(target, event, bool(named)))
        self.focus = nodes
        self.targets = steps

    def _prepare(self, node: Node, event: Event, named: bool) -> Step:
        process = event.process
        if node.kind == "group" and (not node.firm):
            self._firm(node)
        cuts = ("chop", "slice", "grate", "cut")
        heat = node.heat()
        later = bool({"afterwards"} & event.flags) and "earlier" not in event.flags
        early = "earlier" in event.flags or (
            heat is not None
            and (not later)
            and (heat.sentence != event.sentence and (not {"base", "finite"} & event.flags))
        )
        if heat is not None and (not heat.batch.timed) and (not heat.batch.level):
            early = True
        if heat is not None and len(heat.batch.members) > 1:
            early = True
        if process == "peel":
            told = heat is not None and heat.batch.timed
            early = heat is None or not (later or ("base" in event.flags and told))
        for step in node.steps:
            same = step.process == process
            swapped = step.process in cuts and (
                "cut" in (process, step.process) or self._corrects(event)
            )
            if (same or swapped) and (heat is None or early):
                if swapped and process != "cut":
                    step.process = process
                if event.span is not None:
                    step.span = event.span
                return step
        step = Step(
            process, [event.words], event.sentence, span=event.span, soft="while" in event.flags
        )
        node.insert(step, early=early)
        return step

    def _mix(self, event: Event, named: list[Node], others: list[Node]) -> None:
        nodes = [*named, *(n for n in others)]
        if not nodes:
            nodes = list(self.focus)
        elif not named and event.others:
            nodes = [*self.focus, *(n for n in nodes)]
        tops: list[Node] = []
        for node in nodes:
            top = node.top()
            if top not in tops:
                tops.append(top)
        mixes = [t for t in tops]
        alike = [n for n in self.nodes if n.find(event.process) and n.within is None]
        if len(tops) == 1 and (not tops[0].steps) and (len(alike) == 1):
            tops = mixes = [alike[0], *tops]
            self._into(alike[0], tops[1])
            return
        if len(tops) == 1 and tops[0].kind == "food":
            for since in (event.sentence, event.sentence - 1):
                near = [n.top() for n in self.nodes if n.said >= since and n.heat() is None]
                if len(set(near)) > 1:
                    tops = list(dict.fromkeys(near))
                    break
        if len(tops) == 1:
            step = top.find(event.process)
            cooked = top.kind == "batch" or top.heat() is not None
            if "stir" in event.flags and event.span is None:
                return
            if step is None or (top.steps and top.steps[-1] is not step):
                if top.kind == "group" and (not top.firm):
                    self._regroup(top, event)
                step = Step(event.process, [event.words], event.sentence, span=event.span)
                top.steps.append(step)
            else:
                step.span = event.span or step.span
            self.focus, self.targets = ([top], [step])
            return
        mix = Node("mix", sentence=event.sentence, words=[event.words])
        for top in tops:
            self._into(mix, top)
        mix.steps.append(Step(event.process, [event.words], event.sentence, span=event.span))
        self.nodes.append(mix)
        self._labelled(mix)
        self.focus, self.targets = ([mix], [mix.steps[-1]])

    def _regroup(self, group: Node, event: Event) -> None:
        """A group that is mixed was no group."""
        group.kind, group.firm, group.steps = ("mix", True, [])
        group.steps.append(Step(event.process, [event.words], event.sentence, span=event.span))

    def _into(self, whole: Node, part: Node) -> None:
        if part.within is not None and (not part.within.firm):
            part.within.parts = [p for p in part.within.parts if p is not part]
        part.within = whole
        whole.parts.append(part)

    def _labelled(self, node: Node) -> None:
        """A mixture that was promised by name is what is made next."""
        node.labels.add(self.label)
        self.label = ""

    def _part_with(self, promise: Node) -> None:
        if promise in self.nodes:
            self.nodes.remove(promise)

    def fulfil(self, promise: Node, node: Node) -> None:
        """Put what was made where it was promised."""
        if promise.within is not None and promise.within not in node.walk():
            parts = promise.within.parts
            parts[parts.index(promise)] = node
            node.within = promise.within

    def _firm(self, group: Node) -> None:
        group.firm = True
        if group.find("assemble") is None:
            group.steps.insert(0, Step("assemble", list(group.words), group.sentence))

    def _heat(self, event: Event) -> None:
        if self.late is not None:
            event = replace(event, span=self.late[1])
            self.late = None
        soon = self.upcoming
        if (
            event.foods
            and all((ref.value == "all" for ref in event.foods))
            and (
                soon.sentence == event.sentence
                and ("attribute" in soon.flags or len([r for r in soon.foods]) > 1)
            )
        ):
            return
        named = self.resolve(event.foods, event)
        if "attribute" in event.flags and any((n.heat() is not None for n in named)):
            return
        others = self.resolve([ref for ref in event.others], event)
        process = event.process
        nodes = named or [n for n in self.focus]
        if not named and self.group is not None and (process == "bake" or not nodes):
            nodes = [self.group]
        if process == "cook":
            heats = [step for node in nodes if (step := (node.top().heat() or node.heat()))]
            if not heats:
                self.waiting.append((nodes, event))
                return
            process = heats[-1].process
        if named and all((n.kind == "promise" for n in named)):
            for promise in named:
                self._part_with(promise)
            self.place, self.place_at, self.focus = (process, event.sentence, [])
            return
        if not nodes and (not others):
            self.place, self.place_at = (process, event.sentence)
            if event.span is not None:
                self.waiting.append(([], event))
            return
        self.place = ""
        self._confirm([*nodes, *others])
        known = not named or any((n.kind != "food" or n.heat() is not None for n in nodes))
        if "while" in event.flags and event.span is None and known:
            return
        pronouns = bool(event.foods) and all((ref.kind == "pronoun" for ref in event.foods))
        early = any(
            (
                (s := n.heat()) is not None
                and (
                    "earlier" in event.flags
                    or ("while" in event.flags and s.sentence == event.sentence)
                )
                for n in nodes
            )
        )
        subjects = self._subjects(
            nodes, process, explicit=early or (bool(named) and (not pronouns))
        )
        company = self._subjects(others, process, explicit=True)
        whole = next(
            (b for b in self.batches if subjects == [b.node] and b.process == process), None
        )
        if whole is not None and (not company):
            subjects = list(whole.members)
        if "instead" in event.flags or (self._corrects(event) and self.jumped == self.correcting):
            for node in subjects:
                old = node.heat()
                node.steps.remove(old)
        again = [n for n in subjects if (s := n.find(process)) and s is n.heat()]
        if len(again) == len(subjects) and (not company):
            self._timed(again, process, event)
            return
        if process not in JOINING and len(subjects) + len(company) > 1:
            for node in [*subjects, *company]:
                self.focus = [node]
                self._heat(replace(event, foods=(), others=()))
            return
        batch = self._batch_for(event, process, subjects, company)
        fresh = batch is None
        if batch is None:
            batch = Batch(process, event.sentence)
            self.batches.append(batch)
        entry_of = self._entry(
            batch, event, company, fresh, any((n in batch.members for n in [*subjects, *company]))
        )
        steps = []
        for node in [*subjects, *company]:
            step = Step(process, [event.words], event.sentence, soft="while" in event.flags)
            batch.admit(node, step, replace(entry_of), early=early)
            steps.append(step)
        batch.level = batch.level or event.level
        if fresh and event.span is not None:
            self._span(batch, event.span, subjects)
        if batch.node is not None and batch.node not in self.nodes:
            self.nodes.append(batch.node)
        if batch.node is not None:
            self._labelled(batch.node)
        self.targets = steps or self.targets
        self.focus = subjects
        self._settle_waiting(batch)

    def _settle_waiting(self, batch: Batch) -> None:
        for nodes, event in list(self.waiting):
            if any((node in batch.members for node in nodes)) or (
                not nodes and event.sentence >= batch.sentence - 1
            ):
                if event.span is not None and (not batch.timed):
                    self._span(batch, event.span, nodes)
                self.waiting.remove((nodes, event))

    def _subjects(self, nodes: Sequence[Node], process: str, *, explicit: bool) -> list[Node]:
        """What is really cooked: a coated food with its coat, a mixture, each once."""
        out: list[Node] = []
        for node in nodes:
            subject = node
            if node.kind == "group" and (not node.firm):
                self._firm(node)
            top = node.top()
            if top.coat and top.parts[0] is node:
                self._firm(top)
                subject = top
            elif not explicit and top.kind != "mix":
                subject = top
            if subject not in out:
                out.append(subject)
        return out

    def _batch_for(
        self, event: Event, process: str, subjects: list[Node], company: list[Node]
    ) -> Batch | None:
        """The batch that foods come to, None where they begin one of their own."""
        if process not in JOINING:
            subject = None
            return None
        for node in company:
            step = node.find(process)
            top = node.top()
            for batch in self.batches:
                if batch.node is top and batch.process == process:
                    return batch
        recent = next((b for b in reversed(self.batches) if b.process == process), None)
        late = event.span is not None and event.span.extent in ("last", "after")
        if "add" in event.flags or late:
            return recent

    def _entry(
        self, batch: Batch, event: Event, company: Sequence[Node], fresh: bool, whole: bool = False
    ) -> Entry:
        span = event.span
        if fresh:
            return Entry(0)
        phase = len(batch.phases)
        if span is not None and span.extent == "last":
            return Entry(phase, last=span)
        if batch.after is not None:
            after, batch.after = (batch.after, None)
            return Entry(phase, after=after)
        if span is not None and whole:
            batch.phases[-1] = span
            return Entry(len(batch.phases) - 1)
        mates = [batch.members[n] for n in company if n in batch.members]
        return Entry(phase)

    def _span(
        self, batch: Batch, span: Span, nodes: Sequence[Node], *, correct: bool = False
    ) -> None:
        """Minutes told of a batch, or of some of its members."""
        if span.extent == "plain" and any(
            (known is not None and known[:2] == span[:2] for known in (*batch.phases, batch.total))
        ):
            return
        some = [n for n in nodes]
        if span.extent == "last":
            members = [n for n in nodes]
            if len(batch.members) > 1 or not members:
                pass
        elif span.extent == "after":
            batch.after = span
        elif batch.phases[-1] is None:
            batch.phases.append(span)
        elif any((entry.phase >= len(batch.phases) for entry in batch.members.values())):
            batch.phases.append(span)
        elif correct:
            batch.phases[-1] = span
        else:
            self.spare.append(span)

    def _timed(self, nodes: Sequence[Node], process: str, event: Event) -> None:
        steps = []
        for node in nodes:
            step = node.find(process)
            steps.append(step)
        for batch in dict.fromkeys((step.batch for step in steps)):
            if event.span is not None:
                self._span(batch, event.span, nodes)
            batch.level = batch.level or event.level
        self.targets = steps

    def _join(self, event: Event) -> None:
        named = self.resolve(event.foods, event)
        others = self.resolve(event.others, event)
        self._confirm([*named, *others])
        coat = "coat" in event.flags
        if not named and (not others):
            if "vessel" not in event.flags and (
                "dish" not in event.flags
                or (self.upcoming.kind == "name" and self.upcoming.sentence == event.sentence)
            ):
                self.opening = event
        if not any((ref.kind != "pronoun" for ref in (*event.foods, *event.others))) and (
            self.group is not None and (not (coat and self.focus != [self.group]))
        ):
            self.focus, self.targets = ([self.group], [])
            return
        subjects = named or [n for n in self.focus]
        mix = None
        if coat and (not others):
            others = [n for n in self.focus]
        joined = [*subjects, *(n for n in others)]
        group = self.group if self.group is not None and (not self.group.firm) else None
        fresh = coat and (not any((n.top() is group or n is group for n in joined)))
        if group is None or fresh:
            if len({n.top() for n in joined}) < 2 and "dish" not in event.flags:
                return
            group = Node("group", sentence=event.sentence, coat=coat)
            self.nodes.append(group)
            self.group = group
        group.words.append(event.words)
        for node in joined:
            top = node.top()
            if top not in group.parts and node is not group:
                self._into(group, top)
        self.focus = [group]

    def _assembled(self, event: Event) -> None:
        assert self.group is not None
        step = self.group.find("assemble")
        step = Step("assemble", [event.words], event.sentence)
        self.group.steps.insert(0, step)
        step.span = event.span

    def _add(self, event: Event) -> None:
        """Something comes to what is there: into its batch, its mixture, or on top of it."""
        if self.late is not None:
            event = replace(event, span=self.late[1])
            self.late = None
        if self.place and self.group is None:
            nodes = self.resolve(event.foods, event)
            self.focus = [*self.focus, *(n for n in nodes)]
            event = replace(event, foods=())
            self._heat(replace(event, kind="heat", process=self.place))
        others = self.resolve(event.others, event)
        named = self.resolve(event.foods, event)
        self._confirm([*named, *others])
        soon = self.upcoming
        if (
            soon is not None
            and soon.process in MIXING
            and (event.span is None)
            and (named and (not any((ref.kind in ("food", "kind") for ref in soon.foods))))
        ):
            self.focus = [*(n for n in self.focus), *(n for n in others), *named]
            return
        batch = next(
            (
                s.batch
                for n in others
                if (s := (n.top().heat() or n.heat())) is not None and s.batch
            ),
            None,
        )
        mix = next((n.top() for n in others if n.top().kind == "mix"), None)
        latest = self.batches[-1] if self.batches else None
        if not others:
            focus = None
            if latest is not None and self.group is None:
                batch = latest
        if event.span is not None and batch is None:
            batch, mix = (latest, None)
        subjects = [n for n in named or self.focus]
        if batch is not None and batch.process not in JOINING:
            self.focus = subjects
            self._heat(replace(event, kind="heat", process=batch.process, foods=(), others=()))
            return
        if batch is not None and (mix is None or event.span is not None):
            entry = self._entry(batch, event, others, False)
            steps = []
            for node in subjects:
                top = node
                if top in batch.members or top is batch.node:
                    batch.members[top].last = event.span
                    continue
                step = Step(batch.process, [event.words], event.sentence)
                batch.admit(top, step, replace(entry))
            if batch.node is not None and batch.node not in self.nodes:
                self.nodes.append(batch.node)
            self.focus = subjects
        if mix is not None and subjects:
            for node in subjects:
                self._into(mix, node.top())
        self.focus = [*others, *subjects] or self.focus

    def _name(self, event: Event) -> None:
        if "known" in event.flags:
            known = {n.name for n in self.nodes}
            event = replace(
                event, foods=tuple((r for r in event.foods if r.kind != "food" or r.value in known))
            )
        named = self.resolve(event.foods, event)
        if self.opening is not None and event.kind == "name":
            opening, self.opening = (self.opening, None)
            self._join(replace(event, kind="join", flags=event.flags | {"build", "dish"}))
            return
        company = bool(event.foods) and all((ref.role == "with" for ref in event.foods))
        into = bool(event.foods) and all((ref.role in ("into", "in") for ref in event.foods))
        mixtures = [ref for ref in event.foods]
        if "asked" not in event.flags and "while" not in event.flags:
            self._confirm(named)
        promises = [n for n in named if n.kind == "promise"]
        if mixtures and promises:
            self.label = mixtures[0].value
            for promise in promises:
                if promise.within is None:
                    self._part_with(promise)
                    named.remove(promise)
        models = [n for n in self.focus]
        if "likewise" in event.flags and self.previous.kind in ("work", "heat"):
            again = Event(
                kind=self.previous.kind,
                words=event.words,
                sentence=event.sentence,
                process=self.previous.process,
                foods=event.foods,
                span=event.span or self.previous.span,
                level=event.level,
                flags=self.previous.flags - {"earlier"},
            )
            self.tell(again)
        if named and "while" in event.flags:
            return
        if named and event.span is not None and all((r.role in ("for", "on") for r in event.foods)):
            targets = [
                s
                for node in named
                if (s := (next((p for p in node.steps), None) or _untimed(node)))
            ]
            focus, passed = (self.focus, self.targets)
            self.focus, self.targets = (named, targets)
            self._time(replace(event, foods=()))
            return
        last = self.previous
        on = bool(event.foods) and all((r.role in ("on", "over", "onto") for r in event.foods))
        if on and event.span is None:
            return
        if "on" in event.flags and self.group is not None:
            self._join(replace(event, kind="join", flags=event.flags | {"build"}))
        if (
            last is not None
            and (
                "and" in event.flags
                or company
                or (last.kind == "join" and "afterwards" in event.flags)
            )
            and (last.kind == "join" or (last.kind == "work" and last.process in MIXING))
        ):
            self.tell(replace(last, foods=(), others=event.foods, span=event.span), self.upcoming)
            return
        gap, soon = (self.gap, self.upcoming)
        if gap is not None and (
            gap.sentence == event.sentence
            and all((n.kind == "food" and n.find(gap.process) is None for n in named))
            and (
                "afterwards" in event.flags
                or event.span is not None
                or (soon is not None and soon.span is not None)
            )
        ):
            again = replace(gap, foods=event.foods, words=event.words, span=event.span)
            self.tell(again, self.upcoming)
            return
        if named:
            self.focus = named
            self.targets = []
        self._time(event)

    def _drop(self, event: Event) -> None:
        names = [ref for ref in event.foods]
        for node in self.focus:
            node.steps = [s for s in node.steps if s.process != event.process or s.batch]
        if "focus" in event.flags:
            for node in self.focus[-1:]:
                self._forget(node)
        for ref in names:
            self.dropped[ref.value] = ref.words
            known = self.foods.get(ref.value)
            if known is not None:
                self._forget(known)

    def _forget(self, node: Node) -> None:
        if not node.steps and node.within is None:
            self.nodes.remove(node)
            del self.foods[node.name]

    def _uncut(self, event: Event) -> None:
        self._confirm(self.focus)
        for node in self.focus:
            if node.heat() is None:
                gone = {"peel"} if "skin" in event.flags else PREP
                node.steps = [step for step in node.steps if step.process not in gone]

    def _time(self, event: Event) -> None:
        """A time or a level by itself: of what was told last that lacks one."""
        self._level(event)
        if event.span is None:
            return
        soon = self.upcoming
        if event.span.extent == "last" and soon is not None and (soon.sentence == event.sentence):
            self.late = (event.sentence, event.span)
        if self.focus == [self.group] and (not self.group.firm):
            self._assembled(event)
        unheated = [n for n in self.focus]
        targets = self.targets or [s for node in self.focus if (s := _untimed(node))]
        if all(
            (
                s.process in PREP and (s.sentence != event.sentence or event.span.low > LONG)
                for s in targets
            )
        ):
            heats = [
                s for node in self.focus if (s := node.heat()) is not None and (not s.batch.timed)
            ]
            targets = heats or ([] if event.span.low > LONG else targets)
        if not targets:
            self.waiting.append((list(self.focus), event))
        batches = dict.fromkeys((step.batch for step in targets if step.batch is not None))
        for batch in batches:
            self._span(batch, event.span, self.focus, correct=self._corrects(event))
        if not batches:
            for step in targets:
                step.span = event.span

    def _corrects(self, event: Event) -> bool:
        """Whether an event takes back what was told: after a `no`, or told by another voice."""
        voices = [{f for f in e.flags} for e in (event, self.told) if e]
        since = event.sentence - self.correcting
        if self.correcting >= 0 and 0 <= since <= (2 if self.jumped == self.correcting else 1):
            return True

    def _level(self, event: Event) -> None:
        for node in self.focus:
            ways = [
                p
                for (food, p), entry in self.doneness.items()
                if food == node.name and event.level in entry.levels
            ]
            if not ways:
                continue
            step = next((s for p in ways if (s := node.find(p))), None)
            if step is not None and step.batch is not None:
                step.batch.level = event.level
            else:
                self.waiting.append(([node], event))


def _untimed(node: Node) -> Step | None:
    """The step of a node that a time by itself would be of: the latest that has none."""
    late = node.heat()
    heat = node.heat()
    return heat or (node.steps[-1] if node.steps else None)
