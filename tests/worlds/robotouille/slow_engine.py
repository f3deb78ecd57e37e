"""A second engine, as literal as it can be: sets of texts, and every combination of objects tried.

It reads the domain file by itself and shares no code with the engine of CookMAS.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Any

PARTS = re.compile(r"(not )?([\w-]+\([^()]*\))")


class SlowEngine:
    def __init__(
        self, domain: Mapping[str, Any], objects: Mapping[str, list[str]], *, lists_ended: bool
    ) -> None:
        self.domain = domain
        self.lists_ended = lists_ended
        self.kind = {name: entry[0] for name, entry in objects.items()}
        self.true: set[str] = set()
        self.timers: list[dict[str, Any]] = []
        for name, (kind, _, *more) in objects.items():
            self.true |= {f"{each}({name})" for each in [*domain["kinds"][kind]["has"], *more]}
        for name, (_, place, *_) in objects.items():
            if place != "-":
                self.put(name, place)

    def type_of(self, name: str) -> str:
        return str(self.domain["kinds"][self.kind[name]]["type"])

    def put(self, name: str, place: str) -> None:
        for rule in self.domain["puts"]:
            for values in self.combinations(rule["of"]):
                chosen = list(values.values())[:2] == [name, place]
                if chosen and self.holds(rule.get("needs", ""), values):
                    self.make(rule["makes"], values)
                    return
        raise AssertionError(f"{name} cannot be at {place}")

    def combinations(self, of: Mapping[str, str]) -> Iterator[dict[str, str]]:
        options = [[x for x in self.kind if self.type_of(x) == kind] for kind in of.values()]
        for chosen in itertools.product(*options):
            yield dict(zip(of, chosen, strict=True))

    def holds(self, text: str, values: Mapping[str, str]) -> bool:
        return all(
            (replace(atom, values) in self.true) is (not negated)
            for negated, atom in PARTS.findall(text)
        )

    def make(self, text: str, values: Mapping[str, str]) -> None:
        for negated, atom in PARTS.findall(text):
            if negated:
                self.true.discard(replace(atom, values))
        for negated, atom in PARTS.findall(text):
            if not negated:
                self.true.add(replace(atom, values))

    def legal(self, worker: str) -> set[str]:
        found = {"wait"}
        for name, action in self.domain["actions"].items():
            for values in self.combinations(action["of"]):
                first, *others = values.values()
                if first == worker and self.holds(action.get("needs", ""), values):
                    found.add(f"{name}({', '.join(others)})")
        return found

    def step(self, commands: Mapping[str, str]) -> dict[str, str | None]:
        """Play a timestep; return for each worker the predicate that its action lacked."""
        lacked = {
            worker: None if text == "wait" else self.act(worker, text)
            for worker, text in commands.items()
        }
        left = []
        ended_before = False
        for timer in self.timers:
            if timer["ended"]:
                continue
            timer["ended"] = self.count(timer)
            lasts = ended_before and timer["rule"].get("steps") == 1
            if not timer["ended"] or (self.lists_ended and lasts):
                left.append(timer)
            ended_before = timer["ended"]
        self.timers = left
        return lacked

    def act(self, worker: str, text: str) -> str | None:
        name, _, rest = text.partition("(")
        action = self.domain["actions"][name]
        args = [worker, *rest.rstrip(")").split(", ")]
        values = dict(zip(action["of"], args, strict=True))
        for negated, atom in PARTS.findall(action.get("needs", "")):
            if (replace(atom, values) in self.true) is bool(negated):
                return str(atom.partition("(")[0])
        self.make(action.get("makes", ""), values)
        for rule in action.get("timers", []):
            named = " ".join(
                str(rule.get(x, "")) for x in ("about", "during", "meanwhile", "makes")
            )
            own = {x: values[x] for x in values if re.search(rf"\b{x}\b", named)}
            known = [x for x in self.timers if x["rule"] == rule and x["values"] == own]
            if not known:
                known = [{"rule": rule, "values": own, "count": 0, "held": False, "ended": False}]
                self.timers += known
            known[0]["count"] += "times" in rule
        return None

    def count(self, timer: dict[str, Any]) -> bool:
        """Let a timer count, and return whether it has ended."""
        rule, values = timer["rule"], timer["values"]
        holds = self.holds(rule.get("during", ""), values)
        if "steps" in rule and holds:
            timer["count"] += 1
        if holds and timer["count"] >= rule.get("steps", rule.get("times")):
            self.unmake(rule.get("meanwhile", ""), values)
            self.make(rule["makes"], self.create(rule.get("creates", {}), values))
            timer["held"] = True
            return True
        if holds and not timer["held"]:
            self.make(rule.get("meanwhile", ""), values)
        if timer["held"] and not holds:
            self.unmake(rule.get("meanwhile", ""), values)
        timer["held"] = holds
        return False

    def unmake(self, text: str, values: Mapping[str, str]) -> None:
        for _, atom in PARTS.findall(text):
            self.true.discard(replace(atom, values))

    def create(self, creates: Mapping[str, str], values: Mapping[str, str]) -> dict[str, str]:
        made = dict(values)
        for variable, kind in creates.items():
            number = next(n for n in itertools.count(1) if f"{kind}{n}" not in self.kind)
            name = f"{kind}{number}"
            self.kind[name] = kind
            self.true |= {f"{each}({name})" for each in self.domain["kinds"][kind]["has"]}
            made[variable] = name
        return made


def replace(atom: str, values: Mapping[str, str]) -> str:
    name, _, rest = atom.partition("(")
    args = [values[x.strip()] for x in rest.rstrip(")").split(",")]
    return f"{name}({', '.join(args)})"
