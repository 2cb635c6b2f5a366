#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Runs the fuzzers at length on all cores, each until it has had its share, and goes on where it was stopped.
"""usage: run_at_length.py --programs FOLDER --work FOLDER [--before TABLE] [--seconds N] [--cores N]

FOLDER of programs: what the preset fuzz builds, build/fuzz/bin. In the work folder lie the corpora as they grow, the inputs
that a fuzzer ended on, and state.json; a further call with the same folder adds to it, and the first one to what stands in TABLE,
docs/measurements/security.md; with new corpora, where those are lost. Each fuzzer is run until it has made
--executions or had --core-seconds, whichever comes first. Prints the table for docs/measurements/security.md.
Exit code 1 if any fuzzer crashed, ran out of memory or out of time on an input."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
SUFFIX = "_fuzzer"
SLICE = 120  # seconds of one process, after which its core may go to another fuzzer
AFTER = 20  # seconds that a process may take to end: an input may run until --timeout
INPUT_SECONDS = 25
# Bytes of an input at most: most processes try many short ones, each fourth also long ones.
LENGTHS = (512, 512, 512, 4096)
ENDINGS = {"crash": "crashes", "leak": "crashes", "timeout": "hangs", "oom": "out of memory"}
MOST_CRASHES = 30  # of one fuzzer, after which it is not started again
COLUMNS = ("fuzzer", "seeds", "executions", "core-seconds", "corpus", "coverage", "crashes", f"hangs above {INPUT_SECONDS} s", "out of memory",
           "done")


def seeds_of(name):
    """The folder of seeds of a fuzzer, as its .cmake file says."""
    said = (HERE / f"{name}{SUFFIX}.cmake").read_text(encoding="utf-8")
    return HERE / re.search(r"CORPUS (\S+?)\)?\s", said + " ")[1]


class Fuzzer:
    """One fuzzer with what it did so far."""

    def __init__(self, program, work, before, seeds):
        self.name = program.name.removesuffix(SUFFIX)
        self.program = program
        self.corpus = work / "corpus" / self.name
        self.found = work / "found" / self.name
        for folder in (self.corpus, self.found):
            folder.mkdir(parents=True, exist_ok=True)
        for seed in sorted(path for path in seeds.iterdir() if path.is_file()):
            shutil.copyfile(seed, self.corpus / seed.name)
        self.done = {"seeds": len(list(seeds.iterdir())), "executions": 0, "core_seconds": 0.0, "processes": 0, "coverage": 0,
                     "crashes": 0, "hangs": 0}
        self.done |= before
        self.running = 0

    def left(self, goal):
        """Core-seconds that it will need yet, as far as is known."""
        executions, core_seconds = goal[0] - self.done["executions"], goal[1] - self.done["core_seconds"]
        if executions <= 0 or core_seconds <= 0 or sum(self.endings().values()) >= MOST_CRASHES:
            return 0
        rate = self.done["executions"] / self.done["core_seconds"] if self.done["core_seconds"] > 1 else 0
        return min(core_seconds, executions / rate) if rate else core_seconds

    def run(self, seconds, executions, seed):
        """One process; what it did is added under `lock` by the caller."""
        words = [self.program, self.corpus, f"-seed={seed}", f"-max_total_time={seconds}", f"-runs={executions}",
                 f"-max_len={LENGTHS[seed % len(LENGTHS)]}", "-entropic=0",  # whose books take half of the time
                 f"-timeout={INPUT_SECONDS}", "-rss_limit_mb=2560", "-print_final_stats=1", f"-artifact_prefix={self.found}/"]
        environment = {**os.environ, "ASAN_OPTIONS": "allocator_may_return_null=1:detect_leaks=0:malloc_context_size=4:quarantine_size_mb=64"}
        log = self.found.parent / f"{self.name}.{seed}.log"
        with open(log, "wb") as out:
            process = subprocess.Popen(words, stdout=out, stderr=out, stdin=subprocess.DEVNULL, env=environment)
            killer = threading.Timer(seconds + INPUT_SECONDS + AFTER, process.kill)
            killer.start()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            killer.cancel()
        said = log.read_text(errors="replace")
        if process.returncode == 0:
            log.unlink()
        return usage.ru_utime + usage.ru_stime, *read_log(said)

    def endings(self):
        """How many inputs it ended on, by kind."""
        counts = dict.fromkeys(ENDINGS.values(), 0)
        for path in self.found.iterdir():
            kind = ENDINGS.get(path.name.split("-")[0])
            if kind:
                counts[kind] += 1
        return counts


def read_log(said):
    """(executions, coverage) of what a process printed; the last of its lines where it could not say how it ended."""
    total = re.search(r"stat::number_of_executed_units:\s*(\d+)", said)
    pulses = re.findall(r"^#(\d+)\t", said, re.MULTILINE)
    coverage = re.findall(r"\bcov: (\d+)", said)
    return int(total[1] if total else pulses[-1] if pulses else 0), int(coverage[-1]) if coverage else 0


class Run:
    """All fuzzers, on a number of cores, until a moment."""

    def __init__(self, fuzzers, work, goal, end):
        self.fuzzers, self.work, self.goal, self.end = fuzzers, work, goal, end
        self.lock = threading.Lock()

    def work_on(self, core):
        """What one core does: always the fuzzer that has most before it."""
        while True:
            with self.lock:
                seconds = int(min(SLICE, self.end - time.monotonic()))
                chosen = max(self.fuzzers, key=lambda one: one.left(self.goal) / (one.running + 1))
                left = chosen.left(self.goal)
                if seconds < 5 or left <= 0:
                    return
                chosen.running += 1
                chosen.done["processes"] += 1
                seed = chosen.done["processes"]
                executions = max((self.goal[0] - chosen.done["executions"]) // chosen.running, 10_000)
            core_seconds, executions, coverage = chosen.run(seconds, executions, seed)
            with self.lock:
                chosen.running -= 1
                chosen.done["executions"] += executions
                chosen.done["core_seconds"] += core_seconds
                chosen.done["coverage"] = max(chosen.done["coverage"], coverage)
                self.save()

    def save(self):
        state = {one.name: one.done for one in self.fuzzers}
        (self.work / "state.json").write_text(json.dumps(state, indent=1), encoding="utf-8")


def read_table(file):
    """What each fuzzer did before, as a table of print_table() says."""
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in file.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    heads = next(cells for cells in rows if cells[0] == COLUMNS[0])
    before = {}
    for cells in rows[rows.index(heads) + 2:]:
        said = dict(zip(heads, cells))
        if len(cells) != len(heads) or not said["executions"].replace(" ", "").isdigit():
            break
        numbers = {head.split(" ")[0].replace("-", "_"): int(cell.replace(" ", "")) for head, cell in said.items()
                   if head in ("executions", "core-seconds", "crashes", COLUMNS[7])}
        before[said["fuzzer"]] = numbers
    return before


def row(fuzzer, goal):
    done, endings = fuzzer.done, fuzzer.endings()
    reached = done["executions"] >= goal[0] or done["core_seconds"] >= goal[1]
    return (fuzzer.name, done["seeds"], f"{done['executions']:,}".replace(",", " "), f"{done['core_seconds']:.0f}",
            len(list(fuzzer.corpus.iterdir())), done["coverage"], done["crashes"] + endings["crashes"], done["hangs"] + endings["hangs"],
            endings["out of memory"], "yes" if reached else "no")


def print_table(fuzzers, goal):
    for cells in (COLUMNS, ["---"] * len(COLUMNS), *(row(one, goal) for one in fuzzers)):
        print("| " + " | ".join(map(str, cells)) + " |")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n", maxsplit=1)[0].removeprefix("usage: "))
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--before", type=pathlib.Path, help="the table that the first call adds to")
    parser.add_argument("--seeds", type=pathlib.Path, help="a folder with one folder of seeds for each fuzzer [those beside this file]")
    parser.add_argument("--seconds", type=int, default=7200)
    parser.add_argument("--cores", type=int, default=os.cpu_count())
    parser.add_argument("--executions", type=int, default=10_000_000)
    parser.add_argument("--core-seconds", type=int, default=7200)
    arguments = parser.parse_args()
    end = time.monotonic() + arguments.seconds
    work = arguments.work.resolve()
    state = work / "state.json"
    before = json.loads(state.read_text(encoding="utf-8")) if state.exists() else read_table(arguments.before) if arguments.before else {}
    goal = arguments.executions, arguments.core_seconds
    fuzzers = []
    for program in sorted(arguments.programs.resolve().glob(f"*{SUFFIX}")):
        name = program.name.removesuffix(SUFFIX)
        seeds = arguments.seeds / name if arguments.seeds else seeds_of(name)
        fuzzers.append(Fuzzer(program, work, before.get(name, {}), seeds))
    run = Run(fuzzers, work, goal, end)
    with concurrent.futures.ThreadPoolExecutor(arguments.cores) as pool:
        list(pool.map(run.work_on, range(arguments.cores)))
    run.save()
    print_table(fuzzers, goal)
    return 1 if any(any(one.endings().values()) for one in fuzzers) else 0


if __name__ == "__main__":
    sys.exit(main())
