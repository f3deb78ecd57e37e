"""A restaurant that tests control by hand: one cook makes any dish, and the trace records it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from cookmas import judge
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
from cookmas.evals.verdict import EPISODE, Check, Value, Verdict
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


Events = Mapping[int, Sequence[Mapping[str, Any]]]
Actions = Sequence[str | Mapping[str, str]]
"""One entry for each timestep; a text is for worker_1."""

TOAST = ["bread > grill 3", "butter"]
"""The foods of a right Buttered Toast."""


class House:
    """The standard kitchen for episodes by hand."""

    @cached_property
    def world(self) -> Restaurant:
        return Restaurant(build_kitchen(kitchen_path("standard"), load_menu()))

    @cached_property
    def truth(self) -> ScenarioTruth:
        """The truth of an episode without wishes."""
        menu = load_menu()
        return ScenarioTruth(items=load_menu_truth(menu), notes={}, doneness=menu.doneness)

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
        return replace(self.truth, notes={("o1.1", note): wishes})

    def order(self, *items: str, note: str = "", due: int | None = None) -> dict[str, Any]:
        """Return an event: order o1 with these items, all with the same note."""
        lines = [{"item": item, "note": note} for item in items]
        return {"kind": "new_order", "order": "o1", "lines": lines, "due": due}

    def play(
        self,
        actions: Actions,
        events: Events,
        *,
        termination: Termination | None = None,
        understood: Mapping[str, Sequence[str]] | None = None,
        reasoning: str = "",
        planner_class: PlannerClass = "fixed",
        planner: str = "by hand",
    ) -> Trace:
        """Play to the end of `actions`; a text is for worker_1 while the others wait."""
        world = self.world
        said = {line: list(read) for line, read in (understood or {}).items()} or None
        first = Header(
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
        records: list[AnyRecord] = [first]
        state = world.start()
        for now, given in enumerate([*actions, None]):
            triggers: list[TriggerRecord] = []
            for event in events.get(now, ()):
                number = 1 + sum(isinstance(record, EventRecord) for record in records)
                state, ruling = world.apply(state, event)
                records.append(
                    EventRecord(
                        timestep=now, number=number, event=dict(event), refused=ruling.refused
                    )
                )
                if ruling.trigger:
                    kind, cause = ruling.trigger.kind, ruling.trigger.cause
                    triggers.append(TriggerRecord(timestep=now, trigger=kind, cause=cause))
            if triggers:
                plan = PlanRecord(timestep=now, reasoning=reasoning, schedule=[], understood=said)
                records += [*triggers, plan]
            if given is None:
                break
            mine = {"worker_1": given} if isinstance(given, str) else given
            commands = commands_of({**dict.fromkeys(world.workers, "wait"), **mine})
            state, outcomes, _ = world.step(state, commands)
            fails = {
                worker: OutcomeRecord(fail=str(outcome.fail), why=outcome.why)
                for worker, outcome in outcomes.items()
                if not outcome.done
            }
            after = digest(world.dump(state))
            records.append(StepRecord(timestep=now, commands=commands, fails=fails, digest=after))
        end = End(
            timestep=state.timestep,
            termination=termination or ("finished" if world.is_finished(state) else "horizon"),
            why="that is how it ended",
            tally=world.tally(state),
        )
        return Trace((*records, end))

    def ordered(
        self,
        actions: Actions,
        *items: str,
        at: Events | None = None,
        note: str = "",
        due: int | None = None,
        **how: Any,
    ) -> Trace:
        """Play an episode in which these items are ordered first; `at` has later events."""
        order = self.order(*items, note=note, due=due)
        return self.play(actions, {**(at or {}), 0: [order, *(at or {}).get(0, ())]}, **how)

    def judged(self, actions: Actions, *items: str, **how: Any) -> Verdict:
        """Return the verdict on such an episode, with the `truth` of one without wishes."""
        truth = how.pop("truth", self.truth)
        return judge(self.ordered(actions, *items, **how), truth)

    def judge(self, trace: Trace, evaluators: Evaluators) -> Verdict:
        """Return the verdict of these evaluators with the truth of an episode without wishes."""
        return JUDGING.judge(trace, self.truth, self.world, evaluators)


HOUSE = House()


def check(verdict: Verdict, name: str, subject: str = EPISODE) -> Check:
    """Return the one check of this name about a subject."""
    (found,) = (each for each in verdict.of(name) if each.subject == subject)
    return found


def value(verdict: Verdict, name: str, subject: str = EPISODE) -> Value:
    return check(verdict, name, subject).value


def values(verdict: Verdict, name: str) -> list[Value]:
    return [each.value for each in verdict.of(name)]
