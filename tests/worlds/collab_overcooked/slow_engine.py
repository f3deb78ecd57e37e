"""A second engine of Collab-Overcooked, written from the facts: slow, mutable, and without sharing
code with the first one. Its words for things are plain text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

AROUND = {"N": (0, -1), "S": (0, 1), "E": (1, 0), "W": (-1, 0)}
NAMES = {
    "X": "counter",
    "I": "ingredient_dispenser",
    "D": "dish_dispenser",
    "S": "delivery",
    "P": "pot",
    "O": "oven",
    "C": "chopping_board",
    "B": "blender",
}
VERBS = {"cook": "pot", "bake": "oven", "cut": "chopping_board", "stir": "blender"}


class Slow:
    """An episode; `recipes` are pairs of (utensil, sorted inputs) and product."""

    def __init__(self, setup: Mapping[str, Any], recipes: Mapping[Any, str], order: str) -> None:
        self.setup, self.recipes, self.order = setup, recipes, order
        self.old = setup["mode"] == "original"
        self.map: dict[Any, str] = {}
        self.floor: set[Any] = set()
        starts: dict[str, Any] = {}
        seen: dict[str, int] = {}
        for y, row in enumerate(setup["grid"]):
            for x, letter in enumerate(row):
                if letter == " " or letter.isdigit():
                    self.floor.add((x, y))
                    starts[letter] = (x, y)
                    continue
                name = NAMES[letter]
                if letter in "POCB":
                    seen[name] = seen.get(name, -1) + 1
                    name += str(seen[name])
                self.map[x, y] = name
        self.cooks = [
            {"at": starts[str(n)], "way": "N", "hand": None, "task": None, "log": []}
            for n in range(1, len(setup["cooks"]) + 1)
        ]
        self.lying: dict[Any, Any] = {}
        self.pots: dict[str, Any] = {}
        self.won = False

    def play(self, orders: Sequence[str | None]) -> list[str | None]:
        """Play a timestep; None for a cook that is at work. Return the refusals."""
        answers: list[str | None] = []
        lows = []
        for cook, text in zip(self.cooks, orders, strict=True):
            answer = None
            if cook["task"] is None:
                assert text is not None
                answer, task = self.judge(cook, text)
                cook["task"] = task
            answers.append(answer)
        for cook in self.cooks:
            low = self.ground(cook) if cook["task"] else ("stay", "")
            if low is None:
                cook["task"], low = {"verb": "wait", "left": 1, "text": "wait(1)"}, ("stay", "")
            lows.append(low)
        self.low(lows)
        return answers

    def names_of(self, cook: Any) -> set[str]:
        return {self.map[cell] for cell in self.sides(cook)}

    def sides(self, cook: Any) -> set[Any]:
        inside, news = set(), [cook["at"]]
        found = set()
        while news:
            x, y = news.pop()
            inside.add((x, y))
            for dx, dy in AROUND.values():
                near = (x + dx, y + dy)
                if near not in self.floor:
                    found.add(near)
                elif near not in inside:
                    news.append(near)
        return found

    def judge(self, cook: Any, text: str) -> tuple[str | None, Any]:
        match = re.fullmatch(r"\s*(\w+)\s*\((.*)\)\s*", text)
        if not match:
            return "unreadable", None
        verb, rest = match.groups()
        words = [word.strip() for word in rest.split(",")] if rest.strip() else []
        task = {"verb": verb, "words": words, "text": f"{verb}({','.join(words)})"}
        kind = self.form(verb, words) or self.fit(cook, verb, words)
        if verb == "wait" and kind is None:
            task["left"] = int(words[0])
            task["text"] = f"wait({int(words[0])})"
        return kind, None if kind else task

    def form(self, verb: str, words: list[str]) -> str | None:
        if verb == "wait":
            if len(words) != 1 or not words[0].isdigit():
                return "unreadable"
            return None if 1 <= int(words[0]) <= 5 else "wait_too_long"
        if verb in ("place_obj_on_counter", "deliver"):
            return "unreadable" if words else None
        if verb == "pickup":
            if len(words) != 2:
                return "words"
            food, place = words
            if food not in (*self.setup["foods"], "dish"):
                return "unknown_item"
            if place not in set(self.map.values()) - {"delivery"}:
                return "unknown_place"
            raw = food in self.setup["raw"]
            if place.endswith("dispenser") and food != "dish" and not raw:
                return "not_raw"
            if place == "ingredient_dispenser" and food == "dish":
                return "dish_place"
            if place == "dish_dispenser" and food != "dish":
                return "ingredient_place"
            return None
        if verb not in (*VERBS, "put_obj_in_utensil", "fill_dish_with_food"):
            return "unreadable"
        if len(words) != 1:
            return "words"
        known = [name for name in self.map.values() if name[-1].isdigit()]
        if words[0] not in known or (verb in VERBS and words[0][:-1] != VERBS[verb]):
            return "unknown_utensil"
        return None

    def fit(self, cook: Any, verb: str, words: list[str]) -> str | None:
        hand, near = cook["hand"], self.names_of(cook)
        counters = [cell for cell, name in self.map.items() if name == "counter"]
        mine = [cell for cell in counters if cell in self.sides(cook)]
        if verb == "place_obj_on_counter":
            if hand is None:
                return "hands_empty"
            free = [cell for cell in (counters if self.old else mine) if cell not in self.lying]
            return None if free else "no_counter"
        if verb == "deliver":
            if hand is None:
                return "hands_empty"
            if self.old:
                final = (*self.setup["menu"], "onion", "potato")
                return None if any(name in hand[0] for name in final) else "not_final"
            if hand[0] not in self.setup["menu"]:
                return "not_final"
            return None if "delivery" in near else "unreachable"
        if verb == "wait":
            return None
        inside: Any = self.pots.get(words[-1])
        makes = inside is not None and inside["makes"] is not None
        if verb == "pickup":
            food, place = words
            plated = food in self.setup["plated"] and place[-1].isdigit()
            if makes and inside["time"] < 3:
                return "busy"
            if self.old and plated:
                if place[:-1] == ("oven" if food.endswith("patty") else "pot"):
                    return "needs_dish"
                plated = makes and inside["makes"] == food
            if place == "counter":
                if not any(self.lying.get(cell, (None,))[0] == food for cell in mine):
                    return "not_on_counter"
            elif place not in near:
                return "unreachable"
            if plated:
                return "needs_dish"
            if hand is not None:
                return "hands_full"
            if place[-1].isdigit() and not (makes and inside["makes"] == food):
                return "not_inside"
            return None
        if verb == "put_obj_in_utensil":
            if makes:
                return "busy" if inside["time"] < 3 else "ready"
            if words[0] not in near:
                return "unreachable"
            if self.old and all(cell in self.lying for cell in counters):
                return "no_counter"
            if hand is None:
                return "hands_empty"
            if hand[0] == "dish" or (hand[1] == "with_dish" and not self.old):
                return "dish_in_utensil"
            full = inside is not None and inside["count"] >= 3
            return "full" if full and not self.old else None
        if verb == "fill_dish_with_food":
            if self.order not in self.setup["plated"]:
                return "no_dish_needed"
            if hand is None or hand[1] != "dish":
                return "no_dish"
            if not makes:
                return "not_ready"
            return None if self.old or words[0] in near else "unreachable"
        if words[0] not in near:
            return "unreachable"
        if inside is None:
            return "empty"
        if makes:
            return "busy"
        return None if hand is None else "hands_full"

    def ground(self, cook: Any) -> tuple[str, str] | None:
        task = cook["task"]
        verb = task["verb"]
        if verb == "wait":
            return "stay", ""
        words = task["words"]
        sides = self.sides(cook)
        label = words[0] if verb == "pickup" else "[START]" if verb in VERBS else ""
        counters = [cell for cell in sides if self.map[cell] == "counter"]
        others = [each for each in self.cooks if each is not cook]
        common = {cell for each in others for cell in self.sides(each)}
        if verb == "place_obj_on_counter":
            free = [cell for cell in counters if cell not in self.lying]
            groups = [[c for c in free if c in common], [c for c in free if c not in common]]
        elif verb == "pickup" and words[1] == "counter":
            searched = list(self.lying) if self.old else counters
            some = [c for c in searched if c in counters and self.lying.get(c, "?")[0] == words[0]]
            groups = [[c for c in some if c not in common], some] if self.old else [some]
        else:
            place = "delivery" if verb == "deliver" else words[-1]
            groups = [[cell for cell in sides if self.map[cell] == place]]
        for group in groups:
            for blocked in ({each["at"] for each in others}, set()):
                found = self.way(cook, group, blocked)
                if found is None:
                    continue
                target, first = found
                if first:
                    return first, label
                inside: Any = self.pots.get(self.map[target])
                cooking = inside is not None and inside["makes"] is not None and inside["time"] < 3
                if verb == "fill_dish_with_food" and cooking:
                    return "stay", label
                return "interact", label
        return None

    def way(self, cook: Any, cells: list[Any], blocked: set[Any]) -> tuple[Any, str] | None:
        """Return the nearest cell, and the first step to it; empty if the cook faces it."""
        rank = {cell: number for number, cell in enumerate(self.ranked(cook, cells))}
        best: tuple[int, int, Any, str] | None = None
        for cell in cells:
            level = {(cook["at"], cook["way"]): ""}
            seen = dict(level)
            cost = 0
            while level:
                hits = [first for (at, way), first in level.items() if self.front(at, way) == cell]
                if hits:
                    found = (cost, rank[cell], cell, hits[0])
                    best = found if best is None or found[:2] < best[:2] else best
                    break
                following = {}
                for (at, _), first in level.items():
                    for letter in AROUND:
                        there = self.front(at, letter)
                        pose = (there if there in self.floor else at, letter)
                        if pose[0] in blocked or pose in seen:
                            continue
                        seen[pose] = following[pose] = first or letter
                level, cost = following, cost + 1
        return None if best is None else (best[2], best[3])

    def ranked(self, cook: Any, cells: list[Any]) -> list[Any]:
        """Return cells in the order in which equally near ones are taken: shared, then by place.

        In the original, counters with a thing come in the order in which things were put on them.
        """
        if self.old and cook["task"]["verb"] == "pickup" and set(cells) <= set(self.lying):
            return cells
        others = {c for each in self.cooks if each is not cook for c in self.sides(each)}
        if all(self.map[cell] == "counter" for cell in cells):
            return sorted(cells, key=lambda cell: (cell not in others, cell))
        return sorted(cells, key=lambda cell: (cell[1], cell[0]))

    def front(self, at: Any, way: str) -> Any:
        return at[0] + AROUND[way][0], at[1] + AROUND[way][1]

    def low(self, lows: list[tuple[str, str]]) -> None:
        started: list[str] = []
        broken: list[str] = []
        for cook, (move, label) in zip(self.cooks, lows, strict=True):
            if move == "interact":
                event = self.touch(cook, label, started, broken)
                if event:
                    cook["log"].append(event)
        self.walk([move for move, _ in lows])
        for name, inside in self.pots.items():
            if inside["makes"] is not None and inside["time"] < 3:
                inside["time"] += 1
                if self.old and name in started[-1:]:
                    break
        for cook in self.cooks:
            if cook["task"] and self.is_done(cook, broken):
                cook["task"] = None

    def walk(self, moves: list[str]) -> None:
        was = [cook["at"] for cook in self.cooks]
        goes = list(was)
        for number, (cook, move) in enumerate(zip(self.cooks, moves, strict=True)):
            if move in AROUND:
                cook["way"] = move
                there = self.front(cook["at"], move)
                goes[number] = there if there in self.floor else cook["at"]
        crossed = any(
            goes[a] == was[b] and goes[b] == was[a] for a in range(len(was)) for b in range(a)
        )
        if len(set(goes)) == len(goes) and not crossed:
            for cook, there in zip(self.cooks, goes, strict=True):
                cook["at"] = there

    def touch(self, cook: Any, label: str, started: list[str], broken: list[str]) -> str | None:
        cell = self.front(cook["at"], cook["way"])
        name, hand = self.map.get(cell, ""), cook["hand"]
        if name == "counter":
            there = self.lying.get(cell)
            if hand and not there:
                self.lying[cell], cook["hand"] = hand, None
                return "place_obj_on_counter()"
            if there and not hand:
                cook["hand"] = self.lying.pop(cell)
                return f"pickup({there[0]}, counter)"
            return None
        if name == "ingredient_dispenser" and not hand:
            cook["hand"] = (label, "ingredient")
            return f"pickup({label}, {name})"
        if name == "dish_dispenser" and not hand:
            cook["hand"] = ("dish", "dish")
            return f"pickup(dish, {name})"
        if name == "delivery" and hand and hand[0] != "dish":
            dished = hand[1] == "with_dish" or self.order not in self.setup["plated"]
            self.won = self.won or (hand[0] == self.order and dished)
            cook["hand"] = None
            return "deliver()"
        if not name[-1:].isdigit():
            return None
        inside = self.pots.get(name)
        if label == "[START]" and inside and inside["makes"] is None:
            verb = next(verb for verb, kind in VERBS.items() if kind == name[:-1])
            made = self.recipes.get((name[:-1], tuple(sorted(inside["items"]))))
            if made is not None or not (self.old and broken):
                if made is None:
                    del self.pots[name]
                    broken.append(name)
                else:
                    inside.update(makes=made, time=0, items=[])
                    started.append(name)
            return f"{verb}({name})"
        if hand is None:
            if inside and inside["makes"] == label and inside["time"] >= 3:
                del self.pots[name]
                cook["hand"] = (label, "ingredient")
                return f"pickup({label}, {name})"
            return None
        if hand[0] == "dish":
            if inside and inside["makes"] and inside["time"] >= 3:
                del self.pots[name]
                cook["hand"] = (inside["makes"], "with_dish", inside["count"])
                return f"fill_dish_with_food({name})"
            return None
        if inside and inside["makes"] is not None:
            return None
        inside = self.pots.setdefault(name, {"items": [], "count": 0, "makes": None, "time": 0})
        if inside["count"] < 3:
            inside["items"].append(hand[0])
            inside["count"] += 1
            cook["hand"] = None
        return f"put_obj_in_utensil({name})"

    def is_done(self, cook: Any, broken: list[str]) -> bool:
        task, hand = cook["task"], cook["hand"]
        verb = task["verb"]
        if verb == "wait":
            task["left"] -= 1
            return bool(task["left"] == 0)
        if verb == "pickup":
            return hand is not None and hand[0] == task["words"][0]
        if verb in ("put_obj_in_utensil", "place_obj_on_counter", "deliver"):
            return hand is None
        if verb == "fill_dish_with_food":
            if self.old:
                return hand is not None and self.order in hand[0]
            return hand is not None and hand[1] == "with_dish"
        name = task["words"][0]
        inside = self.pots.get(name)
        if inside and inside["makes"] is not None:
            return True
        return bool(broken) if self.old else name in broken

    def told(self) -> dict[str, Any]:
        """Return what can be compared with the first engine's dump."""
        cooks = {}
        lying = [[*c, *[*i, 0][:3]] for c, i in self.lying.items()]
        for name, cook in zip(self.setup["cooks"], self.cooks, strict=True):
            task = cook["task"]
            cooks[name] = {
                "at": list(cook["at"]),
                "facing": cook["way"],
                "holds": cook["hand"] and [*cook["hand"], 0][:3],
                "doing": task and task["text"],
                "left": task.get("left", 0) if task else 0,
                "done": cook["log"],
            }
        return {
            "cooks": cooks,
            "served": self.won,
            "counters": lying if self.old else sorted(lying),
            "utensils": [
                [name, p["items"], p["count"], p["makes"], p["time"]]
                for name, p in self.pots.items()
            ],
        }
