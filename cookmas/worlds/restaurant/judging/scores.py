"""The small measures of the restaurant: completeness, and rows for service, waste and others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from statistics import fmean

from cookmas.evals.rows import (
    Measured,
    MeasureTable,
    Subjects,
    of_each,
    of_episode,
    row,
    share_of,
)
from cookmas.evals.verdict import EPISODE, Check, make_check, make_unscored
from cookmas.kitchen.actions import Discard, Navigate, Serve, Wait
from cookmas.kitchen.foods import Food
from cookmas.kitchen.simulator import Reason
from cookmas.worlds.restaurant.judging.evidence import (
    NO_TRUTH,
    KitchenEvidence,
    LineEvidence,
    WorkerMove,
)
from cookmas.worlds.restaurant.judging.progress import foods_of, list_remaining_foods

OF_LINES = "lines, or yes or no"
"""The unit of a number of lines in a summary, and of the check of one line."""


def list_standing(evidence: KitchenEvidence) -> Subjects:
    """Return the standing lines as subjects, each with the evidence."""
    return {line.name: (evidence, line) for line in evidence.standing}


def completeness(evidence: KitchenEvidence) -> Iterator[Check]:
    """Yield `complete` for every standing line, which is a line that was not cancelled.

    For each food that is not as wanted, also yield `missing`, `wrong` or `extra`.
    """
    for line in evidence.standing:
        yield from _judge_dish(line, evidence)


def _judge_dish(line: LineEvidence, evidence: KitchenEvidence) -> Iterator[Check]:
    if line.dish is None:
        why = evidence.refusals.get(line.name, "not served")
        yield make_check("complete", line.name, False, reason=why)
        return
    if line.wanted is None:
        yield make_unscored("complete", line.name, NO_TRUTH)
        return
    findings = evidence.findings[line.name]
    yield make_check(
        "complete",
        line.name,
        not findings,
        evidence=str(line.dish),
        reason="; ".join(map(str, findings)) or "every food as it should be, and no other",
    )
    for finding in findings:
        yield Check(
            name=finding.kind,
            subject=line.name,
            value=str(finding.wanted or finding.served),
            passed=False,
            evidence=str(finding.served or line.dish),
            reason=str(finding),
        )


def _find_served(evidence: KitchenEvidence, line: LineEvidence) -> Measured:
    if line.served_at is None:
        return Measured(False, evidence.refusals.get(line.name, "still open at the end"))
    return Measured(True, f"at timestep {line.served_at}", str(line.dish))


def _find_served_at(evidence: KitchenEvidence, line: LineEvidence) -> Measured | str:
    return "not served" if line.served_at is None else Measured(line.served_at)


def _count_attempts(evidence: KitchenEvidence) -> Measured:
    """Return the number of `serve` actions that FAILed because their line was closed."""
    attempts = [
        move
        for move in evidence.moves
        if isinstance(move.action, Serve) and move.outcome.fail == Reason.CLOSED_LINE
    ]
    return Measured(
        len(attempts),
        "attempts to serve a line that was served or cancelled already",
        "; ".join(f"{each.timestep}: {each.worker} {each.action}" for each in attempts),
    )


service = MeasureTable(
    of_each(
        list_standing,
        row("served", _find_served, better="more", measured_in=OF_LINES),
        row("served_at", _find_served_at, "timestep"),
    ),
    of_episode(row("closed_line_attempts", _count_attempts, better="less", measured_in="actions")),
)
"""Which lines were served and when, and the attempts to serve closed lines."""


def _list_orders(evidence: KitchenEvidence) -> Subjects:
    orders: dict[str, list[LineEvidence]] = {}
    for line in evidence.lines:
        orders.setdefault(line.order, []).append(line)
    return {order: (lines, evidence.final.timestep) for order, lines in orders.items()}


def _find_tardiness(lines: Sequence[LineEvidence], end: int) -> Measured | str:
    """Return the timesteps from the due time until an order's last line was served, at least 0."""
    due = lines[0].due
    standing = [line for line in lines if line.stands]
    served = [line.served_at for line in standing if line.served_at is not None]
    if due is None:
        return "no due time"
    if not standing:
        return "cancelled"
    if len(served) < len(standing):
        return f"not completed; {max(0, end - due)} timesteps late at the end"
    late = max(0, max(served) - due)
    return Measured(late, f"completed at timestep {max(served)}, due at {due}", passed=late == 0)


tardiness = MeasureTable(
    of_each(_list_orders, row("tardiness", _find_tardiness, "timesteps", "less"))
)
"""How late each order was."""


def _take(compute: Callable[[Sequence[int], int], float]) -> Callable[..., Measured | str | None]:
    """Return the finder of a number that the lines' times and the count of timesteps give.

    The time of a line is the number of timesteps from its order to its serving, both included.
    """

    def find(evidence: KitchenEvidence) -> Measured | str | None:
        if not evidence.is_open:
            return None
        times = [
            line.served_at - line.ordered + 1
            for line in evidence.standing
            if line.served_at is not None
        ]
        if not times:
            return "nothing was served"
        timesteps = len(evidence.frames)
        reason = f"{len(times)} lines were served in {timesteps} timesteps"
        return Measured(round(compute(times, timesteps), 2), reason)

    return find


throughput = MeasureTable(
    of_episode(
        row("throughput", _take(lambda times, n: 100 * len(times) / n), "lines in 100 timesteps"),
        row("time_per_line", _take(lambda times, n: fmean(times)), "timesteps"),
        row("longest_line", _take(lambda times, n: max(times)), "timesteps", "less"),
    )
)
"""How much an open kitchen serves in a given time; the makespan measures the other episodes."""


def _list_workers(evidence: KitchenEvidence) -> Subjects:
    """Return the moves of each worker; of the episode, without any, if no timestep was played."""
    if not evidence.frames:
        return {EPISODE: (evidence, ())}
    return {
        worker: (evidence, [move for move in evidence.moves if move.worker == worker])
        for worker in evidence.world.workers
    }


def _find_idle(evidence: KitchenEvidence, moves: Sequence[WorkerMove]) -> Measured | None:
    """Return the timesteps in which a worker did nothing."""
    idle = sum(_is_idle(evidence, move) for move in moves)
    return Measured(idle, f"of {len(evidence.frames)} timesteps") if moves else None


def _find_use(evidence: KitchenEvidence, moves: Sequence[WorkerMove]) -> Measured | str:
    """Return the share of the timesteps in which a worker did something."""
    busy = sum(move.outcome.done and not _is_idle(evidence, move) for move in moves)
    if not moves:
        return "no timestep was played"
    return share_of(busy, len(evidence.frames), "timesteps")


def _is_idle(evidence: KitchenEvidence, move: WorkerMove) -> bool:
    """Return whether a worker does nothing, stays where it is, or goes to the aisle."""
    if isinstance(move.action, Navigate):
        return move.action.station in (evidence.world.kitchen.aisle, move.stood)
    return isinstance(move.action, Wait) and move.outcome.done


def _list_stations(evidence: KitchenEvidence) -> Subjects:
    """Return what each kind of station had, summed up over the timesteps.

    That is the slots that held something, all slots, the workers that stood there, and all workers.
    """
    places = [(frame.world.kitchen, frame.after) for frame in evidence.frames]
    kitchens = {id(kitchen): kitchen for kitchen, _ in places}.values()
    kinds = (station.kind.name for each in kitchens for station in each.stations.values())
    found: dict[str, tuple[int, int, int, int]] = {}
    for kind in dict.fromkeys(kinds):
        slots = filled = there = 0
        for kitchen, state in places:
            names = kitchen.of_kind(kind)
            slots += sum(kitchen.stations[name].slots for name in names)
            filled += sum(len(state.contents.get(name, ())) for name in names)
            there += sum(place.station in names for place in state.workers)
        found[kind] = (filled, slots, there, len(places) * len(evidence.world.workers))
    return found


def _find_filled(filled: int, slots: int, there: int, workers: int) -> Measured | None:
    return share_of(filled, slots, "slot-timesteps") if slots else None


def _find_occupied(filled: int, slots: int, there: int, workers: int) -> Measured:
    return share_of(there, workers, "worker-timesteps")


utilisation = MeasureTable(
    of_each(
        _list_workers,
        row("idle", _find_idle, "timesteps"),
        row("use", _find_use, measured_in="share"),
    ),
    of_each(
        _list_stations,
        row("slots_filled", _find_filled, measured_in="share"),
        row("occupied", _find_occupied, measured_in="share"),
    ),
)
"""How busy the workers and the stations of each kind were."""


def find_waste(evidence: KitchenEvidence) -> tuple[list[Food], list[Food]]:
    """Return the foods that went into the bin, and those left in the kitchen at the end."""
    discarded = [
        food
        for move in evidence.moves
        if isinstance(move.action, Discard) and move.outcome.done
        for food in foods_of(move.held)
    ]
    return discarded, list_remaining_foods(evidence.world, evidence.final)


def _weigh(
    select: Callable[[list[Food], list[Food]], Sequence[Food]],
) -> Callable[[KitchenEvidence], Measured | str]:
    """Return the finder of the raw ingredients in some of the discarded and the left foods.

    Only correct episodes are scored: a planner that serves nothing, or wrong dishes, wastes little.
    """

    def find(evidence: KitchenEvidence) -> Measured | str:
        if evidence.flaw:
            return evidence.flaw
        foods = select(*find_waste(evidence))
        portions = sum(len(food.ingredients()) for food in foods)
        reason = f"{len(foods)} foods of {portions} portions of ingredients"
        return Measured(portions, reason, "; ".join(map(str, foods)))

    return find


waste = MeasureTable(
    of_episode(
        row("waste_discarded", _weigh(lambda discarded, left: discarded), "portions", "less"),
        row("waste_left", _weigh(lambda discarded, left: left), "portions", "less"),
        row("waste", _weigh(lambda discarded, left: [*discarded, *left]), "portions", "less"),
    )
)
"""The food that was not served, in portions of raw ingredients."""
