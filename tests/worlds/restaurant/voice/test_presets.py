"""Presets and prompts: each for every kitchen, any number of workers, with files to edit."""

from __future__ import annotations

import asyncio
import re
from copy import copy
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml

from cookmas.episodes.conversation import Message
from cookmas.files.errors import CookMASError, InputError
from cookmas.kitchen.customizations import customise
from cookmas.orchestrator.dialogue.conversation import Conversation
from cookmas.orchestrator.dialogue.memory import NOTHING_KEPT, Memory
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.dialogue.prompt import Prompt
from cookmas.orchestrator.dialogue.prompting import PRESETS, AnswerForm, Prompting
from cookmas.orchestrator.dialogue.voice import SHARED_PROMPTS, Templates
from cookmas.orchestrator.episode import episode_of
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.orchestrator.planner import Instruction, Observation, RunningWork, WorkerReport
from cookmas.orchestrator.thinking import ThinkingPrice
from cookmas.scenarios.kitchens import SHIPPED_KITCHENS
from cookmas.scenarios.menu import load_menu
from cookmas.scenarios.scenario import load_scenario
from cookmas.solving.restaurant.reading import Larder, read_note, read_recipe
from cookmas.studies.previewing import first_request
from cookmas.worlds.restaurant.voice import VOICE
from cookmas.worlds.restaurant.voice.demonstrations import DISHES
from tests.sampling import covering, sampled
from tests.worlds.restaurant.reading_back import load_conversation, observation_in

pytestmark = pytest.mark.usefixtures("searched_once")

TEMPLATES = Templates(VOICE.prompts)


def _scenario(folder: Path, kitchen: str, workers: int) -> str:
    path = folder / "own.yaml"
    event = {"at": 0, "kind": "new_order", "order": "o1", "lines": [{"item": "Greek Salad"}]}
    data = {"title": "x", "level": 1, "kitchen": kitchen, "workers": workers, "events": [event]}
    path.write_text(yaml.safe_dump(data))
    return str(path)


def rendered(
    observation: Observation[Any],
    ways: Prompting,
    templates: Templates = TEMPLATES,
    memory: Memory = NOTHING_KEPT,
) -> list[Message]:
    """Return the first messages, with the legal actions if `ways` list them."""
    return Prompt.of(observation, VOICE, ways, templates, memory).messages()


KITCHENS = sorted(path.stem for path in SHIPPED_KITCHENS.glob("*.yaml"))

CREWS = covering([*product(KITCHENS, range(1, 7))], set)


@pytest.mark.parametrize(("kitchen", "workers"), CREWS)
def test_every_preset_has_a_prompt_for_every_kitchen(
    kitchen: str, workers: int, models: Any, tmp_path: Path
) -> None:
    observation = models.observe(load_scenario(_scenario(tmp_path, kitchen, workers)))
    for ways in PRESETS.values():
        messages = rendered(observation, ways)
        read = observation_in(load_conversation(m.model_dump() for m in messages))
        assert len(read.world.workers) == workers
        assert "{{" not in messages[0].content
        assert f'"worker_{workers}"' in messages[1].content


@pytest.mark.parametrize("dish", DISHES, ids=lambda dish: dish.item)
def test_a_careful_reader_takes_from_a_demonstration_what_it_shows(dish: Any) -> None:
    menu = load_menu()
    larder = Larder(ingredients=frozenset(menu.larder), doneness=menu.doneness)
    reading = read_recipe(dish.recipe, larder)
    wishes, doubts = read_note(dish.note, reading.components, larder)
    assert not reading.doubts
    assert not doubts
    made = customise(reading.components, wishes, menu.doneness)
    assert [str(component) for component in made] == sorted(dish.components)
    assert dish.item not in menu.items


def test_another_dish_than_those_ordered_is_shown(models: Any) -> None:
    observation = models.observe("level1/01")
    lines = {
        name: line._replace(item=DISHES[0].item) for name, line in observation.state.lines.items()
    }
    observation = replace(observation, state=observation.state._replace(lines=lines))
    system = rendered(observation, Prompting(demonstration="full"))[0].content
    assert DISHES[0].item not in system
    assert DISHES[1].item in system


def test_a_demonstration_shows_the_state_before_all_actions(models: Any) -> None:
    system = rendered(models.observe("level1/01"), Prompting(demonstration="full"))[0]
    shown = load_conversation([system.model_dump()]).data["DEMONSTRATION"]["timesteps"]
    assert {tuple(timestep) for timestep in shown} == {("state", "actions")}
    for before, after in pairwise(shown):
        for worker, action in before["actions"].items():
            if action.startswith("navigate"):
                assert after["state"]["workers"][worker][0] in action
    assert "serve(demo.1)" in shown[-1]["actions"].values()


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, Prompting(hints=True)),
        ({"preset": "cac"}, PRESETS["cac"]),
        ({"preset": "cac", "memory": 0}, replace(PRESETS["cac"], memory=0)),
        ({"hints": False, "look_ahead": 3}, Prompting(look_ahead=3)),
        ({"temperature": 0.5, "max_tokens": 9}, Prompting(hints=True)),
    ],
)
def test_options_change_the_preset(given: dict[str, Any], expected: Prompting) -> None:
    assert AskingOptions(**given).prompting(Prompting(hints=True), VOICE.presets) == expected


@pytest.mark.parametrize(
    ("given", "label"),
    [
        ({}, ""),
        ({"preset": "react"}, "react"),
        ({"preset": "io", "look_ahead": 2, "hints": False}, "io,look-ahead=2,no-hints"),
        ({"chain_of_thought": True, "model_seed": 5}, "chain-of-thought"),
        ({"temperature": 0.5, "max_tokens": 9}, "temperature=0.5,max-tokens=9"),
    ],
)
def test_results_are_named_after_the_way_of_asking(given: dict[str, Any], label: str) -> None:
    assert AskingOptions(**given).label(VOICE.prompts) == label


@pytest.mark.parametrize(
    "make",
    [
        lambda: AskingOptions(preset="magic").prompting(Prompting(), VOICE.presets),
        lambda: Prompting(look_ahead=-1),
        lambda: Prompting(demonstration_workers=7),
        lambda: Prompting(recipes="guessed"),  # type: ignore[arg-type]
        lambda: AskingOptions(prompts=SHARED_PROMPTS.parent).label(VOICE.prompts),
    ],
)
def test_a_way_that_there_is_not_is_one_line(make: Any) -> None:
    with pytest.raises(CookMASError, match="expected"):
        make()


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        *(
            ("task_step.md", f"At {{{{{slot}}}}}.", rf"task_step.md: .*{slot}\}}\}}; .*: timestep")
            for slot in ("time", "Timestep", " timestep ", "time step", "")
        ),
        ("hints.txt", "Hurry.", "has no prompt file"),
        ("rulez.md", "x", "is not a prompt file"),
        ("observation.txt.md", "x", "is not a prompt file"),
    ],
)
def test_a_file_of_prompts_that_cannot_be_used_is_named(
    name: str, text: str, why: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(CookMASError, match=why):
        Templates(VOICE.prompts, tmp_path)


def test_a_prompt_that_is_no_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CookMASError, match="no such folder"):
        Templates(VOICE.prompts, tmp_path / "none")
    (tmp_path / "hints.md").mkdir()
    with pytest.raises(CookMASError, match=r"hints.md: cannot be read"):
        Templates(VOICE.prompts, tmp_path)
    (tmp_path / "hints.md").rmdir()
    (tmp_path / "hints.md").symlink_to(tmp_path / "none")
    with pytest.raises(CookMASError, match=r"hints.md: there is no such file"):
        Templates(VOICE.prompts, tmp_path)


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "hints.md").write_text("Hurry.", encoding="utf-8-sig")
    assert Templates(VOICE.prompts, tmp_path).text("hints") == "Hurry."


def test_edited_prompts_name_the_results(tmp_path: Path) -> None:
    (tmp_path / "hints.md").write_text("Hurry.")
    first = AskingOptions(prompts=tmp_path).label(VOICE.prompts)
    (tmp_path / "hints.md").write_text("Do not hurry.")
    second = AskingOptions(prompts=tmp_path).label(VOICE.prompts)
    assert first.partition("@")[0] == second.partition("@")[0] == f"prompts={tmp_path.name}"
    assert first != second


def layouts_of(ways: Prompting) -> list[Prompting]:
    """Return these ways of asking with each form of a schedule."""
    return [replace(ways, form=form) for form in get_args(AnswerForm) if form != "choice"]


def test_every_prompt_file_is_used(models: Any) -> None:
    from cookmas.worlds.restaurant.voice.answers import render_reading

    templates = Templates(VOICE.prompts)
    told = (Instruction(0, "x"),)
    observation = models.observe("level1/01", instructions=told)
    kept = Memory(
        decisions=({"timestep": 0, "actions": [{"w": "wait"}]},), lessons=({"lesson": "x"},)
    )
    everything = Prompting(
        chain_of_thought=True,
        hints=True,
        memory=1,
        lessons=True,
        legal_actions=True,
        demonstration="full",
        last_step=True,
    )
    for ways in (
        everything,
        replace(everything, form="rows"),
        replace(everything, form="plan", memory_of="actions"),
        replace(everything, per_step=True, recipes="tool", demonstration="two_steps"),
    ):
        rendered(observation, ways, templates, kept)
        helped = replace(observation, agent="worker_1")
        rendered(helped, replace(ways, helper=True), templates)
        render_reading(observation, observation.state.open_lines(), ways, templates)
    thinking = ThinkingPrice(500, "tokens")
    working: dict[str, Any] = {
        "last": 9,
        "reports": (WorkerReport("worker_1", "wait", 1, "done"),),
        "running": {"worker_2": RunningWork("wait", 0)},
    }
    turns: list[dict[str, Any]] = [{"underway": [[]]}, {"price": thinking, "effect": 2}, working]
    for more in turns:
        rendered(replace(observation, **more), everything, templates)
    noting = replace(everything, guided=True, scratch_pad=True, words=False, told="news")
    rendered(observation, noting, templates)
    choosing = replace(everything, form="choice", per_step=True, memory_of="actions")
    layouts = layouts_of(everything)
    unlisted = replace(choosing, legal_actions=False, feedback=False)
    for ways in (*layouts, choosing, unlisted, Prompting(per_step=True)):
        rendered(observation, ways, templates, kept)
        agent = replace(observation, agent="worker_1", rounds=4)
        for asked in (agent, replace(agent, rounds=0)):
            rendered(asked, replace(ways, chain_of_thought=True), templates, kept)
    lasting = copy(observation.world)
    lasting.lasting = True
    for ways in layouts_of(everything):
        for agent in (None, "worker_1"):
            seen = replace(observation, world=lasting, agent=agent)
            for asked in (seen, replace(seen, underway=[[]]), replace(seen, rounds=4)):
                rendered(asked, ways, templates, kept)
    for agent in (None, "worker_1"):
        seen = replace(observation, agent=agent, timestep=1)
        ways = replace(everything, theory_of_mind=True)
        prompt = Prompt.of(seen, VOICE, ways, templates, kept)
        once = Prompting(retries=0)
        talk = Conversation(models.Scripted([""] * 2), 1, prompting=once, templates=templates)
        asyncio.run(talk.infer(prompt))
        asyncio.run(talk.verify(prompt, [{"worker_1": "wait"}]))
    asked = replace(observation, agent="worker_1")
    for each in (asked, replace(asked, alike=True)):
        rendered(each, replace(everything, theory_of_mind=True), templates)
    templates.text("given_situation")
    templates.text("refused")
    for name in ("repair_answer", "repair_refused", "repair_violations"):
        templates.fill(name, {"again": "", "blocks": ""})
    templates.fill("repair_whole")
    templates.fill("repair_patch", {"end": "3"})
    shipped = [*VOICE.prompts.glob("*.md"), *SHARED_PROMPTS.glob("*.md")]
    assert set(templates._texts) == {path.stem for path in shipped}


ADVERSARIAL = [f"adversarial/{number:02}" for number in range(1, 7)]


@pytest.mark.parametrize("name", sampled(ADVERSARIAL, 3))
def test_notes_that_give_orders_to_the_planner_ask_for_food_alone(name: str, models: Any) -> None:
    from cookmas import judge
    from cookmas.orchestrator.planners.llm import SchedulingPlanner
    from cookmas.scenarios.truth import load_truth
    from cookmas.solving.restaurant.asking import HybridPlanner
    from cookmas.solving.restaurant.planners import EmbeddedPlanner
    from cookmas.worlds.restaurant.voice import VOICE

    scenario = load_scenario(name)
    model = models.Scripted()
    for planner in (EmbeddedPlanner(), SchedulingPlanner(model, voice=VOICE), HybridPlanner(model)):
        trace = asyncio.run(episode_of(scenario, planner, horizon=400).run())
        verdict = judge(trace, load_truth(scenario))
        assert verdict.success, verdict.why
    assert {tuple(m.role for m in r.messages) for r in model.requests} == {("system", "user")}


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: AskingOptions(temperature=float("inf")), "--temperature: .*finite"),
        (lambda: AskingOptions(max_tokens=-3), "--max-tokens: expected at least 1, not -3"),
        (lambda: AskingOptions(speed=1), "speed: there is no such option, only preset"),  # type: ignore[call-arg]
        (lambda: ModelOptions(deadline=float("nan")), "--deadline: "),
        (lambda: ModelOptions(price_in=float("inf")), "--price-in: .*finite"),
        (lambda: ModelOptions(budget_calls=-1), "--budget-calls: .*not -1"),
    ],
)
def test_an_option_that_is_no_good_is_one_line(make: Any, says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        make()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("scenario", "word"),
    [("level1/01", "worker"), ("cuisineworld/level_3", "agent"), ("corridor/two", "walker")],
)
@pytest.mark.parametrize("preset", PRESETS)
def test_a_prompt_has_one_word_for_workers(scenario: str, word: str, preset: str) -> None:
    asked = first_request(scenario, asking=AskingOptions(preset=preset)).messages
    prose = re.sub(r"```json.*?```|^\{.*$", "", asked[0].content, flags=re.DOTALL | re.MULTILINE)
    used = set(re.findall(r"\b(worker|agent|walker)s?\b", prose.replace("`workers`", "")))
    assert used == {word}


@pytest.mark.parametrize("world", ["restaurant", "cuisineworld", "corridor"])
def test_prompts_are_in_plain_english(world: str) -> None:
    odd = r"and without,|[Ww]ho is|idles|at any place|\bgone\b|lose time|counts? itself|, become "
    folders = (SHARED_PROMPTS, VOICE.prompts.parents[1] / world / "prompts")
    for path in (path for folder in folders for path in folder.glob("*.md")):
        assert not re.search(odd, path.read_text(encoding="utf-8")), path
