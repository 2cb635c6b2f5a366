#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what coalcheck adds to a program, beside Nsight Compute with the two sector metrics.

Every variant of a workload runs in turn, round after round, so that a drifting machine touches all
of them alike. The table gives medians and the spread of the rounds.
"""
import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import provenance  # noqa: E402

NCU_METRICS = ("memory_l2_theoretical_sectors_global", "memory_l2_theoretical_sectors_global_ideal")
TOTAL = re.compile(r"launches in ([0-9.]+) ms")


class Variant:
    """One way to run a workload: natively, under the agent, or under ncu."""

    def __init__(self, name, options=None, ncu=False):
        self.name, self.options, self.ncu = name, options, ncu

    def run(self, command, agent, scratch):
        """Runs it; returns (seconds of the whole program, ms of its launches, or None)."""
        environment = dict(os.environ)
        if self.ncu:
            command = ["ncu", "--clock-control", "none", "--metrics", ",".join(NCU_METRICS),
                       "--force-overwrite", "--export", f"{scratch}/ncu", *command]
        elif self.options is not None:
            shutil.rmtree(f"{scratch}/recording", ignore_errors=True)
            environment["CUDA_INJECTION64_PATH"] = agent
            environment["COALCHECK_OPTIONS"] = (
                f"--no-report --recording {scratch}/recording {self.options}")
        start = time.monotonic()
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
        seconds = time.monotonic() - start
        if done.returncode != 0:
            sys.exit(f"{self.name}: {command} ended with {done.returncode}\n{done.stdout}{done.stderr}")
        totals = [float(total) for total in TOTAL.findall(done.stdout)]
        return seconds, sum(totals) if totals else None


NATIVE = Variant("native")
WORKLOADS = [
    ("naive transpose × 1000", "transpose_naive", ["--launches", "1000"],
     [NATIVE, Variant("coalcheck, first launch of each shape (default)", "")]),
    ("naive transpose × 100", "transpose_naive", ["--launches", "100"],
     [NATIVE, Variant("coalcheck --sampling all", "--sampling all"),
      Variant("coalcheck --sampling all --metrics minimal", "--sampling all --metrics minimal"),
      Variant("ncu, two sector metrics", ncu=True)]),
    ("the 33 kernels of stride_sweep × 20", "stride_sweep", ["--launches", "20"],
     [NATIVE, Variant("coalcheck, first launch of each shape (default)", ""),
      Variant("coalcheck --sampling all", "--sampling all"),
      Variant("coalcheck --sampling all --metrics minimal", "--sampling all --metrics minimal"),
      Variant("ncu, two sector metrics", ncu=True)]),
]


def spread(values):
    return f"{statistics.median(values):.2f} ({min(values):.2f}–{max(values):.2f})"


def added(values, native):
    return statistics.median(values) - statistics.median(native)


def measure(samples, agent, rounds, scratch):
    """Yields Markdown lines, one table a workload."""
    for title, program, arguments, variants in WORKLOADS:
        command = [str(samples / program), *arguments]
        NATIVE.run(command, agent, scratch)  # warm up files and the driver
        times = {variant.name: [] for variant in variants}
        for _ in range(rounds):
            for variant in variants:
                times[variant.name].append(variant.run(command, agent, scratch))
        yield f"\n## {title}\n"
        yield "| | launches, ms | added, ms | added, % | whole program, s | added, s |"
        yield "|---|---|---|---|---|---|"
        native_ms = [ms for _, ms in times["native"]]
        native_s = [seconds for seconds, _ in times["native"]]
        for variant in variants:
            seconds = [s for s, _ in times[variant.name]]
            milliseconds = [ms for _, ms in times[variant.name]]
            more = added(milliseconds, native_ms)
            yield (f"| {variant.name} | {spread(milliseconds)} | {more:.2f} | "
                   f"{100 * more / statistics.median(native_ms):.2f} | {spread(seconds)} | "
                   f"{added(seconds, native_s):.2f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=Path, required=True, help="the folder of built samples")
    parser.add_argument("--agent", required=True, help="path of libcoalcheck.so")
    parser.add_argument("--rounds", type=int, default=7, help="runs of each variant (default 7)")
    parser.add_argument("--output", type=Path, help="write the Markdown there instead of stdout")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        lines = ["# What coalcheck adds to a program", "",
                 "Made by `bench/measure_overhead.py`; medians of "
                 f"{arguments.rounds} interleaved rounds, smallest and largest in brackets. "
                 "PC sampling is not part of it.", "",
                 provenance.markdown([("ncu", ["ncu", "--version"])])]
        lines += measure(arguments.samples, os.path.abspath(arguments.agent), arguments.rounds,
                         scratch)
    text = "\n".join(lines) + "\n"
    if arguments.output:
        arguments.output.write_text(text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
