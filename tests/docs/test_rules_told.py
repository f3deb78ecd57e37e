"""The prompt and the page of rules agree.

Each sentence of the prompt has sentences of the page with the same meaning. The prompt, the action
library or an observation says what each paragraph of the page says. After a change of one text,
these tests fail until the other one is checked too.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cookmas.kitchen.actions import LIBRARY
from cookmas.orchestrator.dialogue.voice import Templates
from cookmas.scenarios.scenario import load_scenario
from cookmas.worlds.restaurant.voice import VOICE

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "kitchen-rules.md"

TOLD: dict[str, tuple[str, ...]] = {
    "A worker stands at one station.": ("*here* is the station at which the worker stands",),
    "It holds at most one thing: a food, a clean plate or a dish.": (
        "A *thing* is a food, a plate or a dish. A hand holds at most one thing",
    ),
    "A station takes as many workers at a time as KITCHEN says, a tool or appliance usually one.": (
        "one at a tool or appliance, any number elsewhere, unless the kitchen's file sets another "
        "number.",
    ),
    "A worker that waits there blocks its place.": ("Nothing happens. `wait` never FAILs",),
    "It can step aside to the aisle.": ("any number elsewhere",),
    "A station that one worker leaves at a timestep can be entered by another at that timestep, "
    "whichever of them is named first.": (
        "So a station that one worker leaves can be entered by another at the same timestep",
    ),
    "Tools are for work by hand (board: `chop`, `slice`, `peel`, `grate`; mixer: `mix`, `blend`, "
    "`knead`; plating: `assemble`).": (
        "| `board` | tool | `chop`, `slice`, `peel`, `grate` |",
        "| `mixer` | tool | `mix`, `blend`, `knead` |",
        "| `plating` | tool | `assemble` |",
    ),
    "A board holds one food.": ("holds foods; one slot",),
    "All foods at a mixer become one food.": (
        "All foods here are joined, and the process is done to the result for 1 minute.",
    ),
    "Appliances cook with nobody there (grill: `grill`; pan: `fry`; fryer: `deep-fry`; pot: "
    "`boil`; oven: `bake`): place, start, leave.": (
        "| `grill` | appliance |",
        "| `pan` | appliance, vessel |",
        "| `fryer` | appliance |",
        "| `pot` | appliance, vessel |",
        "| `oven` | appliance |",
        "Every clock that is off is started at this timestep.",
    ),
    "Minutes are the timestep of `pick` minus that of `start`, for each slot on its own.": (
        "The minutes of a clock are the present timestep minus the timestep at which it was "
        "started",
        "A filled slot of an appliance has a *clock*",
    ),
    "Nothing stops by itself: a food that is picked too late is overdone.": (
        "nothing stops by itself.",
    ),
    "Elsewhere nothing cools or spoils.": (
        "Away from the slots of an appliance no food changes by itself.",
    ),
    "Foods that have cooked in one pot or pan come out as one food.": (
        "all foods that get a minute or more in this way are joined into one thing",
    ),
    "What was not started there stays apart.": (
        "a food that was cooked elsewhere and never started here is not joined",
    ),
    "A plating place holds foods and at most one plate, or a single dish and nothing beside it.": (
        "a dish needs all slots empty, nothing goes beside a dish, and a plate does not go",
    ),
    "With a plate, `assemble` makes a dish of the plate and the foods there.": (
        "With a plate, the plate and the foods become a dish whose components are the foods.",
    ),
    "Without a plate, the foods become one food.": (
        "Without a plate, the foods are joined, and `assemble` is done to the result for 1 minute.",
    ),
    "A bare `pick` takes the lowest filled slot, and at the plates a plate.": (
        "The thing in the lowest slot goes into the hand",
        "where at the plates no name means `plate`",
    ),
    "A food made of several is named after its ingredients from A to Z: `pick(egg+milk)`.": (
        "The *name* of a joined food is the names of all ingredients in it, at any depth, each "
        "once, sorted, with `+` between them.",
    ),
    "What is left over may be used for another order line.": (
        "food that was made for one line may be served to another",
    ),
    "A worker out of service is in the aisle.": (
        "A worker out of service goes to the aisle at once, however many workers stand there",
    ),
    "It keeps what it holds, and can only wait.": (
        "and keeps what it holds.",
        "if the worker is out of service, `out_of_service`",
    ),
    "At a station out of service all clocks stop.": ("A station out of service stops its clocks",),
    "They go on when it is back.": ("when it is back, they continue from where they were.",),
    "Counters, tools and appliances can still be emptied, and workers enter and leave.": (
        "Things can be taken out of counters, tools and appliances.",
        "Workers can stay, enter and leave.",
    ),
    "Nothing else can be done there.": ("No other action is done there",),
    "Nobody knows how long something stays out of service.": (
        "No planner knows when an outage will end",
    ),
    "You are not called when it is back: look at `out` in STATE whenever you are called, or let a "
    "worker try it.": ("and none is called when it ends.",),
    "Where order matters, the workers act in the order in which CALL names them.": (
        "All other workers act one after the other, in the order of the workers.",
    ),
    "An action that FAILs changes nothing.": ("An action that FAILs changes nothing at all.",),
}

BY_ACTION = {
    "*Joining* foods": "assemble",
    "*Doing a process to a food": "chop",
    "Check: the station exists": "navigate",
    "- At the beginning of a round": "navigate",
    "- Then the workers on their way": "navigate",
    "- If a worker failed in a round": "navigate",
    "Both arguments are optional.": "pick",
    "1. here is a dispenser": "pick",
    "2. the hand is empty": "pick",
    "*At a dispenser*": "pick",
    "Checks: here is a tool": "chop",
    "Checks: here is the pass": "serve",
    "Checks: here is the bin": "discard",
    "Nothing happens. `wait` never FAILs": "wait",
    "An action is a text.": "pick",
    "A *name* is one or more words": "pick",
    "A text is valid even if": "navigate",
}
"""What the library says: the beginning of the paragraph, and the action that it is about."""

SHOWN = (
    "- A **food** is either",
    "- A **plate** is clean.",
    "A food is written",
    "At the start of an episode",
    "1. Orders, changes",
    "2. All workers who navigate",
    "4. It is timestep t + 1.",
    "Every worker has one action",
    "Several workers can stand",
    "An order line is",
    "- `new_order` opens",
    "- `add_line` opens",
    "- `remove_line` cancels",
    "- `cancel_order` cancels",
    "- `refuse_line` is",
    "A kitchen remembers twelve",
)
"""What planners see in the state, the orders and the triggers that they are given."""


def plain(text: str) -> str:
    return " ".join(text.split())


def page() -> str:
    """The exact rules: all of the page before what models are told."""
    return PAGE.read_text(encoding="utf-8").partition("## House conventions")[0]


def sentences() -> list[str]:
    world = load_scenario("level1/01").world()
    rules = VOICE.rules_and_actions(world, Templates(VOICE.prompts))["rules"]
    bullets = [plain(bullet.removeprefix("- ")) for bullet in re.split(r"\n(?=- )", rules)]
    return [one for bullet in bullets for one in re.split(r"(?<=\.) (?=[A-Z`])", bullet)]


def paragraphs() -> list[str]:
    exact = page().partition("## Things")[2]
    blocks = [b for b in re.split(r"\n\s*\n", exact) if b.strip() and b.lstrip()[0] not in "#|"]
    return [plain(u) for block in blocks for u in re.split(r"\n(?=- |\d\. )", block)]


def test_every_sentence_of_the_prompt_is_looked_at() -> None:
    assert sentences() == list(TOLD)


@pytest.mark.parametrize("sentence", TOLD)
def test_the_page_says_what_the_prompt_says(sentence: str) -> None:
    rules = plain(page())
    for quote in TOLD[sentence]:
        assert quote in rules, f"the page no longer says: {quote}"


def test_everything_on_the_page_is_told_or_shown() -> None:
    quotes = [quote for quotes in TOLD.values() for quote in quotes]
    begins = (*BY_ACTION, *SHOWN)
    untold = [
        paragraph
        for paragraph in paragraphs()
        if not any(quote in paragraph for quote in quotes)
        and not any(paragraph.removeprefix("- ").startswith(b.removeprefix("- ")) for b in begins)
    ]
    assert untold == []


def test_nothing_is_listed_that_is_not_on_the_page() -> None:
    found = [paragraph.removeprefix("- ") for paragraph in paragraphs()]
    for begin in (*BY_ACTION, *SHOWN):
        assert any(paragraph.startswith(begin.removeprefix("- ")) for paragraph in found), begin
    assert set(BY_ACTION.values()) <= set(LIBRARY)
