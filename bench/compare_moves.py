#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Holds the changes that `coalcheck predict` advises against those of the report of the run.
"""usage: compare_moves.py --coalcheck COMMAND FOLDER…

Each FOLDER is searched for recordings with arguments. Their cubins are predicted with the launches of the same recording. Of
each kernel for which the report or the prediction has a change that helps, the first ones are compared. Prints a row for each
folder: kernels, those of the same first change, of another one, of one in the report alone, of one in the prediction alone."""

import argparse
import collections
import json
import pathlib
import subprocess

KINDS = ("the same first change", "another", "in the report alone", "in the prediction alone")


def first_moves(command, words):
    """By kernel: the first change that helps."""
    done = subprocess.run([command, *map(str, words), "--format", "json", "--config", "none"], capture_output=True, text=True, check=False)
    moves = {}
    for kernel in json.loads(done.stdout)["moves"] if done.stdout else ():
        helps = [one["move"] for one in kernel["tried"] if one["outcome"] == "helps"]
        if helps:
            moves.setdefault(kernel["kernel_mangled"], helps[0])
    return moves


def kind_of(counted, predicted):
    if counted == predicted:
        return KINDS[0]
    if predicted is None:
        return KINDS[2]
    return KINDS[3] if counted is None else KINDS[1]


def compare(command, folder):
    kinds = collections.Counter()
    for cubins in sorted(folder.rglob("cubins")):
        counted = first_moves(command, ["report", cubins.parent])
        predicted = first_moves(command, ["predict", "--launches", cubins.parent, *sorted(cubins.glob("*.cubin"))])
        for kernel in counted.keys() | predicted.keys():
            kinds[kind_of(counted.get(kernel), predicted.get(kernel))] += 1
    return kinds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--coalcheck", default="coalcheck")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    print("| set | kernels | " + " | ".join(KINDS) + " |\n|---|" + "--:|" * (1 + len(KINDS)))
    for folder in arguments.folders:
        kinds = compare(arguments.coalcheck, folder)
        print(f"| {folder.name} | {kinds.total()} | " + " | ".join(str(kinds[kind]) for kind in KINDS) + " |")


if __name__ == "__main__":
    main()
