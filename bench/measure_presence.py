#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what coalcheck's presence costs before anything is counted: start-up and memory.

Each program runs natively, under bare CUPTI (bench/bare_cupti.cpp, stage by stage) and under the
agent, in interleaved rounds. The table gives medians: of whole programs, and of the resident and
anonymous memory at the moment when the resident memory was largest.
"""
import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import provenance  # noqa: E402

FIELD = re.compile(r"^(Rss|Anonymous): +(\d+) kB", re.MULTILINE)
OFF, ON = "coalcheck --cost off", "coalcheck --cost on"  # without PC sampling, and with it
PERIOD = 0.01  # seconds between two looks at the memory


def variants(agent, bare, scratch):
    """[(name, environment)]; without `bare` only the native program and the agent."""
    found = [("native", {})]
    if bare:
        found += [(f"bare CUPTI, {stage}", {"CUDA_INJECTION64_PATH": bare, "BARE_CUPTI": stage})
                  for stage in ("subscribe", "launches", "profiler", "config")]
    watched = {"CUDA_INJECTION64_PATH": agent}
    keep = f"--no-report --recording {scratch}/%p"
    return found + [
        ("coalcheck, nothing counted", watched | {"COALCHECK_OPTIONS": f"{keep} --cost off --kernel-exclude '*'"}),
        ("coalcheck, no report", watched | {"COALCHECK_OPTIONS": f"{keep} --cost off"}),
        (OFF, watched | {"COALCHECK_OPTIONS": OFF.removeprefix("coalcheck ")}),
        ("coalcheck, nothing counted, sampled",
         watched | {"COALCHECK_OPTIONS": f"{keep} --cost on --kernel-exclude '*'"}),
        (ON, watched | {"COALCHECK_OPTIONS": ON.removeprefix("coalcheck ")})]


def memory(pid):
    """{Rss, Anonymous} of the process in kB, empty when it is gone."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return {}
    return {name: int(value) for name, value in FIELD.findall(text)}


def run(command, environment, look):
    """Runs the program; returns its seconds, and its memory at the peak where `look` is set."""
    start = time.monotonic()
    with subprocess.Popen(command, env=os.environ | environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        peak = {}
        while look and process.poll() is None:
            now = memory(process.pid)
            if now.get("Rss", 0) > peak.get("Rss", 0):
                peak = now
            time.sleep(PERIOD)
        errors = process.communicate(timeout=300)[1]
        seconds = time.monotonic() - start
    if process.returncode != 0:
        sys.exit(f"{command} ended with {process.returncode}\n{errors}")
    return seconds, peak


def table(title, command, chosen, rounds):
    """Markdown lines for one program. Times and memory come from runs of their own."""
    seconds = {name: [] for name, _ in chosen}
    peaks = {name: [] for name, _ in chosen}
    for _ in range(rounds):
        for name, environment in chosen:
            seconds[name].append(run(command, environment, look=False)[0])
            peaks[name].append(run(command, environment, look=True)[1])
    yield f"\n## {title}\n"
    yield "| | whole program, s | added, s | resident, MiB | anonymous, MiB | added, MiB |"
    yield "|---|---|---|---|---|---|"

    def median(name, field):
        return statistics.median(peak.get(field, 0) for peak in peaks[name]) / 1024

    for name, _ in chosen:
        middle = statistics.median(seconds[name])
        yield (f"| {name} | {middle:.3f} ({min(seconds[name]):.3f}–{max(seconds[name]):.3f}) "
               f"| {middle - statistics.median(seconds['native']):.3f} | {median(name, 'Rss'):.1f} "
               f"| {median(name, 'Anonymous'):.1f} "
               f"| {median(name, 'Anonymous') - median('native', 'Anonymous'):.1f} |")


def write(lines, output):
    if output:
        output.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--samples", type=Path, required=True, help="the folder of built samples")
    add("--agent", required=True, help="path of libcoalcheck.so")
    add("--bare", help="path of bare_cupti.so, built as bench/bare_cupti.cpp says")
    add("--python", default=sys.executable, help="a Python with PyTorch, for the training program")
    add("--rounds", type=int, default=7, help="runs of each variant (default 7)")
    add("--torch-rounds", type=int, default=3, help="and of PyTorch (default 3; 0 leaves it out)")
    add("--output", type=Path, help="write the Markdown there instead of stdout")
    arguments = parser.parse_args()
    training = Path(__file__).resolve().parents[1] / "tests" / "gpu" / "frameworks" / "torch_training.py"
    lines = ["# What coalcheck's presence costs", "",
             "Made by `bench/measure_presence.py`; medians, smallest and largest in brackets. "
             "\"Added\" memory is anonymous memory; `bare CUPTI, config` is what the SASS metrics take "
             "when they are set up and never used: `cuptiProfilerInitialize`, without which "
             "`cuptiSassMetricsSetConfig` fails. PC sampling is part of the rows that say "
             "`--cost on` or \"sampled\" and of no other.", "",
             provenance.markdown()]
    with tempfile.TemporaryDirectory() as scratch:
        bare = os.path.abspath(arguments.bare) if arguments.bare else None
        chosen = variants(os.path.abspath(arguments.agent), bare, scratch)
        transpose = [str(arguments.samples / "transpose_naive"), "--launches", "1"]
        lines += table("naive transpose, one launch", transpose, chosen, arguments.rounds)
        write(lines, arguments.output)  # finished programs stay, even if the next one fails
        few = [(name, environment) for name, environment in chosen
               if name in ("native", "bare CUPTI, config", OFF, ON)]
        if arguments.torch_rounds > 0:
            lines += table("training a small network with PyTorch", [arguments.python, str(training), "eager"],
                           few, arguments.torch_rounds)
    write(lines, arguments.output)
    if not arguments.output:
        print("\n".join(lines))


if __name__ == "__main__":
    main()
