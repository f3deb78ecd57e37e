"""Overcooked-AI as a world: cooks who move at the same time, and points for each soup.

A timestep is one low-level act of each cook. A command is such an act, or a medium-level action,
which lasts for several timesteps. It is the move of the cooks that are at no action.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from cookmas.episodes.world import Command, Commands, Ending, Json, Tally, Trigger
from cookmas.worlds.grids.grid import DIRECTIONS
from cookmas.worlds.grids.hands import HIDDEN, Cook
from cookmas.worlds.grids.lasting import LastingWorld, UnableError
from cookmas.worlds.grids.walking import Body
from cookmas.worlds.overcooked.rules.actions import (
    FORMS,
    KINDS,
    MEDIUM,
    OPEN,
    START,
    MediumAction,
    every_action,
    legal_actions,
    read_action,
    refusal,
)
from cookmas.worlds.overcooked.rules.bound import most_points
from cookmas.worlds.overcooked.rules.grounding import (
    NO_APPROACH,
    PATIENCE,
    Approach,
    after_timestep,
    find_step_away,
    measure_progress,
    next_act,
)
from cookmas.worlds.overcooked.rules.kitchen import (
    ACTS,
    STAY,
    KitchenItem,
    OvercookedKitchen,
    Scene,
)
from cookmas.worlds.overcooked.rules.places import OvercookedSight
from cookmas.worlds.overcooked.rules.state import (
    OvercookedRules,
    OvercookedState,
    dump,
    dump_setup,
    hide_others,
    load,
    load_setup,
    opening_state,
)
from cookmas.worlds.overcooked.rules.steps import Happened, step
from cookmas.worlds.overcooked.words import describe_rules, tell_delivered, tell_kitchen

COOKS = ("alice", "bob", "carol", "dave", "erin", "frank", "grace", "henry", "ivy")
"""The names of the cooks by number; a grid has at most nine starts."""

MOST_ROUNDS = 100
"""Greatest number of turns of each cook in the talk at a timestep."""


class OvercookedWorld(LastingWorld):
    """A kitchen with its cooks."""

    name = "overcooked"
    idle = STAY
    fails = KINDS

    def __init__(self, kitchen: OvercookedKitchen, options: OvercookedRules) -> None:
        self.kitchen = kitchen
        self.options = options
        self._steps_away = options.stalemate == "step_away"
        self.workers: tuple[str, ...] = COOKS[: kitchen.cooks]
        self.about = describe_rules(kitchen, self.workers, options)
        self.actions = _forms(kitchen, options)
        self.central = not options.hide_partner
        self.talk_rounds = 0 if options.silent else MOST_ROUNDS

    @property
    def best_score(self) -> float:
        """An upper bound of the points of an episode."""
        return most_points(self.kitchen, self.options.horizon)

    def setup(self) -> dict[str, Any]:
        """Return the kitchen and the rules of the episode."""
        return dump_setup(self.kitchen, self.options)

    @classmethod
    def of_setup(cls, setup: Json) -> OvercookedWorld:
        """Return the world of a trace's header. Raise TraceError if the header describes none."""
        return cls(*load_setup(setup))

    def start(self) -> OvercookedState:
        return opening_state(self.kitchen)

    def sight(self, state: OvercookedState, number: int) -> OvercookedSight:
        return OvercookedSight(self.kitchen, state.scene, number)

    def is_asked(self, state: OvercookedState, number: int) -> bool:
        """Return whether it is the move of a cook: it is at no action, or comes no nearer."""
        if state.doing[number] is None:
            return True
        return self._steps_away and state.approaches[number].stuck == PATIENCE

    def begin(self, state: OvercookedState, number: int, text: str) -> MediumAction | str:
        """Return the medium-level action or the low-level act that a cook begins.

        Raise UnableError if it cannot be read, is refused, or may not be commanded.
        """
        action = text if text in ACTS else read_action(text)
        allowed = self.options.acts
        if isinstance(action, str):
            if allowed == "medium" and action != STAY:
                raise UnableError("medium_only")
            return action
        fail = "low_only" if allowed == "low" else None
        fail = fail or refusal(self.sight(state, number), action)
        if fail is not None:
            raise UnableError(fail)
        return action

    def carry_out(
        self, state: OvercookedState, actions: Sequence[MediumAction | str | None]
    ) -> tuple[OvercookedState, Sequence[Trigger]]:
        """Return the state after a timestep, and its triggers."""
        doing = [action if isinstance(action, MediumAction) else None for action in actions]
        acts = [STAY if isinstance(action, MediumAction) else action or STAY for action in actions]
        begun: list[tuple[OvercookedSight, MediumAction, Approach | None]] = []
        for number, action in enumerate(doing):
            if action is not None:
                sight = self.sight(state, number)
                acts[number] = next_act(sight, action)
                last = state.approaches[number] if action == state.doing[number] else None
                begun.append((sight, action, last))
        away = find_step_away(begun) if self._steps_away else None
        if away is not None:
            acts[away.number] = away.act
        after, happened = self._step(state.scene, acts)
        triggers: list[Trigger] = []
        approaches = [NO_APPROACH] * len(acts)
        for before, action, last in begun:
            number = before.number
            sight = OvercookedSight(self.kitchen, after, number)
            left, fail = after_timestep(sight, action, happened.deeds[number])
            doing[number] = left
            if fail is not None:
                triggers.append(self.give_up(number, action, KINDS[fail]))
            if left is not None:
                approaches[number] = measure_progress(before, sight, left, last, away)
        if self._steps_away:
            triggers += self._report_stalemates(doing, approaches)
        return self._follow(state, after, happened, doing, approaches, acts), triggers

    def _follow(
        self,
        state: OvercookedState,
        after: Scene,
        happened: Happened,
        doing: Sequence[MediumAction | None],
        approaches: Sequence[Approach],
        acts: Sequence[str],
    ) -> OvercookedState:
        """Return the state that follows when these acts have led to the scene `after`."""
        delivered = sum(self.kitchen.points[soup] > 0 for soup in happened.delivered)
        return OvercookedState(
            timestep=state.timestep + 1,
            scene=after,
            score=state.score + happened.points,
            delivered=state.delivered + delivered,
            doing=tuple(doing),
            approaches=tuple(approaches),
            acts=tuple(acts),
            deeds=happened.deeds,
        )

    def _report_stalemates(
        self, doing: Sequence[MediumAction | None], approaches: Sequence[Approach]
    ) -> Iterator[Trigger]:
        """Yield a trigger for each cook that is asked because it comes no nearer."""
        for name, action, (stuck, _) in zip(self.workers, doing, approaches, strict=True):
            if action is not None and stuck == PATIENCE:
                cause = f"{name} has come no nearer to {action.place} for {PATIENCE} timesteps"
                yield Trigger(kind="stalemate", cause=cause, to=(name,))

    def _step(self, scene: Scene, acts: Sequence[str]) -> tuple[Scene, Happened]:
        """Return the scene after the acts, and what happened; hidden cooks do nothing."""
        if HIDDEN not in scene.cooks:
            return step(self.kitchen, scene, acts)
        seen = [number for number, cook in enumerate(scene.cooks) if cook != HIDDEN]
        part = scene._replace(cooks=tuple(scene.cooks[number] for number in seen))
        after, happened = step(self.kitchen, part, [acts[number] for number in seen])
        cooks: list[Cook[KitchenItem]] = [HIDDEN] * len(acts)
        deeds: list[str | None] = [None] * len(acts)
        for place, number in enumerate(seen):
            cooks[number], deeds[number] = after.cooks[place], happened.deeds[place]
        return after._replace(cooks=tuple(cooks)), happened._replace(deeds=tuple(deeds))

    def list_legal(self, state: OvercookedState, number: int) -> list[str]:
        """Return the actions of a cook that would not be refused.

        Low-level acts never FAIL; if cooks may command any actions, only `stay` of them is listed.
        """
        if self.options.acts == "low":
            return [*ACTS]
        return legal_actions(self.sight(state, number))

    def every_action(self) -> list[str]:
        return [*ACTS] if self.options.acts == "low" else every_action(self.kitchen)

    def ending(self, state: OvercookedState) -> Ending | None:
        """Return that the episode is over once its timesteps are."""
        if state.timestep < self.options.horizon:
            return None
        return Ending("over", tell_delivered(state))

    def tally(self, state: OvercookedState) -> Tally:
        """Return the soups that were delivered, and the points; no soup is ever lost."""
        return Tally(done=state.delivered, lost=0, score=state.score)

    def lookups(self, state: OvercookedState) -> list[str]:
        """Return no keys: there are no texts."""
        return []

    def observe(self, state: OvercookedState, worker: str | None = None) -> OvercookedState:
        """Return the state; if cooks are hidden from each other, only what the worker knows."""
        if worker is None or not self.options.hide_partner:
            return state
        return hide_others(state, self.workers.index(worker))

    def filter_commands(self, commands: Commands, worker: str) -> Commands:
        """Return the commands that a cook has seen: if the others are hidden, its own."""
        if not self.options.hide_partner:
            return commands
        return [Command(name, action) for name, action in commands if name == worker]

    def narrate(self, observed: OvercookedState, worker: str | None) -> list[str]:
        """Return what everybody holds, how far away the places are, and what lies where."""
        return [*tell_kitchen(self.kitchen, self.workers, observed, worker)]

    def draw_alike(self, state: OvercookedState, worker: str, seed: int) -> OvercookedState:
        """Return a state with the other cooks elsewhere, if `worker` does not know of them."""
        if not self.options.hide_partner:
            return state
        draw, me = Random(seed), self.workers.index(worker)
        cooks = list(state.scene.cooks)
        for number, cook in enumerate(cooks):
            if number != me and cook != HIDDEN:
                taken = {each.body.at for other, each in enumerate(cooks) if other != number}
                free = sorted(self.kitchen.grid.floor - taken)
                facing = draw.choice([*DIRECTIONS.values()])
                held = draw.choice([None, KitchenItem("onion"), KitchenItem("dish")])
                cooks[number] = Cook(Body(draw.choice(free), facing), held)
        return state._replace(scene=state.scene._replace(cooks=tuple(cooks)))

    def dump(self, state: OvercookedState) -> dict[str, Any]:
        """Return the state as plain data."""
        return dump(self.kitchen, self.workers, state)

    def load(self, data: Json) -> OvercookedState:
        """Return the state of the plain data of `dump`."""
        return load(self.workers, data)


def _forms(kitchen: OvercookedKitchen, options: OvercookedRules) -> Mapping[str, str]:
    """Return the forms of the actions that cooks may command, each with its effect."""
    hidden = {"any": set(), "low": {*MEDIUM}, "medium": {*ACTS} - {STAY}}[options.acts]
    hidden |= {f"{START}(POT)"} if kitchen.starts_by_itself else set()
    hidden |= set() if kitchen.gates else {f"{OPEN}(GATE)"}
    return {form: what for form, what in FORMS.items() if form not in hidden}
