#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# How many findings of programs get a change that was tried, by change.
"""usage: tabulate_moves.py FOLDER

FOLDER holds PROGRAM.json, what `coalcheck report --scope all --format json` says of each program. A finding gets the first
change that helps its kernel and lowers its own sectors. Prints two tables in Markdown: by change, and why none was tried."""

import argparse
import collections
import json
import pathlib

LOWER = 1 - 1e-2  # sums over chosen blocks are not exact


def moves_of_kernels(report):
    kernels = collections.defaultdict(list)
    for one in report["moves"]:
        kernels[one["kernel_mangled"]].append(one)
    return kernels


def advised(kernels, number):
    """The name of the change that access `number` is advised; None where there is none."""
    for kernel in kernels:
        for move in kernel["tried"]:
            for change in move["accesses"] if move["outcome"] == "helps" else ():
                before, after = (change[f"sectors_per_request_{when}"] * change[f"requests_{when}"] for when in ("before", "after"))
                if change["access"] == number and after < LOWER * before:
                    return move["move"]
    return None


def reason(kernels):
    if not kernels:
        return "no launch whose PTX could be evaluated, as of closed libraries"
    return next((one["why_not_all"] for one in kernels if one["why_not_all"]), "nothing that was tried helps it")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    folder = parser.parse_args().folder
    said, reasons = collections.Counter(), collections.Counter()
    programs = findings = causes = 0
    for path in sorted(folder.glob("*.json")):
        report = json.loads(path.read_text(encoding="utf-8"))
        if "accesses" not in report:
            continue  # programs.json
        programs += 1
        causes += len(report["causes"])
        kernels = moves_of_kernels(report)
        for number, access in enumerate(report["accesses"]):
            if not access["finding"]:
                continue
            findings += 1
            its = kernels.get(access["kernel_mangled"], [])
            move = advised(its, number)
            if move:
                said[move] += 1
            else:
                reasons[reason(its)] += 1
    print(f"{programs} programs, {findings} findings of {causes} causes; {said.total()} findings get a change.\n")
    for title, counter in (("change", said), ("why none", reasons)):
        print(f"| {title} | findings |\n|---|---|")
        print("\n".join(f"| {name} | {number} |" for name, number in counter.most_common()) + "\n")


if __name__ == "__main__":
    main()
