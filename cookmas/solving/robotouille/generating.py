"""New layouts of a task, by a seed: objects are moved, and some are added.

This is not the generator of the benchmark, whose layouts come as files.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from cookmas.worlds.robotouille.rules.layout import NOWHERE
from cookmas.worlds.robotouille.world import RobotouilleWorld


def vary_objects(world: RobotouilleWorld, added: int, draw: Random) -> dict[str, list[str]]:
    """Return the objects of a world in a new layout, with `added` more objects that can be moved.

    Every object that stands at a place, and every robot, gets another place of its own. Objects
    inside others stay there. Places are added where there are too few for everything and two more.
    """
    engine, objects = world.engine, {x: list(each) for x, each in world.level.objects.items()}
    types = {name: engine.domain.entries.kinds[kind].type for name, kind in engine.kinds.items()}
    fixed = [name for name in objects if types[name] not in engine.moving]
    movable = [x for x in objects if x not in fixed and types[x] not in _find_inner(world, fixed)]
    loose = [name for name in movable if name not in world.workers]
    for _ in range(added):
        model = draw.choice(loose)
        name = _name_next(objects[model][0], objects)
        objects[name] = [*objects[model]]
        loose.append(name)
    while len(fixed) < len(loose) + 2:
        kind = objects[draw.choice(fixed)][0]
        fixed.append(_name_next(kind, objects))
        objects[fixed[-1]] = [kind, NOWHERE]
    for group in (loose, list(world.workers)):
        for name, place in zip(group, draw.sample(fixed, len(group)), strict=True):
            objects[name][1] = place
    rest = [name for name in objects if name not in {*fixed, *loose}]
    return {name: objects[name] for name in [*fixed, *loose, *rest]}


def _find_inner(world: RobotouilleWorld, fixed: Sequence[str]) -> set[str]:
    """Return the types of the objects that no layout puts directly at a fixed place."""
    engine = world.engine
    at_places = {engine.domain.entries.kinds[engine.kinds[name]].type for name in fixed}
    direct = {
        kinds[0]
        for rule in engine.domain.puts
        if (kinds := list(rule.types.values())) and kinds[1] in at_places
    }
    return engine.moving - direct


def _name_next(kind: str, objects: dict[str, Any]) -> str:
    """Return the first free name of a kind, such as `table5`."""
    return next(name for n in range(1, 1000) if (name := f"{kind}{n}") not in objects)
