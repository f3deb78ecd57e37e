"""Draw the rooms of the code from their present imports.

.venv/bin/python docs/images/draw_rooms.py
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from docs.images.placing import ROOM, Bend, Place, PlacedRoom, place_rooms
from docs.images.rooms import (
    ROOMS,
    Arrows,
    CircleError,
    DrawnRoom,
    HomelessError,
    arrows_of,
    imports_today,
    lines_today,
)

PICTURE = Path(__file__).with_name("rooms.svg")

TALL = 76
LAYER = 116
MARGIN = 20
LETTERS = 33
"""Letters of the few words that fit into a line of a room."""

TOLERANCE = 0.1
"""The relative error of a number of lines at which the picture is drawn again."""

_STYLE = """
svg { font-family: system-ui, "Segoe UI", "DejaVu Sans", sans-serif }
.paper { fill: #ffffff } .room { fill: #eef3fb; stroke: #5b7db1 }
.restaurant { fill: #fdf1e3; stroke: #b97a2c }
text { fill: #1c2530; font-size: 11px } .name { font-size: 14px; font-weight: 600 }
.lines { fill: #55606d } .arrow { fill: none; stroke: #66717e; stroke-width: 1.4 }
marker path { fill: #66717e }
@media (prefers-color-scheme: dark) {
.paper { fill: #14181d } .room { fill: #1f2a3a; stroke: #7ea2d8 }
.restaurant { fill: #35291a; stroke: #d79a4e }
text { fill: #e6ebf1 } .lines { fill: #a9b4c0 }
.arrow { stroke: #93a0ae } marker path { fill: #93a0ae }
}
""".strip()

_RESTAURANTS = ("kitchen, scenarios",)


def rooms_picture() -> str:
    """Return the picture of the present imports, as SVG."""
    written = PICTURE.read_text(encoding="utf-8") if PICTURE.exists() else ""
    return draw_picture(arrows_of(imports_today()), round_lines(lines_today(), lines_in(written)))


def round_lines(today: Mapping[str, int], written: Mapping[str, int]) -> dict[str, int]:
    """Return the rooms' lines rounded to two digits; keep written numbers that are nearly right."""
    return {
        room: written[room]
        if abs(written.get(room, 0) - lines) <= TOLERANCE * lines and room in written
        else int(float(f"{lines:.1e}"))
        for room, lines in today.items()
    }


def lines_in(picture: str) -> dict[str, int]:
    """Return the lines of each room in a picture."""
    found = re.findall(r'data-room="([^"]+)" data-lines="(\d+)"', picture)
    return {room: int(lines) for room, lines in found}


def draw_picture(
    arrows: Arrows, lines: Mapping[str, int], rooms: Sequence[DrawnRoom] = ROOMS
) -> str:
    """Return the picture of rooms and the arrows between them, as SVG."""
    there = place_rooms(arrows)
    left = min(there.middles[name] for name in arrows) - ROOM / 2 - MARGIN
    right = max(there.middles[name] for name in arrows) + ROOM / 2 + MARGIN
    wide, high = round(right - left), (len(there.rows) - 1) * LAYER + TALL + 2 * MARGIN
    level = {place: n for n, row in enumerate(reversed(there.rows)) for place in row}
    corner = {p: (there.middles[p] - left, MARGIN + LAYER * level[p]) for p in level}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" role="img" '
        f'width="{wide}" height="{high}">',
        "<title>The rooms of the code; an arrow goes from a room to one that it imports</title>",
        f"<style>\n{_STYLE}\n</style>",
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
        'markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>',
        f'<rect class="paper" width="{wide}" height="{high}" rx="8"/>',
        *_arrows(there, corner),
        *(_room(room, lines[room.name], *corner[room.name]) for room in rooms),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _arrows(there: PlacedRoom, corner: Mapping[Place, tuple[float, float]]) -> list[str]:
    """Return the arrows; at a room they begin and end side by side."""
    leaving: dict[Place, list[float]] = {}
    reaching: dict[Place, list[float]] = {}
    for way in there.ways:
        leaving.setdefault(way[0], []).append(corner[way[1]][0])
        reaching.setdefault(way[-1], []).append(corner[way[-2]][0])
    drawn = []
    for way in there.ways:
        (x, y), (end, bottom) = corner[way[0]], corner[way[-1]]
        x += _distance_from(corner[way[1]][0], leaving[way[0]])
        end += _distance_from(corner[way[-2]][0], reaching[way[-1]])
        y += TALL
        line = f"M{x:.0f} {y:.0f}"
        for place in way[1:]:
            to, top = corner[place] if isinstance(place, Bend) else (end, bottom)
            half = (top - y) / 2
            line += f"C{x:.0f} {y + half:.0f} {to:.0f} {top - half:.0f} {to:.0f} {top:.0f}"
            x, y = to, top
            if isinstance(place, Bend):
                y += TALL
                line += f"V{y:.0f}"
        drawn.append(
            f'<path class="arrow" marker-end="url(#head)" d="{line}">'
            f"<title>{way[0]} imports {way[-1]}</title></path>"
        )
    return drawn


def _distance_from(other: float, others: Sequence[float]) -> float:
    """Return the distance from a room's middle at which the arrow to or from `other` touches it."""
    order = sorted(others)
    return (order.index(other) - (len(order) - 1) / 2) * min(36, ROOM * 0.8 / len(order))


def _room(room: DrawnRoom, lines: int, middle: float, top: float) -> str:
    kind = "room restaurant" if room.name in _RESTAURANTS else "room"
    words = textwrap.wrap(room.words, LETTERS)
    texts = [
        f'<text class="name" x="{middle:.0f}" y="{top + 19:.0f}">{escape(room.name)}</text>',
        f'<text class="lines" x="{middle:.0f}" y="{top + 35:.0f}">about {lines:,} lines</text>',
        *(
            f'<text x="{middle:.0f}" y="{top + 51 + 14 * n:.0f}">{escape(line)}</text>'
            for n, line in enumerate(words)
        ),
    ]
    return (
        f'<g data-room="{room.name}" data-lines="{lines}" text-anchor="middle">'
        f'<rect class="{kind}" x="{middle - ROOM / 2:.0f}" y="{top:.0f}" '
        f'width="{ROOM}" height="{TALL}" rx="6"/>\n' + "\n".join(texts) + "</g>"
    )


if __name__ == "__main__":
    try:
        PICTURE.write_text(rooms_picture(), encoding="utf-8")
    except (CircleError, HomelessError) as error:
        sys.exit(str(error))
