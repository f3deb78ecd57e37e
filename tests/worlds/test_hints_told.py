"""The hints of each world agree with its engine.

Each sentence is advice, which no engine can contradict, or has a proof as a rule has. Those of
Hanabi are conventions, which stand on its page of rules word for word.
"""

from __future__ import annotations

import pytest

from cookmas.episodes.world import Command
from cookmas.orchestrator.dialogue.voice import Templates, Voice
from cookmas.sandbox.importing import import_named
from cookmas.world_names import WORLDS
from cookmas.worlds.base.voice import VOICE
from cookmas.worlds.collab_overcooked.voice import VOICE as COLLAB
from cookmas.worlds.corridor.voice import VOICE as WALKERS
from cookmas.worlds.cuisineworld.voice import VOICE as CUISINE
from cookmas.worlds.hanabi.voice import VOICE as PLAYERS
from cookmas.worlds.overcooked.voice import VOICE as COOKS
from cookmas.worlds.restaurant.voice import VOICE as RESTAURANT
from cookmas.worlds.shipped import import_world
from tests.worlds.cuisineworld import told as cuisineworld
from tests.worlds.robotouille import told as robotouille
from tests.worlds.telling import DOCS, Rule, find_false, sentences


def another_makes_it_possible() -> None:
    """A robot that leaves a station makes room for the one that acts after it."""
    world = robotouille.opened()
    state = world.start()
    follow = Command("robot2", "move(table2, table1)")
    assert follow.action not in world.legal(state, "robot2")
    _, alone, _ = world.step(state, [follow])
    _, after, _ = world.step(state, [Command("robot1", "move(table1, stove1)"), follow])
    assert (alone["robot2"].done, after["robot2"].done) == (False, True)


def is_made_before_the_order() -> None:
    world, state, place, wait = cuisineworld.cooked()
    assert state.orders == ()
    for _ in range(wait):
        state = cuisineworld.act(world, state, "noop")
    cuisineworld.act(world, state, f"get_{place}")


def advice(*texts: str) -> list[Rule]:
    return [Rule(text) for text in texts]


HINTS: dict[Voice, list[Rule]] = {
    VOICE: [
        Rule(
            "Where there is POSSIBLE, any other action FAILs now, unless another worker makes it "
            "possible at the same timestep.",
            (),
            another_makes_it_possible,
        ),
    ],
    COLLAB: advice(
        "Do at once what needs no other cook, and have the others prepare meanwhile what is needed "
        "next.",
        "Ask for all steps of a piece of work together: fetch, put in, start, take out, lay on the "
        "counter.",
        "Bring a dish only when the hand that fills it is no longer needed for the food.",
    ),
    WALKERS: advice(
        "Of the walkers that can ring the next bell, the one with the shortest way left takes it."
    ),
    CUISINE: [
        *advice(
            "Serve the order that expires first, unless it can no longer be served in time.",
            "While a tool is occupied, do something else: fetch the next ingredient, or begin the "
            "next order.",
            "Give each agent a job of its own.",
            "Two agents that fetch the same item waste timesteps.",
            "Put in only what leads to a recipe.",
            "If an action was refused, the reason says what to change.",
            "Do not repeat the action.",
        ),
        Rule(
            "Nobody takes a wrong ingredient out of a tool again, except from a chopboard.",
            (),
            cuisineworld.gives_back,
        ),
        Rule(
            "What every dish of the level needs (such as rice) can be made before it is ordered.",
            (),
            is_made_before_the_order,
        ),
    ],
    COOKS: advice(
        "While one soup cooks, bring the ingredients of the next one, and a dish.",
        "Look at what the others hold and do, and do something else that is needed.",
        "Keep the ways free: who waits in front of a pot may block it.",
    ),
    RESTAURANT: advice(
        "Begin with what takes longest until it is served.",
        "Do the rest while it cooks.",
        "Note when each food must be picked up.",
        "Have a worker with empty hands there then.",
        "Let one worker fetch, carry and work on a food.",
        "Every handover costs timesteps.",
        "The last worker to bring something to a plating place assembles, picks up and serves.",
        "Add up the timesteps of all work.",
        "If a worker's share of them is longer than the longest dish takes, the workers are what "
        "is scarce.",
        "Then no worker waits, and the last dish is started early.",
    ),
}
"""The sentences of the hints by voice: rules with a proof, and advice."""


def hints_of(voice: Voice) -> str:
    """Return the hints without their heading."""
    return Templates(voice.prompts).text("hints").partition("\n\n")[2]


@pytest.mark.parametrize("voice", HINTS, ids=lambda each: type(each).__name__)
def test_every_hint_is_advice_or_has_a_proof(voice: Voice) -> None:
    assert find_false(hints_of(voice), HINTS[voice]) == []
    assert len(sentences(hints_of(voice))) == len(HINTS[voice])


def test_the_page_of_hanabi_has_its_conventions_word_for_word() -> None:
    _, _, conventions = hints_of(PLAYERS).partition("\n\n")
    page = (DOCS / "reference" / "hanabi-rules.md").read_text(encoding="utf-8")
    _, _, begin = page.partition("<!-- conventions -->\n")
    assert begin.partition("\n<!-- end of")[0] == conventions.strip()


def test_no_world_has_other_hints() -> None:
    """Questions have none, and those of Hanabi are told on its page."""
    looked_at = {hints_of(voice) for voice in HINTS}
    voices = {name: import_named(import_world(name).voice_spec, name) for name in WORLDS}
    others = {name for name, voice in voices.items() if hints_of(voice) not in looked_at}
    assert others == {"hanabi", "questions"}
