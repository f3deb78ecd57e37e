"""The judging of the corridor: an episode succeeds if every bell was rung where it hangs.

Bells can be shared among walkers in several ways: a way gives each bell to a walker that may ring
it, and each walker rings its bells in some order. All ways together give the fewest timesteps and
the reference trajectories.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product

from cookmas.episodes.trace import EventRecord, MessageRecord, Termination
from cookmas.evals.columns import (
    CALLS,
    COLLABORATION,
    FURTHER,
    MEASURES,
    OPTIMALITY,
    PROGRESS,
    SUCCESS,
    SUMMARY,
    TALK,
    TALK_MEASURES,
    Measure,
    column_of_passes,
    count_entry,
)
from cookmas.evals.evidence import Evaluator, Evidence
from cookmas.evals.judging import COMMON, GoalJudging
from cookmas.evals.optimality import Optimum, Reached, optimality
from cookmas.evals.planning import is_team, talk
from cookmas.evals.rows import Measured, MeasureTable, Subjects, of_each, of_episode, row
from cookmas.evals.trajectories import TrajectoryStep, advances
from cookmas.evals.verdict import Check, Goal, make_check
from cookmas.worlds.corridor.world import Corridor, open_bells

MOST = 4
"""Greatest number of bells for which all ways are tried."""

Way = Mapping[str, Sequence[str]]
"""The names of the bells that each walker rings, in order, by walker."""

_WORDS = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
fifteen sixteen seventeen eighteen nineteen twenty"""
NUMBERS = _WORDS.split()

_WORD = re.compile(r"\w+")
_CLAUSE = re.compile(r"[.,;!?\n]|\band\b")


def _list_bells(evidence: Evidence) -> Subjects:
    bells = evidence.final["bells"]
    return {name: (evidence.truth[name], bell["rung"]) for name, bell in bells.items()}


def _find_rung(wanted: int, place: int | None) -> Measured:
    """Return whether a bell was rung where it hangs."""
    where = "not rung" if place is None else f"rung at {place}"
    return Measured(place == wanted, f"{where}, hangs at {wanted}")


def _find_makespan(evidence: Evidence) -> Measured | None:
    """Return the timesteps in which all bells were rung; None if some were not."""
    return None if open_bells(evidence.final) else Measured(evidence.final["timestep"])


ringing = MeasureTable(
    of_each(_list_bells, row("rung", _find_rung, better="more", measured_in="yes or no")),
    of_episode(row("makespan", _find_makespan, "timesteps", "less")),
)
"""The evaluator of the bells: which were rung, and when the last one was."""


def ways(bells: Corridor, walkers: Sequence[str]) -> list[Way]:
    """Return all ways to share the bells; none if there are more than MOST bells."""
    if len(bells) > MOST:
        return []
    found: dict[tuple[tuple[str, ...], ...], Way] = {}
    for order in permutations(bells):
        for ringers in product(walkers, repeat=len(order)):
            shared = list(zip(order, ringers, strict=True))
            if all(bells[name]["ringer"] in (None, ringer) for name, ringer in shared):
                parts = tuple(tuple(n for n, who in shared if who == walker) for walker in walkers)
                found[parts] = dict(zip(walkers, parts, strict=True))
    return list(found.values())


def trajectories(evidence: Evidence) -> Iterator[Check]:
    """Yield `progress_completeness`, and `ites` for each answer of the planner.

    `evals/trajectories.py` explains both checks. The references are all ways. Of the actions only
    ringing counts, together with the place. If there are more than MOST bells, yield nothing.
    """
    references = [
        {
            walker: [f"ring({n}) at {evidence.truth[n]}" for n in names]
            for walker, names in w.items()
        }
        for w in ways(evidence.final["bells"], evidence.world.workers)
    ]
    if references:
        rung = [
            TrajectoryStep(act.timestep, act.worker, f"{act.action} at {places[act.worker]}")
            for act in evidence.acts
            if act.outcome.done and act.action.startswith("ring(")
            for places in [evidence.frames[act.timestep].before["places"]]
        ]
        yield from advances(evidence, rung, references)


def find_optimum(evidence: Evidence) -> Optimum | None:
    """Return the fewest timesteps in which a planner that knows everything can ring the bells.

    It knows all bells in advance, their places, and the timesteps at which they are asked for.
    Return None if there are too many bells.
    """
    bells = evidence.final["bells"]
    asked = {
        str(record.event["name"]): record.timestep
        for record in evidence.trace.of(EventRecord)
        if record.refused is None and record.event.get("name") in bells
    }
    start = dict.fromkeys(evidence.world.workers, 0)
    found = fewest(bells, evidence.truth, start, asked)
    return None if found is None else Optimum(found, "optimum", "less")


def find_reached(evidence: Evidence) -> Reached:
    """Return the makespan if every bell was rung where it hangs.

    Otherwise return the fewest further timesteps in which the walkers could ring the bells that
    were not rung, or were rung at a wrong place.
    """
    final = evidence.final
    wrong = {n: b for n, b in final["bells"].items() if b["rung"] != evidence.truth[n]}
    if not wrong:
        return Reached(final["timestep"])
    return Reached(None, fewest(wrong, evidence.truth, final["places"], {}))


def fewest(
    bells: Corridor, truth: Mapping[str, int], places: Mapping[str, int], asked: Mapping[str, int]
) -> int | None:
    """Return the fewest timesteps in which the walkers can ring these bells where the bells hang.

    `truth` has the place of each bell, `places` the present place of each walker. `asked` has the
    timestep at which each bell is asked for; a bell that is not in `asked` is asked for at once.
    Return None if there are too many bells.
    """

    def time_of(walker: str, names: Sequence[str]) -> int:
        time, place = 0, places[walker]
        for name in names:
            time = max(time + abs(truth[name] - place), asked.get(name, 0)) + 1
            place = truth[name]
        return time

    return min(
        (max(time_of(*each) for each in way.items()) for way in ways(bells, list(places))),
        default=None,
    )


def collaborations(evidence: Evidence) -> Iterator[Check]:
    """Yield `initiated` and `responded` for each bell that one walker knows and another one rings.

    A walker knows a bell if only this walker may read the text about the bell. `initiated` is
    passed if this walker told the bell's place before the bell was rung. A clause of the message
    must have the bell's name, the right place and no other place. `responded` is passed if
    `initiated` is passed, and the other walker rang the bell at the right place.
    Episodes without a team yield nothing.
    """
    if not is_team(evidence):
        return
    rung = {act.action: act.timestep for act in evidence.acts if act.outcome.done}
    for name, bell in evidence.final["bells"].items():
        ringer, knower = bell["ringer"], bell["knower"]
        if ringer and knower and ringer != knower:
            until = rung.get(f"ring({name})", len(evidence.frames))
            place = evidence.truth[name]
            was_told = any(
                message.agent == knower
                and message.timestep <= until
                and tells(message.text, name, place)
                for message in evidence.trace.of(MessageRecord)
            )
            answered = was_told and bell["rung"] == place
            yield make_check("initiated", name, was_told, evidence=f"{knower} for {ringer}")
            yield make_check("responded", name, answered, evidence=f"{knower} for {ringer}")


def tells(text: str, name: str, place: int) -> bool:
    """Return whether a clause of a text has the name of the bell, and `place` as its only place."""
    for clause in _CLAUSE.split(text):
        words = _WORD.findall(clause.casefold())
        named = f" {name.casefold()} " in f" {' '.join(words)} "
        if named and {found for word in words for found in _places(word, place)} == {place}:
            return True
    return False


def _places(word: str, place: int) -> list[int]:
    """Return a list of the place that a word names; the list is empty if the word names none.

    `place` is the right place. "One" counts only if the right place is 1, because the word may be a
    pronoun ("the blue one").
    """
    if word in NUMBERS:
        found = NUMBERS.index(word)
        return [found] if found != 1 or place == 1 else []
    return [int(word)] if word.isdecimal() and len(word) < 4 else []


class CorridorJudging(GoalJudging):
    """The judging of the corridor, in which each bell that was asked for is a goal."""

    version = "3"
    ends: tuple[Termination, ...] = ("finished",)
    deciding = "rung"
    missed = "not rung where they hang"
    reached = "every bell was rung where it hangs"
    evaluators: Mapping[str, Evaluator] = {
        "ringing": ringing,
        "trajectories": trajectories,
        "optimality": optimality(find_optimum, find_reached),
        "collaborations": collaborations,
        "talk": talk,
        **COMMON,
    }
    summary = (
        count_entry("bells", lambda goals, checks: len(goals)),
        count_entry(
            "right",
            lambda goals, checks: sum(map(_is_right, checks)),
            measured_in="bells, or yes or no",
        ),
        *SUMMARY,
    )
    columns = (
        SUCCESS,
        column_of_passes("bells", "bells", "rung"),
        *PROGRESS,
        *OPTIMALITY,
        *COLLABORATION,
        *TALK,
        *CALLS,
    )
    measures = (
        ringing["makespan"],
        Measure(name="optimality_rate"),
        Measure(name="steps_to_go", measured_in="ratio"),
        Measure(name="progress_completeness", measured_in="share"),
        *MEASURES,
        ringing["rung"],
        Measure(name="initiated", of=True, better="more", measured_in="yes or no"),
        Measure(name="responded", of=True, better="more", measured_in="yes or no"),
        *TALK_MEASURES,
    )

    further = (Measure(name="ites", of=True, better="more", measured_in="share"), *FURTHER)

    def goals(self, evidence: Evidence) -> list[Goal]:
        """Return a goal for each bell."""
        rung = {act.action: act.timestep for act in evidence.acts if act.outcome.done}
        return [
            Goal(
                name=name,
                what="bell",
                status="open" if bell["rung"] is None else "rung",
                when=rung.get(f"ring({name})"),
            )
            for name, bell in evidence.final["bells"].items()
        ]

    def success(self, evidence: Evidence, checks: Sequence[Check]) -> tuple[bool | None, str]:
        """Return whether every bell was rung where it hangs; an early end is the only reason."""
        early = self.explain_early(evidence)
        return (False, early) if early else super().success(evidence, checks)


JUDGING = CorridorJudging()


def _is_right(check: Check) -> bool:
    return check.name == "rung" and check.passed is True
