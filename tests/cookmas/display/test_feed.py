"""What a page is fed: all that happened, and nothing that a planner does not see."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cookmas
from cookmas.display.live.stream import Events
from cookmas.display.page.document import document, line_of
from cookmas.display.page.feed import Feed, changes, entries, verdict_entry
from cookmas.display.page.show import films, page
from cookmas.episodes.trace import EventRecord, Header, StepRecord, Trace
from cookmas.episodes.trace_file import read_trace
from cookmas.evals.verdict import Judged
from cookmas.files.errors import CookMASError, TraceError
from cookmas.replaying import judge_run
from cookmas.world_names import WORLDS, domain_of
from cookmas.worlds.base.viewing import Viewing, VisibleGoal
from tests.cookmas.display.conftest import NASTY, TRACES
from tests.worlds.base.dealt import SPEC
from tests.worlds.rolls import SPEC as ROLLS

LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=3)
STATES = st.recursive(
    LEAVES | st.lists(LEAVES, max_size=2),
    lambda inner: st.dictionaries(st.text(max_size=2), inner, max_size=4),
    max_leaves=12,
)
MAPPINGS = st.dictionaries(st.text(max_size=2), STATES, max_size=4)


def changed(state: dict[str, Any], found: list[Any]) -> dict[str, Any]:
    """The changes carried out, as the documentation of the format says it."""
    state = json.loads(json.dumps(state))
    for path, *value in found:
        place = state
        for key in path[:-1]:
            place = place[key]
        if value:
            place[path[-1]] = value[0]
        else:
            del place[path[-1]]
    return state


@given(MAPPINGS, MAPPINGS)
def test_the_changes_make_one_state_of_another(
    before: dict[str, Any], after: dict[str, Any]
) -> None:
    assert changed(before, changes(before, after)) == after
    assert changes(after, after) == []


def test_the_entries_give_the_states_of_the_replay(changing: Path) -> None:
    trace = read_trace(changing)
    world = domain_of("restaurant").world(trace.header.setup)
    fed = list(entries(trace))
    state = fed[0]["state"]
    found = []
    for entry in fed[1:]:
        if entry["kind"] == "step":
            found.append(state)
        state = changed(state, entry.get("change", []))
    expected = [world.dump(world.observe(frame.before)) for frame in cookmas.replay(trace)]
    assert found == json.loads(json.dumps(expected))


def test_what_is_to_come_is_not_in_the_entries(changing: Path) -> None:
    trace = read_trace(changing)
    coming = [record for record in trace.of(EventRecord) if record.timestep > 0]
    assert coming
    beginning = Trace(trace.records[: trace.records.index(coming[0])])
    told = json.dumps(list(entries(beginning)))
    assert coming[0].event["order"] == "o2"
    assert "o2" not in told
    assert "egg hard-boiled" not in told
    assert trace.header.scenario["title"] not in told
    assert "verdict" not in told


def test_the_end_of_a_fault_is_not_in_the_entries() -> None:
    trace = read_trace(TRACES / "level1-01.jsonl")
    world = domain_of("restaurant").world(trace.header.setup)
    fault = {"kind": "fault", "station": "grill_1", "timesteps": 7654}
    record = {"kind": "event", "timestep": 0, "number": 9, "event": fault, "injected": True}
    [entry] = Feed(trace.header).take(EventRecord.model_validate(record))
    assert world.apply(world.start(), fault)[1].refused is None
    assert "grill 1 is out of service" in entry["text"]
    assert "7654" not in json.dumps(entry)


def test_a_trace_that_does_not_replay_is_refused() -> None:
    trace = read_trace(TRACES / "level1-01.jsonl")
    records = [
        record.model_copy(update={"digest": "0" * 16}) if isinstance(record, StepRecord) else record
        for record in trace.records
    ]
    with pytest.raises(TraceError, match="does not replay at timestep 0"):
        list(entries(Trace(tuple(records))))
    header = trace.header.model_copy(update={"rules": "0"})
    with pytest.raises(TraceError, match="rules 0"):
        list(entries(Trace((header, *trace.records[1:]))))


def test_actions_are_said_with_what_they_are_done_to() -> None:
    fed = list(entries(read_trace(TRACES / "level1-01.jsonl")))
    words = [act[-1] for entry in fed if entry["kind"] == "step" for act in entry["acts"]]
    assert any(said.startswith("goes to ") for said in words)
    assert any(said.startswith("assembles ") and len(said) > 12 for said in words)
    assert any(said.startswith("serves o1.1 (") for said in words)
    assert not {"chop", "assemble", "pick", "place", "start"} & set(words)


def test_the_page_of_one_trace_is_always_the_same() -> None:
    assert page([judge_run(TRACES / "level1-01.jsonl")]) == page(
        [judge_run(TRACES / "level1-01.jsonl")]
    )


def test_runs_of_different_worlds_are_not_compared(tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text("\n".join(cookmas.play("corridor/one").trace.lines()) + "\n")
    with pytest.raises(CookMASError, match="one world"):
        page([judge_run(TRACES / "level1-01.jsonl"), judge_run(other)])


def test_nothing_from_outside_stands_in_the_page_as_it_was_said(nasty: Path) -> None:
    html = page([judge_run(nasty)])
    assert NASTY not in html
    assert "window.struck" not in html.replace("&lt;", "<").partition("<style>")[2]
    assert any("window.struck" in line for line in films([judge_run(nasty)]))


@pytest.mark.parametrize("name", WORLDS)
def test_every_world_has_its_part_of_the_page(name: str) -> None:
    viewing = domain_of(name).viewing
    if not viewing.page:
        assert type(viewing).panels is not Viewing.panels, "the page shows panels without a script"
        return
    parts = [path.read_text(encoding="utf-8") for path in viewing.page]
    assert any(f'worlds["{name}"] = ' in part for part in parts)
    html = document("", [viewing])
    assert all(part in html for part in parts)


def test_the_opening_is_made_of_the_header_alone() -> None:
    header = read_trace(TRACES / "level1-01.jsonl").header
    assert isinstance(header, Header)
    assert set(Feed(header).opening()) == {
        "kind", "format", "world", "scenario", "planner", "planner_class", "workers", "idle",
        "horizon", "terms", "setup", "forms", "state",
    }  # fmt: skip


def test_a_world_without_a_drawing_is_told_in_its_words() -> None:
    run = cookmas.play("six", "random", world=SPEC)
    opening, *rest = entries(run.trace, SPEC)
    assert opening["terms"] == {
        "goals": "bets", "reached": "won", "texts": "house rules", "doing": "gambling",
    }  # fmt: skip
    assert opening["characters"] == {"dealer": "at the table, holds a cup"}
    assert [panel["title"] for panel in opening["panels"]] == ["on the table"]
    assert [(goal["name"], goal["tone"]) for goal in opening["goals"]] == [("bet", "open")]
    steps = [entry for entry in rest if entry["kind"] == "step"]
    assert len(steps) == 2
    said = steps[0]["panels"][0]["items"][0]
    first = next(run.trace.of(StepRecord))
    assert said["what"] == dict(first.commands)["ann"][len("say(") : -1]
    assert steps[0]["characters"] == {"dealer": "at the bar, holds a cup"}
    assert "goals" not in steps[0]
    assert [goal["tone"] for goal in steps[1]["goals"]] == ["reached"]
    assert not {"panels", "characters"} & steps[1].keys()


def test_a_world_with_a_drawing_tells_neither_panels_nor_goals(changing: Path) -> None:
    fed = entries(read_trace(changing))
    assert not [entry for entry in fed if {"panels", "goals", "characters"} & entry.keys()]


@pytest.mark.parametrize(("goal", "tone"), [
    (VisibleGoal(name="a", what="b"), "open"),
    (VisibleGoal(name="a", what="b", status="done"), "reached"),
    (VisibleGoal(name="a", what="b", status="gone", lost=True), "lost"),
])  # fmt: skip
def test_a_goal_has_a_tone(goal: VisibleGoal, tone: str) -> None:
    assert goal.tone == tone


def test_the_page_is_told_the_score_of_a_graded_run() -> None:
    run = cookmas.play("fixed", "taking", world=ROLLS)
    assert run.verdict
    entry = verdict_entry(Judged(path=Path(), trace=run.trace, verdict=run.verdict))
    assert (entry["success"], entry["score"]) == (None, run.verdict.score)
    assert entry["outcome"] == run.verdict.outcome
    assert [(goal["when"], goal["at"]) for goal in entry["goals"]] == [(0, 0), (1, 1)]


def test_a_player_is_not_fed_what_the_world_hides_of_others() -> None:
    settings = {"horizon": 12, "hide_partner": "yes"}
    greedy = {"alice": "greedy", "bob": "greedy"}
    run = cookmas.play("overcooked/cramped_room", greedy, settings=settings)
    feed = Feed(run.trace.header, None, "alice")
    feed.opening()
    fed = [entry for record in run.trace.records[1:] for entry in feed.take(record)]
    steps = [entry for entry in fed if entry["kind"] == "step"]
    assert {name for entry in steps for name, *_ in entry["acts"]} == {"alice"}
    told = {name for entry in entries(run.trace) for name, *_ in entry.get("acts", ())}
    assert told == {"alice", "bob"}


def test_a_page_names_no_folder_of_its_author(changing: Path) -> None:
    trace, why = read_trace(changing), "no file: '/home/anna/my kitchen/secret.txt' at pl.py:4"
    assert trace.end
    ended = Trace((*trace.records[:-1], trace.end.model_copy(update={"why": why})))
    unjudged = Judged(path=changing, trace=ended, unjudged="/home/anna/a.truth.yaml: is missing")
    verdict = judge_run(changing).verdict
    assert verdict
    checks = (verdict.checks[0].model_copy(update={"evidence": why}), *verdict.checks[1:])
    judged = Judged(
        path=changing,
        trace=ended,
        verdict=verdict.model_copy(update={"why": why, "checks": checks}),
    )
    lines = [*films([unjudged, judged])]
    assert not any("anna" in line for line in lines)
    assert sum("no file: 'secret.txt' at pl.py:4" in line for line in lines) == 3
    assert sum('"why":"a.truth.yaml: is missing"' in line for line in lines) == 1


def test_no_other_text_of_a_page_is_cut() -> None:
    entry: Any = {"kind": "call", "prompt": 'one of "/a/b/c" or 1 / 2 / 3', "why": None}
    assert json.loads(line_of(entry)) == entry


@pytest.mark.parametrize("secret", ["sk-0123456789", 'a"quoted\\secret', "späte-geheimnisse"])
def test_no_text_of_a_page_has_a_secret_of_this_process(
    secret: str, changing: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file, its lines, and the stream of a page that is live."""
    trace = read_trace(changing)
    assert trace.end
    said = f"the service says {secret}, or the beginning {secret[:-1]}"
    ended = Trace((*trace.records[:-1], trace.end.model_copy(update={"why": said})))
    judged = Judged(path=changing, trace=ended, unjudged=said)
    before = [*films([judged])]
    assert sum(json.dumps(secret, ensure_ascii=False)[1:-1] in line for line in before) == 2
    monkeypatch.setenv("HOUSE_API_KEY", secret)
    lines = [*films([judged])]
    events = Events()
    made: list[dict[str, Any]] = [{"kind": "end", "why": said}, {"kind": said, "why": [said]}]
    for entry in made:
        events.add(entry, "0")
    live = events.read(0).decode()
    (packed,) = re.findall(r'class="film">([^<]*)<', page([judged]))
    whole = gzip.decompress(base64.b64decode(packed)).decode()
    for text in ["".join(lines), live, whole]:
        assert secret[:-1] not in text
        assert json.dumps(secret)[1:-2] not in text
        assert "[HOUSE_API_KEY]" in text
    assert [json.loads(line)["kind"] for line in lines] == [json.loads(x)["kind"] for x in before]
