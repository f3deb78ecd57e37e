"""Which actions a worker can take without a FAIL, as long as nobody else moves."""

from __future__ import annotations

from kitchen.actions import Action, Discard, Navigate, Pick, Place, Serve, Start, Wait, Work
from kitchen.foods import Dish
from kitchen.layout import Kitchen, Station
from kitchen.simulator import lots, name_of, step
from kitchen.state import KitchenState


def legal_actions(kitchen: Kitchen, state: KitchenState, worker: str) -> list[Action]:
    """All legal actions of one worker, waiting first, in an order that is always the same."""
    index = kitchen.workers.index(worker)
    if worker in state.out:
        return [Wait()]
    place = state.workers[index]
    station = kitchen.stations[place.station]
    occupants = [w.station for w in state.workers]
    actions: list[Action] = [Wait()]
    for other in kitchen.stations.values():
        if other.room is None or occupants.count(other.name) < other.room or other is station:
            actions.append(Navigate(other.name))
    here = _candidates(kitchen, state, station, holding=place.holding is not None)
    if isinstance(place.holding, Dish):
        here.extend(Serve(line) for line in state.open_lines())
    waiting: list[Action] = [Wait()] * len(state.workers)
    for action in here:
        joint = [*waiting[:index], action, *waiting[index + 1 :]]
        if step(kitchen, state, joint)[1][index].done:
            actions.append(action)
    return actions


def _candidates(
    kitchen: Kitchen, state: KitchenState, station: Station, *, holding: bool
) -> list[Action]:
    """Every action that could make sense at a station; the simulator says which of them do."""
    if holding:
        return [Discard()] if station.kind.role == "bin" else [Place()]
    match station.kind.role:
        case "dispenser":
            return [Pick(food) for food in kitchen.dispenses(station.kind.name)]
        case "counter" | "tool" | "appliance":
            contents = state.contents.get(station.name, ())
            picks: list[Action] = [
                Pick(None if station.kind.vessel else name_of(thing), slots[0])
                for slots, thing in lots(state, station, contents)
            ]
            work: list[Action] = (
                [Work(process) for process in station.kind.processes]
                if station.kind.role == "tool"
                else [Start()]
                if station.kind.role == "appliance"
                else []
            )
            return picks + work
    return []
