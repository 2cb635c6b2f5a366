#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Whether another compiler or architecture changes what is predicted of the samples.
"""usage: compare_predicted_builds.py --nvcc NAME=PROGRAM… [--arch 75…] [--coalcheck COMMAND]

Compiles the samples with each nvcc for each architecture, predicts each build with the launches of its recording and
without, and compares its words with those of the first nvcc's build for sm_90. Prints a table, and each difference."""

import argparse
import collections
import json
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
REFERENCE = "90"


def samples():
    return sorted(one.name for one in (ROOT / "samples").iterdir()
                  if (one / f"{one.name}.cu").exists() and (ROOT / "tests" / "recordings" / one.name).is_dir())


def compile_sample(nvcc, arch, sample, folder):
    cubin = folder / f"{sample}.cubin"
    done = subprocess.run([nvcc, "-std=c++20", "-O3", "-lineinfo", "-cubin", f"-arch=sm_{arch}", "-I", ROOT, "-o", cubin,
                           ROOT / "samples" / sample / f"{sample}.cu"], capture_output=True, text=True, check=False)
    return cubin if done.returncode == 0 else None


def words(coalcheck, cubin, launches):
    """By kernel, line, kind and the lines that called it."""
    options = ["--launches", launches] if launches else []
    done = subprocess.run([coalcheck, "predict", cubin, *options, "--format", "json", "--config", "none", "--source-root",
                           ROOT], capture_output=True, text=True, check=False)
    return {(one["kernel"], one["file"], one["line"], one["kind"], tuple(frame["line"] for frame in one["inline"])):
            one["predicted"] for one in json.loads(done.stdout)["accesses"] if one["line"] is not None}


class Builds:
    def __init__(self, coalcheck):
        self.coalcheck = coalcheck
        self.reference = {}
        self.rows, self.differences = [], []

    def add(self, name, nvcc, arch):
        counts = collections.Counter()
        with tempfile.TemporaryDirectory() as folder:
            for sample in samples():
                cubin = compile_sample(nvcc, arch, sample, pathlib.Path(folder))
                if cubin is None:
                    counts["not compiled"] += 1
                    continue
                for launches in (None, ROOT / "tests" / "recordings" / sample):
                    self.compare(f"{name} sm_{arch}", (sample, launches), words(self.coalcheck, cubin, launches), counts)
        row = [f"{name} sm_{arch}", counts["same"], counts["other word"], counts["only here"], counts["only there"],
               counts["not compiled"]]
        self.rows.append("| " + " | ".join(map(str, row)) + " |")

    def compare(self, build, of, here, counts):
        there = self.reference.setdefault(of, here)
        for key in sorted(set(here) | set(there), key=str):
            kind = ("only here" if key not in there else "only there" if key not in here
                    else "same" if here[key] == there[key] else "other word")
            counts[kind] += 1
            if kind != "same":
                where = f"{pathlib.PurePath(key[1]).name}:{key[2]} {key[3]}" + (" with launches" if of[1] else "")
                self.differences.append(f"| {build} | {where} | {there.get(key, 'not there')} | {here.get(key, 'not there')} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--coalcheck", default=ROOT / "build" / "default" / "bin" / "coalcheck", help="the command")
    parser.add_argument("--nvcc", action="append", required=True, metavar="NAME=PROGRAM", help="repeatable")
    parser.add_argument("--arch", nargs="+", default=["75", "80", "86", "89", "90", "100", "120"], metavar="NN")
    arguments = parser.parse_args()
    builds = Builds(arguments.coalcheck)
    compilers = [one.partition("=")[::2] for one in arguments.nvcc]
    order = [REFERENCE, *(arch for arch in arguments.arch if arch != REFERENCE)]
    for name, nvcc in compilers:
        for arch in order:
            builds.add(name, nvcc, arch)
    print("| build | same word | other word | only here | only in the first | not compiled |\n|---|---|---|---|---|---|")
    print("\n".join(builds.rows))
    print("\n| build | where | first build | this build |\n|---|---|---|---|\n" + "\n".join(builds.differences))


if __name__ == "__main__":
    main()
