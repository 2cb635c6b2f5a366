#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# How much of programs that nobody here wrote is explained, as a table.
"""usage: tabulate_real_programs.py FOLDER > docs/measurements/real-programs.md, or other-programs.md

FOLDER holds PROGRAM.json, what `coalcheck report --format json` says of each program that was recorded, and programs.json:
  {"title": "Real programs", "provenance": "one sentence", "rule": "how they were chosen, fixed before the first run",
   "programs": {PROGRAM: {"part": "open", "held" or another, "left_out": "why it has no report",
                          "seconds": [natively, watched], of one run each, alone on the machine}}}
added_times.md, where there is one, is what another day's runs added to programs' times, taken over as it is.
Of the part "held" nothing but its figures is told, so that it can serve again.
Nothing of a program gets into the table but its name, its files' names, line numbers and what the report says of an index."""

import argparse
import collections
import json
import pathlib
import statistics
import sys
import textwrap

STANDINGS = ("confirmed", "decided_by_data", "not_evaluated", "contradicted")
NO_PATTERN = ("irregular", "mixed", "unknown")
SLOWEST = 12  # programs whose times are told


class Tally:
    """Of the counted instructions with a line, and of the findings, of some programs."""

    def __init__(self):
        self.programs = self.instructions = self.explained = self.findings = self.one_pattern = 0
        self.standings = collections.Counter()

    def add(self, report):
        self.programs += 1
        for access in with_line(report):
            for instruction in access["instructions"]:
                address = instruction["address"]
                self.instructions += 1
                self.explained += is_explained(address)
                self.standings[address.get("standing")] += 1
            self.findings += access["finding"]
            self.one_pattern += access["finding"] and has_one_pattern(access)

    def row(self, name):
        undecided = self.instructions - self.standings["decided_by_data"]
        shares = [share(self.explained, self.instructions)]
        shares += [share(self.standings[one], self.instructions) for one in STANDINGS]
        shares += [share(self.standings["confirmed"], undecided), share(self.one_pattern, self.findings)]
        return f"| {name} | {self.programs} | {self.instructions} | " + " | ".join(shares) + " |"


def with_line(report):
    return [access for access in report["accesses"] if access.get("line") is not None]


def is_explained(address):
    return address.get("expression") is not None and address.get("standing") != "contradicted"


def has_one_pattern(access):
    first = access["patterns"][0]["candidates"] if access.get("patterns") else []
    return len(first) == 1 and first[0]["pattern"] not in NO_PATTERN


def share(part, whole):
    return f"{part} of {whole}, {100 * part / whole:.1f} %" if whole else "none"


def left_over(name, report):
    """One row for each line that is not explained, not evaluated or has not one pattern."""
    for access in with_line(report):
        where = f"{name} {pathlib.PurePath(access['file']).name}:{access['line']} {access['kind']}"
        worst = max((one["address"] for one in access["instructions"]),
                    key=lambda address: STANDINGS.index(address.get("standing") or "not_evaluated"))
        standing = worst.get("standing") or "not_evaluated"
        if standing in ("not_evaluated", "contradicted"):
            yield f"| {where} | {standing.replace('_', ' ')}: {worst.get('standing_why') or 'no arguments'} |"
        elif access["finding"] and not has_one_pattern(access):
            named = [one["pattern"] for one in access["patterns"][0]["candidates"]] if access.get("patterns") else ["none"]
            yield f"| {where} | patterns: {', '.join(named)} |"


def added_times(programs):
    """What coalcheck adds to whole programs: a sentence, and a row for each of the slowest."""
    times = sorted(((program["seconds"][1] - program["seconds"][0], name, *program["seconds"])
                    for name, program in programs.items() if program.get("seconds")), reverse=True)
    if not times:
        return []
    added = [one[0] for one in times]
    return ["\n## What is added to a program's time\n",
            f"{len(times)} programs, natively and watched, one run of each, alone: {statistics.median(added):+.2f} s in the middle, "
            f"0.25 s or less in {sum(one <= 0.25 for one in added)}.\n",
            "| the slowest | natively, s | watched, s | added, s |\n|---|--:|--:|--:|",
            *(f"| {name} | {native:.2f} | {watched:.2f} | {more:+.2f} |" for more, name, native, watched in times[:SLOWEST])]


def write(folder, out):
    told = json.loads((folder / "programs.json").read_text(encoding="utf-8"))
    parts, rows, left_out = collections.defaultdict(Tally), [], []
    for name, program in sorted(told["programs"].items()):
        if program.get("left_out"):
            left_out.append(f"| {name} | {program['part']} | {program['left_out']} |")
            continue
        report = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        parts[program["part"]].add(report)
        if program["part"] != "held":
            rows += left_over(name, report)
    print(f"# {told.get('title', 'Real programs')}\n", file=out)
    for paragraph in (told["provenance"], told["rule"]):
        print(textwrap.fill(paragraph, 116, break_long_words=False, break_on_hyphens=False) + "\n", file=out)
    print("| part | programs | instructions | explained | confirmed | decided by data | not evaluated | contradicted | "
          "confirmed of those no data decide | findings with one pattern |\n|" + "---|" * 10, file=out)
    for name in sorted(parts, key=lambda part: (part == "held", part)):
        print(parts[name].row(name), file=out)
    taken_over = folder / "added_times.md"
    times = taken_over.read_text(encoding="utf-8").splitlines() if taken_over.exists() else added_times(told["programs"])
    for line in times:
        print(line, file=out)
    for title, columns, lines in (("What is left, without the part that is held back", "| where | what |\n|---|---|", rows),
                                  ("Left out", "| program | part | why |\n|---|---|---|", left_out)):
        print(f"\n## {title}\n\n{columns}", file=out)
        print("\n".join(lines), file=out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    write(parser.parse_args().folder, sys.stdout)


if __name__ == "__main__":
    main()
