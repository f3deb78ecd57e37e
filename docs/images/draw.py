"""Draw the picture of a run: the terminal of level3/08 during the episode and at its end.

.venv/bin/python docs/images/draw.py
"""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich.console import Console, Group
from rich.text import Text

import cookmas
from cookmas.display.watch.board import Board
from cookmas.episodes.trace import Header
from cookmas.evals.report import verdict_report
from cookmas.worlds.restaurant.judging import JUDGING
from cookmas.worlds.restaurant.judging.report import details

SCENARIO = "level3/08"
PICTURE = Path(__file__).with_name("run.svg")
SHOWN = 31
"""The timestep at which the board is drawn."""

_WEB_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


def draw() -> str:
    """Return the picture as SVG, without external fonts."""
    console = Console(file=io.StringIO(), record=True, width=100, height=60, highlight=False)
    board = Board()
    run = cookmas.play(SCENARIO)
    verdict = run.verdict
    assert verdict
    console.print(Text(f"$ cookmas run {SCENARIO}", style="bold"))
    for record in run.trace.records:
        if isinstance(record, Header) or record.timestep < SHOWN:
            board.hear(record)
    console.print(board)
    console.print(Text(" ...", style="dim"))
    console.print()
    report = verdict_report(verdict, JUDGING.measures, details)
    assert isinstance(report, Group)
    console.print(Group(*report.renderables[:-1]))
    svg = console.export_svg(title="cookmas", unique_id="run")
    return _WEB_FONTS.sub("", svg)


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
