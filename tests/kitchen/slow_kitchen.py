"""A second simulator, slow and plain, written from docs/explanation/kitchen-rules.md alone.

It is meant to be read against that page, heading by heading. It imports nothing of the project:
plain data goes in (dicts, lists, text), plain data comes out.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

# A food: {"what": "food", "name": "potato" or "", "parts": [foods], "steps": [["peel", 1], ...]}
# A plate: {"what": "plate"}.  A dish: {"what": "dish", "components": [foods]}.
Thing = dict[str, Any]

ROLES = {
    "pantry": "dispenser",
    "fridge": "dispenser",
    "plates": "dispenser",
    "counter": "counter",
    "board": "tool",
    "mixer": "tool",
    "plating": "tool",
    "grill": "appliance",
    "pan": "appliance",
    "fryer": "appliance",
    "pot": "appliance",
    "oven": "appliance",
    "pass": "pass",
    "bin": "bin",
    "aisle": "aisle",
}
TOOL_PROCESSES = {
    "board": ["chop", "slice", "peel", "grate"],
    "mixer": ["mix", "blend", "knead"],
    "plating": ["assemble"],
}
APPLIANCE_PROCESS = {
    "grill": "grill",
    "pan": "fry",
    "fryer": "deep-fry",
    "pot": "boil",
    "oven": "bake",
}
VESSELS = ["pot", "pan"]
ATTENDED = ["chop", "slice", "peel", "grate", "mix", "blend", "knead", "assemble"]


# ------------------------------------------------------------------------------------- Things


def raw(name: str) -> Thing:
    return {"what": "food", "name": name, "parts": [], "steps": []}


def do_process(food: Thing, process: str, minutes: int) -> None:
    if minutes == 0:
        return
    if food["steps"] and food["steps"][-1][0] == process:
        food["steps"][-1][1] += minutes
    else:
        food["steps"].append([process, minutes])


def join(foods: list[Thing]) -> Thing:
    if len(foods) == 1:
        return foods[0]
    return {"what": "food", "name": "", "parts": list(foods), "steps": []}


def ingredients_in(food: Thing) -> list[str]:
    if not food["parts"]:
        return [food["name"]]
    names = []
    for part in food["parts"]:
        names += ingredients_in(part)
    return names


def name_of(thing: Thing) -> str:
    if thing["what"] in ("plate", "dish"):
        return str(thing["what"])
    return "+".join(sorted(set(ingredients_in(thing))))


def text_of(thing: Thing) -> str:
    if thing["what"] == "plate":
        return "plate"
    if thing["what"] == "dish":
        return "dish[" + "; ".join(sorted(text_of(food) for food in thing["components"])) + "]"
    if thing["parts"]:
        text = "(" + " + ".join(sorted(text_of(part) for part in thing["parts"])) + ")"
    else:
        text = thing["name"]
    for process, minutes in thing["steps"]:
        text += f" > {process} {minutes}"
    return str(text)


# ---------------------------------------------------------------------------- Actions in text


def is_name(text: str) -> bool:
    """One or more words with one space between two words."""
    for word in text.split(" "):
        if word == "":
            return False
        for character in word:
            if character.isspace() or character in "(),":
                return False
    return True


def is_number(text: str) -> bool:
    return 1 <= len(text) <= 3 and all(c in "0123456789" for c in text) and text[0] != "0"


def is_food(text: str) -> bool:
    return is_name(text) and not text.startswith("slot")


def is_slot(text: str) -> bool:
    return text.startswith("slot ") and is_number(text[len("slot ") :])


def read_action(text: str | None) -> tuple[str, dict[str, Any]] | None:
    """Return the verb and its arguments; None for an unreadable action."""
    if text is None:
        return None
    if text in [*ATTENDED, "place", "start", "discard", "wait"]:
        return text, {}
    if text == "pick":
        return "pick", {"food": None, "slot": None}
    if not text.endswith(")"):
        return None
    for verb, key in [("navigate", "station"), ("serve", "line")]:
        if text.startswith(verb + "("):
            inside = text[len(verb) + 1 : -1]
            return (verb, {key: inside}) if is_name(inside) else None
    if text.startswith("pick("):
        inside = text[len("pick(") : -1]
        if is_slot(inside):
            return "pick", {"food": None, "slot": int(inside[len("slot ") :])}
        if is_food(inside):
            return "pick", {"food": inside, "slot": None}
        food, comma, slot = inside.partition(", ")
        if comma and is_food(food) and is_slot(slot):
            return "pick", {"food": food, "slot": int(slot[len("slot ") :])}
    return None


# ------------------------------------------------------------------------------------ Kitchen


class SlowKitchen:
    def __init__(
        self,
        stations: dict[str, tuple[str, int, int | None]],
        larder: dict[str, str],
        menu: list[str],
        workers: list[str],
        stock: dict[str, int],
    ) -> None:
        """stations: name -> (kind, number of slots, room; None is any number of workers)."""
        self.t = 0
        self.kind = {name: kind for name, (kind, _, _) in stations.items()}
        self.room = {name: room for name, (_, _, room) in stations.items()}
        # A slot is None or {"thing": thing, "minutes": None (clock off) or minutes on the clock}.
        # Minutes are counted one by one here: a started clock counts every timestep in service.
        self.slots: dict[str, list[dict[str, Any] | None]] = {
            name: [None] * slots for name, (_, slots, _) in stations.items()
        }
        self.larder = dict(larder)
        self.larder["plate"] = "plates"
        self.menu = list(menu)
        self.workers = list(workers)
        self.stock = dict(stock)
        self.aisle = next(name for name in stations if self.kind[name] == "aisle")
        self.at = dict.fromkeys(workers, self.aisle)
        self.hand: dict[str, Thing | None] = dict.fromkeys(workers)
        self.back_at: dict[str, int] = {}  # station or worker out of service -> back in service
        self.lines: dict[str, dict[str, Any]] = {}
        self.orders: dict[str, list[str]] = {}

    def role(self, station: str) -> str:
        return ROLES[self.kind[station]]

    # ----------------------------------------------------------------------- A timestep, 1.

    def event(self, event: dict[str, Any]) -> str | None:
        """Apply an event now; return the reason if it is refused."""
        kind = event["kind"]
        if kind == "new_order":
            return self.new_order(event["order"], event["lines"], event["due"])
        if kind == "add_line":
            return self.add_line(event["order"], event["item"], event["note"])
        if kind == "remove_line":
            return self.remove_line(event["line"])
        if kind == "change_line":
            return self.change_line(event["line"], event["note"])
        if kind == "cancel_order":
            return self.cancel_order(event["order"])
        if kind == "fault":
            return self.fault(event.get("station"), event.get("worker"), event["timesteps"])
        raise ValueError(kind)

    # ------------------------------------------------------------------- A timestep, 2. - 4.

    def step(self, actions: dict[str, str]) -> dict[str, str | None]:
        """Carry out one timestep; return for every worker None (done) or the reason of the FAIL."""
        outcomes: dict[str, str | None] = {}
        read = {worker: read_action(actions.get(worker)) for worker in self.workers}

        # 2. Everybody who navigates leaves and arrives.
        goals = {}
        for worker in self.workers:
            action = read[worker]
            if action is not None and action[0] == "navigate":
                goals[worker] = action[1]["station"]
        outcomes.update(self.navigate(goals))

        # 3. Everybody else acts, one after the other.
        for worker in self.workers:
            if worker not in goals:
                outcomes[worker] = self.act(worker, read[worker])

        self.forget()

        # 4. It is timestep t + 1. A clock of a station in service has counted this minute.
        self.t += 1
        for station in self.kind:
            for slot in self.slots[station]:
                if slot is not None and slot["minutes"] is not None and station not in self.back_at:
                    slot["minutes"] += 1
        for name in list(self.back_at):
            if self.back_at[name] == self.t:
                del self.back_at[name]
        return {worker: outcomes[worker] for worker in self.workers}

    def navigate(self, goals: dict[str, str]) -> dict[str, str | None]:
        outcomes: dict[str, str | None] = {}
        on_the_way = []
        for worker in self.workers:
            if worker not in goals:
                continue
            if worker in self.back_at:
                outcomes[worker] = "out_of_service"
            elif goals[worker] not in self.kind:
                outcomes[worker] = "unknown_station"
            elif goals[worker] == self.at[worker]:
                outcomes[worker] = None
            else:
                on_the_way.append(worker)

        while True:
            now_at = {w: self.at[w] for w in self.workers if w not in on_the_way}
            failed = []
            for worker in on_the_way:
                goal = goals[worker]
                there = list(now_at.values()).count(goal)
                room = self.room[goal]
                if room is None or there < room:
                    now_at[worker] = goal
                else:
                    failed.append(worker)
                    now_at[worker] = self.at[worker]
            if not failed:
                break
            for worker in failed:
                on_the_way.remove(worker)
                outcomes[worker] = "occupied"

        for worker in on_the_way:
            self.at[worker] = goals[worker]
            outcomes[worker] = None
        return outcomes

    def act(self, worker: str, action: tuple[str, dict[str, Any]] | None) -> str | None:
        if action is None:
            return "no_action"
        verb, given = action
        if verb == "wait":
            return None
        if worker in self.back_at:
            return "out_of_service"
        here = self.at[worker]
        if verb == "pick":
            return self.pick(worker, here, given["food"], given["slot"])
        if verb == "place":
            return self.place(worker, here)
        if verb == "start":
            return self.start(worker, here)
        if verb == "serve":
            return self.serve(worker, here, given["line"])
        if verb == "discard":
            return self.discard(worker, here)
        if verb == "assemble":
            return self.assemble(worker, here)
        return self.work(worker, here, verb)

    # ------------------------------------------------------------------------------- pick

    def pick(self, worker: str, here: str, food: str | None, number: int | None) -> str | None:
        if self.role(here) not in ["dispenser", "counter", "tool", "appliance"]:
            return "wrong_station"
        if self.hand[worker] is not None:
            return "hands_full"
        if self.role(here) == "dispenser":
            return self.pick_at_dispenser(worker, here, food, number)
        return self.pick_elsewhere(worker, here, food, number)

    def pick_at_dispenser(
        self, worker: str, here: str, food: str | None, number: int | None
    ) -> str | None:
        if here in self.back_at:
            return "out_of_service"
        if number is not None:
            return "not_here"
        if food is None and self.kind[here] == "plates":
            food = "plate"
        if food is None or self.larder.get(food) != self.kind[here]:
            return "not_here"
        if food in self.stock:
            if self.stock[food] == 0:
                return "out_of_stock"
            self.stock[food] -= 1
        self.hand[worker] = {"what": "plate"} if food == "plate" else raw(food)
        return None

    def pick_elsewhere(
        self, worker: str, here: str, food: str | None, number: int | None
    ) -> str | None:
        for thing, slots in self.things_at(here):
            if number is not None and number != slots[0]:
                continue
            if food is not None and food != name_of(thing):
                continue
            self.hand[worker] = thing
            for slot in slots:
                self.slots[here][slot - 1] = None
            return None
        return "not_here"

    def things_at(self, here: str) -> list[tuple[Thing, list[int]]]:
        """Return the foods at this place by their lowest slots."""
        singles: list[tuple[Thing, list[int]]] = []
        cooked_here: list[Thing] = []
        their_slots: list[int] = []
        for number, slot in enumerate(self.slots[here], start=1):
            if slot is None:
                continue
            thing = deepcopy(slot["thing"])
            if slot["minutes"]:
                do_process(thing, APPLIANCE_PROCESS[self.kind[here]], slot["minutes"])
            if slot["minutes"] and self.kind[here] in VESSELS:
                cooked_here.append(thing)
                their_slots.append(number)
            else:
                singles.append((thing, [number]))
        if cooked_here:
            singles.append((join(cooked_here), their_slots))
        return sorted(singles, key=lambda single: single[1][0])

    # ------------------------------------------------------------------------------ place

    def place(self, worker: str, here: str) -> str | None:
        if self.role(here) not in ["counter", "tool", "appliance"]:
            return "wrong_station"
        thing = self.hand[worker]
        if thing is None:
            return "hands_empty"
        if here in self.back_at:
            return "out_of_service"
        if self.kind[here] not in ["counter", "plating"] and thing["what"] != "food":
            return "unsuitable"
        if None not in self.slots[here]:
            return "no_room"
        if self.kind[here] == "plating":
            lying = [slot["thing"]["what"] for slot in self.slots[here] if slot is not None]
            if thing["what"] == "dish" and lying:
                return "no_room"
            if "dish" in lying:
                return "no_room"
            if thing["what"] == "plate" and "plate" in lying:
                return "no_room"
        lowest = self.slots[here].index(None)
        self.slots[here][lowest] = {"thing": thing, "minutes": None}
        self.hand[worker] = None
        return None

    # ----------------------------------------------- chop, slice, peel, ..., knead, assemble

    def before_work(self, worker: str, here: str, process: str) -> str | None:
        if process not in TOOL_PROCESSES.get(self.kind[here], []):
            return "wrong_station"
        if self.hand[worker] is not None:
            return "hands_full"
        if here in self.back_at:
            return "out_of_service"
        return None

    def only_in_slot_1(self, here: str, thing: Thing) -> None:
        self.slots[here] = [None for _ in self.slots[here]]
        self.slots[here][0] = {"thing": thing, "minutes": None}

    def assemble(self, worker: str, here: str) -> str | None:
        reason = self.before_work(worker, here, "assemble")
        if reason is not None:
            return reason
        lying = [slot["thing"] for slot in self.slots[here] if slot is not None]
        foods = [thing for thing in lying if thing["what"] == "food"]
        plates = [thing for thing in lying if thing["what"] == "plate"]
        if plates:
            if len(foods) < 1:
                return "nothing_to_do"
            self.only_in_slot_1(here, {"what": "dish", "components": foods})
        else:
            if len(foods) < 2:
                return "nothing_to_do"
            joined = join(foods)
            do_process(joined, "assemble", 1)
            self.only_in_slot_1(here, joined)
        return None

    def work(self, worker: str, here: str, process: str) -> str | None:
        reason = self.before_work(worker, here, process)
        if reason is not None:
            return reason
        foods = [slot["thing"] for slot in self.slots[here] if slot is not None]
        if not foods:
            return "nothing_to_do"
        joined = join(foods)
        do_process(joined, process, 1)
        self.only_in_slot_1(here, joined)
        return None

    # ------------------------------------------------------------------------------ start

    def start(self, worker: str, here: str) -> str | None:
        if self.role(here) != "appliance":
            return "wrong_station"
        if self.hand[worker] is not None:
            return "hands_full"
        if here in self.back_at:
            return "out_of_service"
        off = [slot for slot in self.slots[here] if slot is not None and slot["minutes"] is None]
        if not off:
            return "nothing_to_do"
        for slot in off:
            slot["minutes"] = 0
        return None

    # --------------------------------------------------------------------- serve, discard

    def serve(self, worker: str, here: str, line: str) -> str | None:
        if self.role(here) != "pass":
            return "wrong_station"
        thing = self.hand[worker]
        if thing is None:
            return "hands_empty"
        if here in self.back_at:
            return "out_of_service"
        if thing["what"] != "dish":
            return "unsuitable"
        if line not in self.lines:
            return "unknown_line"
        if self.lines[line]["status"] != "open":
            return "closed_line"
        self.lines[line]["status"] = "served"
        self.lines[line]["served_at"] = self.lines[line]["closed_at"] = self.t
        self.hand[worker] = None
        return None

    def discard(self, worker: str, here: str) -> str | None:
        if self.role(here) != "bin":
            return "wrong_station"
        if self.hand[worker] is None:
            return "hands_empty"
        if here in self.back_at:
            return "out_of_service"
        self.hand[worker] = None
        return None

    # ----------------------------------------------------------------------------- Orders

    def open_line(self, order: str, item: str, note: str, due: int) -> None:
        line = f"{order}.{len(self.orders[order]) + 1}"
        self.orders[order].append(line)
        self.lines[line] = {
            "item": item,
            "note": note,
            "due": due,
            "status": "open",
            "served_at": None,
            "closed_at": None,
        }

    def forget(self) -> None:
        """Forget orders that were closed long ago, as the page describes under Orders."""
        served_now = [n for n, line in self.lines.items() if line["served_at"] == self.t]
        closed = {
            name
            for name, line in self.lines.items()
            if line["status"] != "open" and name not in served_now
        }
        over = [
            (max(self.lines[name]["closed_at"] for name in names), place, order)
            for place, (order, names) in enumerate(self.orders.items())
            if all(name in closed and self.lines[name]["closed_at"] < self.t for name in names)
        ]
        for _, _, order in sorted(over):
            if len(closed) <= 12:
                break
            for name in self.orders.pop(order):
                closed.remove(name)
                del self.lines[name]

    def new_order(self, order: str, lines: list[dict[str, str]], due: int) -> str | None:
        if order in self.orders:
            return "order of that name"
        for line in lines:
            if line["item"] not in self.menu:
                return "not on the menu"
        self.orders[order] = []
        for line in lines:
            self.open_line(order, line["item"], line["note"], due)
        return None

    def add_line(self, order: str, item: str, note: str) -> str | None:
        if order not in self.orders:
            return "no such order"
        if all(self.lines[line]["status"] == "cancelled" for line in self.orders[order]):
            return "all cancelled"
        if item not in self.menu:
            return "not on the menu"
        first = self.orders[order][0]
        self.open_line(order, item, note, self.lines[first]["due"])
        return None

    def remove_line(self, line: str) -> str | None:
        if line not in self.lines:
            return "no such line"
        if self.lines[line]["status"] != "open":
            return "not open"
        self.cancel(line)
        return None

    def cancel(self, line: str) -> None:
        self.lines[line]["status"] = "cancelled"
        self.lines[line]["closed_at"] = self.t

    def change_line(self, line: str, note: str) -> str | None:
        if line not in self.lines:
            return "no such line"
        if self.lines[line]["status"] != "open":
            return "not open"
        self.lines[line]["note"] = note
        return None

    def cancel_order(self, order: str) -> str | None:
        its_open = [
            line for line in self.orders.get(order, []) if self.lines[line]["status"] == "open"
        ]
        if not its_open:
            return "no open lines"
        for line in its_open:
            self.cancel(line)
        return None

    # ----------------------------------------------------------------------------- Faults

    def fault(self, station: str | None, worker: str | None, timesteps: int) -> str | None:
        if station is not None and station not in self.kind:
            return "no station of the name"
        if worker is not None and worker not in self.workers:
            return "no worker of the name"
        for name in [station, worker]:
            if name is not None:
                self.back_at[name] = max(self.back_at.get(name, 0), self.t + timesteps)
        if worker is not None:
            self.at[worker] = self.aisle
        return None

    # --------------------------------------------------------------------------- Snapshot

    def snapshot(self) -> dict[str, Any]:
        """Return the whole state as plain data: foods as text, clocks as minutes."""
        return {
            "timestep": self.t,
            "workers": {
                worker: {
                    "at": self.at[worker],
                    "hand": None if (thing := self.hand[worker]) is None else text_of(thing),
                    "back_at": self.back_at.get(worker),
                }
                for worker in self.workers
            },
            "stations": {
                station: {
                    "slots": [
                        None if slot is None else [text_of(slot["thing"]), slot["minutes"]]
                        for slot in self.slots[station]
                    ],
                    "back_at": self.back_at.get(station),
                }
                for station in self.kind
            },
            "lines": {line: dict(data) for line, data in self.lines.items()},
            "stock": dict(self.stock),
        }
