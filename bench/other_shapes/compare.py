#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds what `coalcheck predict --launch` says of launches that were never run against what was counted when they were.

Each recording is one that record.py made. Its launches are given by hand, as a user gives them: grid, block and the
whole numbers among the arguments; no pointer and no count. Compared are requests, lanes, sectors, ideal sectors and lines.
"""
import argparse
import collections
import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import provenance  # noqa: E402
from score_predictions import accesses_of  # noqa: E402

SAME = 1e-3  # share; sums of an evaluation in part are rounded
COUNTS = ("requests", "lanes", "sectors", "ideal_sectors", "lines")
WHOLE_NUMBERS = {"int": 4, "unsigned int": 4, "long": 8, "unsigned long": 8, "bool": 1}
OTHER_SIZES = {"float": 4, "double": 8}


def parameters_of(signature):
    """The types of a demangled signature."""
    types, depth, start = [], 0, signature.index("(") + 1
    for at in range(start, len(signature)):
        depth += (signature[at] in "(<") - (signature[at] in ")>")
        if depth < 0 or (depth == 0 and signature[at] == ","):
            types.append(signature[start:at].strip())
            start = at + 1
    return [one for one in types if one]


def launch_words(kernel, launch):
    """`--launch` of one launch, and what could not be given."""
    signature = subprocess.run(["c++filt", kernel], capture_output=True, text=True, check=True).stdout.strip()
    words = [f"grid={'x'.join(map(str, launch['grid']))}", f"block={'x'.join(map(str, launch['block']))}"]
    data, offset = bytes.fromhex(launch["arguments"][0].get("bytes", "")), 0
    for number, kind in enumerate(parameters_of(signature), 1):
        size = 8 if kind.endswith("*") else WHOLE_NUMBERS.get(kind) or OTHER_SIZES.get(kind)
        if size is None:
            return None, f"{signature}: a parameter of type {kind}"
        offset = -(-offset // size) * size
        if kind in WHOLE_NUMBERS:
            words.append(f"arg{number}={int.from_bytes(data[offset:offset + size], 'little', signed=not kind.startswith('unsigned'))}")
        offset += size
    return ["--launch", f"{signature.removeprefix('void ')}: {' '.join(words)}"], None


def launches_of(recording):
    for line in (recording / "records.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record["record"] == "window":
            yield from ((inside["kernel"], inside) for inside in record["inside"])


class Row:
    """All recordings of one sample."""

    def __init__(self):
        self.shapes, self.totals, self.rest = set(), collections.Counter(), []

    def add(self, command, recording):
        words, code = [], sorted(map(str, (recording / "cubins").glob("*.cubin")))
        if not code:
            self.rest.append(f"{recording.name}: nothing was counted")
            return
        for kernel, launch in launches_of(recording):
            self.shapes.add((tuple(launch["grid"]), tuple(launch["block"])))
            more, problem = launch_words(kernel, launch)
            words += more or []
            self.rest += [problem] if problem else []
        counted = accesses_of(command, ["report", str(recording)])
        predicted = accesses_of(command, ["predict", *code, *words])
        for key, truth in counted.items():
            one = predicted.get(key)
            if truth["requests"] == 0:
                continue
            outcome = self.outcome(one, truth)
            self.totals[outcome] += 1
            if outcome in ("unequal", "unknown"):
                said = one and (one["why"] or [one[name] for name in COUNTS])
                self.rest.append(f"{recording.name} line {truth['line']} {truth['kind']}: predicted {said}, "
                                 f"counted {[truth[name] for name in COUNTS]}")

    @staticmethod
    def outcome(one, truth):
        if one is not None and one["lanes_by_data"]:
            return "by data" if one["predicted"] == "unknown" else "unequal"
        if one is None or one["predicted"] == "unknown":
            return "unknown"
        if all(one[name] == truth[name] for name in COUNTS):
            return "equal"
        # Long loops are not evaluated to their end: then each request is told, and not how many there are.
        same = all(abs(one[name] / one["requests"] - truth[name] / truth["requests"]) <= SAME * truth[name] / truth["requests"]
                   for name in COUNTS) if one["requests"] else False
        return "equal by request" if same else "unequal"


def write(rows, out):
    print("# Shapes that were never run\n\n" + provenance.markdown() + "\n", file=out)
    columns = ("equal", "equal by request", "unequal", "unknown", "by data")
    print("| sample | recordings | shapes | accesses | all five sums equal | equal by request alone | unequal | unknown | "
          "lanes by loaded data |\n|" + "---|" * 9, file=out)
    sums = collections.Counter()
    for name, (recordings, row) in sorted(rows.items()):
        print("| " + " | ".join(map(str, [name, recordings, len(row.shapes), sum(row.totals.values()),
                                          *(row.totals[one] for one in columns)])) + " |", file=out)
        sums += row.totals
    print(f"| all | {sum(recordings for recordings, _ in rows.values())} | {sum(len(row.shapes) for _, row in rows.values())} | "
          f"{sum(sums.values())} | " + " | ".join(str(sums[one]) for one in columns) + " |\n", file=out)
    rest = [f"* {one}" for _, row in sorted(rows.values(), key=str) for one in row.rest]
    print("\n".join(rest) if rest else "None is unequal or unknown.", file=out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--coalcheck", default="coalcheck")
    parser.add_argument("folder", type=Path, help="of recordings SAMPLE.THREADS.SIZE")
    arguments = parser.parse_args()
    rows = {}
    for recording in sorted(arguments.folder.iterdir()):
        recordings, row = rows.get(recording.name.split(".")[0], (0, Row()))
        row.add(arguments.coalcheck, recording)
        rows[recording.name.split(".")[0]] = recordings + 1, row
    write(rows, sys.stdout)
    return 1 if any(row.totals["unequal"] for _, row in rows.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
