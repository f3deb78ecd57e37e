"""The judging of Collab-Overcooked: an episode succeeds if its order is delivered in time.

An action of the environment is one that a cook completes by an interaction, such as taking an egg.
References are what each cook does in the plans with the fewest actions; `evals/trajectories`
compares a history with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from cookmas.episodes.trace import Trace
from cookmas.episodes.world import Command
from cookmas.evals.columns import (
    CALLS,
    COLLABORATION,
    FURTHER,
    OPTIMALITY_RATE,
    SUCCESS,
    SUMMARY,
    TALK,
    Column,
    Direction,
    Measure,
    column_of_passes,
    column_of_values,
    count_entry,
)
from cookmas.evals.evidence import Evaluator, Evidence
from cookmas.evals.judging import COMMON, Judging, group_of_name, only_goal
from cookmas.evals.optimality import Optimum, Reached, optimality
from cookmas.evals.planning import talk, verifier_dependence
from cookmas.evals.requests import (
    MATRIX,
    PartnerRequest,
    capabilities,
    collaborations,
    find_requests,
    fulfilment,
)
from cookmas.evals.trajectories import (
    ASTRAY,
    Actions,
    TrajectoryStep,
    completeness_by_role,
    tes,
)
from cookmas.evals.verdict import EPISODE, Check, Goal, Number, Verdict
from cookmas.worlds.collab_overcooked.rules.actions import (
    DELIVER,
    FILL,
    PICKUP,
    PLACE,
    PUT,
    WAIT,
    Action,
    read_action,
)
from cookmas.worlds.collab_overcooked.rules.kitchen import DISHES, INGREDIENTS
from cookmas.worlds.collab_overcooked.world import CollabWorld
from cookmas.worlds.grids.grid import Cell
from cookmas.worlds.grids.lasting import UnableError
from cookmas.worlds.shipped import solved

JUDGED_SITUATIONS = 10_000
"""Situations that the judging keeps to find the optimum of a dish, about a second.

Dishes of level 6 need more, and get no optimality.
"""

AWAITED_TIMESTEPS = 60
"""Greatest number of timesteps in which an action is awaited."""


@dataclass(frozen=True, kw_only=True)
class CookEvidence(Evidence):
    """An episode in a kitchen of cooks."""

    world: CollabWorld

    @cached_property
    def steps(self) -> tuple[TrajectoryStep, ...]:
        """The interactions of the cooks, in order; walking and waiting are left out."""
        return tuple(
            TrajectoryStep(frame.timestep, name, str(read_action(action)))
            for frame in self.frames
            for name, before, after in zip(
                self.world.workers, frame.before.done, frame.after.done, strict=True
            )
            for action in after[len(before) :]
        )

    @cached_property
    def goal(self) -> Any:
        """The goal of the order; None if its recipe is unknown."""
        final = self.final
        return solved("collab-overcooked", "useful:goal_of")(
            self.world.kitchen, final.order or "", final.tables
        )

    @cached_property
    def references(self) -> Mapping[str, Sequence[Actions]] | None:
        """The different sequences of actions of each cook in the plans with the fewest actions.

        None if no plan is known, there are too many, or a cook does more actions in one plan than
        in another because both cooks can do the same work.
        """
        found = (
            solved("collab-overcooked", "fewest_actions:references_of")(self.goal)
            if self.goal
            else None
        )
        if found is None or any(len(set(map(len, some))) > 1 for some in found.by_cook):
            return None
        return dict(zip(self.world.workers, found.by_cook, strict=True))


def read(text: str) -> str | None:
    """Return an action in its one spelling; empty for a wait, None for any other text."""
    try:
        action = read_action(text)
    except UnableError:
        return None
    return "" if action.verb == WAIT else str(action.at_once)


def trajectories(evidence: CookEvidence) -> Iterator[Check]:
    """Yield `tes` of each cook, and `progress_completeness`, their mean.

    Yield nothing without references.
    """
    references = evidence.references
    if references is None:
        return
    histories = {
        name: [step.action for step in evidence.steps if step.worker == name] for name in references
    }
    for name, own in references.items():
        value = round(tes(histories[name], own), 4)
        yield Check(name="tes", subject=name, value=value, evidence="; ".join(histories[name]))
    whole = completeness_by_role(histories, references)
    yield Check(name="progress_completeness", subject=EPISODE, value=round(whole, 4))


def collaboration(evidence: CookEvidence) -> Iterator[Check]:
    """Yield the initiating and responding capability, and the result of each request.

    The cook that reads the recipe initiates, its partner responds. The number of required
    collaborations is the number of actions that the partner has to do. Without references
    (`CookEvidence.references`) the capabilities are left out. Yield nothing unless there are two
    cooks, exactly one of them reads the recipe, and this cook has begun a talk or made a request.
    """
    cooks, readers = evidence.world.workers, evidence.world.kitchen.readers
    chefs = [name for name in cooks if name in readers]
    if len(cooks) != 2 or len(chefs) != 1:
        return
    (chef,) = chefs
    (partner,) = (name for name in cooks if name != chef)
    requests = find_requests(evidence.trace, chef, partner, read)
    if not requests:
        return
    steps = evidence.steps
    if evidence.references is not None:
        own = evidence.references[partner]
        yield from capabilities(collaborations(requests, steps, own), own, len(own[0]))
    yield from fulfilment(requests, steps, lambda request: fewest(evidence, request))


def fewest(evidence: CookEvidence, request: PartnerRequest) -> int | None:
    """Return the fewest timesteps in which the partner can do the first action of a request.

    Return None if the partner cannot begin that action at its next move, or needs more than
    AWAITED_TIMESTEPS timesteps.
    """
    world, state = evidence.world, evidence.frames[request.timestep].before
    number = world.workers.index(request.to)
    wanted = request.actions[0]
    begun = False
    for timesteps in range(1, AWAITED_TIMESTEPS + 1):
        commands = []
        if request.to in world.movers(state):
            if begun:
                return None
            begun = True
            commands = [Command(request.to, wanted)]
        before = state
        state, outcomes, _ = world.step(state, commands)
        if not outcomes[request.to].done:
            return None
        done = state.done[number][len(before.done[number]) :]
        if wanted in map(read, done):
            return timesteps
    return None


Needed = frozenset[int]
"""The numbers of the actions that made an item and brought it to where it is."""

NOTHING: Needed = frozenset()


class _Ledger:
    """The items in hands and places, each with the actions that brought it there."""

    def __init__(self) -> None:
        self.served = NOTHING
        self._hands: dict[int, Needed] = {}
        self._places: dict[Cell, Needed] = {}
        self._laid: dict[Cell, tuple[int, Needed]] = {}

    def enter(self, number: int, cook: int, action: Action, cell: Cell) -> None:
        """Enter the action with a number, which a cook has done while it faced a cell."""
        own = frozenset({number})
        held = self._hands.pop(cook, NOTHING)
        if action.verb == PICKUP:
            self._hands[cook] = self._take(cook, action, cell, own)
        elif action.verb == FILL:
            self._hands[cook] = held | self._places.pop(cell, NOTHING) | own
        elif action.verb == PLACE:
            self._places[cell] = held | own
            self._laid[cell] = cook, held
        elif action.verb == DELIVER:
            self.served = held | own
        elif action.verb == PUT:
            self._places[cell] = held | self._places.get(cell, NOTHING) | own
        else:
            self._places[cell] = self._places.get(cell, NOTHING) | own

    def _take(self, cook: int, action: Action, cell: Cell, own: Needed) -> Needed:
        """Return the actions of an item that a cook takes; `own` is the number of the taking.

        If the cook takes back what it laid down itself, neither the laying nor the taking counts.
        """
        if action.place in (INGREDIENTS, DISHES):
            return own
        there = self._places.pop(cell, NOTHING)
        by, before = self._laid.pop(cell, (-1, NOTHING))
        return before if by == cook else there | own

    def empty(self, cell: Cell) -> None:
        """Enter that nothing is left at a cell, for example because a mix was destroyed."""
        self._places.pop(cell, None)


def redundancy(evidence: CookEvidence) -> Iterator[Check]:
    """Yield `redundancy` of an order that was served: the share of actions that it did not need.

    An action is not needed if its item never got into the served food, or if a cook laid
    something down and took it back itself.
    """
    if not evidence.final.served:
        return
    ledger, count = _Ledger(), 0
    for frame in evidence.frames:
        before, after = frame.before, frame.after
        for cook, body in enumerate(each.body for each in before.scene.cooks):
            for text in after.done[cook][len(before.done[cook]) :]:
                ledger.enter(count, cook, read_action(text), body.faces)
                count += 1
        for cell in before.scene.utensils:
            if cell not in after.scene.utensils:
                ledger.empty(cell)
    needed = len(ledger.served)
    yield Check(
        name="redundancy",
        subject=EPISODE,
        value=round(1 - needed / count, 4),
        evidence=f"{count - needed} of {count} actions",
    )


Talk = tuple[Check, Check]
"""The checks `initiated` and `responded` of one talk."""

TITLES: Mapping[str, Direction | None] = {
    "both": "more",
    "asked only": None,
    "answered only": None,
    "neither": "less",
}
"""The headings of the kinds of MATRIX, and which share of talks is better."""


def _column(title: str, counts: Callable[[Talk], bool], better: Direction | None) -> Column:
    """Return a column that shows how many per cent of the talks count."""

    def values(verdict: Verdict) -> Sequence[Number]:
        talks = zip(verdict.of("initiated"), verdict.of("responded"), strict=False)
        return [100.0 * counts(talk) for talk in talks]

    name = title.replace(" ", "_")
    return Column(name=name, title=title, values=values, unit="%", optional=True, better=better)


def _is_kind(kind: tuple[bool, bool]) -> Callable[[Talk], bool]:
    return lambda talk: (talk[0].passed, talk[1].passed) == kind


def _fails_by(category: str) -> Callable[[Talk], bool]:
    return lambda talk: talk[0].reason == category


TALKS: Sequence[Column] = (
    *(
        _column(title, _is_kind(kind), better)
        for (title, better), kind in zip(TITLES.items(), MATRIX, strict=True)
    ),
    *(_column(category, _fails_by(category), "less") for category in ASTRAY),
)
"""Per cent of the talks: of each kind of MATRIX, and of each category of a failed initiation."""


def find_optimum(evidence: CookEvidence) -> Optimum | None:
    """Return the fewest timesteps for the order, by the exact search; None if it is too long."""
    if evidence.goal is None or evidence.altered:
        return None
    plan = solved("collab-overcooked", "search:best_plan")(evidence.goal, JUDGED_SITUATIONS)
    return Optimum(len(plan.begun), "optimum", "less") if plan else None


def find_reached(evidence: CookEvidence) -> Reached:
    """Return when the order was delivered, in timesteps from its arrival."""
    return Reached(evidence.end.timestep if evidence.final.served else None)


class CollabJudging(Judging):
    """The judging of Collab-Overcooked; the order is the goal."""

    version = "3"
    evidence = CookEvidence
    evaluators: Mapping[str, Evaluator] = {
        "trajectories": trajectories,
        "collaborations": collaboration,
        "redundancy": redundancy,
        "optimality": optimality(find_optimum, find_reached),
        "verifying": verifier_dependence,
        "talk": talk,
        **COMMON,
    }
    summary = (count_entry("orders", lambda goals, checks: len(goals)), *SUMMARY)
    columns = (
        SUCCESS,
        column_of_values("progress_completeness", "PC", digits=3),
        column_of_values("initiating_capability", "IC", digits=3, better="more"),
        column_of_values("responding_capability", "RC", digits=3, better="more"),
        *COLLABORATION,
        *TALKS,
        OPTIMALITY_RATE,
        replace(column_of_passes("fulfilled", "fulfilled", "fulfilled"), optional=True),
        replace(
            column_of_values("response_delay", "delay", digits=2, better="less"),
            measured_in="ratio",
        ),
        column_of_values("redundancy", "redundant", digits=3, better="less"),
        column_of_values("verifier_dependence", "after refusal", digits=3),
        *TALK,
        *CALLS,
    )
    measures = (
        Measure(name="progress_completeness", measured_in="share"),
        Measure(name="tes", of=True, better="more", measured_in="share"),
        Measure(name="initiating_capability", measured_in="share"),
        Measure(name="responding_capability", measured_in="share"),
        Measure(name="initiating_capability_of_dialogues", better="more", measured_in="share"),
        Measure(name="responding_capability_of_dialogues", better="more", measured_in="share"),
        Measure(name="matrix", of=True, measured_in="talks"),
        Measure(name="failed_initiation", of=True, better="less", measured_in="talks"),
        Measure(name="redundancy", measured_in="share"),
        Measure(name="verifier_dependence", measured_in="share"),
        *Judging.measures,
    )

    further = (
        *(
            Measure(name=name, of=True, better="more", measured_in=unit)
            for name, unit in (
                ("initiated", "yes or no"),
                ("responded", "yes or no"),
                ("ites", "share"),
            )
        ),
        Measure(name="response_time", unit="timesteps", of=True, better="less"),
        *FURTHER,
    )

    def group(self, trace: Trace) -> str | None:
        """Return the group in the scenario's name, such as `level_3`."""
        return group_of_name(trace)

    def goals(self, evidence: CookEvidence) -> list[Goal]:
        """Return the order; nothing if none came in."""
        final = evidence.final
        if final.order is None:
            return []
        served = "delivered" if final.served else None
        return [only_goal(final.order, "order", served, final.timestep)]

    def success(self, evidence: CookEvidence, checks: Sequence[Check]) -> tuple[bool | None, str]:
        """Return whether the order was delivered before the time limit, and why."""
        won, why = super().success(evidence, checks)
        return won, f"{why} at timestep {evidence.end.timestep}" if won else why


JUDGING = CollabJudging()
