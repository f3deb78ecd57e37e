"""Each named limit of the code is in a table, with the call that reaches it."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from tests.folders import CODE
from tests.limits import (
    of_dialogue,
    of_episodes,
    of_files,
    of_mailboxes,
    of_orchestrator,
    of_worlds,
)
from tests.limits.limit import Limit

ROOT = Path(__file__).parents[2]

TABLES = (of_files, of_mailboxes, of_episodes, of_dialogue, of_orchestrator, of_worlds)
LIMITS: list[Limit] = [limit for table in TABLES for limit in table.LIMITS]

NAMED = re.compile(
    r"^(_?(?:MOST|LONGEST|DEEPEST|GREATEST|LARGEST)[A-Z_]*)(?::.*)? = (?!partial\()", re.MULTILINE
)
"""A constant that is named as a limit, and is no planner that a rule makes (`MOST_WORK`)."""

ELSEWHERE: Mapping[str, tuple[str, str]] = {
    "display.live.serve:MOST_CONNECTIONS": (
        "cookmas/display/test_visitors.py",
        "test_connections_that_are_answered_are_bounded",
    ),
    "display.live.stream:MOST_EARLIER": (
        "cookmas/display/test_parts.py",
        "test_a_page_can_ask_for_so_many_earlier_parts",
    ),
    "orchestrator.dialogue.choices:LONGEST_CHOICE": (
        "orchestrator/dialogue/test_choice_marks.py",
        "test_a_text_without_end_is_no_choice",
    ),
    "orchestrator.graph.bookkeeping:LONGEST_RESULT": (
        "workers/test_heard.py",
        "test_what_a_planner_is_told_is_bounded",
    ),
    "orchestrator.graph.bookkeeping:MOST_REPORTS": (
        "workers/test_heard.py",
        "test_what_a_planner_is_told_is_bounded",
    ),
    "orchestrator.graph.messages:MOST_TAKEN": (
        "live/test_bygone.py",
        "test_a_flood_of_messages_does_not_hold_a_timestep_up",
    ),
    "orchestrator.models.probe:LONGEST_ANSWER": (
        "orchestrator/models/test_probe.py",
        "test_no_more_is_sent_than_is_said",
    ),
    "orchestrator.models.probe:LONGEST_PROMPT": (
        "orchestrator/models/test_probe.py",
        "test_no_more_is_sent_than_is_said",
    ),
    "orchestrator.models.probe:MOST_REQUESTS": (
        "orchestrator/models/test_probe.py",
        "test_no_more_is_sent_than_is_said",
    ),
    "orchestrator.pace:LONGEST_ABSENCE": (
        "orchestrator/test_pace.py",
        "test_a_machine_that_is_started_anew_goes_on_by_its_time_of_day",
    ),
    "orchestrator.pace:LONGEST_SLEEP": (
        "orchestrator/test_pace.py",
        "test_a_long_sleep_ends_when_the_machine_was_suspended",
    ),
    "sandbox.child:LONGEST_START": (
        "sandbox/test_starting.py",
        "test_a_child_that_does_not_start_in_time_is_ended",
    ),
    "solving.overcooked.planners:MOST_COOKS": (
        "worlds/overcooked/test_layout.py",
        "test_the_joint_planner_plans_for_at_most_four_cooks",
    ),
    "worlds.base.loading:LONGEST_IMPORT": (
        "cookmas/test_worlds_from_outside.py",
        "test_a_world_that_fails_ends_in_one_line",
    ),
}
"""Limits that need a server, processes or time, with the file and the test that reaches each."""

EFFORTS: Mapping[str, Sequence[str]] = {
    "a search ends after it and answers with the best that it has found": [
        "causes.finding:USUAL_PLAYS",
        "solving.cuisineworld.search:CHOSEN_DISHES",
        "solving.overcooked.goals:NEAREST_OF_A_KIND",
        "solving.overcooked.search:WAITED_TIMESTEPS",
    ],
    "it chooses between two searches, each of which plans every number of lines": [
        "solving.restaurant.scheduling.planning:LINES_AT_ONCE"
    ],
    "above it a weaker bound or reading, or none, is used, which is valid too": [
        "solving.cuisineworld.bound:SEARCHED_STATIONS",
        "solving.collab_overcooked.search:KEPT_SITUATIONS",
        "solving.collab_overcooked.fewest_actions:SEARCHED_SCENES",
        "solving.collab_overcooked.fewest_actions:FOUND_SEQUENCES",
        "solving.collab_overcooked.search:SEARCHED_SITUATIONS",
        "solving.collab_overcooked.generating:SEARCHED_SITUATIONS",
        "worlds.collab_overcooked.judging:JUDGED_SITUATIONS",
        "worlds.collab_overcooked.judging:AWAITED_TIMESTEPS",
        "episodes.checking_worlds:TRIED_ACTIONS",
        "orchestrator.dialogue.look_ahead:TRIED_TIMESTEPS",
        "worlds.collab_overcooked.rules.grounding:FORESEEN_TIMESTEPS",
        "studies.previewing:PLAYED_CALLS",
    ],
    "what is left is read in the next batch": [
        "mailboxes.redis.letterbox:WITHDRAWN_AT_ONCE",
        "mailboxes.redis.mailbox:READ_AT_ONCE",
        "mailboxes.redis.mailbox:READS",
    ],
    "no data of this size exist": [
        "studies.bench.executor:LINE_BUFFER",
        "bridges.pettingzoo.common:SEEDS",
    ],
}
"""Constants that are no limits of what people or models bring, by the reason."""


def _named() -> Iterator[str]:
    """Yield the module and the name of each limit."""
    for folder in CODE:
        for path in sorted((ROOT / folder).rglob("*.py")):
            inside = path.relative_to(ROOT).with_suffix("").parts
            module = ".".join(part for part in inside if part not in ("cookmas", "__init__"))
            text = path.read_text(encoding="utf-8")
            yield from (f"{module}:{name}" for name in NAMED.findall(text))


def test_each_named_limit_has_a_row() -> None:
    rows = [limit.name for limit in LIMITS]
    assert len(rows) == len({*rows}), "a limit has one row"
    assert {*rows, *ELSEWHERE} == {*_named()}, "add a row for a new limit"


def test_a_limit_that_is_reached_elsewhere_has_its_test() -> None:
    for file, test in ELSEWHERE.values():
        assert f"def {test}(" in (ROOT / "tests" / file).read_text(encoding="utf-8")


def test_an_effort_is_a_constant_of_its_module() -> None:
    for names in EFFORTS.values():
        for name in names:
            module, _, constant = name.partition(":")
            assert hasattr(importlib.import_module(f"cookmas.{module}"), constant), name


@pytest.mark.parametrize("limit", LIMITS, ids=lambda limit: limit.name)
def test_a_limit_holds_at_it_below_and_above(
    limit: Limit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    most = limit.patch(monkeypatch)
    for size in (most - 1, most, most + 1):
        limit.check(size, most)
