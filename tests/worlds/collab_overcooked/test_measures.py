"""Reference trajectories, best plans, and the measures of the paper."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import cookmas
from benchmarks.collab_overcooked.optima import HEAD, rows
from benchmarks.collab_overcooked.recorded import read_recordings
from benchmarks.recordings import archive_of
from cookmas.api import load_scenario
from cookmas.evals.trajectories import tes
from cookmas.evals.verdict import EPISODE, Verdict
from cookmas.orchestrator.member import Turn
from cookmas.solving.collab_overcooked.fewest_actions import references_of
from cookmas.solving.collab_overcooked.planners import ERRING, act_by_plan
from cookmas.solving.collab_overcooked.search import TimedSituation, fewest_timesteps, play
from cookmas.solving.collab_overcooked.useful import goal_of
from cookmas.worlds.collab_overcooked.rules.actions import read_action
from cookmas.worlds.collab_overcooked.rules.book import book
from cookmas.worlds.collab_overcooked.rules.engine import legal_actions
from cookmas.worlds.collab_overcooked.rules.kitchen import CollabSight, opening
from tests.sampling import CONFORMANCE, covering

PUBLISHED: Any = load_scenario("collab-overcooked/level_1/01")
KITCHEN, TABLES = PUBLISHED.kitchen, PUBLISHED.tables

FEWEST = {"oven": {1: 17, 2: 24, 5: 46, 6: 51}, "pot": {1: 16, 2: 24, 3: 36, 4: 32}}
ACTIONS = {1: 7, 2: 10, 3: 16, 4: 17, 5: 27, 6: 34}
"""Minimum actions of the paper's Table 3."""


def goal(dish: str) -> Any:
    found = goal_of(KITCHEN, dish, TABLES)
    assert found is not None
    return found


def kind_of(dish: str) -> set[object]:
    entry = book().dishes[dish]
    return {entry.level, entry.steps[-1].utensil}


SOME = covering(book().dishes, kind_of, lambda dish: book().dishes[dish].level)
"""Dishes of every level and utensil."""
FAST = [dish for dish in SOME if CONFORMANCE or book().dishes[dish].level < 6]


@pytest.mark.parametrize("dish", FAST)
def test_no_plan_has_fewer_timesteps_than_the_best_one(dish: str) -> None:
    plan = fewest_timesteps(goal(dish))
    assert plan is not None
    entry = book().dishes[dish]
    assert len(plan.begun) == FEWEST[entry.steps[-1].utensil][entry.level]


@pytest.mark.conformance
def test_no_play_at_all_serves_an_egg_earlier_than_the_best_plan() -> None:
    """Every legal action is tried, also those that the search leaves out."""
    dish = "boiled_egg"
    first = TimedSituation(opening(KITCHEN), (None, None))
    reached, layer = {first.key}, [first]
    for _ in range(FEWEST["pot"][1] - 1):
        following = []
        for situation in layer:
            for begun in every_choice(dish, situation):
                after, served = play(KITCHEN, dish, TABLES, situation, begun)
                assert not served
                if after.key not in reached:
                    reached.add(after.key)
                    following.append(after)
        layer = following
    assert len(reached) > 1000


def every_choice(dish: str, situation: TimedSituation) -> Iterator[tuple[Any, ...]]:
    options: list[list[Any]] = []
    for number, doing in enumerate(situation.doing):
        legal = map(read_action, legal_actions(CollabSight(KITCHEN, situation.scene, number, dish)))
        useful = [action for action in legal if action.food in ("", "egg", dish)]
        options.append([None] if doing else useful)
    yield from product(*options)


def test_the_table_of_the_page_is_computed() -> None:
    page = Path("docs/reference/collab-overcooked-rules.md").read_text(encoding="utf-8")
    told = page.partition("<!-- optima -->\n")[2].partition("\n<!-- end")[0]
    assert told.startswith(HEAD)
    most = 6 if CONFORMANCE else 4
    assert f"{told}\n".startswith("\n".join([HEAD, *rows(most)]))


@pytest.mark.parametrize("dish", SOME)
def test_the_fewest_actions_are_those_of_the_paper(dish: str) -> None:
    known = references_of(goal(dish))
    assert known is not None
    assert known.actions == ACTIONS[book().dishes[dish].level]
    assert [len({len(each) for each in some}) for some in known.by_cook] == [1, 1]


def recorded_references() -> dict[str, tuple[str, list[tuple[str, ...]]]]:
    """Return the actions of both cooks in each recorded reference play, with its task."""
    found = {}
    for name, lines in read_recordings(archive_of("collab_overcooked")):
        if ".ref" not in name:
            continue
        events: list[list[str]] = [[], []]
        for line in lines:
            for mine, event, player in zip(events, line.events, line.players, strict=True):
                if event:
                    filled = player[2] is not None and player[2][1] == "with_dish"
                    misnamed = event.replace("put_obj_in_utensil", "fill_dish_with_food")
                    mine.append(misnamed if filled else event)
        found[name] = (
            lines[0].task,
            [tuple(str(read_action(act)) for act in each) for each in events],
        )
    return found


def test_every_recorded_reference_is_among_ours() -> None:
    recorded = recorded_references()
    assert len(recorded) == 33
    for name, (task, actions) in recorded.items():
        if task not in SOME:
            continue
        known = references_of(goal(task))
        assert known is not None
        assert known.has(actions), name
        for mine, some in zip(actions, known.by_cook, strict=True):
            assert tes(mine, some) == pytest.approx(1)


def test_plans_that_are_not_shortest_are_no_references() -> None:
    known = references_of(goal("baked_carrot_soup"))
    assert known is not None
    bob, alice = known.by_cook[0][0], known.by_cook[1][0]
    assert not known.has([bob[:-1], alice])
    assert not known.has([bob, (*alice, alice[-1])])
    assert not known.has([tuple(reversed(bob)), alice])


def test_the_example_of_the_paper_has_the_tes_of_the_paper() -> None:
    reference = [
        "pickup(tofu,ingredient_dispenser)",
        "put_obj_in_utensil(chopping_board0)",
        "cut(chopping_board0)",
        "pickup(chopped_tofu,chopping_board0)",
        "place_obj_on_counter()",
    ]
    history = [*reference[:3], "pickup(egg,ingredient_dispenser)", reference[4]]
    assert tes(history, [reference]) == pytest.approx(0.6)


class Telling:
    """The chef that follows the best plan and asks for the assistant's actions at the beginning."""

    name, planner_class = "telling", "embedded"

    def __init__(self, words: dict[int, str]) -> None:
        self.words = words

    async def turn(self, observation: Any) -> Turn:
        action = act_by_plan(observation)
        return Turn(say=self.words.get(observation.timestep, ""), actions=[action])


def verdict_of(name: str, planner: Any) -> Verdict:
    verdict = cookmas.play(f"collab-overcooked/{name}", planner).verdict
    assert verdict is not None
    return verdict


def judged(name: str, words: dict[int, str], alice: str) -> Verdict:
    return verdict_of(name, {"bob": Telling(words), "alice": alice})


def value(verdict: Verdict, name: str, subject: str = EPISODE) -> Any:
    (check,) = [each for each in verdict.of(name) if each.subject == subject]
    return check.value


def longer(name: str) -> Any:
    """Return a longer case of what a shorter one proves."""
    return pytest.param(name, marks=pytest.mark.conformance)


EGG = "request('pickup(egg, ingredient_dispenser)'); request('place_obj_on_counter()')"


@pytest.mark.parametrize("name", ["level_1/01", "level_3/05", longer("level_5/02")])
def test_a_perfect_run_has_the_score_one(name: str) -> None:
    verdict = verdict_of(name, "reference")
    assert verdict.success
    assert value(verdict, "progress_completeness") == 1
    assert [value(verdict, "tes", cook) for cook in ("bob", "alice")] == [1, 1]


def test_a_right_request_that_is_followed_counts_for_both() -> None:
    verdict = judged("level_1/03", {0: EGG}, "obedient")
    assert verdict.success
    for name in ("initiating_capability", "responding_capability"):
        assert value(verdict, name) == 1
        assert value(verdict, f"{name}_of_dialogues") == 1


def test_only_as_many_actions_answer_as_were_requested() -> None:
    verdict = judged("level_1/03", {0: EGG.partition(";")[0]}, "reference")
    assert verdict.success
    assert [check.evidence for check in verdict.of("responded")] == [
        "pickup(egg,ingredient_dispenser)"
    ]
    assert value(verdict, "responding_capability") == 0.5


def test_a_wrong_request_counts_for_nobody() -> None:
    verdict = judged("level_1/03", {0: EGG.replace("egg", "corn")}, "obedient")
    assert not verdict.success
    for name in ("initiating_capability", "responding_capability"):
        assert value(verdict, name) == 0
    assert value(verdict, "tes", "alice") == 0


def test_a_request_that_nobody_follows_counts_for_the_one_who_asked() -> None:
    verdict = judged("level_1/03", {0: EGG, 9: EGG}, "random")
    assert value(verdict, "initiating_capability_of_dialogues") == 1
    assert [check.subject for check in verdict.of("initiated")] == ["bob at 0", "bob at 9"]


def test_a_kitchen_in_which_either_cook_can_do_all_has_no_trajectories() -> None:
    verdict = verdict_of("open/01", "reference")
    assert verdict.success
    assert not list(verdict.of("tes"))


@pytest.mark.parametrize("name", ["level_1/02", longer("level_3/03"), longer("level_5/03")])
def test_a_cook_that_asks_for_everything_and_one_that_obeys_need_each_other(name: str) -> None:
    verdict = verdict_of(name, "bob=asking,alice=obedient")
    assert verdict.success
    assert value(verdict, "progress_completeness") == 1
    for share in ("initiating_capability", "responding_capability"):
        assert value(verdict, share) == 1
    assert not verdict_of(name, "bob=reference,alice=obedient").success


@pytest.mark.parametrize("partner", ["reference", "reserved", "erring"])
def test_scripted_cooks_play_together(partner: str) -> None:
    name = "collab-overcooked/level_2/03"
    runs = [cookmas.play(name, f"bob=reference,alice={partner}") for _ in range(2)]
    assert list(runs[0].trace.lines()) == list(runs[1].trace.lines())
    assert runs[0].success == (partner != "reserved")
    if partner == "reserved":
        assert judged("level_2/03", {0: "hello"}, "reserved").success


def test_the_erring_cook_errs() -> None:
    scenario = load_scenario("collab-overcooked/level_4/02")
    done = {
        tuple(
            cookmas.play(scenario, {"bob": "reference", "alice": ERRING(seed=seed)}).trace.lines()
        )
        for seed in range(3)
    }
    assert len(done) == 3
