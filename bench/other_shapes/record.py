#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records the samples at other sizes and with other blocks than those that the repository's recordings hold.

Needs a GPU and nvcc. The samples are compiled once for each block; compare.py holds what the recordings
count against what `coalcheck predict` says of the same launches without them.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# Threads of a one-dimensional block, columns and rows of another, and by what the default size is multiplied.
# Sizes are rounded to what every block divides.
SHAPES = [(256, (32, 8), 1 / 4), (256, (32, 8), 3 / 8), (256, (32, 8), 5 / 8), (256, (32, 8), 7 / 8), (256, (32, 8), 3 / 4),
          (64, (32, 2), 1 / 8), (128, (64, 4), 3 / 8), (512, (32, 16), 1 / 2), (1024, (128, 4), 3 / 4), (32, (32, 4), 1 / 4)]
LARGEST_SIZE = 1 << 22  # elements: the sample's check on the CPU takes longer than its kernel
LARGEST_ROWS = 1 << 12  # of a square matrix


def with_block(text, threads, flat):
    """The source with other blocks, or None if it takes none."""
    columns, rows = flat
    changed, number = re.subn(r"constexpr (unsigned|int) (kBlock|kThreads) = 256;", rf"constexpr \1 \2 = {threads};", text)
    changed, more = re.subn(r"const dim3 (kBlock|kFlat)\(32, (8|32)\);", rf"const dim3 \1({columns}, {rows});", changed)
    changed, tiles = re.subn(r"constexpr int kRows = 8;", f"constexpr int kRows = {min(rows, 16)};", changed)
    return changed if number + more + tiles else None


def compile_one(nvcc, source, text, program):
    program.with_suffix(".cu").write_text(text, encoding="utf-8")
    command = [nvcc, "-O3", "-std=c++20", "-lineinfo", "-arch=native", "-cudart", "static", f"-I{ROOT}", "-o", program,
               program.with_suffix(".cu")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    errors = [line for line in done.stderr.splitlines() if "error" in line] or ["nvcc failed"]
    return "" if done.returncode == 0 else f"{source.stem}: {errors[0]}"


def size_of(source, threads, flat, factor):
    """The default of --n by `factor`, in steps that the sample and the block divide."""
    text = source.read_text(encoding="utf-8")
    default, multiple = re.search(r'\.size = \{"[^"]*", ([0-9< ]+), ([^,}]*)', text).groups()
    largest = LARGEST_ROWS if multiple.isdigit() else LARGEST_SIZE
    default = min(largest, eval(default, {"__builtins__": {}}))  # "1 << 22"
    if "*" in multiple:
        step = 1 << 15  # rows of 512 elements, 64 in a block
    else:
        step = max(int(multiple), flat[0], threads if threads > 256 else 0) if multiple.isdigit() else max(256, threads)
    return max(step, int(default * factor) // step * step)


def record(program, size, agent, folder):
    environment = dict(os.environ, CUDA_INJECTION64_PATH=str(agent),
                       COALCHECK_OPTIONS=f"--sampling first --no-report --recording {folder}")
    try:
        done = subprocess.run([program, "--n", str(size), "--launches", "1"], env=environment, capture_output=True, text=True,
                              timeout=20, check=False)
    except subprocess.TimeoutExpired:
        return f"{folder.name}: more than 20 s"
    return "" if done.returncode == 0 else f"{folder.name}: exit {done.returncode}: {done.stderr.strip()[-120:]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agent", type=Path, required=True, metavar="FILE", help="libcoalcheck.so")
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--jobs", type=int, default=16, help="[16]")
    parser.add_argument("--output", type=Path, required=True, metavar="FOLDER", help="for the recordings: SAMPLE.THREADS.SIZE")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True)
    programs = arguments.output / "programs"
    programs.mkdir()
    started = time.monotonic()
    wanted, failures = {}, []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for source in sorted((ROOT / "samples").glob("*/*.cu")):
            for threads, flat, factor in SHAPES:
                program = programs / f"{source.stem}.{threads}"
                text = source.read_text(encoding="utf-8")
                if threads != 256:
                    text = with_block(text, threads, flat)
                if text is None:
                    continue
                if program not in wanted:
                    wanted[program] = pool.submit(compile_one, arguments.nvcc, source, text, program), set()
                wanted[program][1].add(size_of(source, threads, flat, factor))
    runs = [(program, size) for program, (built, sizes) in wanted.items() if not built.result() for size in sorted(sizes)]
    failures += [built.result() for built, _ in wanted.values() if built.result()]
    print(f"{len(wanted)} programs in {time.monotonic() - started:.0f} s")
    with concurrent.futures.ThreadPoolExecutor(max(1, arguments.jobs // 2)) as pool:
        results = pool.map(lambda run: record(*run, arguments.agent, arguments.output / f"{run[0].name}.{run[1]}"), runs)
        failures += [result for result in results if result]
    print(f"{len(runs)} runs, {len(failures)} failures, {time.monotonic() - started:.0f} s", *failures, sep="\n")
    return 0 if len(failures) < len(runs) else 1


if __name__ == "__main__":
    sys.exit(main())
