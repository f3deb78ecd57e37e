"""A restaurant that tests control by hand: one cook makes any dish, and the trace records it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from cookmas.episodes.parts import OutcomeRecord
from cookmas.episodes.trace import (
    AnyRecord,
    End,
    EventRecord,
    Header,
    PlannerClass,
    PlanRecord,
    StepRecord,
    Termination,
    Trace,
    TriggerRecord,
)
from cookmas.episodes.world import digest
from cookmas.evals.evidence import Evaluators
from cookmas.evals.verdict import Verdict
from cookmas.kitchen.components import parse_food
from cookmas.kitchen.customizations import Customization
from cookmas.kitchen.foods import Food
from cookmas.kitchen.layout import KIND_OF_PROCESS, Kitchen
from cookmas.kitchen.world import Restaurant
from cookmas.orchestrator.planner import commands_of
from cookmas.scenarios.kitchens import build_kitchen, kitchen_path
from cookmas.scenarios.menu import load_menu
from cookmas.scenarios.truth import ScenarioTruth, load_menu_truth
from cookmas.worlds.restaurant.judging import JUDGING


@dataclass
class Cook:
    """Turns foods with their histories into one worker's actions that make exactly these foods."""

    kitchen: Kitchen
    actions: list[str] = field(default_factory=list)

    def make(self, food: Food, depth: int = 1) -> None:
        """Make the food, which ends in the hand; joined foods use stations of number `depth`."""
        steps = list(food.steps)
        if not food.parts:
            self._do(f"navigate({self.kitchen.larder[food.name]})", f"pick({food.name})")
        elif steps and steps[0].process in ("mix", "blend", "knead", "assemble"):
            first = steps.pop(0)
            kind = KIND_OF_PROCESS[first.process].name
            station = f"{kind}_{depth + (kind == 'plating')}"
            self._gather(food.parts, station, depth)
            self._do(*[first.process] * first.minutes, "pick")
        else:
            self._cook_together(food.parts, depth)
        for step in steps:
            kind = KIND_OF_PROCESS[step.process].name
            self._do(f"navigate({kind}_{depth})", "place")
            if kind in ("board", "mixer"):
                self._do(*[step.process] * step.minutes, "pick")
            else:
                self._do("start", *["wait"] * (step.minutes - 1), "pick")

    def serve(self, foods: Iterable[str], line: str) -> list[str]:
        """Return the actions that make a dish of these foods and serve it to a line."""
        self._gather([parse_food(text) for text in foods], "plating_1", 0)
        self._do("navigate(plates)", "pick", "navigate(plating_1)", "place", "assemble", "pick")
        self._do("navigate(pass)", f"serve({line})")
        return self.actions

    def _do(self, *actions: str) -> None:
        self.actions += actions

    def _gather(self, foods: Iterable[Food], station: str, depth: int) -> None:
        for food in foods:
            self.make(food, depth + 1)
            self._do(f"navigate({station})", "place")

    def _cook_together(self, parts: Sequence[Food], depth: int) -> None:
        last = {part.steps[-1] for part in parts}
        assert len(last) == 1, "foods cooked together go in together in these tests"
        step = last.pop()
        kind = KIND_OF_PROCESS[step.process].name
        raw = [Food(part.name, part.parts, part.steps[:-1]) for part in parts]
        self._gather(raw, f"{kind}_{depth}", depth)
        self._do("start", *["wait"] * (step.minutes - 1), "pick")


@dataclass
class House:
    """The standard kitchen for episodes by hand."""

    world: Restaurant
    truth: ScenarioTruth

    def serve(self, foods: Iterable[str], line: str = "o1.1") -> list[str]:
        """Return one worker's actions that make a dish of exactly these foods and serve it."""
        return Cook(self.world.kitchen).serve(foods, line)

    def make(self, food: str) -> list[str]:
        """Return one worker's actions that end with this food in the hand."""
        cook = Cook(self.world.kitchen)
        cook.make(parse_food(food))
        return cook.actions

    def knowing(self, *wishes: Customization, note: str = "as I like it") -> ScenarioTruth:
        """Return the truth in which the note of line o1.1 means these wishes."""
        notes = {("o1.1", note): wishes}
        return ScenarioTruth(items=self.truth.items, notes=notes, doneness=self.truth.doneness)

    def order(self, *items: str, note: str = "", due: int | None = None) -> dict[str, Any]:
        """Return an event: order o1 with these items, all with the same note."""
        lines = [{"item": item, "note": note} for item in items]
        return {"kind": "new_order", "order": "o1", "lines": lines, "due": due}

    def play(
        self,
        actions: Sequence[str | Mapping[str, str]],
        events: Mapping[int, Sequence[Mapping[str, Any]]],
        *,
        termination: Termination | None = None,
        understood: Mapping[str, Sequence[str]] | None = None,
        reasoning: str = "",
        planner_class: PlannerClass = "fixed",
        planner: str = "by hand",
    ) -> Trace:
        """Play to the end of `actions`; a text is for worker_1 while the others wait."""
        world = self.world
        records: list[AnyRecord] = [
            Header(
                world=world.name,
                rules=world.rules,
                workers=list(world.workers),
                seed=0,
                horizon=1000,
                planner=planner,
                planner_class=planner_class,
                scenario_name="by hand",
                scenario_digest="0" * 16,
                scenario={"level": 2},
                setup=world.setup(),
            )
        ]
        state = world.start()
        number = 0
        for timestep, given in enumerate([*actions, None]):
            triggers: list[TriggerRecord] = []
            for event in events.get(timestep, ()):
                number += 1
                state, ruling = world.apply(state, event)
                records.append(
                    EventRecord(
                        timestep=timestep, number=number, event=dict(event), refused=ruling.refused
                    )
                )
                if ruling.trigger:
                    cause, kind = ruling.trigger.cause, ruling.trigger.kind
                    triggers.append(TriggerRecord(timestep=timestep, trigger=kind, cause=cause))
            if triggers:
                said = {line: list(read) for line, read in (understood or {}).items()}
                records += triggers
                records.append(
                    PlanRecord(
                        timestep=timestep,
                        reasoning=reasoning,
                        schedule=[],
                        understood=said or None,
                    )
                )
            if given is None:
                break
            joint = dict.fromkeys(world.workers, "wait")
            joint.update({"worker_1": given} if isinstance(given, str) else given)
            commands = commands_of(joint)
            state, outcomes, _ = world.step(state, commands)
            fails = {
                worker: OutcomeRecord(fail=str(outcome.fail), why=outcome.why)
                for worker, outcome in outcomes.items()
                if not outcome.done
            }
            records.append(
                StepRecord(
                    timestep=timestep,
                    commands=commands,
                    fails=fails,
                    digest=digest(world.dump(state)),
                )
            )
        how = termination or ("finished" if world.is_finished(state) else "horizon")
        records.append(
            End(
                timestep=state.timestep,
                termination=how,
                why="that is how it ended",
                tally=world.tally(state),
            )
        )
        return Trace(tuple(records))

    def judge(self, trace: Trace, evaluators: Evaluators) -> Verdict:
        """Return the verdict of these evaluators with the truth of an episode without wishes."""
        return JUDGING.judge(trace, self.truth, self.world, evaluators)


@pytest.fixture(scope="session")
def house() -> House:
    menu = load_menu()
    return House(
        world=Restaurant(build_kitchen(kitchen_path("standard"), menu)),
        truth=ScenarioTruth(items=load_menu_truth(menu), notes={}, doneness=menu.doneness),
    )
