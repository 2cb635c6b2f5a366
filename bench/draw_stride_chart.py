#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws bandwidth over stride as an SVG, from what `stride_sweep --csv` printed.

The drawing follows the reader's light or dark theme and needs nothing but Python.
"""
import argparse
import math
import sys
from pathlib import Path

WIDTH, HEIGHT = 760, 400
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 64, 52

STYLE = """
    text { font: 13px system-ui, sans-serif; fill: #24292f; }
    .title { font-size: 16px; font-weight: 600; }
    .quiet { fill: #57606a; }
    .grid { stroke: #d0d7de; stroke-width: 1; }
    .curve { fill: none; stroke: #0969da; stroke-width: 2; }
    .point { fill: #0969da; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; }
      .quiet { fill: #9198a1; }
      .grid { stroke: #3d444d; }
      .curve { stroke: #4493f8; }
      .point { fill: #4493f8; }
    }
"""


def read_csv(text):
    """Returns (what it was measured on, [(stride, GB/s)]); ValueError when that is not in `text`."""
    about, points = "", []
    for line in text.splitlines():
        if line.startswith("#"):
            about = line.lstrip("# ").strip()
        elif line and not line.startswith("stride_elements"):
            fields = line.split(",")
            if len(fields) != 3:
                raise ValueError(f"not a line of stride_sweep --csv: {line}")
            points.append((int(fields[0]), float(fields[2])))
    if len(points) < 2 or any(bandwidth <= 0 for _, bandwidth in points):
        raise ValueError("no table of strides and bandwidths; run stride_sweep --csv")
    return about, sorted(points)


def nice_step(largest):
    """A round distance between grid lines that gives four to ten of them."""
    raw = largest / 5
    power = 10 ** math.floor(math.log10(raw))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw)


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def draw(about, points):
    largest_stride = points[-1][0]
    step = nice_step(max(bandwidth for _, bandwidth in points))
    top_value = step * math.ceil(max(bandwidth for _, bandwidth in points) / step)

    def x(stride):
        return LEFT + (WIDTH - LEFT - RIGHT) * stride / largest_stride

    def y(bandwidth):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * bandwidth / top_value

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
           f"  <title>Useful bandwidth over stride</title>\n  <style>{STYLE}  </style>",
           f'  <text class="title" x="{LEFT}" y="24">A strided copy: useful bandwidth over stride</text>',
           f'  <text class="quiet" x="{LEFT}" y="44">{escape(about)}</text>']
    for i in range(round(top_value / step) + 1):
        value = i * step
        out.append(f'  <line class="grid" x1="{LEFT}" y1="{y(value):.1f}" x2="{WIDTH - RIGHT}" '
                   f'y2="{y(value):.1f}"/>')
        out.append(f'  <text class="quiet" x="{LEFT - 8}" y="{y(value) + 4:.1f}" '
                   f'text-anchor="end">{value:g}</text>')
    for stride in range(0, largest_stride + 1, 4 if largest_stride > 8 else 1):
        out.append(f'  <text class="quiet" x="{x(stride):.1f}" y="{HEIGHT - BOTTOM + 20}" '
                   f'text-anchor="middle">{stride}</text>')
    out.append(f'  <text class="quiet" x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 10}" '
               'text-anchor="middle">stride of the loads, in floats (GB/s upwards)</text>')
    curve = " ".join(f"{x(stride):.1f},{y(bandwidth):.1f}" for stride, bandwidth in points)
    out.append(f'  <polyline class="curve" points="{curve}"/>')
    for stride, bandwidth in points:
        out.append(f'  <circle class="point" cx="{x(stride):.1f}" cy="{y(bandwidth):.1f}" r="3">'
                   f"<title>stride {stride}: {bandwidth:.0f} GB/s</title></circle>")
    out.append("</svg>\n")
    return "\n".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("csv", type=Path, help="what `stride_sweep --csv` printed")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the SVG to write")
    arguments = parser.parse_args()
    try:
        about, points = read_csv(arguments.csv.read_text())
    except (OSError, ValueError) as error:
        print(f"draw_stride_chart: {arguments.csv}: {error}", file=sys.stderr)
        return 1
    arguments.output.write_text(draw(about, points))
    return 0


if __name__ == "__main__":
    sys.exit(main())
