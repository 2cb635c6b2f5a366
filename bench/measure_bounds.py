#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# How long each command takes, and how much memory, on the worst inputs that are known for it at 64 MB.
"""usage: measure_bounds.py --build DIR [--megabytes 64] [--only NAME] [--fuzzers LOG_FOLDER] > docs/measurements/security.md

Writes a table in Markdown. DIR is an optimised build. LOG_FOLDER holds what the fuzzers printed, NAME.log each."""

import argparse
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

import hostile_ptx

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADER = {"record": "header", "format": "coalcheck-recording", "major": 1, "minor": 4, "tool_version": "0.1.0",
          "program": "/p", "arguments": [], "working_directory": "/", "host": "h", "pid": 1, "started": "", "sampling": "all",
          "counters": ["requests", "lanes", "async_requests", "async_lanes", "sectors", "ideal_sectors", "lines"]}
FORMS = ("text", "json", "sarif", "github", "junit", "gitlab", "markdown", "html", "callgrind", "folded")
SECONDS, MEGABYTES = 10, 1000  # what every command has to stay within
TOO_LONG = 120


def line(record):
    return json.dumps(record, separators=(",", ":")) + "\n"


def fill(file, make, size):
    """Lines of make(i) until the file has that size; how many."""
    with open(file, "w", encoding="utf-8") as out:
        written = out.write(line(HEADER))
        i = 0
        while written < size:
            written += out.write(make(i))
            i += 1
    return i


def tally(kernel):
    return line({"record": "tally", "kernel": kernel, "grid": [1, 1, 1], "block": [32, 1, 1], "launches": 1, "counted": 1,
                 "skipped": []})


def window(number, kernel, rows):
    return line({"record": "window", "window": number + 1, "kind": "launch", "close": "in_time", "device": 0, "context": 1,
                 "first_launch": number + 1, "inside": [{"kernel": kernel, "grid": [1, 1, 1], "block": [32, 1, 1],
                                                         "launches": 1}], "dropped_records": 0,
                 "functions": [{"cubin": f"{number:016x}", "function": kernel, "rows": rows}]})


def long_name(i):
    """A thousand characters that cost as much as a name may."""
    text = f"_Z1f1P{len(str(i)) + 1}k{i}".replace("1P", "1PI", 1)
    parts = "".join(f"S_IS{c}_S{c}_E" for c in "01234567")
    return (text + "E" + parts + "i" * 900)[:1000]


def rows(count):
    return [[16 * pc, 1, 32, 0, 0, 32, 4, 32] for pc in range(count)]


RECORDINGS = {
    "kernels, each with a tally": lambda i: tally(f"k{i}"),
    "windows, each of a kernel and a cubin of its own": lambda i: window(i, f"k{i}", rows(1)),
    "windows with a thousand instructions each": lambda i: window(i, f"k{i % 100}", rows(1000)),
    "kernels with names of a thousand characters": lambda i: tally(long_name(i)),
    "losses, each of its own kind": lambda i: line({"record": "loss", "what": f"w{i}", "detail": "d", "count": 1}),
    "empty lines": lambda i: "\n",
    "brackets": lambda i: "[" * 1000 + "\n",
}


def measure(words, folder):
    """(CPU seconds, MB, exit code, last line said). No command has more than one thread, so on an idle machine it waits as long."""
    begin = time.monotonic()
    with open(folder / "said", "wb") as said, open(os.devnull, "wb") as nowhere:
        process = subprocess.Popen(words, stdout=nowhere, stderr=said, cwd=folder)
        end = begin + TOO_LONG
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > end:
                process.kill()
            time.sleep(0.01)
    lines = (folder / "said").read_text(errors="replace").splitlines()
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, os.waitstatus_to_exitcode(status), (lines or [""])[-1]


def table(title, columns):
    print(f"\n## {title}\n\n| {' | '.join(columns)} |\n|{'---|' * len(columns)}")


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def within(seconds, megabytes):
    return "yes" if seconds <= SECONDS and megabytes <= MEGABYTES else "**no**"


def bounds(command, size, only):
    table("Time and memory at the bounds", ("input", "command", "CPU s", "MB", "exit code", f"≤ {SECONDS} s and {MEGABYTES} MB"))
    for name, make in RECORDINGS.items():
        if only and only not in name:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            (folder / "r").mkdir()
            count = fill(folder / "r" / "records.jsonl", make, size)
            forms = [(form, measure([command, "report", "--format", form, "--scope", "all", "r"], folder)) for form in FORMS]
            rows_of = [worst_of(forms)] + [(" ".join(words[:-1]), measure([command, *words], folder)) for words in (
                ["verdict", "r"], ["diff", "r", "r"], ["baseline", "write", "b.txt", "r"], ["merge", "m", "r"])]
            for words, (seconds, megabytes, code, _) in rows_of:
                row(f"{count} {name}", words, f"{seconds:.1f}", f"{megabytes:.0f}", code, within(seconds, megabytes))


def code(command, size, only):
    """Compiled code: inspect takes no PTX text."""
    table("Time and memory of PTX", ("input", "command", "CPU s", "MB", "exit code", f"≤ {SECONDS} s and {MEGABYTES} MB"))
    for name in hostile_ptx.TEXTS:
        if only and only not in name:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            hostile_ptx.write(name, folder / "h.ptx", size)
            seconds, megabytes, status, _ = measure([command, "predict", "h.ptx", "--format", "json"], folder)
            row(name, "predict", f"{seconds:.1f}", f"{megabytes:.0f}", status, within(seconds, megabytes))


def worst_of(forms):
    """One row for all forms of the report: the most time, and the most memory, of any."""
    slowest, largest = (max(forms, key=lambda one, key=key: one[1][key]) for key in (0, 1))
    return (f"report, the worst of {len(forms)} forms: {slowest[0]} by time, {largest[0]} by memory",
            (slowest[1][0], largest[1][1], *slowest[1][2:]))


def fuzzers(folder):
    table("Fuzzers", ("fuzzer", "corpus", "executions", "core-seconds", "crashes and hangs"))
    for log in sorted(folder.glob("*.log")):
        text = log.read_text(errors="replace")
        done = re.search(r"Done (\d+) runs in (\d+) second", text)
        seeds = re.search(r"seed corpus: files: (\d+)", text)
        crashes = len(re.findall(r"Test unit written to", text))
        row(log.stem, seeds[1] if seeds else "?", done[1] if done else "?", done[2] if done else "?", crashes)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--megabytes", type=int, default=64)
    parser.add_argument("--only", default="")
    parser.add_argument("--fuzzers", type=pathlib.Path)
    arguments = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if arguments.fuzzers:
        fuzzers(arguments.fuzzers)
    command = str((arguments.build / "bin" / "coalcheck").resolve())
    bounds(command, arguments.megabytes << 20, arguments.only)
    code(command, arguments.megabytes << 20, arguments.only)
    return 0


if __name__ == "__main__":
    sys.exit(main())
