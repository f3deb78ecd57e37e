"""The judging of worlds of rooms: how much worse the moves are than optimal play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cookmas.evals.columns import (
    CALLS,
    MEASURES,
    SUCCESS,
    TALK,
    TALK_MEASURES,
    Measure,
    column_of_values,
)
from cookmas.evals.evidence import Evaluator, Evidence
from cookmas.evals.judging import COMMON, Judging
from cookmas.evals.talk import talk
from cookmas.evals.verdict import EPISODE, Check
from cookmas.worlds.rooms.planners import AHEAD
from cookmas.worlds.rooms.solving import JointMove, Prospect
from cookmas.worlds.rooms.world import RoomWorld


def regret(evidence: Evidence) -> Iterator[Check]:
    """Yield `regret`, `turns_lost` and `optimal_moves` of both, then `own_regret` of each player.

    The regret of a joint move is the probability of a win that it gives up, against optimal play in
    the turns that are left. If it gives up none, it may lose turns: the win is expected later. The
    checks have the sums over all turns, and `optimal_moves` the share of the turns without a loss.
    The own regret of a player is that of its move together with the best move of the other one.
    """
    world = evidence.world
    assert isinstance(world, RoomWorld)
    horizon = evidence.trace.header.horizon or AHEAD
    losses: list[Prospect] = []
    own: list[tuple[Prospect, Prospect]] = []
    for frame in evidence.frames:
        left = min(max(horizon - frame.timestep, 1), AHEAD)
        solution = world.solution_from(frame.before)
        moves = solution.moves(world.position(frame.before), left)
        if not moves:
            continue
        done = {w: a for w, a in frame.commands if frame.outcomes[w].done}
        joint = world.joint_move(done)
        losses.append(_lose(moves, joint))
        own.append((_lose_alone(moves, joint, 0), _lose_alone(moves, joint, 1)))
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
    for number, name in enumerate(world.workers):
        yield from _sum_up("own_", name, [each[number] for each in own])


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

    evaluators: Mapping[str, Evaluator] = {
        **COMMON,
        "turns": count_turns,
        "regret": regret,
        "talk": talk,
    }
    columns = (
        SUCCESS,
        column_of_values("regret", "regret", digits=3),
        column_of_values("turns_lost", "turns lost", digits=2),
        column_of_values("optimal_moves", "optimal moves", digits=2),
        column_of_values("turns_to_win", "turns"),
        *TALK,
        *CALLS,
    )
    measures = (
        Measure(name="turns_to_win", unit="turns"),
        Measure(name="regret"),
        Measure(name="turns_lost", unit="turns"),
        Measure(name="optimal_moves"),
        Measure(name="own_regret", of=True),
        Measure(name="own_turns_lost", unit="turns", of=True),
        *MEASURES,
        *TALK_MEASURES,
    )


JUDGING = RoomJudging()
