#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: tabulate.py FOLDER > docs/measurements/waits.md

FOLDER holds NAME.jsonl, what bench/waits/NAME.cu printed, and NAME-cold.jsonl, what it printed with `cold`. Prints for each
kernel how many times as fast its change makes it, by the warps of the launch: below 1 the change makes it slower."""

import collections
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import provenance  # noqa: E402

TITLES = {
    "row_walk": "Rows interleaved: each round of a thread needs the one before",
    "many_rows": "Rows of several arrays interleaved",
    "lookup_rows": "Rows interleaved: what was loaded is looked up in a small table",
    "fields": "An array for each field, of structures of 4-byte fields",
    "update": "The same, read and written",
    "runs": "Striped: elements side by side that a thread copies",
    "vectors": "Vectors instead of elements side by side",
    "strided_sum": "Vectors in a loop over the grid",
    "row_sum": "A warp for a thread's row, summed up",
    "row_scale": "A warp for a thread's row, copied",
    "exchange1": "Axes exchanged, one load and one store",
    "exchange5": "Axes exchanged, five loads and one store",
    "loads5": "Axes exchanged, five loads, the store coalesced",
    "block_shape": "Blocks of 32 x 8",
    "tile_store": "A shared tile for a store along columns",
    "tile_load": "A shared tile for a load along columns",
    "pad_rows": "Rows padded",
    "align": "An array aligned",
}
NOT_NAMED = ("what", "cold", "warps_per_sm", "before_us", "after_us", "speedup", "warps", "block")


def read(folder):
    rows = []
    for path in sorted(folder.glob("*.jsonl")):
        rows += [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return rows


def table(rows):
    """A row for each form of the kernel, a column for each number of warps."""
    warps = sorted({row["warps"] for row in rows})
    forms = collections.defaultdict(dict)
    for row in rows:
        form = ", ".join(f"{key} {value}" for key, value in row.items() if key not in NOT_NAMED) or "-"
        forms[f"{form}, block {row['block']}" if row["what"] == "lookup_rows" else form][row["warps"]] = row["speedup"]
    lines = ["| | " + " | ".join(map(str, warps)) + " |", "|---|" + "---|" * len(warps)]
    for form, cells in forms.items():
        lines.append(f"| {form} | " + " | ".join(f"{cells[one]:.2f}" if one in cells else "" for one in warps) + " |")
    return "\n".join(lines)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    rows = read(pathlib.Path(sys.argv[1]))
    print("# When fewer sectors are no less time\n\n" + provenance.markdown() + "\n")
    print("How many times as fast a kernel is after a change, by the warps of its launch: medians of 20 launches, of 9 where\n"
          "L2 was overwritten before each. Below 1 the change makes it slower.")
    for what, title in TITLES.items():
        for cold in (0, 1):
            some = [row for row in rows if row["what"] == what and row["cold"] == cold]
            if some:
                print(f"\n## {title}{', L2 overwritten before each launch' if cold else ''}\n\n{table(some)}")


if __name__ == "__main__":
    main()
