"""What is known of the rest of an episode besides what is searched: schedules that were planned."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from cookmas.evals.disruptions import PLANNED
from cookmas.scenarios.schedule import load_schedule
from cookmas.solving.restaurant import continuing
from cookmas.solving.restaurant.proof import makespan_of, schedule_paths
from cookmas.worlds.restaurant.domain import DOMAIN


def test_of_what_was_planned_the_shortest_is_known_that_serves_everything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    nothing = SimpleNamespace(status="infeasible", schedule=[], configuration="", bound=None)
    monkeypatch.setattr(continuing, "make_schedule", lambda *_, **__: nothing)
    scenario = DOMAIN.scenario("level1/01", {})
    world, state = scenario.world(), scenario.world().start()
    for _, event in scenario.events():
        state, _ = world.apply(state, event)
    truth = DOMAIN.truth(scenario)
    lines = state.open_lines()
    wanted = {line: truth.dish(lines[line].item, line, lines[line].note) for line in lines}
    rows = load_schedule(schedule_paths(scenario)[0], scenario)
    served = makespan_of(rows)

    def length(*planned: int) -> tuple[int | None, str]:
        """Return what is known by the schedule after some pauses; a negative one cuts its end."""
        plans = [rows[: served + n] if n < 0 else [*[{}] * n, *rows] for n in planned]
        found = continuing.find_continuation(world.kitchen, state, wanted, plans)
        assert found.bound <= served
        return found.schedule, found.found

    assert length() == (None, "")
    assert length(-1) == (None, "")
    assert length(-1, 2, 1) == (served + 1, PLANNED)
    assert length(2, 0, 1) == (served, PLANNED)
