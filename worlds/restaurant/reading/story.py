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
"""Cooking in a pan or pot: what shares it becomes one food."""
LONG = 4
"""Minutes that nobody takes to cut a food."""


@dataclass(slots=True)
class Story:
    """What has been told so far: the one context of a reading."""

    lexicon: Lexicon
    doneness: DonenessTable
    named: frozenset[str]
    """Foods that the text names by their own name."""
    foods: dict[str, Node] = field(default_factory=dict)
    nodes: list[Node] = field(default_factory=list)
    focus: list[Node] = field(default_factory=list)
    batches: list[Batch] = field(default_factory=list)
    group: Node | None = None
    targets: list[Step] = field(default_factory=list)
    """Steps that a bare time or level would be of."""
    previous: Event | None = None
    waiting: list[tuple[list[Node], Event]] = field(default_factory=list)
    loose: list[tuple[str, Event, Words]] = field(default_factory=list)
    """What was told and belongs to nothing."""
    aside: list[Ref] = field(default_factory=list)
    """Foods that were only remarked upon last."""
    aside_at: int = -9
    listing: int = -1
    """The sentence that lists what comes to a batch."""
    opened: int = -1
    """The sentence that lists the foods of an assembly."""
    opening: Event | None = None
    """An assembly that was announced before its foods."""
    placed: tuple[int, list[Node], str] | None = None
    """Foods that were named after a place: their sentence, and the place."""
    place_at: int = 0
    correcting: int = -1
    """The sentence that takes back what was told."""
    asking: Node | None = None
    """A mixture of which it was asked what comes to it."""
    late: tuple[int, Span] | None = None
    """Minutes before the end, told before what comes then."""
    stations: dict[str, tuple[list[Node], list[Step]]] = field(default_factory=dict)
    """What was spoken of at the end of each numbered step."""
    jumped: int = -1
    unkept: list[Node] = field(default_factory=list)
    """Mixtures that were spoken of and never made."""
    told: Event | None = None
    """The event that told the last time or level."""
    spare: list[Span] = field(default_factory=list)
    """Times that belong to no step."""
    gap: Event | None = None
    """The last attended work, which a list may go on with."""
    upcoming: Event | None = None
    label: str = ""
    place: str = ""
    """Where heat was told of, but not yet of which foods."""
    clock: int = 0
    asked: set[Node] = field(default_factory=set)
    dropped: dict[str, Words] = field(default_factory=dict)

    # -- who is meant -------------------------------------------------------------------------

    def food(self, name: str, ref: Ref, event: Event) -> Node:
        """The node of a food, new if it was not named before."""
        node = self.foods.get(name)
        if node is None:
            node = self.foods[name] = Node("food", name, sentence=event.sentence)
            self.nodes.append(node)
            if "asked" in event.flags:
                self.asked.add(node)
        if "asked" not in event.flags:
            self.asked.discard(node)
        if ref.word == "slice":
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
                if node not in found:
                    found.append(node)
        return found

    def _resolve(self, ref: Ref, event: Event, before: Sequence[Node]) -> list[Node]:
        if ref.kind == "food":
            return [self.food(ref.value, ref, event)]
        if ref.kind == "kind":
            found = self._of_kind(ref, event)
            return [n.top() for n in found] if ref.word == "whole" else found
        if ref.kind == "mixture":
            return self._mixture(ref, event, before)
        if ref.kind == "whole":
            node = self.group or next((n for n in reversed(self.nodes) if n.kind == "group"), None)
            if node is None and self.batches and ref.value == "potful":
                node = self.batches[-1].whole()
            return [node] if node else list(self.focus)
        if ref.value == "whole" and ref.kind == "pronoun":
            latest = self.batches[-1] if self.batches else None
            if (
                latest is not None
                and latest.node is not None
                and not latest.timed
                and any(s.batch is latest for s in self.targets)
            ):
                return [latest.node]
            if self.group is not None and not self.group.firm:
                return [self.group]
            return list(dict.fromkeys(node.top() for node in self.focus))
        if ref.kind == "shape":
            shaped = [n for n in self.nodes if n.find(ref.value)]
            return [max(shaped, key=lambda n: n.last)] if shaped else []
        return self._pronoun(ref, event, before)

    def _of_kind(self, ref: Ref, event: Event) -> list[Node]:
        could = self.lexicon.kinds[ref.value]
        if ref.value in ("vegetable", "herb", "fruit") and ref.word.endswith("s"):
            several = [
                self.foods[name] for name in self.foods
                if name in could and self.foods[name].said >= event.sentence - 2
            ]  # fmt: skip
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
        if ref.value in self.lexicon.sets["shy"] and not named:
            return []
        if len(named) == 1 or len(could) == 1:
            return [self.food((named or could)[0], ref, event)]
        if len(named) > 1:
            return [self.food(named[0], ref, event)]
        return []

    def _mixture(self, ref: Ref, event: Event, before: Sequence[Node]) -> list[Node]:
        joined = [n for n in self.nodes if n.kind in ("mix", "batch", "promise")]
        joined += [b.node for b in self.batches if b.node is not None]
        labelled = [n for n in joined if ref.value in n.labels]
        if labelled:
            return [labelled[-1].top()]
        typical = self.lexicon.mixtures.get(ref.value) or [
            name for name in self.named if ref.value.startswith(name + " ")
        ]
        ranked = []
        if ref.value == "crumb" and typical and typical[0] in self.named:
            return [self.food(typical[0], ref, event)]
        for node in joined:
            if node.kind == "promise" or node in before:
                continue
            leaves = {leaf.name for leaf in node.leaves()}
            score = sum(name in leaves for name in typical[:2]) * 2 + sum(
                name in leaves for name in typical
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
        for name in typical[:1]:
            single = self.foods.get(name)
            if single is not None and len(typical) == 1 and single.steps:
                return [single.top()]
        promise = Node(
            "promise", ref.value, sentence=event.sentence, labels={ref.value}, words=[ref.words]
        )
        self.nodes.append(promise)
        self.touch(promise)
        return [promise]

    def _pronoun(self, ref: Ref, event: Event, before: Sequence[Node]) -> list[Node]:
        if ref.value in HEAT:
            found = [b.whole() for b in self.batches if b.process == ref.value]
            return found[-1:]
        number = self.lexicon.numbers.get(ref.word, 0)
        if ref.value in ("one", "all") and before:
            return []
        if ref.value == "all" and event.kind == "serve" and "bowl" in event.flags:
            return [n for n in self.nodes if n.within is None and n not in self.asked]
        if ref.value == "all" and event.kind == "heat" and not any(n.heat() for n in self.focus):
            recent = [
                n.top() for n in self.nodes
                if n.kind in ("food", "mix") and n.said >= event.sentence - 1 and n.heat() is None
                and n not in self.asked
            ]  # fmt: skip
            if len(recent) > 1:
                return list(dict.fromkeys(recent))
        if (
            ref.value == "all"
            and self.batches
            and self.targets
            and any(s.batch is self.batches[-1] for s in self.targets)
        ):
            return [self.batches[-1].whole()]
        if ref.value == "many" and not number and len(self.focus) == 1 and event.kind != "name":
            worked = [
                n for n in self.nodes
                if n.kind == "food" and n.said == event.sentence and n.steps and n.heat() is None
                and n.within is None
            ]  # fmt: skip
            if len(worked) > 1 and self.focus[0] in worked:
                return worked
        if ref.value == "many" and (number or len(self.focus) < 2):
            if number and len(self.focus) >= number:
                return self.focus[-number:]
            tops: list[Node] = []
            for node in sorted(self.nodes, key=lambda n: -n.last):
                if (
                    node.last
                    and node.kind != "group"
                    and node not in self.asked
                    and node.top() not in tops
                ):
                    tops.append(node.top())
            if number and self.batches and len(self.batches[-1].members) == number:
                return list(self.batches[-1].members)
            if number:
                return list(reversed(tops[:number]))
            if not self.focus and self.aside:
                return [self.food(r.value, r, event) for r in self.aside]
            return list(self.focus) or list(reversed(tops[:1]))
        fresh = [r for r in self.aside if r.value not in self.foods]
        if (
            self.aside
            and event.kind in ("work", "heat")
            and (not self.focus or len(fresh) == 1)
            and (not self.focus or event.sentence - self.aside_at <= 2)
        ):
            refs, self.aside = self.aside, []
            return [self.food(r.value, r, event) for r in refs]
        return list(self.focus)

    # -- what happens -------------------------------------------------------------------------

    def tell(self, event: Event, upcoming: Event | None = None) -> None:
        """Take in one event, with a look at the one after it."""
        self.upcoming = upcoming
        if "no" in event.flags:
            self.correcting = event.sentence
        for flag in event.flags:
            if flag.startswith("jump "):
                self.focus, self.targets = self.stations.get(flag[5:], (self.focus, self.targets))
                self.jumped = event.sentence
                return
        if self.placed and (event.sentence != self.placed[0] or event.kind in ("time", "heat")):
            self._flush(event)
        if self.place and event.sentence > self.place_at + 1:
            self.place = ""
        if "aside" in event.flags:
            self.aside, self.aside_at = list(event.foods), event.sentence
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
        if event.span is not None or event.level or event.kind == "work":
            self.told = event
        for flag in event.flags:
            if flag.startswith("at ") and event.sentence != self.jumped:
                self.stations[flag[3:]] = (list(self.focus), list(self.targets))
        self.previous = event

    def _flush(self, event: Event) -> None:
        """Heat what was named of a place that was told before."""
        assert self.placed is not None
        sentence, nodes, process = self.placed
        self.placed = None
        if process != self.place:
            return
        place, at = self.place, self.place_at
        focus, self.focus = self.focus, nodes
        same = event.kind == "heat" and event.sentence == sentence
        if same and event.process != process:
            self.focus = focus
            return
        self._heat(Event(kind="heat", words=event.words, sentence=sentence, process=process))
        if event.sentence == sentence and process not in JOINING:
            self.place, self.place_at = place, at

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
        if not nodes and self.aside and not event.foods:
            nodes = [self.food(r.value, r, event) for r in self.aside]
        if "attribute" not in event.flags:
            pronoun = event.foods and all(ref.kind == "pronoun" for ref in event.foods)
            if pronoun and all(ref.value == "one" for ref in event.foods) and len(nodes) > 1:
                nodes = nodes[-1:]
        if process in PREP:
            uncut = self.lexicon.sets["uncut"]
            nodes = [n for n in nodes if n.name not in uncut]
            if not nodes and event.foods:
                self.loose.append(("nothing to cut", event, event.words))
            if not nodes:
                return
        self._confirm(nodes)
        gap = self.previous
        if (
            event.span is None
            and "likewise" in event.flags
            and gap is not None
            and gap.kind == "work"
        ):
            event = replace(event, span=gap.span)
        steps = []
        for node in nodes:
            target = node
            if node.kind == "group" and not node.firm and node.parts and not node.coat:
                target = node.parts[-1]
            if process == "cut" and node.kind in ("group", "mix"):
                continue
            if node.kind == "batch":
                for part in node.parts:
                    steps.append(self._prepare(part, event, True))
                continue
            steps.append(self._prepare(target, event, bool(named)))
        if "attribute" in event.flags:
            return
        if nodes:
            self.focus = nodes
        self.targets = steps

    def _prepare(self, node: Node, event: Event, named: bool) -> Step:
        process = event.process
        if node.kind == "group" and not node.firm:
            self._firm(node)
        cuts = ("chop", "slice", "grate", "cut")
        heat = node.heat()
        later = bool({"afterwards"} & event.flags) and "earlier" not in event.flags
        early = "earlier" in event.flags or (
            heat is not None
            and not later
            and (heat.sentence != event.sentence and not {"base", "finite"} & event.flags)
        )
        if (
            heat is not None
            and heat.batch is not None
            and not heat.batch.timed
            and not heat.batch.level
            and (heat.sentence != event.sentence)
        ):
            early = True
        if (
            heat is not None
            and heat.batch is not None
            and len(heat.batch.members) > 1
            and not later
        ):
            early = True
        if process == "peel":
            told = heat is not None and heat.batch is not None and heat.batch.timed
            early = early or heat is None or not (later or ("base" in event.flags and told))
        for step in node.steps:
            same = step.process == process
            swapped = (
                process in cuts
                and step.process in cuts
                and ("cut" in (process, step.process) or self._corrects(event))
            )
            if (same or swapped or (process == "cut" and step.process in cuts)) and (
                process == "cut"
                or heat is None
                or early
                or node.steps.index(step) > node.steps.index(heat)
            ):
                if swapped and process != "cut":
                    step.process = process  # what was cut, and how
                step.words.append(event.words)
                if event.span is not None:
                    step.span = event.span
                return step
        step = Step(
            process, [event.words], event.sentence, span=event.span, soft="while" in event.flags
        )
        node.insert(step, early=early)
        return step

    def _mix(self, event: Event, named: list[Node], others: list[Node]) -> None:
        nodes = [*named, *(n for n in others if n not in named)]
        if not nodes:
            nodes = list(self.focus)
        elif not named and event.others:
            nodes = [*self.focus, *(n for n in nodes if n not in self.focus)]
        self._confirm(nodes)
        tops: list[Node] = []
        for node in nodes:
            top = node.top()
            if top not in tops:
                tops.append(top)
        mixes = [t for t in tops if t.kind == "mix" and t.find(event.process)]
        if len(tops) > 1:
            for top in tops:
                if top.kind == "food" and top.steps and top.steps[-1].process == event.process:
                    event = replace(event, span=event.span or top.steps.pop().span)
        alike = [
            n for n in self.nodes if n.kind == "mix" and n.find(event.process) and n.within is None
        ]
        if (
            len(tops) == 1
            and tops[0].kind == "food"
            and not tops[0].steps
            and len(alike) == 1
            and (event.process == "blend")
        ):
            tops = mixes = [alike[0], *tops]
            mixes = [alike[0]]
            self._into(alike[0], tops[1])
            self.focus, self.targets = [alike[0]], []
            return
        if len(tops) == 1 and tops[0].kind == "food" and tops[0].heat() is None:
            for since in (event.sentence, event.sentence - 1):
                near = [
                    n.top() for n in self.nodes
                    if n.kind == "food" and n.said >= since and n not in self.asked
                    and n.heat() is None
                ]  # fmt: skip
                if len(set(near)) > 1:
                    tops = list(dict.fromkeys(near))
                    break
        if not tops:
            self.loose.append(("work on no food", event, event.words))
            return
        if len(tops) == 1:
            top = tops[0]
            step = top.find(event.process)
            cooked = top.kind == "batch" or top.heat() is not None
            if step is None and "stir" in event.flags and cooked and event.span is None:
                return
            if step is None or (top.steps and top.steps[-1] is not step):
                if top.kind == "group" and not top.firm:
                    self._regroup(top, event)
                    return
                step = Step(event.process, [event.words], event.sentence, span=event.span)
                top.steps.append(step)
            else:
                step.words.append(event.words)
                step.span = event.span or step.span
            self.focus, self.targets = [top], [step]
            self._labelled(top)
            return
        if (
            mixes
            and len(mixes) == 1
            and mixes[0].sentence >= event.sentence - 1
            and mixes[0].steps[-1].span is None
            and not event.span
        ):
            mix = mixes[0]
            for top in tops:
                if top is not mix:
                    self._into(mix, top)
            self.focus, self.targets = [mix], [mix.steps[-1]]
            return
        mix = Node("mix", sentence=event.sentence, words=[event.words])
        for top in tops:
            self._into(mix, top)
        mix.steps.append(Step(event.process, [event.words], event.sentence, span=event.span))
        self.nodes.append(mix)
        self.touch(mix)
        self._labelled(mix)
        self.focus, self.targets = [mix], [mix.steps[-1]]

    def _regroup(self, group: Node, event: Event) -> None:
        """A group that is mixed was no group."""
        group.kind, group.firm, group.steps = "mix", True, []
        group.steps.append(Step(event.process, [event.words], event.sentence, span=event.span))
        self.group = None
        self.focus, self.targets = [group], [group.steps[-1]]
        self._labelled(group)

    def _into(self, whole: Node, part: Node) -> None:
        if part.within is not None and part.within.kind == "group" and not part.within.firm:
            part.within.parts = [p for p in part.within.parts if p is not part]
        if part is not whole and whole not in part.walk():
            part.within = whole
            whole.parts.append(part)

    def _labelled(self, node: Node) -> None:
        """A mixture that was promised by name is what is made next."""
        if self.label:
            node.labels.add(self.label)
            for promise in [n for n in self.nodes if n.kind == "promise" and n.name == self.label]:
                self.fulfil(promise, node)
            self.label = ""

    def _part_with(self, promise: Node) -> None:
        if promise in self.nodes:
            self.nodes.remove(promise)

    def fulfil(self, promise: Node, node: Node) -> None:
        """Put what was made where it was promised."""
        if promise.within is not None and node.within is None and promise.within not in node.walk():
            parts = promise.within.parts
            parts[parts.index(promise)] = node
            node.within = promise.within
        self._part_with(promise)
        self.focus = [node if n is promise else n for n in self.focus]

    def _firm(self, group: Node) -> None:
        group.firm = True
        if group.find("assemble") is None:
            group.steps.insert(0, Step("assemble", list(group.words), group.sentence))

    def _heat(self, event: Event) -> None:
        if self.late is not None:
            if self.late[0] == event.sentence and event.span is None:
                event = replace(event, span=self.late[1])
            self.late = None
        soon = self.upcoming
        if (
            event.foods
            and all(ref.value == "all" for ref in event.foods)
            and soon is not None
            and (
                soon.sentence == event.sentence
                and (
                    "attribute" in soon.flags
                    or len([r for r in soon.foods if r.kind != "pronoun"]) > 1
                )
            )
        ):
            self.place, self.place_at, self.focus = event.process, event.sentence, []
            return
        named = self.resolve(event.foods, event)
        if "attribute" in event.flags and any(n.heat() is not None for n in named):
            return
        others = self.resolve(
            [ref for ref in event.others if ref.role not in ("on", "onto", "over")], event
        )
        self.resolve([ref for ref in event.others if ref.role in ("on", "onto", "over")], event)
        process = event.process
        nodes = named or [n for n in self.focus if n not in others]
        if (
            not named
            and self.group is not None
            and (process == "bake" or not nodes)
            and not self.group.firm
        ):
            nodes = [self.group]
        if process == "cook":
            heats = [step for node in nodes if (step := node.top().heat() or node.heat())]
            if not heats:
                self.waiting.append((nodes, event))
                self.focus = nodes or self.focus
                return
            process = heats[-1].process
        if named and all(n.kind == "promise" for n in named):
            for promise in named:
                self.label = promise.name
                if promise.within is None:
                    self._part_with(promise)
            self.place, self.place_at, self.focus = process, event.sentence, []
            return
        if not nodes and not others:
            self.place, self.place_at = process, event.sentence
            if event.span is not None:
                self.waiting.append(([], event))
            return
        self.place = ""
        self._confirm([*nodes, *others])
        known = not named or any(n.kind != "food" or n.heat() is not None for n in nodes)
        if "while" in event.flags and event.span is None and known:
            return
        pronouns = bool(event.foods) and all(ref.kind == "pronoun" for ref in event.foods)
        early = any(
            (s := n.heat()) is not None
            and s.process != process
            and (
                "earlier" in event.flags
                or ("while" in event.flags and s.sentence == event.sentence)
            )
            for n in nodes
        )
        subjects = self._subjects(nodes, process, explicit=early or (bool(named) and not pronouns))
        company = self._subjects(others, process, explicit=True)
        whole = next(
            (b for b in self.batches if subjects == [b.node] and b.process == process), None
        )
        if whole is not None and not subjects[0].steps and not company:
            subjects = list(whole.members)
        if "instead" in event.flags or (self._corrects(event) and self.jumped == self.correcting):
            for node in subjects:
                old = node.heat()
                if (
                    old is not None
                    and old.process != process
                    and old.batch is not None
                    and (list(old.batch.members) == [node])
                ):
                    node.steps.remove(old)
        again = [
            n for n in subjects if (s := n.find(process)) and s.batch is not None and s is n.heat()
        ]
        if again and len(again) == len(subjects) and not company:
            self._timed(again, process, event)
            self.focus = nodes
            return
        if process not in JOINING and len(subjects) + len(company) > 1:
            for node in [*subjects, *company]:
                self.focus = [node]
                self._heat(replace(event, foods=(), others=()))
            self.focus = [*subjects, *company]
            return
        batch = self._batch_for(event, process, subjects, company)
        fresh = batch is None
        if batch is None:
            batch = Batch(process, event.sentence)
            self.batches.append(batch)
        entry_of = self._entry(
            batch, event, company, fresh, any(n in batch.members for n in [*subjects, *company])
        )
        steps = []
        for node in (
            [*subjects, *company]
            if fresh
            else [n for n in [*subjects, *company] if n not in batch.members]
        ):
            if node is batch.node or node in batch.members:
                continue
            step = Step(process, [event.words], event.sentence, soft="while" in event.flags)
            batch.admit(node, step, replace(entry_of), early=early)
            steps.append(step)
        if event.level:
            batch.level = batch.level or event.level
        if fresh and event.span is not None:
            self._span(batch, event.span, subjects)
        if batch.node is not None and batch.node not in self.nodes:
            self.nodes.append(batch.node)
            self.touch(batch.node)
        if batch.node is not None:
            self._labelled(batch.node)
        self.targets = steps or self.targets
        self.focus = subjects if not company else [*subjects, *company]
        self._settle_waiting(batch)

    def _settle_waiting(self, batch: Batch) -> None:
        for nodes, event in list(self.waiting):
            if any(node in batch.members for node in nodes) or (
                not nodes and event.sentence >= batch.sentence - 1
            ):
                if event.span is not None and not batch.timed:
                    self._span(batch, event.span, nodes)
                batch.level = batch.level or event.level
                self.waiting.remove((nodes, event))

    def _subjects(self, nodes: Sequence[Node], process: str, *, explicit: bool) -> list[Node]:
        """What is really cooked: a coated food with its coat, a mixture, each once."""
        out: list[Node] = []
        for node in nodes:
            subject = node
            if node.kind == "group" and not node.firm:
                self._firm(node)
            if node.kind == "food":
                top = node.top()
                if top.kind == "group" and top.coat and top.parts[0] is node:
                    self._firm(top)
                    subject = top
                elif not explicit and top.kind != "mix":
                    subject = top
            else:
                subject = node.top()
            if subject not in out:
                out.append(subject)
        return out

    def _batch_for(
        self, event: Event, process: str, subjects: list[Node], company: list[Node]
    ) -> Batch | None:
        """The batch that foods come to, None where they begin one of their own."""
        if "own" in event.flags:
            return None
        if process not in JOINING:
            subject = subjects[0].find(process) if subjects else None
            return subject.batch if subject is not None and subject is subjects[0].heat() else None
        for node in company:
            step = node.find(process)
            if step is not None and step.batch is not None:
                return step.batch
            top = node.top()
            if top.kind == "batch":
                for batch in self.batches:
                    if batch.node is top and batch.process == process:
                        return batch
        recent = next((b for b in reversed(self.batches) if b.process == process), None)
        if recent is not None and any(n in recent.members for n in subjects):
            return (
                recent if all(n in recent.members or n.heat() is None for n in subjects) else None
            )
        if recent is None:
            return None
        late = event.span is not None and event.span.extent in ("last", "after")
        if "same" in event.flags or "add" in event.flags or late:
            return recent
        return None

    def _entry(
        self, batch: Batch, event: Event, company: Sequence[Node], fresh: bool, whole: bool = False
    ) -> Entry:
        span = event.span
        if fresh:
            return Entry(0)
        phase = len(batch.phases) if batch.timed and batch.total is None else len(batch.phases) - 1
        if span is not None and span.extent == "last":
            return Entry(phase, last=span)
        if span is not None and span.extent == "after":
            if len(batch.phases) == 1 and not batch.timed:
                batch.phases[0] = span
                batch.phases.append(None)
                return Entry(1)
            return Entry(phase, after=span)
        if batch.after is not None:
            after, batch.after = batch.after, None
            return Entry(phase, after=after)
        if span is not None and span.extent == "plain" and not batch.timed and whole:
            batch.phases[-1] = span
            return Entry(len(batch.phases) - 1)
        if span is not None and batch.timed and batch.total is None:
            batch.phases.append(span)
            return Entry(len(batch.phases) - 1)
        if span is not None:
            return Entry(phase, last=span)
        mates = [batch.members[n] for n in company if n in batch.members]
        if mates and not batch.timed:
            mate = mates[-1]
            return Entry(mate.phase, last=mate.last, after=mate.after)
        return Entry(phase)

    def _span(
        self, batch: Batch, span: Span, nodes: Sequence[Node], *, correct: bool = False
    ) -> None:
        """Minutes told of a batch, or of some of its members."""
        if span.extent == "plain" and any(
            known is not None and known[:2] == span[:2] for known in (*batch.phases, batch.total)
        ):
            return
        some = [n for n in nodes if n in batch.members]
        if (
            span.extent == "plain"
            and batch.timed
            and some
            and len(some) < len(batch.members)
            and not any(entry.phase >= len(batch.phases) for entry in batch.members.values())
        ):
            for node in some:
                batch.members[node].last = span
            return
        if span.extent == "total":
            batch.total = span
        elif span.extent == "last":
            members = [n for n in nodes if n in batch.members]
            if members and len(members) < len(batch.members):
                for node in members:
                    batch.members[node].last = span
            elif len(batch.members) > 1 or not members:
                for node in list(batch.members)[-1:]:
                    batch.members[node].last = span
            else:
                batch.phases[-1] = span
        elif span.extent == "more" and batch.timed:
            batch.phases.append(span)
        elif span.extent == "after":
            batch.after = span
        elif batch.phases[-1] is None:
            if any(entry.phase >= len(batch.phases) for entry in batch.members.values()):
                batch.phases.append(span)
            else:
                batch.phases[-1] = span
        elif any(entry.phase >= len(batch.phases) for entry in batch.members.values()):
            batch.phases.append(span)
        elif correct:
            batch.phases[-1] = span
        else:
            self.spare.append(span)

    def _timed(self, nodes: Sequence[Node], process: str, event: Event) -> None:
        steps = []
        for node in nodes:
            step = node.find(process)
            if step is not None and step.batch is not None:
                step.words.append(event.words)
                steps.append(step)
        for batch in dict.fromkeys(step.batch for step in steps if step.batch is not None):
            if event.span is not None:
                self._span(batch, event.span, nodes)
            if event.level:
                batch.level = batch.level or event.level
        self.targets = steps

    def _join(self, event: Event) -> None:
        named = self.resolve(event.foods, event)
        others = self.resolve(event.others, event)
        self._confirm([*named, *others])
        coat = "coat" in event.flags
        if not named and not others:
            if event.span is not None and self.group is not None:
                self._assembled(event)
            elif (
                self.group is None
                and {"build"} <= event.flags
                and "vessel" not in event.flags
                and (
                    "dish" not in event.flags
                    or (
                        self.upcoming is not None
                        and self.upcoming.kind == "name"
                        and self.upcoming.sentence == event.sentence
                    )
                )
            ):
                self.opening = event
                return
            elif ("vessel" in event.flags and self.group is None and self.focus) or (
                self.group is None
                and self.focus
                and not (coat and self.focus[0].kind == "mix")
                and ("dish" in event.flags or coat)
            ):
                named = list(self.focus)
            elif not coat:
                return
        if not any(ref.kind != "pronoun" for ref in (*event.foods, *event.others)) and (
            self.group is not None
            and not self.group.firm
            and not (coat and self.focus != [self.group])
        ):
            self.focus, self.targets = [self.group], []
            if event.span is not None:
                self._assembled(event)
            return
        cooked = next(
            (s.batch for n in others if (s := n.heat()) is not None and s.batch is not None), None
        )  # fmt: skip
        if event.span is not None and event.span.extent == "last" and cooked is not None:
            for node in named or self.focus:
                step = Step(cooked.process, [event.words], event.sentence)
                cooked.admit(node.top(), step, Entry(0, last=event.span))
                self.targets = [step]
            return
        subjects = named or [n for n in self.focus if n not in others]
        mix = self.focus[0] if len(self.focus) == 1 and self.focus[0].kind == "mix" else None
        if coat and not named and not others and mix is not None and len(mix.parts) > 2:
            part = mix.parts[-1]
            if part.said == event.sentence:
                mix.parts.pop()
                part.within = None
                named, others = [part], [mix]
                subjects = [part]
        if coat and not named and others:
            subjects = list(self.focus)
        if coat and named and not others:
            others = [n for n in self.focus if n not in named]
        joined = [*subjects, *(n for n in others if n not in subjects)]
        if coat:
            joined = (
                [n for n in joined if n.kind != "group"] if self.group not in joined else joined
            )
        group = self.group if self.group is not None and not self.group.firm else None
        fresh = coat and not any(n.top() is group or n is group for n in joined)
        if group is None or fresh:
            if len({n.top() for n in joined}) < 2 and "dish" not in event.flags:
                self.focus = subjects or self.focus
                return
            group = Node("group", sentence=event.sentence, coat=coat)
            self.nodes.append(group)
            self.touch(group)
            self.group = group
        group.words.append(event.words)
        group.coat = group.coat or coat
        for node in joined:
            top = node.top()
            if top is not group and top not in group.parts and node is not group:
                self._into(group, top)
        if event.span is not None:
            self._assembled(event)
        self.focus = [group]
        self.targets = []
        if coat:
            self._labelled(group)

    def _assembled(self, event: Event) -> None:
        assert self.group is not None
        step = self.group.find("assemble")
        if step is None:
            step = Step("assemble", [event.words], event.sentence)
            self.group.steps.insert(0, step)
        step.span = event.span
        self.targets = [step]

    def _add(self, event: Event) -> None:
        """Something comes to what is there: into its batch, its mixture, or on top of it."""
        if self.late is not None:
            if self.late[0] == event.sentence and event.span is None:
                event = replace(event, span=self.late[1])
            self.late = None
        if self.place and self.group is None:
            if self.placed is not None:
                self.focus, self.placed = self.placed[1], None
                nodes = self.resolve(event.foods, event)
                self.focus = [*self.focus, *(n for n in nodes if n not in self.focus)]
                event = replace(event, foods=())
            self._heat(replace(event, kind="heat", process=self.place))
            return
        others = self.resolve(event.others, event)
        named = self.resolve(event.foods, event)
        self._confirm([*named, *others])
        soon = self.upcoming
        if (
            soon is not None
            and soon.kind == "work"
            and soon.process in MIXING
            and event.span is None
            and (
                soon.sentence <= event.sentence + 1
                and named
                and not any(ref.kind in ("food", "kind") for ref in soon.foods)
            )
        ):
            self.focus = [
                *(n for n in self.focus if n not in named),
                *(n for n in others if n not in self.focus),
                *named,
            ]
            return
        batch = (
            next(
                (
                    s.batch
                    for n in others
                    if (s := (n.top().heat() or n.heat())) is not None and s.batch
                ),
                None,
            )
            if others
            else None
        )
        mix = next((n.top() for n in others if n.top().kind == "mix"), None)
        latest = self.batches[-1] if self.batches else None
        if not others:
            focus = self.focus[-1] if self.focus else None
            if focus is not None and focus.top().kind == "mix" and "same" not in event.flags:
                mix = focus.top()
            elif latest is not None and self.group is None:
                batch = latest
        if event.span is not None and event.span.extent == "last" and batch is None:
            batch, mix = latest, None
        subjects = [n for n in (named or self.focus) if n not in others]
        if batch is not None and subjects and batch.process not in JOINING:
            self.focus = subjects
            self._heat(replace(event, kind="heat", process=batch.process, foods=(), others=()))
            return
        if batch is not None and subjects and (mix is None or event.span is not None):
            entry = self._entry(batch, event, others, False)
            steps = []
            for node in subjects:
                top = node if node.kind == "food" else node.top()
                if top in batch.members or top is batch.node:
                    if (
                        top in batch.members
                        and event.span is not None
                        and event.span.extent == "last"
                    ):
                        batch.members[top].last = event.span
                    continue
                step = Step(batch.process, [event.words], event.sentence)
                batch.admit(top, step, replace(entry))
                steps.append(step)
            if batch.node is not None and batch.node not in self.nodes:
                self.nodes.append(batch.node)
                self.touch(batch.node)
            self.targets = steps or self.targets
            self.focus = subjects
            return
        if mix is not None and subjects:
            for node in subjects:
                if node.top() is not mix:
                    self._into(mix, node.top())
            self.focus, self.targets = [mix], mix.steps[-1:]
            return
        if self.group is not None and not self.group.firm:
            for node in subjects:
                if node.top() not in self.group.parts and node is not self.group:
                    self._into(self.group, node.top())
            return
        self.focus = [*others, *subjects] or self.focus

    def _name(self, event: Event) -> None:
        if "known" in event.flags:
            known = {n.name for n in self.nodes}
            event = replace(
                event, foods=tuple(r for r in event.foods if r.kind != "food" or r.value in known)
            )
        named = self.resolve(event.foods, event)
        if named and self.opening is not None and event.kind == "name":
            opening, self.opening = self.opening, None
            if opening.sentence == event.sentence:
                self.opened = event.sentence
                self._join(replace(event, kind="join", flags=event.flags | {"build", "dish"}))
                return
        company = bool(event.foods) and all(ref.role == "with" for ref in event.foods)
        if "asked" in event.flags and company and self.previous is not None:
            mix = next(
                (n.top() for n in self.focus if n.top().find("mix") or n.top().find("blend")), None
            )
            self.asking = mix
            return
        if self.asking is not None and named and event.kind == "name":
            mix, self.asking = self.asking, None
            self._mix(
                Event(
                    kind="work", process=(mix.find("mix") or mix.steps[-1]).process,
                    words=event.words, sentence=event.sentence,
                ), [mix], named,
            )  # fmt: skip
            return
        if company and named and self.focus and not any(n.heat() or n.within for n in self.focus):
            mate = next((s.batch for n in named if (s := n.heat()) and s.batch is not None), None)
            if mate is not None and mate.process in JOINING:
                self._add(replace(event, foods=(), others=event.foods))
                return
        into = bool(event.foods) and all(ref.role in ("into", "in") for ref in event.foods)
        if into and named and self.focus and event.kind == "name" and "asked" not in event.flags:
            self.focus = [*(n for n in self.focus if n not in named), *named]
            return
        mixtures = [ref for ref in event.foods if ref.kind == "mixture"]
        if "asked" not in event.flags and "while" not in event.flags:
            self._confirm(named)
        promises = [n for n in named if n.kind == "promise"]
        if mixtures and event.kind == "name" and promises:
            self.label = mixtures[0].value
            for promise in promises:
                if promise.within is None:
                    self._part_with(promise)
                    named.remove(promise)
        models = [n for n in self.focus if n.kind == "food" and n not in named]
        if (
            "likewise" in event.flags
            and named
            and models
            and not any(n.steps for n in named)
            and (self.gap is not None and self.gap.sentence >= event.sentence - 1)
        ):
            self.targets = []
            for node in named:
                for step in models[-1].steps:
                    if step.process in PREP:
                        node.steps.append(
                            Step(step.process, [event.words], event.sentence, span=step.span)
                        )
                self.targets += node.steps[-1:]
            self.focus = named
            if event.span is not None:
                self._time(replace(event, foods=()))
            return
        if (
            "likewise" in event.flags
            and self.previous is not None
            and self.previous.kind in ("work", "heat")
            and named
        ):
            again = Event(
                kind=self.previous.kind, words=event.words, sentence=event.sentence,
                process=self.previous.process, foods=event.foods,
                span=event.span or self.previous.span,
                level=event.level, flags=self.previous.flags - {"earlier"},
            )  # fmt: skip
            self.tell(again)
            return
        if (
            named
            and self.place
            and not any(n.heat() for n in named)
            and event.kind == "name"
            and (
                self.place_at >= event.sentence - 1
                and all(n.kind in ("food", "mix") for n in named)
            )
        ):
            before = self.placed[1] if self.placed is not None else []
            self.placed = (event.sentence, [*before, *named], self.place)
            self.focus = [*before, *named]
            if event.span is not None:
                self._flush(replace(event, kind="name"))
                self._time(event)
            return
        if named and "while" in event.flags:
            return
        if named and event.span is not None and all(r.role in ("for", "on") for r in event.foods):
            targets = [
                s
                for node in named
                if (
                    s := next((p for p in node.steps if p.process in PREP and p.span is None), None)
                    or _untimed(node)
                )
            ]
            if targets:
                focus, passed = self.focus, self.targets
                self.focus, self.targets = named, targets
                self._time(replace(event, foods=()))
                self.focus, self.targets = focus or named, passed
                return
        last = self.previous
        if (
            named
            and last is not None
            and last.sentence == event.sentence
            and last.kind in ("heat", "add")
            and (company or ("and" in event.flags and self.listing == event.sentence))
            and self.batches
            and self.batches[-1].process in JOINING
            and not any(n.heat() for n in named)
        ):
            self.listing = event.sentence
            self._add(replace(event, others=()))
            self.previous = replace(event, kind="add")
            return
        if (
            named
            and self.opened == event.sentence
            and event.kind == "name"
            and self.group is not None
        ):
            self._join(replace(event, kind="join", flags=event.flags | {"build"}))
            return
        on = bool(event.foods) and all(r.role in ("on", "over", "onto") for r in event.foods)
        if named and on and event.span is None:
            return
        if named and "on" in event.flags and self.group is not None and not self.group.firm:
            self._join(replace(event, kind="join", flags=event.flags | {"build"}))
            return
        if named and last is not None and (
            "and" in event.flags or company or (last.kind == "join" and "afterwards" in event.flags)
        ) and event.sentence == last.sentence and (
            (last.kind == "join") or (last.kind == "work" and last.process in MIXING)
        ) and event.kind == "name":  # fmt: skip
            self.tell(replace(last, foods=(), others=event.foods, span=event.span), self.upcoming)
            return
        gap, soon = self.gap, self.upcoming
        if (
            named
            and gap is not None
            and gap.kind == "work"
            and gap.process in PREP
            and (
                gap.sentence == event.sentence
                and all(n.kind == "food" and n.find(gap.process) is None for n in named)
                and event.kind == "name"
                and (
                    "afterwards" in event.flags
                    or event.span is not None
                    or (
                        soon is not None
                        and soon.kind == "time"
                        and soon.sentence == event.sentence
                        and soon.span is not None
                        and soon.span.low <= LONG
                        and not any(n.heat() for n in named)
                    )
                )
            )
        ):
            again = replace(gap, foods=event.foods, words=event.words, span=event.span)
            self.tell(again, self.upcoming)
            return
        if event.kind == "serve" and not named:
            self._confirm(self.focus)
        if named:
            self.focus = named
            self.targets = []
        if event.span is not None or event.level:
            self._time(event)

    def _drop(self, event: Event) -> None:
        names = [ref for ref in event.foods if ref.kind == "food"]
        if event.process:
            for node in self.focus:
                node.steps = [s for s in node.steps if s.process != event.process or s.batch]
            return
        if "focus" in event.flags:
            for node in self.focus[-1:]:
                self._forget(node)
            return
        for ref in names:
            self.dropped[ref.value] = ref.words
            known = self.foods.get(ref.value)
            if known is not None:
                self._forget(known)

    def _forget(self, node: Node) -> None:
        if node.kind == "food" and not node.steps and node.within is None and node in self.nodes:
            self.nodes.remove(node)
            del self.foods[node.name]
            self.focus = [n for n in self.focus if n is not node]

    def _uncut(self, event: Event) -> None:
        self._confirm(self.focus)
        for node in self.focus:
            if node.heat() is None:
                gone = {"peel"} if "skin" in event.flags else PREP
                node.steps = [step for step in node.steps if step.process not in gone]

    def _time(self, event: Event) -> None:
        """A time or a level by itself: of what was told last that lacks one."""
        if event.span is not None or event.level:
            self._confirm(self.focus)
        if event.level:
            self._level(event)
        if event.span is None:
            return
        soon = self.upcoming
        if (
            event.span.extent == "last"
            and soon is not None
            and soon.kind in ("add", "heat", "work")
            and (soon.sentence == event.sentence)
        ):
            self.late = (event.sentence, event.span)
            return
        if self.group is not None and self.focus == [self.group] and not self.group.firm:
            self._assembled(event)
            return
        unheated = [n for n in self.focus if n.heat() is None and n.within is None]
        if (
            event.span.extent in ("last", "more")
            and unheated == self.focus
            and self.batches
            and (self.batches[-1].process in JOINING and not self.targets)
        ):
            self._add(replace(event, kind="add"))
            return
        targets = self.targets or [s for node in self.focus if (s := _untimed(node))]
        if all(
            s.process in PREP and (s.sentence != event.sentence or event.span.low > LONG)
            for s in targets
        ):
            heats = [
                s
                for node in self.focus
                if (s := node.heat()) is not None and s.batch is not None and not s.batch.timed
            ]
            targets = heats or ([] if event.span.low > LONG else targets)
        if not targets:
            self.waiting.append((list(self.focus), event))
            return
        batches = dict.fromkeys(step.batch for step in targets if step.batch is not None)
        for batch in batches:
            self._span(batch, event.span, self.focus, correct=self._corrects(event))
        if not batches:
            for step in targets:
                step.span = event.span

    def _corrects(self, event: Event) -> bool:
        """Whether an event takes back what was told: after a `no`, or told by another voice."""
        voices = [{f for f in e.flags if f.startswith("by ")} for e in (event, self.told) if e]
        since = event.sentence - self.correcting
        if self.correcting >= 0 and 0 <= since <= (2 if self.jumped == self.correcting else 1):
            return True
        return bool(len(voices) > 1 and voices[0] != voices[1])

    def _level(self, event: Event) -> None:
        for node in self.focus:
            if node.kind != "food":
                continue
            ways = [
                p
                for (food, p), entry in self.doneness.items()
                if food == node.name and event.level in entry.levels
            ]
            if not ways:
                continue
            step = next((s for p in ways if (s := node.find(p))), None)
            if step is not None and step.batch is not None:
                if not step.batch.level or self._corrects(event):
                    step.batch.level = event.level
            else:
                self.waiting.append(([node], event))


def _untimed(node: Node) -> Step | None:
    """The step of a node that a time by itself would be of: the latest that has none."""
    late = node.heat()
    if late is not None and late.batch is not None and late.batch.timed:
        members = list(late.batch.members)
        if len(members) > 1 and node in members[1:] and late.batch.members[node].last is None:
            return late
    for step in reversed(node.steps):
        if step.span is None and (step.batch is None or not step.batch.timed):
            return step
    heat = node.heat()
    return heat or (node.steps[-1] if node.steps else None)
