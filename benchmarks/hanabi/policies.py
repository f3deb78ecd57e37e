"""Play Hanabi with the policies that need no model, and write their tables.

    python -m benchmarks.hanabi.policies [DEALS [PAIRED [SEARCHED]]]

Each policy plays DEALS deals, by default 1,000, for two to five players, and each pair of policies
PAIRED deals, by default 200, at two players. `search` plays SEARCHED deals, by default 30, and our
policy the same ones. The tables go into docs/reference/hanabi-results.md. The seeds of the deals
count from 0. Our policy was tuned on the deals from seed 100,000 on.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from random import Random
from statistics import fmean, stdev

from benchmarks.page import DOCS, fill, table
from cookmas.solving.hanabi.conventional import conventional
from cookmas.solving.hanabi.conventions import Policy, Seen, play_deal
from cookmas.solving.hanabi.published import cautious, iggi, internal, outer, piers, random_move
from cookmas.solving.hanabi.search import search
from cookmas.worlds.hanabi.rules import CARDS_BY_PLAYERS, Game, Move
from cookmas.worlds.hanabi.world import COLOURS

PAGE = DOCS / "reference" / "hanabi-results.md"

POLICIES: Mapping[str, Policy] = {
    "conventional": conventional,
    "piers": piers,
    "iggi": iggi,
    "cautious": cautious,
    "outer": outer,
    "internal": internal,
    "random": random_move,
}

NORMAL = 1.96
"""Standard errors on each side of a mean in an interval of 95%."""

PUBLISHED = (
    "| published: OBL | 24.10 ± 0.01 |  |  |  |",
    "| published: SAD | 24.01 ± 0.01 |  |  |  |",
    "| published: BAD | 23.92 ± 0.01 |  |  |  |",
    "| published: CAC, GPT-4-turbo | 13.33 ± 0.88 |  |  |  |",
)

PUBLISHED_PAIRS = (
    "| SAD | 22.00 ± 1.69 | 11.66 ± 4.06 | 5.33 ± 0.98 |",
    "| CAC, GPT-4-turbo | 13.66 ± 0.27 | 15.00 ± 2.94 | 12.0 ± 0.94 |",
)


def game_for(players: int) -> Game:
    """Return the game with the full deck."""
    return Game(players, "".join(COLOURS), 5, CARDS_BY_PLAYERS[players], 8, 3)


def play_all(policies: Sequence[Policy], deals: int) -> list[int]:
    """Return the scores of the deals from seed 0 on."""
    game = game_for(len(policies))
    return [game.score(play_deal(game, policies, seed)) for seed in range(deals)]


def describe(scores: Sequence[float]) -> str:
    """Return a mean with half its interval of 95%."""
    half = NORMAL * stdev(scores) / len(scores) ** 0.5
    return f"{fmean(scores):.2f} ± {half:.2f}"


class Timed:
    """A policy whose CPU seconds are counted."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self.seconds: list[float] = []

    def __call__(self, seen: Seen, draw: Random) -> Move:
        """Return the move of the policy."""
        begun = time.process_time()
        move = self._policy(seen, draw)
        self.seconds.append(time.process_time() - begun)
        return move


def write_scores(deals: int) -> None:
    """Write the table of each policy with itself."""
    rows = []
    for name, policy in POLICIES.items():
        cells = [describe(play_all([policy] * players, deals)) for players in CARDS_BY_PLAYERS]
        rows.append(f"| {name} | {' | '.join(cells)} |")
        print(rows[-1], flush=True)
    heads = " | ".join(f"{players} players" for players in CARDS_BY_PLAYERS)
    fill(PAGE, "policies", table(f"| policy, {deals:,} deals | {heads} |", [*rows, *PUBLISHED]))


def write_pairs(deals: int) -> None:
    """Write the table of the pairs of policies at two players; the rows have the first player."""
    rows = []
    for name, first in POLICIES.items():
        scores = [fmean(play_all([first, second], deals)) for second in POLICIES.values()]
        rows.append(f"| {name} | {' | '.join(f'{score:.2f}' for score in scores)} |")
        print(rows[-1], flush=True)
    fill(PAGE, "pairs", table(f"| first, {deals:,} deals | {' | '.join(POLICIES)} |", rows))
    columns = "| published (LLM-Coordination, Table 5) | with itself | with OBL-1 | with OBL-4 |"
    fill(PAGE, "published pairs", table(columns, PUBLISHED_PAIRS))


def write_search(deals: int) -> None:
    """Write the table of the search beside our policy on the same deals."""
    timed = Timed(search)
    searched = play_all([timed, timed], deals)
    usual = play_all([conventional] * 2, deals)
    more = [x - y for x, y in zip(searched, usual, strict=True)]
    mean, longest = fmean(timed.seconds), max(timed.seconds)
    row = (
        f"| {deals} | {describe(searched)} | {describe(usual)} | {describe(more)} "
        f"| {mean:.2f} | {longest:.2f} |"
    )
    print(row, flush=True)
    columns = "| deals | search | conventional | difference | CPU s a move | longest |"
    fill(PAGE, "search", table(columns, [row]))


def main(deals: int = 1000, paired: int = 200, searched: int = 30) -> None:
    """Play all, and write the tables."""
    write_scores(deals)
    write_pairs(paired)
    write_search(searched)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
