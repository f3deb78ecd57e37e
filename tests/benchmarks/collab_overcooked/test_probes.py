"""Single decisions: a model without faults takes all of them, one that always errs takes none."""

from __future__ import annotations

import asyncio

from benchmarks.collab_overcooked.probes import ACTIONS, ProbeResult, ask, probes, reach, table
from cookmas.modelserver.answers import ScriptedModel
from cookmas.modelserver.faults import Faults
from cookmas.world_names import WORLDS


def results(rate: float) -> list[ProbeResult]:
    model = ScriptedModel(WORLDS, Faults(rates={"illegal": rate}))

    async def run() -> list[ProbeResult]:
        return [await ask(probe, model) for probe in probes(["prose"])[: 2 * ACTIONS]]

    return asyncio.run(run())


def test_a_model_without_faults_takes_every_decision() -> None:
    found = results(0.0)
    assert [result.succeeded for result in found] == [True] * 2 * ACTIONS
    assert "| initiating, prose | 100%, n=1 |" in table(found)
    assert table(found).endswith("failed initiations: none")


def test_a_model_that_always_errs_takes_none() -> None:
    found = results(1.0)
    assert not any(result.succeeded for result in found)
    assert table(found).endswith(f"failed initiations: irrelevant {ACTIONS}")


def test_a_state_is_reached_by_the_actions_before_it() -> None:
    probe = probes(["prose"])[0]
    board = "chopping_board0"
    pepper = "pickup(bell_pepper,ingredient_dispenser)"
    actions = [pepper, f"put_obj_in_utensil({board})", f"cut({board})"]
    then = f"pickup(bell_pepper_slices,{board})"
    state = reach(probe.scenario, "alice", actions, then)
    assert [len(done) for done in state.done] == [0, 3]
    assert then in probe.scenario.world().legal(state, "alice")
