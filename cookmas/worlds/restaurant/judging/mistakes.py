"""The mistakes in an episode of the restaurant, classified by their cause."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cookmas.evals.mistakes import (
    GAVE_UP,
    RULES,
    gave_up,
    is_mistake,
    list_mistakes,
    occasion_of,
)
from cookmas.evals.verdict import Check
from cookmas.kitchen.actions import Discard
from cookmas.kitchen.components import Component, pair_off
from cookmas.kitchen.foods import Dish
from cookmas.kitchen.simulator import Reason
from cookmas.worlds.restaurant.judging.comparison import on_plate
from cookmas.worlds.restaurant.judging.customizations import customizations
from cookmas.worlds.restaurant.judging.evidence import KitchenEvidence, LineEvidence
from cookmas.worlds.restaurant.judging.progress import find_ready_dishes
from cookmas.worlds.restaurant.judging.reading import reading
from cookmas.worlds.restaurant.judging.scores import utilisation

RECIPE, WISH, TIMING, ASSEMBLY = "misread recipe", "missed wish", "timing", "wrong assembly"
PRIORITY, ALLOCATION, LOST = "wrong priority", "poor allocation", "lost dish"

SLOW = 1.5
"""The multiple of the lower bound above which an episode is slow (Robotouille's limit)."""

TOO_LONG_OR_SHORT = ("underdone", "overdone", "burnt", "too short", "too long")
"""The words in findings for food that was cooked or worked on for the wrong minutes."""

LITTLE = 1 / 3
"""A worker is badly used if its `use` is below this multiple of the busiest worker's `use`.

`use` is the share of the timesteps in which the worker did something.
"""


def mistakes(evidence: KitchenEvidence) -> Iterator[Check]:
    """Yield one `mistake` check for every kind of mistake that occurred.

    A dish that was served wrong counts as one mistake, of the first kind that applies: a missed
    wish, a misread recipe, wrong timing (food under- or overdone), or wrong assembly. A FAIL
    because a worker or station is out of service is not a mistake.
    """
    failed = [act for act in evidence.acts if is_mistake(act)]
    blamed = [act for act in failed if act.outcome.fail != Reason.OUT_OF_SERVICE]
    dishes = dict(_dishes(evidence))
    occasions: dict[str, list[str]] = {
        RULES: [occasion_of(act) for act in blamed if act.outcome.fail != Reason.OCCUPIED]
    }
    for kind in (RECIPE, WISH, TIMING, ASSEMBLY):
        occasions[kind] = [occasion for occasion, blame in dishes.items() if blame == kind]
    occasions[PRIORITY] = list(_find_passed_over(evidence))
    occasions[ALLOCATION] = [
        occasion_of(act) for act in blamed if act.outcome.fail == Reason.OCCUPIED
    ]
    occasions[ALLOCATION] += _idlers(evidence)
    occasions[LOST] = list(_find_lost(evidence))
    occasions[GAVE_UP] = list(gave_up(evidence))
    yield from list_mistakes(occasions)


def _dishes(evidence: KitchenEvidence) -> Iterator[tuple[str, str]]:
    """Yield a text for every dish that was served wrong, and the kind of mistake."""
    misread = {
        check.subject
        for check in reading(evidence)
        if check.name == "reading" and check.passed is False
    }
    broken = {
        check.subject.partition(":")[0]
        for check in customizations(evidence)
        if check.passed is False
    }
    for line in evidence.standing:
        findings = evidence.findings.get(line.name)
        if not findings:
            continue
        faults = "; ".join(map(str, findings))
        late = any(word in faults for word in TOO_LONG_OR_SHORT)
        if line.name in broken:
            blame = WISH
        elif line.name in misread:
            blame = RECIPE
        else:
            blame = TIMING if late else ASSEMBLY
        yield f"{line.served_at}: {line.name}, {faults}", blame


def _find_passed_over(evidence: KitchenEvidence) -> Iterator[str]:
    """Yield a text for each line that was served late or never, and that another line overtook.

    The other line was ordered later and was not due sooner, but was served first. Refused lines do
    not count as overtaken.
    """
    standing = evidence.standing
    for line in standing:
        late = line.due is not None and line.served_at is not None and line.served_at > line.due
        if line.status == "refused" or (line.served_at is not None and not late):
            continue
        before = [other for other in standing if _overtakes(other, line)]
        if before:
            first = min(before, key=lambda other: other.served_at or 0)
            how = f"served at {line.served_at}" if late else "not served"
            yield (
                f"{first.served_at}: {line.name} (ordered at {line.ordered}, {how}) was passed "
                f"over for {first.name} (ordered at {first.ordered})"
            )


def _overtakes(other: LineEvidence, line: LineEvidence) -> bool:
    if other.served_at is None or other.ordered <= line.ordered:
        return False
    if line.served_at is not None and other.served_at >= line.served_at:
        return False
    return other.due is None or (line.due is not None and other.due >= line.due)


def _idlers(evidence: KitchenEvidence) -> Sequence[str]:
    """Return a text for each badly used worker, if the episode was slow or left lines unserved."""
    if not _is_slow(evidence):
        return []
    use = {
        check.subject: float(check.value)
        for check in utilisation(evidence)
        if check.name == "use" and isinstance(check.value, float | int)
    }
    most = max(use.values(), default=0.0)
    end = evidence.final.timestep
    return [
        f"{end}: {worker} was busy in {100 * share:.0f}% of the timesteps, another worker in "
        f"{100 * most:.0f}%"
        for worker, share in use.items()
        if share < LITTLE * most
    ]


def _is_slow(evidence: KitchenEvidence) -> bool:
    standing = evidence.standing
    served = [line.served_at for line in standing if line.served_at is not None]
    if len(served) < len(standing):
        return True
    bound = evidence.bound
    return bound is not None and bool(served) and max(served) + 1 > SLOW * bound.value


def _find_lost(evidence: KitchenEvidence) -> Iterator[str]:
    """Yield a text for each dish that was thrown away or never served, though a line needed it."""
    for move in evidence.moves:
        if isinstance(move.action, Discard) and move.outcome.done and isinstance(move.held, Dish):
            for line in evidence.standing:
                waiting = line.served_at is None or line.served_at > move.timestep
                if (
                    waiting
                    and line.ordered <= move.timestep
                    and _is_dish_for(move.held, line.wanted)
                ):
                    yield f"{move.timestep}: {move.worker} threw {line.name} away"
                    break
    for name in find_ready_dishes(evidence):
        yield f"{evidence.final.timestep}: {name} stood there and was not served"


def _is_dish_for(dish: Dish, wanted: tuple[Component, ...] | None) -> bool:
    return wanted is not None and pair_off(on_plate(dish.components), on_plate(wanted)) is not None
