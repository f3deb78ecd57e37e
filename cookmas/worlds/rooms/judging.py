"""The judging of worlds of rooms: how much worse the moves are than optimal play.

The optimality of an episode is the probability of a win that its moves kept / that of optimal play.
The moves kept that of optimal play from the start, minus the regret of each turn, minus what was
left if nobody played on. Luck cancels out: over all that the killer may draw, the mean of what is
kept is the probability with which the same players win. So a few episodes tell more of them than
their wins do. Source: Zinkevich, Bowling, Bard, Kan and Billings (2006, "Optimal unbiased
estimators for evaluating agent performance").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from cookmas.evals.columns import (
    CALLS,
    MEASURES,
    OPTIMALITY_RATE,
    SUCCESS,
    TALK,
    TALK_MEASURES,
    Measure,
    column_of_values,
)
from cookmas.evals.evidence import Evaluator, Evidence
from cookmas.evals.judging import COMMON, Judging
from cookmas.evals.optimality import Attained, Optimum, optimality
from cookmas.evals.planning import talk
from cookmas.evals.verdict import EPISODE, Check
from cookmas.worlds.base.solving import import_solving
from cookmas.worlds.rooms.rules import AHEAD, SOLVING, JointMove, Prospect
from cookmas.worlds.rooms.world import RoomWorld


class RoomTurn(NamedTuple):
    """A turn that was played: its joint move, and what each possible one would have been worth."""

    moves: Mapping[JointMove, Prospect]
    """The prospect of each joint move, by optimal play afterwards."""
    joint: JointMove
    """The joint move."""

    @property
    def loss(self) -> Prospect:
        """How much worse the joint move is than the best one."""
        return _lose(self.moves, self.joint)


@dataclass(frozen=True, kw_only=True)
class RoomEvidence(Evidence):
    """A finished episode of a world of rooms, with optimal play from each state."""

    world: RoomWorld

    def count_left(self, timestep: int) -> int:
        """Return how many turns are left before a timestep, as far as optimal play looks ahead."""
        return min((self.trace.header.horizon or AHEAD + timestep) - timestep, AHEAD)

    @cached_property
    def turns(self) -> tuple[RoomTurn, ...]:
        """All turns, in order."""
        return tuple(self._list_turns())

    def _list_turns(self) -> Iterator[RoomTurn]:
        for frame in self.frames:
            solution = import_solving(SOLVING, "search:solve")(self.world, frame.before)
            position = self.world.position(frame.before)
            moves = solution.moves(position, max(self.count_left(frame.timestep), 1))
            if moves:
                done = {w: a for w, a in frame.commands if frame.outcomes[w].done}
                yield RoomTurn(moves, self.world.joint_move(done))


def find_optimum(evidence: RoomEvidence) -> Optimum | None:
    """Return the probability with which optimal play wins, without knowing what the killer draws.

    Return None if a fork altered the map.
    """
    if evidence.altered:
        return None
    return Optimum(_find_chance(evidence, 0), "optimum", "more", knows="what had come")


def find_kept(evidence: RoomEvidence) -> Attained:
    """Return the probability of a win that the moves kept.

    It can be below 0 in an episode in which the killer was lucky for the players, and they gave up
    more than they had at first.
    """
    kept = _find_chance(evidence, 0) - sum(turn.loss.chance for turn in evidence.turns)
    if evidence.world.ending(evidence.final) is None:
        kept -= _find_chance(evidence, len(evidence.frames))
    return Attained(kept, "probability of a win")


def _find_chance(evidence: RoomEvidence, timestep: int) -> float:
    """Return the probability with which optimal play wins from a timestep on."""
    played = timestep < len(evidence.frames)
    state = evidence.frames[timestep].before if played else evidence.final
    left = max(evidence.count_left(timestep), 0)
    find_prospect = import_solving(SOLVING, "search:find_prospect")
    return float(find_prospect(evidence.world, state, left).chance)


def regret(evidence: RoomEvidence) -> Iterator[Check]:
    """Yield `regret`, `turns_lost` and `optimal_moves` of both, then `own_regret` of each player.

    The regret of a joint move is the probability of a win that it gives up, against optimal play in
    the turns that are left. If it gives up none, it may lose turns: the win is expected later. The
    checks have the sums over all turns, and `optimal_moves` the share of the turns without a loss.
    The own regret of a player is that of its move together with the best move of the other one.
    """
    losses = [turn.loss for turn in evidence.turns]
    yield from _sum_up("", EPISODE, losses)
    if losses:
        perfect = sum(loss == (0, 0) for loss in losses)
        reason = f"{perfect} of {len(losses)} turns"
        yield Check(
            name="optimal_moves",
            subject=EPISODE,
            value=round(perfect / len(losses), 4),
            reason=reason,
        )
    for number, name in enumerate(evidence.world.workers):
        alone = [_lose_alone(turn.moves, turn.joint, number) for turn in evidence.turns]
        yield from _sum_up("own_", name, alone)


def _sum_up(prefix: str, subject: str, losses: Sequence[Prospect]) -> Iterator[Check]:
    """Yield the sums of the losses; nothing if there are none."""
    if losses:
        chance = round(sum(loss.chance for loss in losses), 4)
        spare = round(sum(loss.spare for loss in losses), 4)
        yield Check(name=f"{prefix}regret", subject=subject, value=chance)
        yield Check(name=f"{prefix}turns_lost", subject=subject, value=spare)


def _lose(moves: Mapping[JointMove, Prospect], joint: JointMove) -> Prospect:
    """Return how much worse a joint move is than the best one; turns count if chances are equal."""
    best, taken = max(moves.values()), moves[joint]
    if best.chance > taken.chance:
        return Prospect(best.chance - taken.chance, 0)
    return Prospect(0, best.spare - taken.spare)


def _lose_alone(moves: Mapping[JointMove, Prospect], joint: JointMove, player: int) -> Prospect:
    """Return how much worse a player's move is if the other player answers it best."""
    same = {each: value for each, value in moves.items() if each[player] == joint[player]}
    return _lose(moves, max(same, key=lambda each: same[each]))


def count_turns(evidence: Evidence) -> Iterator[Check]:
    """Yield `turns_to_win` if the game is won."""
    if evidence.end.termination == "won":
        yield Check(name="turns_to_win", subject=EPISODE, value=len(evidence.frames))


class RoomJudging(Judging):
    """The judging by the rules, with the regret of the moves."""

    evidence = RoomEvidence
    evaluators: Mapping[str, Evaluator] = {
        **COMMON,
        "turns": count_turns,
        "optimality": optimality(find_optimum, find_kept),
        "regret": regret,
        "talk": talk,
    }
    columns = (
        SUCCESS,
        replace(
            OPTIMALITY_RATE,
            negative="the players gave up more than they had at first, after the killer's luck",
        ),
        column_of_values("regret", "regret", digits=3, better="less"),
        column_of_values("turns_lost", "turns lost", digits=2, better="less"),
        column_of_values("optimal_moves", "optimal moves", digits=2, better="more"),
        column_of_values("turns_to_win", "turns", better="less"),
        *TALK,
        *CALLS,
    )
    measures = (
        Measure(name="turns_to_win", unit="turns"),
        Measure(name="optimality_rate"),
        Measure(name="regret", measured_in="probability of a win"),
        Measure(name="turns_lost", unit="turns"),
        Measure(name="optimal_moves", measured_in="share"),
        Measure(name="own_regret", of=True, better="less", measured_in="probability of a win"),
        Measure(name="own_turns_lost", unit="turns", of=True, better="less"),
        *MEASURES,
        *TALK_MEASURES,
    )


JUDGING = RoomJudging()
