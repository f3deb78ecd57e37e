"""What a plain world has without writing it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import cookmas
from cookmas.api import load_planner
from cookmas.commands.cli import app
from cookmas.episodes.base import World
from cookmas.episodes.level import Level
from cookmas.episodes.possible import is_simulable
from cookmas.episodes.scenario import FileScenario, is_drawn
from cookmas.episodes.world import Command
from cookmas.files.errors import InputError, MissingError, TraceError
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.dialogue.voice import Templates
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.worlds.base.training import NOTHING, Training
from cookmas.worlds.base.voice import VOICE
from tests.workers.incubator import Incubator
from tests.worlds.base.dice import DOMAIN, DiceWorld, Sides

WORLD = "tests.worlds.base.dice:DOMAIN"
TWO = DiceWorld(Sides(sides=2))


def test_the_levels_are_the_files_of_its_folder() -> None:
    assert DOMAIN.names() == ["six", "two"]
    with pytest.raises(MissingError, match="no group 'level1'; scenarios of dice have no groups"):
        DOMAIN.names("level1")
    with pytest.raises(MissingError, match="no scenario 'seven' of dice, only six, two"):
        DOMAIN.scenario("seven", {})


def test_what_is_drawn_follows_from_the_seed_alone() -> None:
    scenario = cookmas.load_scenario("six", WORLD)
    assert is_drawn(scenario)
    assert isinstance(scenario, FileScenario)
    others = [scenario.redraw(seed) for seed in range(5)]
    assert {(other.name, other.digest) for other in others} == {(scenario.name, scenario.digest)}
    rolled = [_begun(other.events()[0][1])["dice"] for other in others]
    assert len({tuple(dice.values()) for dice in rolled}) > 1
    assert DOMAIN.scenario("six", {"seed": "4"}).events() == others[4].events()
    assert "seed" not in scenario.world().setup()


def test_a_level_of_another_world_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text("world: cards\n")
    with pytest.raises(
        InputError, match="world: is a file of 'cards', not of dice; use --world cards"
    ):
        DOMAIN.scenario(str(path), {})
    with pytest.raises(InputError, match="--sides: there is no such option, only --seed"):
        DOMAIN.scenario("six", {"sides": "4"})


def test_a_header_of_another_world_is_refused() -> None:
    with pytest.raises(TraceError, match="does not describe dice: setup: hands"):
        DOMAIN.world({"hands": 2})


async def test_texts_are_looked_up_and_are_no_part_of_the_world() -> None:
    scenario = cookmas.load_scenario("two", WORLD)
    world = scenario.world()
    assert world.lookups(world.start()) == ["rule"]
    assert await scenario.look_up("rule") == "Guess well."
    with pytest.raises(MissingError, match="no text 'law'"):
        await scenario.look_up("law")
    assert world.setup() == {"sides": 2, "texts": ["rule"]}
    again = DiceWorld.of_setup(world.setup())
    assert again.lookups(again.start()) == ["rule"]
    assert again.setup() == world.setup()


@pytest.mark.parametrize(
    ("commands", "said"),
    [
        ([("ann", "say(2)")], None),
        ([("ann", "hush")], None),
        ([("ann", "more(bob)")], None),
        ([("ann", "more(eve)")], "ann: 'more(eve)' is no action: 'eve' is no who"),
        ([("ann", "say(2) ")], "is no action"),
        ([("eve", "hush")], "'eve': expected each of ann, bob once"),
        ([("ann", "hush"), ("ann", "hush")], "expected each of ann, bob once"),
    ],
)
def test_what_has_no_known_form_is_refused(
    commands: list[tuple[str, str]], said: str | None
) -> None:
    found = TWO.refusal([Command(*each) for each in commands])
    assert found is said is None or (found and said and said in found)


def test_who_does_not_move_waits() -> None:
    state = _begun({"kind": "begin", "seed": 1})
    after, outcomes, _ = TWO.step(state, [Command("ann", "say(1)"), Command("bob", "more(ann)")])
    assert outcomes["ann"].done
    assert outcomes["bob"].why == "It is not bob's turn."
    assert (after["said"], after["guess"], after["timestep"]) == ("1", None, 1)
    _, outcomes, _ = TWO.step(state, [Command("ann", "more(ann)")])
    assert outcomes["ann"].why == "ann cannot more(ann) now."


def test_nobody_sees_the_seed() -> None:
    state = _begun({"kind": "begin", "seed": 1})
    assert state["seed"] == 1
    for worker in (None, *TWO.workers):
        assert "seed" not in TWO.observe(state, worker)
        assert TWO.simulable(TWO.observe(state, worker), worker) is None


@pytest.mark.parametrize(
    "event", [{"kind": "begin"}, {"kind": "rain"}, {"kind": "begin", "seed": "x"}]
)
def test_nothing_else_comes_from_outside(event: dict[str, object]) -> None:
    with pytest.raises(InputError, match="expected the beginning, the only event of dice"):
        TWO.apply(TWO.start(), event)
    begun = _begun({"kind": "begin", "seed": 1})
    with pytest.raises(InputError):
        TWO.apply(begun, {"kind": "begin", "seed": 2})


def test_its_actions_are_counted_where_they_can_be() -> None:
    numbers = [f"say({n})" for n in range(1, 7)]
    assert TWO.every_action() == ["hush", *numbers, "more(ann)", "more(bob)"]
    training = Training(TWO)
    state = _begun({"kind": "begin", "seed": 1})
    assert training.legal(state, "ann") == [1, 2]
    seen = training.encode(TWO.observe(state, "ann"))["state"]
    assert seen == [[0], [state["dice"]["ann"]], [NOTHING], [NOTHING], [NOTHING]]

    class Talking(DiceWorld):
        choices: Mapping[str, Sequence[str]] = {"WHO": ["ann"]}

    assert Talking(Sides()).every_action() is None
    with pytest.raises(InputError, match="cannot number its actions"):
        Training(Talking(Sides()))


def test_a_trace_is_replayed_and_rebuilt_with_its_draw() -> None:
    run = cookmas.play("six", "random", world=WORLD, settings={"seed": 5})
    assert all(frame.equal for frame in cookmas.replay(run.trace, WORLD))
    again = DOMAIN.rebuild(run.trace.header, Path("trace.jsonl"))
    assert again.events() == [(0, {"kind": "begin", "seed": 5})]
    assert again.digest == run.trace.header.scenario_digest


def _begun(event: dict[str, Any]) -> dict[str, Any]:
    begun: dict[str, Any] = TWO.apply(TWO.start(), event)[0]
    return begun


class ShownWorld(DiceWorld):
    """Dice that everybody sees, and nobody rolls."""

    drawn = ""

    view_for = World.view_for


def test_a_world_is_simulable_where_nothing_is_hidden_or_drawn() -> None:
    assert is_simulable(ShownWorld(Sides()))
    assert not is_simulable(TWO)


def test_look_ahead_is_refused_where_a_plain_world_hides_something() -> None:
    model = ModelOptions(model="scripted", base_url="http://127.0.0.1:9/v1")
    scenario = cookmas.load_scenario("six", WORLD)
    with pytest.raises(InputError, match="can be simulated: leave out --look-ahead"):
        load_planner("llm", scenario, model, AskingOptions(look_ahead=3), WORLD)


def test_nobody_writes_a_schedule_where_a_plain_world_hides_something(tmp_path: Path) -> None:
    told = CliRunner().invoke(
        app, ["play", "six", "--as", "orchestrator", "--world", WORLD, "--runs", str(tmp_path)]
    )
    assert told.exit_code == 2
    assert "dice does not say how a schedule can be tried out; take a seat" in told.output


def test_the_command_that_opens_a_run_names_a_world_from_outside(tmp_path: Path) -> None:
    common = ["--planner", "random", "--quiet"]
    runner, runs = CliRunner(), str(tmp_path / "runs")
    told = runner.invoke(app, ["run", "six", "--world", WORLD, "--runs", runs, *common])
    assert f"six-random --world {WORLD}" in told.output.replace("\n", " ")
    told = runner.invoke(app, ["run", "corridor/one", "--runs", runs, "--quiet"])
    assert "Look at it" in told.output
    assert "--world" not in told.output


class Uncertain(Incubator):
    """An incubator that stops work which hangs, and whose stirring takes as long as its sample."""

    actions: Mapping[str, str] = {**Incubator.actions, "stir(SAMPLE)": "stirs a sample."}

    def duration(self, action: str) -> int:
        return int(action[5:-1]) if action.startswith("stir(") else super().duration(action)

    def longest(self, action: str) -> int | None:
        return 30


def test_models_are_told_how_long_the_actions_of_a_form_last() -> None:
    def told(world: World) -> list[str]:
        return VOICE.rules_and_actions(world, Templates(VOICE.prompts))["library"].splitlines()

    lasts = "- `incubate`: incubates It lasts about 3 timesteps"
    rest = ["- `stop`: stops", "- `wait`: do nothing."]
    assert told(Incubator(Level())) == ["- `stir`: stirs", f"{lasts}.", *rest]
    rest.insert(1, "- `stir(SAMPLE)`: stirs a sample.")
    stopped = f"{lasts}, and is stopped after 30."
    assert told(Uncertain(Level())) == ["- `stir`: stirs", stopped, *rest]
