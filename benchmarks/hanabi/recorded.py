"""Compare recordings of the Hanabi Learning Environment (in OpenSpiel) with our Hanabi.

    python -m benchmarks.hanabi.recorded FILE...

A recording is a file with lines of JSON (`.jsonl`), one game of the full deck; a `.tar.xz` archive
may have several. A line is the deal of a card, a move, or the end. The cards are dealt here in the
recorded order.

Before each move and at the end, every recorded field is compared: whose move it is, the legal moves
in their order, and what each player sees, which is taken from what our world lets that player
observe. After each move the rewards and the returns are compared. The command prints the first
difference of each recording. The exit code is 1 if there is any.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from benchmarks.hanabi.notation import write_move, write_view
from benchmarks.recordings import RecordingDifference, compare_files, read_archive
from cookmas.episodes.world import Command
from cookmas.files.errors import InputError
from cookmas.worlds.hanabi.world import HanabiLevel, HanabiWorld, Table

Fields = Iterator[tuple[str, object, object]]
"""The name, the recorded value and our value of each field."""


class HanabiLine(BaseModel):
    """A line of a recorded game. The names of the fields are those of the recording."""

    model_config = ConfigDict(frozen=True)

    players: int
    chance: str = ""
    player: int | None = None
    legal: tuple[str, ...] = ()
    obs: tuple[str, ...] = ()
    move: str = ""
    rewards: tuple[float, ...] = ()
    returns: tuple[float, ...] = ()
    end: bool = False


def compare(name: str, lines: Sequence[HanabiLine]) -> RecordingDifference | None:
    """Return the first difference of a recording from our world; None if they agree.

    Raises InputError if the recorded cards are not those of the deck.
    """
    world = HanabiWorld(HanabiLevel(players=lines[0].players))
    state = deal_recorded(name, world, lines)
    turns = [line for line in lines if not line.chance]
    for turn, line in enumerate(turns):
        for field, recorded, ours in _play_line(world, state, line):
            if recorded != ours:
                return RecordingDifference(f"{name}, move {turn}", field, recorded, ours)
        if line.move:
            state = _find_next(world, state, line)
    return None


def deal_recorded(name: str, world: HanabiWorld, lines: Sequence[HanabiLine]) -> Table:
    """Return the table with the recorded cards on top of the deck, and all others below.

    Raises InputError if the deck does not have the recorded cards.
    """
    dealt = [line.chance.removeprefix("(Deal ").removesuffix(")") for line in lines if line.chance]
    rest = Counter(world.game.cards)
    rest.subtract(dealt)
    if min(rest.values()) < 0 or len(rest) > len(set(world.game.cards)):
        raise InputError(name, "the recorded cards are not those of the deck")
    state, _ = world.receive(world.start(), {"kind": "deal", "deck": [*dealt, *rest.elements()]})
    return state


def _play_line(world: HanabiWorld, state: Table, line: HanabiLine) -> Fields:
    """Yield the fields of a line: those before the move, and those after it."""
    players = range(len(world.workers))
    here = world.workers.index(state["player"])
    seen = [world.position(world.observe(state, name)) for name in world.workers]
    yield "obs", line.obs, tuple(write_view(world.game, seen[x], x) for x in players)
    yield "end", line.end, world.ending(state) is not None
    if line.end:
        yield "returns", line.returns, (world.score(state),) * len(players)
        return
    yield "player", line.player, here
    moves = map(world.move_of, world.legal(state, state["player"]))
    yield "legal", line.legal, tuple(write_move(world.game, move, here) for move in moves)
    yield "move", line.move in line.legal, True
    after = _find_next(world, state, line)
    yield "rewards", line.rewards, tuple(world.rewards(state, after, {}).values())
    yield "returns", line.returns, (world.score(after),) * len(players)


def _find_next(world: HanabiWorld, state: Table, line: HanabiLine) -> Table:
    """Return the table after the recorded move."""
    player = state["player"]
    action = world.legal(state, player)[line.legal.index(line.move)]
    after: Table = world.step(state, [Command(player, action)])[0]
    return after


def read(path: Path) -> Iterator[tuple[str, list[HanabiLine]]]:
    """Yield the name and the lines of each recording in a file. Raises InputError."""
    return read_archive(path, HanabiLine)


def main(arguments: Sequence[str]) -> int:
    """Compare the files; return 0 if all agree, 1 if one differs, 2 if one is invalid."""
    return compare_files(arguments, "Compare recordings of Hanabi with ours.", read, compare)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
