"""What a game does without: nothing simulated, no central planner, and one line that says so."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import cookmas
from cookmas.api import create, load_planner
from cookmas.commands.cli import app
from cookmas.episodes.trace import ModelCall, PlannerClass, StepRecord
from cookmas.episodes.trace_file import read_trace
from cookmas.files.errors import InputError
from cookmas.orchestrator.dialogue.look_ahead import look_ahead
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.orchestrator.planners.sheet import Sheet
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.people.working.asked import MoveQuestion
from cookmas.workers.person import Asked
from tests.cookmas.people.working.conftest import play as people_play
from tests.warm import say
from tests.worlds.base.dice import DiceDomain, DiceWorld
from tests.worlds.hands import cards, chase
from tests.worlds.hands.talking import LLMPlanner, Recording
from tests.worlds.hands.test_knowing import CARDS, CHASE, ONE, Following, seated

MODEL = ModelOptions(model="scripted", base_url="http://127.0.0.1:9/v1")
TALKING = "tests.worlds.hands.talking:LLMPlanner"


def observed(game: Any, worker: str | None = None) -> Observation[Any]:
    world = game.world()
    state, _ = world.apply(world.start(), game.events()[0][1])
    return Observation(
        timestep=0, triggers=(), world=world, state=world.observe(state, worker), texts={}, fails={}
    )


class Central:
    """A planner for all workers."""

    name = "central"
    planner_class: PlannerClass = "embedded"

    async def plan(self, observation: Observation[Any]) -> Plan:
        return Plan(schedule=[{}])


def test_a_central_planner_is_refused_where_the_world_has_none() -> None:
    said = (
        "cards has no central planner; "
        "name the planner of each seat, as in alice=PLANNER,bob=PLANNER"
    )
    with pytest.raises(InputError, match=f"planner 'central': {said}"):
        cookmas.play(ONE, Central(), world=CARDS)
    assert cookmas.play(chase.GAME, Central(), world=CHASE).trace.end


@pytest.mark.parametrize("command", ["run", "play"])
def test_a_central_planner_is_refused_before_there_is_a_folder(
    command: str, tmp_path: Path
) -> None:
    schedule = tmp_path / "idle.yaml"
    schedule.write_text("- {alice: pass}\n")
    planner = ["--planner", str(schedule)] if command == "run" else ["--as", "orchestrator"]
    runs = tmp_path / "runs"
    done = CliRunner().invoke(
        app, [command, "six", "--world", CARDS, *planner, "--runs", str(runs)]
    )
    assert done.exit_code == 2
    why = done.stderr
    assert why.count("\n") == 1
    assert "cards has no central planner" in why
    seats = "alice=PLANNER,bob=PLANNER" if command == "run" else "--as alice or --as bob"
    assert seats in why
    assert not runs.exists()


def test_a_person_cannot_edit_a_schedule_that_nobody_can_try_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Opaque(chase.ChaseWorld):
        def simulable(self, observed: Any, worker: str | None) -> Any:
            return None

    monkeypatch.setattr(chase.DOMAIN, "game", replace(chase.GAME, make=Opaque))
    options = ["--world", CHASE, "--as", "orchestrator", "--runs", str(tmp_path / "runs")]
    done = CliRunner().invoke(app, ["play", "ring", *options])
    assert done.exit_code == 2
    assert done.stderr == (
        "cookmas: --as orchestrator: chase does not say how a schedule can be tried out; "
        "take a seat: --as ann or --as ben\n"
    )


@pytest.mark.parametrize(
    ("asking", "option"),
    [(AskingOptions(look_ahead=2), "look-ahead"), (AskingOptions(legal_actions=True), "legal-act")],
)
def test_ways_of_asking_that_simulate_are_refused(asking: AskingOptions, option: str) -> None:
    with pytest.raises(InputError, match=f"in this world can be simulated: leave out --{option}"):
        load_planner(TALKING, cards.GAME, MODEL, asking, CARDS)
    assert load_planner(TALKING, chase.GAME, MODEL, asking, CHASE).planner_class == "assisted"


def test_a_preset_leaves_out_what_cannot_be_simulated() -> None:
    asking = AskingOptions(preset="collab-overcooked")
    planner = load_planner(TALKING, cards.GAME, MODEL, asking, CARDS)
    assert isinstance(planner, LLMPlanner)
    assert (planner.prompting.look_ahead, planner.planner_class) == (0, "pure")
    assert planner.prompting.memory == 3


class OpenCards(cards.CardsWorld):
    """Cards in which a schedule is tried out without the cards that are not seen."""

    def simulable(self, observed: cards.Table, worker: str | None) -> cards.Table:
        return observed


class ListedCards(cards.CardsWorld):
    """Cards that list what is legal, although nothing may be tried out."""

    def listable(self, observed: cards.Table, worker: str | None) -> cards.Table:
        return observed


def test_legal_actions_are_listed_where_a_world_lists_what_it_does_not_simulate() -> None:
    game = replace(ONE, horizon=1, make=ListedCards)
    ways = Prompting(form="choice", per_step=True, legal_actions=True, look_ahead=2)
    model = Recording("alice", {0: "play(9)"}, "pass", ways)
    team = seated(game, alice=LLMPlanner(model, ways), bob=Following({}, []))
    trace = cookmas.play(game, team, world=CARDS).trace
    assert '"play(1)"' in model.prompts[0].partition("OPTIONS")[2]
    assert [call.purpose for call in trace.of(ModelCall)] == ["turn", "repair", "repair"]
    asking = AskingOptions(preset="react", demonstration="none")
    planner = load_planner(TALKING, game, MODEL, asking, CARDS)
    assert isinstance(planner, LLMPlanner)
    assert (planner.prompting.look_ahead, planner.prompting.legal_actions) == (0, True)
    with pytest.raises(InputError, match="leave out --look-ahead"):
        load_planner(TALKING, game, MODEL, AskingOptions(look_ahead=2), CARDS)


@pytest.mark.parametrize(("make", "tried"), [(cards.CardsWorld, False), (OpenCards, True)])
def test_no_schedule_is_tried_out_where_nothing_may_be_simulated(
    make: type[cards.CardsWorld], tried: bool
) -> None:
    ways = Prompting(look_ahead=3)
    model = Recording("alice", {0: "play(9)"}, "pass", ways)
    game = replace(ONE, horizon=1, make=make)
    team = seated(game, alice=LLMPlanner(model, ways), bob=Following({}, []))
    trace = cookmas.play(game, team, world=CARDS).trace
    assert any(call.purpose == "repair" for call in trace.of(ModelCall)) is tried


def test_a_schedule_in_a_world_of_turns_is_tried_out_by_whose_move_it_is() -> None:
    world = cards.CardsWorld()
    state, _ = world.apply(world.start(), ONE.events()[0][1])
    rows = [{"alice": "play(1)"}, {"bob": "pass", "alice": "play(2)"}, {"alice": "play(9)"}]
    [found] = look_ahead(world, state, 0, rows)
    assert (found.timestep, found.worker, found.reason) == (2, "alice", "no_card")


def test_a_schedule_is_not_tried_out_behind_the_end() -> None:
    world = cards.CardsWorld()
    state, _ = world.apply(world.start(), ONE.events()[0][1])
    rows = [{"alice": "pass"}, {"bob": "pass"}, {"alice": "play(9)"}]
    assert look_ahead(world, state, 0, rows) == []


def test_a_sheet_without_simulation_finds_only_what_cannot_be_read() -> None:
    sheet = Sheet(observed(chase.GAME))
    rows = [{"ann": "right"}, {"ann": "right", "ben": "jump"}]
    unreadable = [(1, "ben", True)]
    assert [(t.timestep, t.worker, t.unreadable) for t in sheet.troubles(rows)] == unreadable
    assert sheet.legal([], 0) == {
        "ann": ["left", "stay", "right"],
        "ben": ["left", "stay", "right"],
    }
    blind = Sheet(observed(ONE))
    assert blind.troubles([{"alice": "play(9)"}]) == []
    assert blind.legal([], 0) == {}


def move(*legal: str) -> MoveQuestion:
    asked = Asked(timestep=0, worker="alice", assignment="pass", legal=list(legal))
    return MoveQuestion(asked=asked, until=None, words={})


def test_a_person_may_write_any_action_where_none_are_listed() -> None:
    assert move().check("play(1)") == "play(1)"
    assert move().possible
    assert move("pass", "play(2)").check("play(2)") == "play(2)"
    assert not move("play(2)").possible
    for said, legal in (("play(1)", ["pass"]), ("", []), ("x" * 201, []), (7, [])):
        with pytest.raises(InputError, match="is not what alice can do now"):
            move(*legal).check(said)


async def test_a_person_plays_cards_without_a_list_of_actions(tmp_path: Path) -> None:
    asked: list[Asked] = []

    def choose(question: MoveQuestion) -> str:
        asked.append(question.asked)
        return "play(1)" if not asked[1:] else "pass"

    planner = "alice=careful,bob=careful"
    settings = {"seed": _holding_one()}
    create(
        tmp_path / "run",
        RunRequest(
            scenario="six", planner=planner, world=CARDS, settings=settings, people=("alice",)
        ),
    )
    await asyncio.wait_for(people_play(tmp_path / "run", alice=choose), 60)
    assert asked[0]["legal"] == []
    trace = read_trace(tmp_path / "run" / "trace.jsonl")
    first = next(trace.of(StepRecord))
    assert [*first.commands] == [("alice", "play(1)")]
    assert not first.fails
    assert json.loads(trace.header.model_dump_json())["people"] == ["alice"]


def _holding_one() -> int:
    """Return a seed by which alice holds the 1."""
    return next(seed for seed in range(99) if 1 in cards.dealt(seed)["cards"][:2])


def test_ways_that_simulate_are_refused_in_a_process_of_its_own_too() -> None:
    planner = f"alice={TALKING},bob=careful"
    asking = AskingOptions(look_ahead=2)
    with pytest.raises(InputError, match="can be simulated: leave out --look-ahead"):
        cookmas.play("six", planner, model=MODEL, asking=asking, world=CARDS)


WRITTEN = {"say(N)": "say a number.", "pass": "say nothing."}


class Blind(DiceWorld):
    """Nothing that is observed may be simulated."""

    def simulable(self, observed: Any, worker: str | None) -> None:
        return None


BLIND = DiceDomain(Blind)


def test_a_person_is_told_the_forms_of_actions_where_none_can_be_listed(tmp_path: Path) -> None:
    world = ("--world", "tests.worlds.hands.test_left_out:BLIND")
    seats = ("--as", "ann", "--planner", "bob=random")
    _, said = say(tmp_path, "\nsay(3)\nquit\n", "play", "six", *world, *seats)
    assert "Nobody can say what is possible now. Write an action; r shows the texts." in said
    for form, does in Blind.actions.items():
        assert f"  {form}: {does}" in said
    assert "Nothing is suggested here. Write an action; r shows the texts." in said
    assert "''" not in said


def test_the_page_of_a_seat_is_told_the_forms_too() -> None:
    asked = Asked(timestep=0, worker="ann", assignment="pass", legal=[])
    blind = MoveQuestion(asked=asked, until=None, words={}, forms=WRITTEN)
    assert blind.data()["forms"] == [list(each) for each in WRITTEN.items()]
