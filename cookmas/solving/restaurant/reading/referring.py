"""Reference resolution: from words to the nodes that they mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cookmas.solving.restaurant.reading.discourse import Discourse, FoodNode, Moment
from cookmas.solving.restaurant.reading.values import Event, Ref


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
