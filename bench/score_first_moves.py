#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Holds the first change that is advised for each kernel of bench/first_moves against what its author would change.
"""usage: score_first_moves.py --coalcheck COMMAND [--nvcc COMMAND]

The kernels were written by somebody who had not seen this project; first_moves/kernels.txt says by which launch each is predicted
and which changes its author accepts; `none` is an answer, too. Needs nvcc and no GPU. Prints the table of
docs/measurements/predictions.md."""

import argparse
import json
import pathlib
import subprocess
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent / "first_moves"


def kernels():
    """(name, accepted changes, launch) of each."""
    for line in (FOLDER / "kernels.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            name, accepted, launch = line.split("; ")
            yield name, accepted.split(), launch


def first_move(arguments, source, launch):
    """The first change that helps, else `none`."""
    with tempfile.TemporaryDirectory() as folder:
        cubin = pathlib.Path(folder) / "kernel.cubin"
        subprocess.run([arguments.nvcc, "-arch=sm_90", "-lineinfo", "-cubin", "-o", cubin, source], check=True)
        done = subprocess.run([arguments.coalcheck, "predict", "--config", "none", "--same-sources", "--format", "json", "--source-root",
                               source.parent, "--launch", launch, cubin], capture_output=True, text=True, check=False)
    tried = [one for kernel in json.loads(done.stdout)["moves"] for one in kernel["tried"]]
    return next((one["move"] for one in tried if one["outcome"] == "helps"), "none")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--coalcheck", default="coalcheck")
    parser.add_argument("--nvcc", default="nvcc")
    arguments = parser.parse_args()
    right, table = 0, list(kernels())
    print("| kernel | first change said | its author accepts | |\n|---|---|---|---|")
    for name, accepted, launch in table:
        move = first_move(arguments, FOLDER / f"{name}.cu", launch)
        right += move in accepted
        print(f"| {name} | {move} | {', '.join(accepted)} | {'yes' if move in accepted else 'no'} |")
    print(f"| {right} of {len(table)} | | | |")


if __name__ == "__main__":
    main()
