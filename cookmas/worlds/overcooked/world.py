"""Overcooked-AI as a world: cooks who move at the same time, and points for each soup.

A timestep is one low-level act of each cook. A command is such an act, or a medium-level action,
which lasts for several timesteps. It is the move of the cooks that are at no action.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from cookmas.episodes.base import World
from cookmas.episodes.world import (
    DONE,
    Command,
    Commands,
    Ending,
    Json,
    Outcome,
    Ruling,
    Tally,
    Trigger,
    refuse_workers,
)
from cookmas.files.errors import InputError, TraceError
from cookmas.worlds.grids.grid import DIRECTIONS
from cookmas.worlds.grids.walking import Body
from cookmas.worlds.overcooked.actions import (
    FORMS,
    MEDIUM,
    OPEN,
    START,
    MediumAction,
    UnknownActionError,
    read_action,
)
from cookmas.worlds.overcooked.grounding import after_timestep, next_act
from cookmas.worlds.overcooked.kitchen import ACTS, STAY, OvercookedKitchen
from cookmas.worlds.overcooked.legal import every_action, legal_actions
from cookmas.worlds.overcooked.refusals import KINDS, refusal
from cookmas.worlds.overcooked.scene import Cook, KitchenItem, Scene
from cookmas.worlds.overcooked.setup import OvercookedRules, dump_setup, load_setup
from cookmas.worlds.overcooked.stalemates import (
    NO_APPROACH,
    PATIENCE,
    Approach,
    find_step_away,
    measure_progress,
)
from cookmas.worlds.overcooked.state import (
    HIDDEN,
    OvercookedState,
    dump,
    first_state,
    hide_others,
    load,
)
from cookmas.worlds.overcooked.steps import Happened, step
from cookmas.worlds.overcooked.words import tell_delivered, tell_kitchen

NAME = "overcooked"

COOKS = ("alice", "bob", "carol", "dave", "erin", "frank", "grace", "henry", "ivy")
"""The names of the cooks by number."""

MOST_ROUNDS = 100
"""Greatest number of turns of each cook in the talk at a timestep."""


class OvercookedWorld(World):
    """A kitchen with its cooks."""

    name = NAME
    rules = "1"
    idle = STAY

    def __init__(self, kitchen: OvercookedKitchen, options: OvercookedRules) -> None:
        self.kitchen = kitchen
        self.options = options
        self.workers: tuple[str, ...] = COOKS[: kitchen.cooks]
        self.actions = _forms(kitchen, options)
        self.central = not options.hide_partner
        self.talk_rounds = 0 if options.silent else MOST_ROUNDS

    @property
    def best_score(self) -> float:
        """An upper bound of the points of an episode."""
        from cookmas.worlds.overcooked.bound import most_points

        return most_points(self.kitchen, self.options.horizon)

    def setup(self) -> dict[str, Any]:
        """Return the kitchen and the rules of the episode."""
        return dump_setup(self.kitchen, self.options)

    @classmethod
    def of_setup(cls, data: Json) -> OvercookedWorld:
        """Return the world of a trace's header. Raise TraceError if the header describes none."""
        kitchen, options = load_setup(data)
        if kitchen.cooks > len(COOKS):
            raise TraceError(f"the trace's header has more than {len(COOKS)} cooks")
        return cls(kitchen, options)

    def start(self) -> OvercookedState:
        """Return the state before the first timestep."""
        return first_state(self.kitchen)

    def apply(self, state: OvercookedState, event: Json) -> tuple[OvercookedState, Ruling]:
        """Apply the only event, the beginning. Raise InputError for any other."""
        if event == {"kind": "begin"} and state.timestep == 0:
            return state, Ruling(trigger=Trigger(kind="begin", cause="the episode begins"))
        raise InputError("event", f"expected the beginning, the only event of {NAME}")

    def movers(self, state: OvercookedState) -> list[str]:
        """Return the cooks that are at no action, or come no nearer to the place of theirs."""
        return [name for number, name in enumerate(self.workers) if self._is_asked(state, number)]

    def listeners(self, state: OvercookedState) -> Sequence[str]:
        """Return all cooks: who is in the middle of an action hears and answers."""
        return self.workers

    def step(
        self, state: OvercookedState, commands: Commands
    ) -> tuple[OvercookedState, Mapping[str, Outcome], Sequence[Trigger]]:
        """Carry out one timestep: cooks whose move it is begin an action, then all act."""
        given = dict(commands)
        begun = [
            self._begin(state, number, given.get(name, STAY))
            for number, name in enumerate(self.workers)
        ]
        doing = [action for action, _, _ in begun]
        acts = [act for _, act, _ in begun]
        progress = [NO_APPROACH] * len(acts)
        triggers: list[Trigger] = []
        if any(doing):
            after, happened, progress = self._step_at_actions(state, doing, acts, triggers)
        else:
            after, happened = self._step(state.scene, acts)
        delivered = sum(self.kitchen.points[soup] > 0 for soup in happened.delivered)
        next_state = OvercookedState(
            timestep=state.timestep + 1,
            scene=after,
            score=state.score + happened.points,
            delivered=state.delivered + delivered,
            doing=tuple(doing),
            stuck=tuple(each.stuck for each in progress),
            left=tuple(each.left for each in progress),
            acts=tuple(acts),
            deeds=happened.deeds,
        )
        outcomes = {
            name: outcome for name, (_, _, outcome) in zip(self.workers, begun, strict=True)
        }
        return next_state, outcomes, triggers

    def _step_at_actions(
        self,
        state: OvercookedState,
        doing: list[MediumAction | None],
        acts: list[str],
        triggers: list[Trigger],
    ) -> tuple[Scene, Happened, list[Approach]]:
        """Return the scene after a timestep with medium-level actions, what happened, and progress.

        Change `doing` to what the cooks are at afterwards, and `acts` if a cook steps away. Add
        triggers of actions that are given up, and of stalemates.
        """
        kitchen, scene = self.kitchen, state.scene
        last = [
            Approach(stuck, left) if action is not None and action == before else None
            for action, before, stuck, left in zip(
                doing, state.doing, state.stuck, state.left, strict=True
            )
        ]
        away = find_step_away(kitchen, scene, last) if self._steps_away else None
        if away is not None:
            acts[away[0]] = away[1]
        after, happened = self._step(scene, acts)
        for number, action in enumerate(doing):
            if action is not None:
                doing[number] = self._go_on(after, happened, number, action, triggers)
        stepped = None if away is None else away[0]
        progress = measure_progress(kitchen, (scene, after), doing, last, stepped)
        if self._steps_away:
            triggers += self._report_stalemates(doing, progress)
        return after, happened, progress

    @property
    def _steps_away(self) -> bool:
        return self.options.stalemate == "step_away"

    def _report_stalemates(
        self, doing: Sequence[MediumAction | None], progress: Sequence[Approach]
    ) -> Iterator[Trigger]:
        """Yield a trigger for each cook that is asked because it comes no nearer."""
        for name, action, (stuck, _) in zip(self.workers, doing, progress, strict=True):
            if action is not None and stuck == PATIENCE:
                cause = f"{name} has come no nearer to {action.place} for {PATIENCE} timesteps"
                yield Trigger(kind="stalemate", cause=cause, to=(name,))

    def _is_asked(self, state: OvercookedState, number: int) -> bool:
        """Return whether it is the move of a cook: it is at no action, or comes no nearer."""
        if state.doing[number] is None:
            return True
        return self._steps_away and state.stuck[number] == PATIENCE

    def _begin(
        self, state: OvercookedState, number: int, text: str
    ) -> tuple[MediumAction | None, str, Outcome]:
        """Return what a cook is at after a command for it, its act, and the command's outcome."""
        kitchen, scene = self.kitchen, state.scene
        doing = None if self._is_asked(state, number) else state.doing[number]
        name = self.workers[number]
        if doing is not None:
            outcome = DONE
            if text != STAY:
                outcome = Outcome("not_your_turn", f"{name} is at {doing}.")
            return doing, next_act(kitchen, scene, number, doing), outcome
        allowed = self.options.acts
        try:
            action = text if text in ACTS else read_action(text)
        except UnknownActionError:
            return None, STAY, _refuse(name, text, "unknown_action")
        if isinstance(action, str):
            if allowed != "medium" or action == STAY:
                return None, action, DONE
            return None, STAY, _refuse(name, text, "medium_only")
        kind = "low_only" if allowed == "low" else refusal(kitchen, scene, number, action)
        if kind is not None:
            return None, STAY, _refuse(name, text, kind)
        return action, next_act(kitchen, scene, number, action), DONE

    def _step(self, scene: Scene, acts: Sequence[str]) -> tuple[Scene, Happened]:
        """Return the scene after the acts, and what happened; hidden cooks do nothing."""
        if HIDDEN not in scene.cooks:
            return step(self.kitchen, scene, acts)
        seen = [number for number, cook in enumerate(scene.cooks) if cook != HIDDEN]
        part = scene._replace(cooks=tuple(scene.cooks[number] for number in seen))
        after, happened = step(self.kitchen, part, [acts[number] for number in seen])
        cooks: list[Cook] = [HIDDEN] * len(acts)
        deeds: list[str | None] = [None] * len(acts)
        for place, number in enumerate(seen):
            cooks[number], deeds[number] = after.cooks[place], happened.deeds[place]
        return after._replace(cooks=tuple(cooks)), happened._replace(deeds=tuple(deeds))

    def _go_on(
        self,
        after: Scene,
        happened: Happened,
        number: int,
        action: MediumAction,
        triggers: list[Trigger],
    ) -> MediumAction | None:
        """Return the action of a cook after a timestep; add a trigger if it is given up."""
        deed = happened.deeds[number]
        left, given_up = after_timestep(self.kitchen, after, number, action, deed)
        if given_up is not None:
            name = self.workers[number]
            cause = f"{name} gives up {action}: {KINDS[given_up]}"
            triggers.append(Trigger(kind="given_up", cause=cause, to=(name,)))
        return left

    def legal(self, state: OvercookedState, worker: str) -> list[str]:
        """Return the actions of a cook that would not be refused.

        In the middle of an action it can only stay at it. Low-level acts never FAIL; if cooks may
        command any actions, only `stay` of them is listed.
        """
        number = self.workers.index(worker)
        if not self._is_asked(state, number):
            return [STAY]
        if self.options.acts == "low":
            return [*ACTS]
        return legal_actions(self.kitchen, state.scene, number)

    def every_action(self) -> list[str]:
        """Return all actions that can be legal in some state."""
        return [*ACTS] if self.options.acts == "low" else every_action(self.kitchen)

    def refusal(self, commands: Commands) -> str | None:
        """Return which command names no cook, or is a cook's second; None if there is none."""
        return refuse_workers(commands, self.workers)

    def ending(self, state: OvercookedState) -> Ending | None:
        """Return that the episode is over once its timesteps are."""
        if state.timestep < self.options.horizon:
            return None
        return Ending("over", tell_delivered(state))

    def is_finished(self, state: OvercookedState) -> bool:
        """Return whether the timesteps of the episode are over."""
        return state.timestep >= self.options.horizon

    def tally(self, state: OvercookedState) -> Tally:
        """Return the soups that were delivered, and the points; no soup is ever lost."""
        return Tally(done=state.delivered, lost=0, score=state.score)

    def progress_key(self, state: OvercookedState) -> dict[str, Any]:
        """Return the timestep, so that no episode ends for lack of progress."""
        return {"timestep": state.timestep}

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

    def spectate(self, state: OvercookedState) -> OvercookedState:
        """Return the state: spectators see all cooks."""
        return state

    def simulable(self, observed: OvercookedState, worker: str | None) -> OvercookedState:
        """Return the observed state; a hidden cook stands nowhere and does nothing."""
        return observed

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


def _refuse(name: str, text: str, kind: str) -> Outcome:
    return Outcome(kind, f"{name} cannot {text[:200]}: {KINDS[kind]}.")
