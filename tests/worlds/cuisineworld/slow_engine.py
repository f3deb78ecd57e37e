"""A second engine, written from the facts alone: slow, mutable, one word after the other.

It shares no code with the first but the reading of the book. A command is answered by listing what
is wrong with it in the order of the original; it is carried out if the list is empty. `reached`
counts how often each of the original's oddities was met.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from cookmas.worlds.cuisineworld.rules.book import book
from cookmas.worlds.cuisineworld.rules.engine import CuisineTask
from cookmas.worlds.cuisineworld.rules.kitchen import CuisineState

WAITS = {"chopboard": 1, "mixer": 0, "blender": 2, "pan": 2, "fryer": 2}
WAITS |= {"pot": 3, "steamer": 3, "oven": 3}


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
        self.people: list[dict[str, Any]] = [
            {"at": "servingtable0", "hand": None} for _ in range(agents)
        ]
        self.tickets: list[list[Any]] = []
        self.done: list[str] = []
        self.lost: list[str] = []
        self.losses = 0
        self.reached: Counter[str] = Counter()
        self.new_ticket()

    def new_ticket(self) -> None:
        if self.coming:
            dish = self.coming.pop(0)
            self.tickets.append([self.lifetimes[dish], dish])

    def level_recipes(self, kind: str) -> list[tuple[str, list[str]]]:
        """Return everything that this kind of tool makes on the way to a dish of the level."""
        reached: list[str] = []
        ask = list(self.dishes)
        while ask:
            name = ask.pop()
            if name in self.recipes and name not in reached:
                reached.append(name)
                ask.extend(self.recipes[name][1])
        return [(name, self.recipes[name][1]) for name in reached if self.recipes[name][0] == kind]

    # A timestep.

    def step(self, commands: list[str]) -> tuple[list[bool], list[str]]:
        try:
            orders = self.understand(commands)
        except MalformedError as fault:
            self.reached[f"list refused: {fault.why}"] += 1
            answers = [] if fault.why == "too_many_words" else [fault.why]
            fine = [False] * len(commands)
        else:
            answers, fine = [], []
            if orders and {verb for verb, *_ in orders} == {"noop"}:
                self.reached["all idle"] += 1
                answers.append("all_idle")
            for verb, number, place, item in orders:
                wrong = self.obey(verb, self.people[number], place, item)
                answers += wrong
                fine.append(not wrong)
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

    def close_tickets(self) -> None:
        on_table = self.tools["servingtable0"]["items"]
        stay, lost, served = [], 0, 0
        for ticket in self.tickets:
            if ticket[0] == 0:
                self.lost.append(ticket[1])
                lost += 1
            elif ticket[1] in on_table:
                on_table.remove(ticket[1])
                self.done.append(ticket[1])
                served += 1
            else:
                stay.append(ticket)
        self.tickets = stay
        self.losses += lost > 0
        self.reached["orders fail together"] += lost > 1
        self.reached["orders served together"] += served > 1

    # A list is read: the first fault refuses all of it.

    def understand(self, commands: list[str]) -> list[tuple[str, int, str, str]]:
        """Return verb, agent, place and item of each command; "" for a missing word."""
        orders = [self.read(command.split("_")) for command in commands]
        numbers = [number for _, number, _, _ in orders]
        for number in numbers:
            if numbers.count(number) != 1:
                raise MalformedError("repeated_agent")
        for verb, number, place, _ in orders:
            # The original crashes on these two; they are ours.
            if number not in range(-len(self.people), len(self.people)):
                raise MalformedError("unknown_agent")
            if verb != "noop" and not place:
                raise MalformedError("word_count")
        return orders

    def read(self, words: list[str]) -> tuple[str, int, str, str]:
        unknown_verb = words[0] not in ("goto", "get", "put", "activate", "noop")
        if len(words) not in (2, 3, 4):
            self.reached["unknown verb with too many words"] += unknown_verb and len(words) > 4
            raise MalformedError("word_count")
        if unknown_verb:
            raise MalformedError("unknown_verb")
        try:
            number = int("".join(words[1].split("agent")))
        except ValueError:
            raise MalformedError("unknown_agent") from None
        self.reached["agent by its bare number"] += not words[1].startswith("agent")
        self.reached["agent counted from the last"] += number < 0
        if len(words) == 2:
            return words[0], number, "", ""
        place = words[-1]
        item = words[2] if len(words) == 4 else ""
        if len(words) == 4 and words[0] in ("goto", "noop", "activate"):
            self.reached[f"{words[0]} with an item"] += 1
            self.reached["an item and no such place"] += place not in self.tools
            raise MalformedError("too_many_words")
        if place not in self.tools:
            self.reached["noop at no such place"] += words[0] == "noop"
            raise MalformedError("unknown_place")
        return words[0], number, place, item

    # A command is carried out unless something is wrong with it.

    def obey(self, verb: str, person: Any, place: str, item: str) -> list[str]:
        if verb == "noop":
            return []
        if verb == "goto":
            person["at"] = place
            return []
        if person["at"] != place:
            return ["elsewhere"]
        tool = self.tools[place]
        kind = place.rstrip("0123456789")
        if verb == "get":
            return self.get(person, tool, kind, item)
        if verb == "put":
            self.reached["put names an item"] += bool(item)
            return self.put(person, tool, kind)
        return self.activate(person, tool, kind)

    def get(self, person: Any, tool: Any, kind: str, item: str) -> list[str]:
        items = tool["items"]
        if kind not in ("storage", "chopboard") and not self.finished(kind, items):
            if tool["items"] and person["hand"]:
                self.reached["get of nothing finished with full hands"] += 1
            return ["not_to_take"]
        wrong = self.hands_and_place(person, tool)
        if kind == "chopboard" and not items and wrong:
            self.reached["full hands get from an empty chopboard"] += 1
        if len(wrong) == 2:
            self.reached["full hands get from an occupied tool"] += 1
        if wrong:
            return wrong
        if kind == "storage":
            if item not in self.base:
                self.reached["storage is asked for no item"] += item == ""
                return ["no_ingredient"]
            person["hand"] = item
        elif not items:
            return ["nothing_inside"]
        else:
            self.reached["get names an item at a tool"] += bool(item)
            person["hand"] = items.pop()
        return []

    def hands_and_place(self, person: Any, tool: Any) -> list[str]:
        wrong = []
        if person["hand"] is not None:
            wrong.append("hands_full")
        if tool["left"] > 0:
            wrong.append("occupied")
        return wrong

    def finished(self, kind: str, items: list[str]) -> bool:
        return len(items) == 1 and items[0] in [name for name, _ in self.level_recipes(kind)]

    def put(self, person: Any, tool: Any, kind: str) -> list[str]:
        items, hand = tool["items"], person["hand"]
        swallowed = kind in WAITS and hand in items
        if hand is not None and kind == "servingtable" and hand not in self.dishes:
            return ["not_a_dish"]
        inputs = [set(inputs) for _, inputs in self.level_recipes(kind)]
        fits = swallowed or any({hand, *items} <= each for each in inputs)
        if hand is not None and kind in WAITS and not fits:
            self.reached["a wrong item for an occupied tool"] += tool["left"] > 0
            self.reached["a wrong item for a full chopboard"] += (
                kind == "chopboard" and tool["left"] == 0 and items != []
            )
            return ["no_recipe"]
        wrong = []
        if hand is None:
            wrong.append("hands_empty")
        if tool["left"] > 0:
            wrong.append("occupied")
        if kind in WAITS and len(items) == (1 if kind == "chopboard" else 5) and not swallowed:
            wrong.append("no_room")
        if len(wrong) > 1:
            self.reached[f"put is answered {' and '.join(wrong)}"] += 1
        if wrong:
            self.reached["a same item for an occupied tool"] += swallowed
            return wrong
        if swallowed:
            what = "a product" if self.finished(kind, items) else "an ingredient"
            where = "a chopboard" if kind == "chopboard" else "another tool"
            self.reached[f"{where} swallows {what}"] += 1
        elif kind != "storage":
            self.reached["the table keeps two of a dish"] += hand in items
            items.append(hand)
        person["hand"] = None
        return []

    def activate(self, person: Any, tool: Any, kind: str) -> list[str]:
        items = tool["items"]
        wrong = self.hands_and_place(person, tool)
        if not items:
            wrong.append("nothing_inside")
        if len(wrong) > 1:
            self.reached[f"activate is answered {' and '.join(wrong)}"] += 1
        if wrong:
            return wrong
        for name, inputs in self.level_recipes(kind):
            if sorted(inputs) == sorted(items):
                tool["items"][:] = [name]
                tool["left"] = WAITS[kind]
                return []
        return ["no_recipe"]


class MalformedError(Exception):
    """A list that is rejected as a whole, with the reason."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def slow_copy(task: CuisineTask, state: CuisineState) -> SlowEngine:
    """Return a slow engine in a state of timestep 0: agents, contents, occupation and orders."""
    kitchen = task.kitchen
    slow = SlowEngine(
        places=list(kitchen.places),
        recipes={
            product: (tool, inputs)
            for product, recipe in book().recipes.items()
            for tool, inputs in recipe.items()
        },
        dishes=list(kitchen.dishes),
        base=list(book().ingredients),
        agents=kitchen.agents,
        interval=kitchen.interval,
        lifetimes=dict(kitchen.lifetimes),
        stream=list(task.stream),
    )
    slow.people = [{"at": at, "hand": hand} for at, hand in state.agents]
    for place in slow.tools:
        items = list(state.inside.get(place, ()))
        slow.tools[place] = {"items": items, "left": state.busy.get(place, 0)}
    slow.tickets = [list(order) for order in state.orders]
    slow.coming = list(task.stream[state.arrived :])
    return slow
