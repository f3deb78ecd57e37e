"""Suite files, and the episodes that they say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from cookmas.files.errors import CookMASError
from cookmas.studies.bench.spec import EpisodeSpec
from cookmas.studies.bench.suite import SHIPPED, episodes_of, load_suite

CORRIDORS: dict[str, Any] = {
    "title": "Corridors",
    "world": "corridor",
    "scenarios": ["halves"],
    "arms": [{"planner": "embedded"}],
}


def read(tmp_path: Path, **changes: Any) -> list[EpisodeSpec]:
    path = tmp_path / "suite.yaml"
    path.write_text(yaml.safe_dump({**CORRIDORS, **changes}))
    suite, found = load_suite(str(path))
    return episodes_of(suite, found)


def test_a_group_stands_for_all_that_is_in_it(tmp_path: Path) -> None:
    specs = read(tmp_path, world=None, scenarios=["level1", "cuisineworld/level_3", "corridor"])
    cases = [spec.case for spec in specs]
    assert cases[:2] == ["level1/01", "level1/02"]
    assert "cuisineworld/level_3" in cases
    assert "corridor/halves" in cases
    assert len(cases) == len(set(cases))


def test_a_setting_that_is_a_list_makes_a_case_of_each_value(tmp_path: Path) -> None:
    specs = read(
        tmp_path,
        world="cuisineworld",
        scenarios=["level_3"],
        settings={"tau": ["1.0", "2.0"], "agents": 2},
        repeats=2,
    )
    assert [spec.case for spec in specs[::2]] == [
        "cuisineworld/level_3 agents=2 tau=1.0",
        "cuisineworld/level_3 agents=2 tau=2.0",
    ]
    assert specs[0].settings == {"tau": "1.0", "agents": "2"}


def test_what_is_varied_is_varied_for_every_arm_and_keeps_the_case(tmp_path: Path) -> None:
    specs = read(
        tmp_path,
        world="cuisineworld",
        scenarios=["level_3"],
        arms=[{"planner": "noop"}, {"planner": "greedy"}],
        vary={"option": "settings.agents", "values": [1, 3]},
    )
    assert [(spec.arm, spec.at, spec.settings["agents"]) for spec in specs] == [
        ("noop", 1, "1"),
        ("noop", 3, "3"),
        ("greedy", 1, "1"),
        ("greedy", 3, "3"),
    ]
    assert len({spec.case for spec in specs}) == 1
    assert len({spec.name for spec in specs}) == len({spec.file for spec in specs}) == 4


def test_what_is_drawn_depends_on_case_and_repeat_alone(tmp_path: Path) -> None:
    arms = [{"planner": "embedded"}, {"planner": "llm", "scripted": {}}]
    few = read(tmp_path, repeats=2, arms=arms[:1])
    many = read(tmp_path, repeats=3, arms=[*arms[1:], *arms[:1]], scenarios=["two", "halves"])
    seeds = {(spec.case, spec.repeat): spec.seed for spec in few}
    assert len(set(seeds.values())) == 2
    for spec in many:
        assert seeds.get((spec.case, spec.repeat), spec.seed) == spec.seed
    assert len({spec.seed for spec in many}) == 6
    assert read(tmp_path, seed=1)[0].seed != few[0].seed


def test_a_model_is_asked_with_a_seed_of_the_episodes_own_if_with_one_at_all(
    tmp_path: Path,
) -> None:
    arm = {"planner": "llm", "scripted": {}, "asking": {"model_seed": 7}}
    specs = read(tmp_path, repeats=2, arms=[arm])
    first, second = (spec.asking.model_seed for spec in specs if spec.asking)
    assert first != second
    arm["asking"] = {"memory": 2}
    (spec, _) = read(tmp_path, repeats=2, arms=[arm])
    assert spec.asking
    assert spec.asking.model_seed is None


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"arms": []}, "arms: expected at least one"),
        ({"arms": [{"planner": "llm"}, {"planner": "llm"}]}, "'llm' occurs twice"),
        ({"arms": [{"name": "NA"}]}, "'NA': readers of CSV take this name for a number, a form"),
        ({"seats": {"1e5": {"ringer": "embedded"}}}, "'1e5': readers of CSV"),
        ({"cross": [{"name": "none"}]}, "'none': readers of CSV"),
        ({"scenarios": ["nowhere"]}, "nowhere"),
        ({"scenarios": []}, "scenarios"),
        ({"repeats": 0}, "repeats"),
        ({"repeats": 10**12}, "has 1000000000000 episodes; expected at most 100000"),
        ({"settings": {"a": [*range(400)], "b": [*range(400)]}}, "has 160000 episodes"),
        ({"probe": {"states": 10**12}}, "has 1000000000000 episodes"),
        ({"taste": 1}, "taste"),
        ({"arms": [{"planner": "llm", "scripted": {"illegal": 7}}]}, "a rate of illegal from 0"),
        ({"arms": [{"planner": "llm", "scripted": {"ilegal": 0.5}}]}, "expected one of illegal"),
        ({"arms": [{"planner": "llm", "scripted": {"illegal": float("nan")}}]}, "finite number"),
        ({"arms": [{"planner": "llm", "asking": {"memory": 10**9}}]}, "memory"),
        ({"arms": [{"planner": "llm", "asking": {"temperature": 1e9}}]}, "temperature"),
        ({"arms": [{"planner": "llm", "model": {}, "scripted": {}}]}, "not both"),
        ({"arms": [{"planner": "llm", "model": {"record": "a"}}]}, "records answers itself"),
        ({"arms": [{"planner": "llm", "model": {"deadline": -1}}]}, "deadline"),
        ({"vary": {"option": "settings.hats", "values": [1]}}, "hats"),
        ({"vary": {"option": "hats", "values": [1]}}, "hats"),
    ],
)
def test_a_bad_suite_is_one_line(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    with pytest.raises(CookMASError, match=said) as caught:
        read(tmp_path, **changes)
    assert "\n" not in str(caught.value)


def test_a_suite_that_is_not_there_says_which_there_are() -> None:
    with pytest.raises(CookMASError, match="restaurant"):
        load_suite("banquet")


@pytest.mark.parametrize("path", sorted(SHIPPED.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_suite_that_comes_with_cookmas_can_be_played(path: Path) -> None:
    assert episodes_of(*load_suite(path.stem))
