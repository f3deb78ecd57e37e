"""Plots for the docs, as SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

WIDTH, HEIGHT, LEFT, TOP, BOTTOM, LEGEND = 640, 340, 56, 34, 44, 20
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
DASHES = ("", "7 4", "2 3", "9 3 2 3", "12 4", "4 4")


def line_plot(xs: Sequence[float], lines: Mapping[str, Sequence[float]], x: str, y: str) -> str:
    """Return a plot of several lines over the same points, as SVG.

    `x` and `y` are the titles of the axes, which begin at zero. The lines differ in colour and in
    dashes.
    """
    top = _nice(max(max(values) for values in lines.values()))
    right = max(xs)
    height = HEIGHT + LEGEND * len(lines)

    def at(px: float, py: float) -> tuple[float, float]:
        across = LEFT + px / right * (WIDTH - LEFT - 20)
        return round(across, 1), round(HEIGHT - BOTTOM - py / top * (HEIGHT - BOTTOM - TOP), 1)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        f'<text x="{LEFT}" y="18" font-size="14">{escape(y)}</text>',
        f'<text x="{WIDTH - 20}" y="{HEIGHT - 8}" text-anchor="end">{escape(x)}</text>',
    ]
    for step in range(5):
        value = top * step / 4
        (x0, y0), (x1, _) = at(0, value), at(right, value)
        parts += [
            f'<line x1="{x0}" x2="{x1}" y1="{y0}" y2="{y0}" stroke="#ddd"/>',
            f'<text x="{x0 - 6}" y="{y0 + 4}" text-anchor="end">{value:g}</text>',
        ]
    for value in xs:
        x0, y0 = at(value, 0)
        parts.append(f'<text x="{x0}" y="{y0 + 16}" text-anchor="middle">{value:g}</text>')
    for number, (name, values) in enumerate(lines.items()):
        stroke = f'stroke="{COLOURS[number]}" stroke-width="2" stroke-dasharray="{DASHES[number]}"'
        places = [at(px, py) for px, py in zip(xs, values, strict=True)]
        points = " ".join(f"{px},{py}" for px, py in places)
        parts.append(f'<polyline points="{points}" fill="none" {stroke}/>')
        parts += [f'<circle cx="{p}" cy="{q}" r="3" fill="{COLOURS[number]}"/>' for p, q in places]
        below = HEIGHT + 8 + LEGEND * number
        parts += [
            f'<line x1="{LEFT}" x2="{LEFT + 40}" y1="{below}" y2="{below}" {stroke}/>',
            f'<text x="{LEFT + 48}" y="{below + 4}">{escape(name)}</text>',
        ]
    return "\n".join([*parts, "</svg>", ""])


def _nice(value: float) -> float:
    """Return the next round number that is not smaller; a quarter of it is round as well."""
    unit = 1.0
    while unit * 100 < value:
        unit *= 10
    return next(
        unit * n for n in (1, 2, 4, 6, 8, 10, 12, 16, 20, 30, 40, 60, 80, 100) if unit * n >= value
    )
