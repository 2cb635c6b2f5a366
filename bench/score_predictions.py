#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Holds what `coalcheck predict` says of a program's cubins against what was counted when it ran.
"""usage: score_predictions.py --coalcheck COMMAND FOLDER… > docs/measurements/predictions.md

Each FOLDER is a set of recordings with arguments, PROGRAM.rec, and is scored by itself. Every access with a line that was counted is scored twice: predicted
from the cubins alone, and with the launches of the same recording. An access whose lanes differ by loaded data is a class of
its own. Nothing of a program gets into the table but its name, its files' names and line numbers."""

import argparse
import collections
import json
import pathlib
import subprocess
import sys
import time

import provenance

WAYS = {"without shapes": False, "with the recorded launches": True}
# Precision and recall count from these on; shares of what is unknown stay below.
TARGETS = {"without shapes": (99, 80, 35), "with the recorded launches": (99, 95, 5)}
# What decides an unknown access: the first of these in its words.
KINDS = (("what lanes or guards load", "loaded"), ("a parameter", "parameter"), ("the block or the rounds of a loop", "size of the block"),
         ("where a variable lies", "variable lies"), ("no warp came to it", "no warp"), ("something else", ""))
COMMON = ["--format", "json", "--source-root", "/", "--scope", "all", "--config", "none"]


def key_of(access):
    chain = tuple((frame["file"], frame["line"]) for frame in access["inline"])
    return access["kernel_mangled"], access["file"], access["line"], access["kind"], chain


def accesses_of(command, words):
    done = subprocess.run([command, *words, *COMMON], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 3, 4) or not done.stdout:
        sys.exit(f"{' '.join(words)}: exit code {done.returncode}: {done.stderr[:300]}")
    return {key_of(one): one for one in json.loads(done.stdout)["accesses"] if one["line"] is not None}


def kind_of(predicted):
    if predicted["predicted"] == "clean":
        return "called clean"
    return next(kind for kind, word in KINDS if word in predicted["why"])


class Score:
    """Of some programs, predicted in one way."""

    def __init__(self):
        self.pairs = collections.Counter()  # (word, whether it was counted as wasteful)
        self.by_data = collections.Counter()  # word
        self.missing = 0
        self.assumed = 0
        self.wrong, self.open = [], []
        self.missed = collections.Counter()  # accesses counted as wasteful and not found, by what decides
        self.seconds = 0.0

    def add(self, program, counted, predicted, narrow):
        for key, truth in counted.items():
            one = predicted.get(key)
            if truth["requests"] == 0:
                continue
            if one is None:
                self.missing += 1
                continue
            if key[0] in narrow:
                self.assumed += 1
                continue
            where = f"{program} {pathlib.PurePath(truth['file']).name}:{truth['line']} {truth['kind']}"
            told = f"{truth['wasted_share_percent']:.3g} % wasted"
            if one["lanes_by_data"]:
                self.by_data[one["predicted"]] += 1
                if one["predicted"] != "unknown":
                    self.wrong.append(f"| {where} | {one['predicted']}, though data decide | {told} |")
                continue
            self.pairs[one["predicted"], truth["finding"]] += 1
            if truth["finding"] and one["predicted"] != "wasteful":
                self.missed[kind_of(one)] += 1
            if one["predicted"] == "unknown":
                self.open.append(f"| {where} | {one['why']} | {told} |")
            elif (one["predicted"] == "wasteful") != truth["finding"]:
                self.wrong.append(f"| {where} | {one['predicted']} ({one['wasted_share_percent']:.3g} %) | {told} |")

    def figures(self):
        pairs = self.pairs
        wasteful = pairs["wasteful", True], pairs["wasteful", True] + pairs["wasteful", False]
        clean = pairs["clean", False], pairs["clean", True] + pairs["clean", False]
        recall = pairs["wasteful", True], sum(n for (_, bad), n in pairs.items() if bad)
        unknown = sum(n for (word, _), n in pairs.items() if word == "unknown"), sum(pairs.values())
        return [share(*one) for one in (wasteful, clean, recall, unknown)]


def narrow_kernels(recording):
    """Those that were launched with blocks which are no whole number of warps wide, against the first assumption."""
    kernels = set()
    for line in (recording / "records.jsonl").read_text(encoding="utf-8", errors="replace").splitlines():
        record = json.loads(line)
        if record.get("record") == "tally" and record["block"][0] % 32:
            kernels.add(record["kernel"])
    return kernels


def share(part, whole):
    return f"{part} of {whole}, {100 * part / whole:.1f} %" if whole else "none"


def score(command, folder):
    """The number of programs, and their scores for each way of predicting."""
    scores = {way: Score() for way in WAYS}
    programs = 0
    for recording in sorted(folder.glob("*.rec")):
        cubins = sorted(str(one) for one in (recording / "cubins").glob("*.cubin"))
        if not cubins:
            continue
        programs += 1
        counted = accesses_of(command, ["report", str(recording)])
        for way, with_launches in WAYS.items():
            words = ["predict", *cubins] + (["--launches", str(recording)] if with_launches else [])
            start = time.monotonic()
            predicted = accesses_of(command, words)
            scores[way].seconds += time.monotonic() - start
            scores[way].add(recording.stem, counted, predicted, set() if with_launches else narrow_kernels(recording))
    return programs, scores


def write_missed(sets, out):
    print("\n## Wasteful and not found, by what is said to decide\n", file=out)
    kinds = [kind for kind, _ in KINDS] + ["called clean"]
    print("| set | | " + " | ".join(kinds) + " |\n|" + "---|" * (len(kinds) + 2), file=out)
    for name, (_, scores) in sets.items():
        for way, one in scores.items():
            print("| " + " | ".join([name, way] + [str(one.missed[kind]) for kind in kinds]) + " |", file=out)


def write(sets, list_unknown, blind, out):
    print("# Predictions\n\n" + provenance.markdown() + "\n", file=out)
    print("Truth is counted: an access that wastes 10 % or more of its sectors is wasteful. Unknown ones count against "
          "recall.\n", file=out)
    print("| set | programs | | wasteful is right | clean is right | wasteful found | unknown | lanes by loaded data | of "
          "these called clean or wasteful | blocks are no whole warps wide | not predicted | seconds |\n|" + "---|" * 12,
          file=out)
    for name, (programs, scores) in sets.items():
        for way, one in scores.items():
            called = one.by_data["clean"] + one.by_data["wasteful"]
            columns = [name, programs, way, *one.figures(), sum(one.by_data.values()), called, one.assumed, one.missing,
                       f"{one.seconds:.1f}"]
            print("| " + " | ".join(map(str, columns)) + " |", file=out)
    for way, (precision, recall, unknown) in TARGETS.items():
        print(f"| target | | {way} | ≥ {precision} % | ≥ {precision} % | ≥ {recall} % | ≤ {unknown} % | | 0 | | 0 | |",
              file=out)
    write_missed(sets, out)
    for way in WAYS:
        for title in ("Wrong", "Unknown"):
            if title == "Unknown" and not list_unknown:
                continue
            rows = [row for name, (_, scores) in sets.items() if name not in blind
                    for row in (scores[way].wrong if title == "Wrong" else scores[way].open)]
            print(f"\n## {title}, {way}\n", file=out)
            print("| where | predicted | counted |\n|---|---|---|\n" + "\n".join(sorted(rows)) if rows else "None.", file=out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--coalcheck", default="coalcheck", help="the command to score")
    parser.add_argument("--list-unknown", action="store_true", help="list what is unknown, too")
    parser.add_argument("--blind", action="append", default=[], metavar="NAME",
                        help="a set of which no access is named, so that no rule is made for it; repeatable")
    parser.add_argument("folders", nargs="+", type=pathlib.Path, metavar="FOLDER")
    arguments = parser.parse_args()
    sets = {folder.name: score(arguments.coalcheck, folder) for folder in arguments.folders}
    write(sets, arguments.list_unknown, set(arguments.blind), sys.stdout)


if __name__ == "__main__":
    main()
