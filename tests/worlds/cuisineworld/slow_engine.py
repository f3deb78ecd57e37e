"""A second engine, written from the rules alone: slow, mutable, one word after the other.

It shares no code with the first but the reading of the book. Everything is looked up anew at every
step, items are plain lists, and an answer is a word from the closed list of kinds.
"""

from __future__ import annotations

from typing import Any

WAITS = {"chopboard": 1, "mixer": 0, "blender": 2, "pan": 2, "fryer": 2}
WAITS |= {"pot": 3, "steamer": 3, "oven": 3}
ROOM = {kind: 1 if kind == "chopboard" else 5 for kind in WAITS}


class SlowEngine:
    def __init__(
        self,
        *,
        places: list[str],
        recipes: dict[str, tuple[str, list[str]]],
        dishes: list[str],
        base: list[str],
        agents: int,
        interval: int,
        lifetimes: dict[str, int],
        stream: list[str],
    ) -> None:
        self.recipes = recipes
        self.dishes = dishes
        self.base = base
        self.interval = interval
        self.lifetimes = lifetimes
        self.coming = list(stream)
        self.clock = 0
        self.tools: dict[str, dict[str, Any]] = {
            place: {"items": [], "left": 0} for place in places
        }
        self.people = [{"at": "servingtable0", "hand": None} for _ in range(agents)]
        self.tickets: list[list[Any]] = []
        self.done: list[str] = []
        self.lost: list[str] = []
        self.losses = 0
        self.new_ticket()

    def new_ticket(self) -> None:
        if self.coming:
            dish = self.coming.pop(0)
            self.tickets.append([self.lifetimes[dish], dish])

    def level_recipes(self, kind: str) -> list[tuple[str, list[str]]]:
        """Everything that this kind of tool makes on the way to a dish of the level."""
        reached: list[str] = []
        ask = list(self.dishes)
        while ask:
            name = ask.pop()
            if name in self.recipes and name not in reached:
                reached.append(name)
                ask.extend(self.recipes[name][1])
        return [(name, self.recipes[name][1]) for name in reached if self.recipes[name][0] == kind]

    def step(self, commands: list[str]) -> tuple[list[bool], list[str]]:
        answers: list[str] = []
        wrong = self.what_is_wrong(commands)
        if wrong is None:
            fine = [self.obey(command.split("_"), answers) for command in commands]
        else:
            answers.append(wrong)
            fine = [False for _ in commands]
        for tool in self.tools.values():
            if tool["left"] > 0:
                tool["left"] -= 1
        self.close_tickets()
        self.clock += 1
        for ticket in self.tickets:
            ticket[0] -= 1
        if self.clock % self.interval == 0:
            self.new_ticket()
        self.tickets.sort()
        return fine, answers

    def what_is_wrong(self, commands: list[str]) -> str | None:
        for command in commands:
            words = command.split("_")
            if words[0] not in ["goto", "get", "put", "activate", "noop"]:
                return "unknown_verb"
            needed = 2 if words[0] == "noop" else 3
            if len(words) < needed:
                return "too_few_words"
            if words[1] not in self.names():
                return "unknown_agent"
            if words[0] == "activate" and len(words) > 3:
                return "too_many_words"
            if len(words) > 2 and words[-1] not in self.tools:
                return "unknown_place"
        names = [command.split("_")[1] for command in commands]
        for name in names:
            if names.count(name) > 1:
                return "repeated_agent"
        return None

    def names(self) -> list[str]:
        return [f"agent{number}" for number in range(len(self.people))]

    def obey(self, words: list[str], answers: list[str]) -> bool:
        verb = words[0]
        if verb == "noop":
            return True
        person = self.people[self.names().index(words[1])]
        place = words[-1]
        if verb == "goto":
            person["at"] = place
            return True
        if person["at"] != place:
            answers.append("elsewhere")
            return False
        tool = self.tools[place]
        kind = place.rstrip("0123456789")
        if verb == "get":
            return self.take(person, tool, kind, words, answers)
        if verb == "put":
            return self.put(person, tool, kind, answers)
        return self.turn_on(person, tool, kind, answers)

    def take(self, person: Any, tool: Any, kind: str, words: list[str], answers: list[str]) -> bool:
        items = tool["items"]
        if tool["left"] > 0:
            answers.append("occupied")
        elif kind == "storage":
            if person["hand"] is not None:
                answers.append("hands_full")
            elif len(words) < 4 or words[2] not in self.base:
                answers.append("no_ingredient")
            else:
                person["hand"] = words[2]
                return True
        elif kind == "chopboard" and items == []:
            answers.append("nothing_inside")
        elif kind != "chopboard" and not self.is_product(kind, items):
            answers.append("not_to_take")
        elif person["hand"] is not None:
            answers.append("hands_full")
        else:
            person["hand"] = items.pop()
            return True
        return False

    def is_product(self, kind: str, items: list[str]) -> bool:
        return len(items) == 1 and items[0] in [name for name, _ in self.level_recipes(kind)]

    def put(self, person: Any, tool: Any, kind: str, answers: list[str]) -> bool:
        items, hand = tool["items"], person["hand"]
        if tool["left"] > 0:
            answers.append("occupied")
            return False
        if hand is None:
            answers.append("hands_empty")
            if kind in ROOM and len(items) >= ROOM[kind]:
                answers.append("no_room")
            return False
        if kind == "servingtable":
            if hand not in self.dishes:
                answers.append("no_recipe")
                return False
            items.append(hand)
        elif kind != "storage":
            fits = False
            for _, inputs in self.level_recipes(kind):
                if hand in inputs and all(item in inputs for item in items):
                    fits = True
            if not fits:
                answers.append("no_recipe")
                return False
            if len(items) >= ROOM[kind]:
                answers.append("no_room")
                return False
            if hand not in items:
                items.append(hand)
        person["hand"] = None
        return True

    def turn_on(self, person: Any, tool: Any, kind: str, answers: list[str]) -> bool:
        full = person["hand"] is not None
        if full:
            answers.append("hands_full")
        if tool["items"] == []:
            answers.append("nothing_inside")
            return False
        if full:
            return False
        if tool["left"] > 0:
            answers.append("occupied")
            return False
        for name, inputs in self.level_recipes(kind):
            if sorted(inputs) == sorted(tool["items"]):
                tool["items"][:] = [name]
                tool["left"] = WAITS[kind]
                return True
        answers.append("no_recipe")
        return False

    def close_tickets(self) -> None:
        on_table = self.tools["servingtable0"]["items"]
        stay = []
        lost = False
        for ticket in self.tickets:
            if ticket[0] == 0:
                self.lost.append(ticket[1])
                lost = True
            elif ticket[1] in on_table:
                on_table.remove(ticket[1])
                self.done.append(ticket[1])
            else:
                stay.append(ticket)
        self.tickets = stay
        if lost:
            self.losses += 1
