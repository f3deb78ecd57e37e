"""Limits of the worlds: kitchens, scenarios, layouts, menus."""

from __future__ import annotations

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from cookmas.api import load_scenario
from cookmas.files.errors import InputError, MissingError
from cookmas.files.reading import validate
from cookmas.kitchen.components import parse_component
from cookmas.kitchen.events import parse_event
from cookmas.kitchen.state import OrderLine, make_opening_state
from cookmas.kitchen.world import Restaurant
from cookmas.orchestrator.episode import episode_of
from cookmas.orchestrator.member import Team, Turn
from cookmas.scenarios.kitchens import build_kitchen, kitchen_path
from cookmas.scenarios.menu import load_menu, recipe_in
from cookmas.solving.restaurant.reading import times
from cookmas.solving.restaurant.reading.marking import sentences
from cookmas.solving.robotouille.kitchen_search import read_kitchen_dishes
from cookmas.world_names import domain_of
from cookmas.worlds.base.question_suite import QuestionLine, read_suite
from cookmas.worlds.collab_capture.world import CaptureLevel
from cookmas.worlds.collab_escape.world import EscapeLevel
from cookmas.worlds.collab_overcooked.domain import DOMAIN as COLLAB
from cookmas.worlds.corridor.domain import CorridorDomain
from cookmas.worlds.corridor.judging import ways
from cookmas.worlds.cuisineworld.rules.book import TaskBook, book
from cookmas.worlds.cuisineworld.scenario import CuisineFile
from cookmas.worlds.grids.grid import Grid
from cookmas.worlds.overcooked.rules.layout import StartState, read_layout
from cookmas.worlds.restaurant.desk import RestaurantDesk
from tests.limits.limit import Limit, text
from tests.worlds.robotouille.opened import level_of, world_of

KITCHEN = build_kitchen(kitchen_path("small"), load_menu())


def _nest_brackets(depth: int) -> None:
    parse_component("(butter + " * depth + "bread" + ")" * depth, {})


def _decline(size: int) -> str:
    why: str = Restaurant(KITCHEN).decline_event("o1.1", text(size))["why"]
    return why


def _order_lines(count: int) -> None:
    lines = [{"item": "Garden Salad"}] * count
    parse_event({"kind": "new_order", "order": "o1", "lines": lines})


def _note(size: int) -> None:
    parse_event({"kind": "change_line", "line": "o1.1", "note": text(size)})


def _load(events: int = 1, lines: int = 1, **more: Any) -> None:
    """Load a scenario with so many events, of which the first ones are orders for so many lines."""
    orders = [
        {
            "at": 0,
            "kind": "new_order",
            "order": f"o{first}",
            "lines": [{"item": "Garden Salad"}] * min(50, lines - first),
        }
        for first in range(0, lines, 50)
    ]
    changes = [
        {"at": number, "kind": "change_line", "line": "o0.1", "note": "No onion, please."}
        for number in range(1, events - len(orders) + 1)
    ]
    data = {"title": "x", "level": 3, "kitchen": "small", "events": [*orders, *changes], **more}
    Path("own.yaml").write_text(yaml.safe_dump(data))
    load_scenario("own.yaml")


def _fill_larder(count: int) -> None:
    folder = Path(f"menu-{count}")
    (folder / "recipes").mkdir(parents=True, exist_ok=True)
    (folder / "recipes" / "Toast.txt").write_text("Serve the bread.")
    ingredients = {"pantry": [f"food {number}" for number in range(count)], "fridge": ["butter"]}
    (folder / "menu.yaml").write_text(yaml.safe_dump({"ingredients": ingredients, "doneness": {}}))
    load_menu(folder)


def _read_recipe(size: int) -> None:
    Path("recipe.txt").write_text("x" * size)
    recipe_in(Path("recipe.txt"))


def _take_order(count: int) -> bool:
    """Return whether an order is taken that makes that many lines open."""
    lines = {f"o1.{line}": OrderLine("Garden Salad") for line in range(count - 1)}
    state = make_opening_state(KITCHEN)._replace(lines=lines)
    return RestaurantDesk(Restaurant(KITCHEN)).room(state)(
        {"kind": "new_order", "words": "Garden Salad"}
    )


def _validate_cuisine(**more: Any) -> None:
    validate(CuisineFile, {"kitchen": "level_1", **more}, "own.yaml")


def _add_recipes(count: int) -> None:
    _validate_cuisine(recipes={f"dish{number}": {"pot": ["tuna"]} for number in range(count)})


def _instruct(count: int) -> None:
    _validate_cuisine(instructions=[{"at": 0, "words": "be quick"}] * count)


def _chain_recipes(steps: int) -> None:
    """Make a book with a dish that takes that many steps, each on the food of the last."""
    data = book().model_dump()
    first = data["ingredients"][0]
    for step in range(steps):
        data["recipes"][f"food{step}"] = {"chopboard": [f"food{step - 1}" if step else first]}
    validate(TaskBook, data, "own.yaml")


def _building(world: str) -> dict[str, Any]:
    """Return the file of the map of a world of rooms, to be changed."""
    scenario: Any = load_scenario(f"{world}/building")
    data: dict[str, Any] = scenario.file.model_dump(mode="json")
    return data


def _add_rooms(count: int) -> None:
    ways = [
        [other for other in (room - 1, room + 1) if 0 < other <= count]
        for room in range(1, count + 1)
    ]
    validate(CaptureLevel, {**_building("collab-capture"), "ways": ways}, "own.yaml")


def _question(options: int) -> dict[str, Any]:
    """Return the line of a question with a number of options."""
    names = [f"option {number}" for number in range(options)]
    return {
        "name": "one",
        "of": "collab-capture",
        "place": "building",
        "seat": "alice",
        "setup_of": {},
        "state": {},
        "draw": 0,
        "kind": "mind",
        "about": "x",
        "form": "own",
        "question": "Which?",
        "options": names,
        "depth": 1,
        "margin": None,
        "right": names[:1],
        "proof": {},
    }


def _add_options(count: int) -> None:
    validate(QuestionLine, _question(count), "own.jsonl")


def _lengthen_question(size: int) -> None:
    validate(QuestionLine, {**_question(2), "question": "x" * size}, "own.jsonl")


def _read_questions(size: int) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "own.jsonl"
        lines = [{"suite": "", "seed": 0}, _question(2)]
        text = "".join(f"{json.dumps(line)}\n" for line in lines)
        lines[0]["suite"] = "x" * (size - len(text))
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        read_suite(path)


def _add_doors(count: int) -> None:
    door = {"between": [1, 2], "button": 1, "start": "open"}
    validate(CaptureLevel, {**_building("collab-capture"), "doors": [door] * count}, "own.yaml")


def _add_generators(count: int) -> None:
    generators = [*range(1, count + 1)]
    data = {**_building("collab-escape"), "generators": generators}
    validate(EscapeLevel, data, "own.yaml")


def _add_robots(count: int) -> bool:
    """Return whether the search that knows the kitchen plans for so many robots."""
    objects = {**level_of("two-robots/1").objects}
    kind, _ = objects.pop("robot2")
    more = {f"robot{number}": (kind, f"table{number}") for number in range(2, count + 1)}
    world = world_of("two-robots/1", objects={**objects, **more})
    assert len(world.workers) == count
    return read_kitchen_dishes(world) is not None


def _grid(columns: int, rows: int) -> None:
    middle = ["X1" + " " * (columns - 3) + "X"] + ["X" + " " * (columns - 2) + "X"] * (rows - 3)
    Grid.of_rows(["X" * columns, *middle, "X" * columns])


def _grids(size: int) -> None:
    for columns, rows in ((size, 4), (4, size)):
        _grid(columns, rows)


def _start_cooks(count: int) -> None:
    cook = {"position": [1, 1], "orientation": [0, -1]}
    validate(StartState, {"players": [cook] * count, "objects": []}, "own.layout")


def _read_layout(size: int) -> None:
    shown = "{'grid': 'XPXX\nO1 D\nX 2S\nXXXX'}".replace("\n", "\\n")
    Path("own.layout").write_text(shown + "\n" * (size - len(shown)))
    read_layout(Path("own.layout"))


def _wait(timesteps: int) -> None:
    world: Any = COLLAB.scenario(COLLAB.names()[0], {}).world()
    state = world.start()
    worker = world.workers[0]
    _, outcomes, _ = world.step(state, [(worker, f"wait({timesteps})")])
    if not outcomes[worker].done:
        raise InputError("wait", outcomes[worker].why)


def _wait_for_food(timesteps: int) -> None:
    world: Any = COLLAB.scenario(COLLAB.names()[0], {}).world()
    worker = world.workers[0]
    _, outcomes, _ = world.step(world.start(), [(worker, f"pickup(egg,counter,{timesteps})")])
    why = outcomes[worker].why or ""
    if "a pickup waits for" in why:
        raise InputError("pickup", why)


def _name_ignored(count: int) -> list[int]:
    """Return the ignored keys of a layout that its remark names, of so many."""
    lines = [f"'key_{number}': 0," for number in range(count)]
    Path("own.layout").write_text("{'grid': 'XPXX\\nO1 D\\nX 2S\\nXXXX'," + "".join(lines) + "}")
    world: Any = domain_of("overcooked").scenario("own.layout", {}).world()
    remarks = " ".join(read_layout(Path("own.layout")).remarks(world.kitchen))
    return [int(number) for number in re.findall(r"key_(\d+)", remarks)]


def _read_time(minutes: int) -> bool:
    (said,) = sentences(f"Boil for {minutes} minutes.")
    words = [token.text.casefold() for token in said.tokens]
    return times.time_at(said.tokens, words, words.index(str(minutes)))[1] is not None


async def _talk(turns: int) -> list[int]:
    """Return the turns in which a cook of Overcooked says something, of so many that it has."""

    class Chatting:
        async def turn(self, observation: Any) -> Turn:
            return Turn(say=str(len(observation.talk)), actions=None)

    settings = {"silent": "no", "horizon": "1"}
    scenario = domain_of("overcooked").scenario("cramped_room", settings)
    members: Any = {"alice": Chatting(), "bob": Chatting()}
    team = Team(name="chatting", planner_class="pure", members=members, rounds=turns)
    trace = await episode_of(scenario, team).run()
    said = [record for record in trace.records if record.kind == "message"]
    return list(range(sum(record.agent == "alice" for record in said)))


def _ways(count: int) -> bool:
    bells: Any = {str(number): {"ringer": None} for number in range(count)}
    return bool(ways(bells, ["walker_1"]))


def _list_names(count: int) -> bool:
    class Domain(CorridorDomain):
        def names(self, group: str | None = None) -> list[str]:
            return [str(number) for number in range(count)]

    try:
        Domain().find_shipped("nowhere")
    except MissingError as error:
        return "only 0, 1" in str(error)
    raise AssertionError


LIMITS = [
    Limit(
        name="kitchen.components:MOST_MINUTES",
        reach=lambda n: parse_component(f"bread > grill {n}", {}),
    ),
    Limit(name="kitchen.components:MOST_NESTED", reach=_nest_brackets),
    Limit(name="kitchen.events:LONGEST_NOTE", reach=_note),
    Limit(name="kitchen.events:LONGEST_WHY", reach=_decline, above="cut"),
    Limit(name="kitchen.events:MOST_LINES", reach=_order_lines),
    Limit(name="scenarios.menu:MOST_INGREDIENTS", reach=_fill_larder),
    Limit(name="scenarios.menu:LONGEST_RECIPE", reach=_read_recipe),
    Limit(name="scenarios.scenario:MOST_LINES", reach=lambda n: _load(lines=n)),
    Limit(name="scenarios.scenario:MOST_EVENTS", reach=lambda n: _load(events=n)),
    Limit(name="scenarios.scenario:MOST_STOCK", reach=lambda n: _load(stock={"plate": n})),
    Limit(name="scenarios.scenario:LONGEST", reach=lambda n: _load(horizon=n)),
    Limit(name="episodes.messages:MOST_OPEN", reach=_take_order, above="left out"),
    Limit(
        name="worlds.cuisineworld.rules.kitchen:MOST_AGENTS",
        reach=lambda n: _validate_cuisine(agents=n),
    ),
    Limit(name="worlds.cuisineworld.scenario:MOST_RECIPES", reach=_add_recipes),
    Limit(name="worlds.cuisineworld.scenario:MOST_INSTRUCTIONS", reach=_instruct),
    Limit(name="worlds.cuisineworld.rules.book:MOST_STEPS", reach=_chain_recipes),
    Limit(name="worlds.grids.grid:MOST_CELLS", reach=_grids),
    Limit(name="worlds.rooms.rules:MOST_ROOMS", reach=_add_rooms),
    Limit(name="worlds.base.question_suite:LONGEST_QUESTION", reach=_lengthen_question),
    Limit(name="worlds.base.question_suite:MOST_BYTES", reach=_read_questions, patched=5000),
    Limit(name="worlds.base.question_suite:MOST_OPTIONS", reach=_add_options),
    Limit(name="worlds.collab_capture.world:MOST_DOORS", reach=_add_doors),
    Limit(name="worlds.collab_escape.world:MOST_GENERATORS", reach=_add_generators),
    Limit(
        name="solving.robotouille.kitchen_search:MOST_ROBOTS", reach=_add_robots, above="left out"
    ),
    Limit(name="worlds.overcooked.rules.layout:MOST_COOKS", reach=_start_cooks),
    Limit(name="worlds.overcooked.rules.layout:MOST_NAMED", reach=_name_ignored, above="cut"),
    Limit(name="worlds.collab_overcooked.rules.actions:LONGEST_PATIENCE", reach=_wait_for_food),
    Limit(name="solving.restaurant.reading.times:_GREATEST", reach=_read_time, above="left out"),
    Limit(name="worlds.overcooked.rules.layout:MOST_BYTES", reach=_read_layout),
    Limit(name="worlds.overcooked.world:MOST_ROUNDS", reach=_talk, above="cut", patched=3),
    Limit(name="worlds.collab_overcooked.rules.actions:LONGEST_WAIT", reach=_wait),
    Limit(name="worlds.corridor.judging:MOST", reach=_ways, above="left out"),
    Limit(name="worlds.base.domain:MOST_LISTED", reach=_list_names, above="left out"),
]
