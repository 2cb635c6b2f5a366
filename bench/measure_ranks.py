#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# How long it takes to merge the recordings of many ranks, how much memory, and whether a tree of merges gives the same bytes.
"""usage: measure_ranks.py --build DIR [--ranks 1000] [--many 10000] [--programs 16] > docs/measurements/ranks.md

DIR is an optimised build. The recordings are those of tests/recordings, multiplied by multiply_ranks.py."""

import argparse
import filecmp
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import provenance

BENCH = pathlib.Path(__file__).resolve().parent
SECONDS, MEGABYTES = 60, 512  # what one merge of a thousand ranks has to stay within
FAN_IN = 32


def measure(words):
    """(seconds, MB) of a command that has to succeed, or to find something.

    Asked of a child, the kernel counts what this process held before it became the command: time(1) is small.
    """
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as said:
        begin = time.monotonic()
        code = subprocess.run(["time", "-q", "-f", "%M", "-o", said.name, *words], check=False,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
        seconds = time.monotonic() - begin
        if code not in (0, 1):
            sys.exit(f"{' '.join(words[:3])} …: exit code {code}")
        return seconds, int(said.read().split()[-1]) / 1024


def merge(command, out, folder):
    """The least of three: where the heap begins differs by more than a few hundred ranks take."""
    results = []
    for _ in range(3):
        shutil.rmtree(out, ignore_errors=True)
        results.append(measure([command, "merge", str(out), str(folder)]))
    return tuple(map(min, zip(*results)))


def size(folder):
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6


def multiply(folder, ranks, programs):
    subprocess.run([sys.executable, str(BENCH / "multiply_ranks.py"), str(folder), "--ranks", str(ranks), "--programs", str(programs)],
                   check=True)
    return sorted(folder.iterdir(), key=lambda path: int(path.name.removeprefix("rank")))


def merge_tree(command, ranks, scratch):
    """Merges 32 recordings at a time, then the results; seconds, and the most memory of one merge."""
    seconds = megabytes = 0
    merged = []
    for i in range(0, len(ranks), FAN_IN):
        out = scratch / f"node{i // FAN_IN}"
        took, most = measure([command, "merge", str(out), *map(str, ranks[i:i + FAN_IN])])
        merged.append(out)
        seconds, megabytes = seconds + took, max(megabytes, most)
    # The last first: the order must not matter.
    took, most = measure([command, "merge", str(scratch / "tree"), *map(str, reversed(merged))])
    return seconds + took, max(megabytes, most)


def same(one, other):
    names = {str(file.relative_to(one)) for file in one.rglob("*") if file.is_file()}
    others = {str(file.relative_to(other)) for file in other.rglob("*") if file.is_file()}
    return names == others and all(filecmp.cmp(one / name, other / name, shallow=False) for name in names)


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def best_report(command, recording):
    words = [command, "report", "--config", "none", "--scope", "all", str(recording)]
    return min(measure(words) for _ in range(5))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--ranks", type=int, default=1000)
    parser.add_argument("--many", type=int, default=10000)
    parser.add_argument("--programs", type=int, default=16)
    arguments = parser.parse_args()
    command = str((arguments.build / "bin" / "coalcheck").resolve())
    print("# Merging the recordings of many ranks\n")
    print("Recordings of the samples, multiplied: each rank has the windows of sixteen samples under one process and their cubins; one in a "
          "hundred\ncounted other data, one in fifty has windows that no other has, one in two hundred has no end. Made by\n"
          "`bench/measure_ranks.py`.\n")
    print(provenance.markdown())
    print(f"* cores: {os.cpu_count()}; one process at a time\n")
    row("what", "input MB", "s", "MB of memory", "output MB")
    row("---", "---", "---", "---", "---")
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        ranks = multiply(scratch / "ranks", arguments.ranks, arguments.programs)
        count = len(ranks)
        seconds, megabytes = merge(command, scratch / "one", scratch / "ranks")
        row(f"{count} ranks in one process", f"{size(scratch / 'ranks'):.0f}", f"{seconds:.2f}", f"{megabytes:.0f}",
            f"{size(scratch / 'one'):.1f}")
        tree_seconds, tree_megabytes = merge_tree(command, ranks, scratch)
        row(f"{count} ranks, {FAN_IN} at a time, then those", "", f"{tree_seconds:.2f}", f"{tree_megabytes:.0f}",
            f"{size(scratch / 'tree'):.1f}")
        is_same = same(scratch / "one", scratch / "tree")
        of_one, of_all = best_report(command, ranks[0]), best_report(command, scratch / "one")
        row("report of one rank", "", f"{of_one[0]:.3f}", f"{of_one[1]:.0f}", "")
        row(f"report of {count} merged", "", f"{of_all[0]:.3f}", f"{of_all[1]:.0f}", "")
        for more in (arguments.many // count,) if arguments.many > count else ():
            folder = scratch / "many"
            total = multiply_again(folder, ranks, more)
            took, most = merge(command, scratch / f"many{more}", folder)
            grown = (most - megabytes) * 1024 * 1024 / (total - count)
            row(f"{total} ranks in one process ({grown:.0f} bytes of memory for each more)", "", f"{took:.2f}", f"{most:.0f}",
                f"{size(scratch / f'many{more}'):.1f}")
    print("\nTimes and peaks are the least of three runs. The peak of a process varies by half a megabyte, and so the memory for each more\n"
          "rank by some 40 bytes.")
    print(f"\nThe tree has {'the same' if is_same else '**other**'} bytes as the one process. One process stays "
          f"{'within' if seconds < SECONDS and megabytes < MEGABYTES else '**not** within'} {SECONDS} s and {MEGABYTES} MB.")
    return 0 if is_same else 1


def multiply_again(folder, ranks, times):
    """Each rank `times` times under other numbers, with the cubins as links to the same files; how many there are."""
    folder.mkdir(exist_ok=True)
    total = len(ranks) * times
    for turn in range(times):
        for i, rank in enumerate(ranks):
            to = folder / f"rank{turn * len(ranks) + i}"
            if to.exists():
                continue
            (to / "cubins").mkdir(parents=True)
            number = turn * len(ranks) + i
            head, rest = (rank / "records.jsonl").read_text(encoding="utf-8").split("\n", 1)
            head = head.replace(f'"rank":{i},', f'"rank":{number},').replace(f'"pid":{1000 + i},', f'"pid":{1000 + number},')
            head = head.replace(f'"world_size":{len(ranks)}', '"world_size":10000')
            head = head.replace(f'"host":"node{i // 8}"', f'"host":"node{number // 8}"')
            rest = rest.replace(f"GPU-{i:08x}", f"GPU-{number:08x}", 1)
            (to / "records.jsonl").write_text(head + "\n" + rest, encoding="utf-8")
            for cubin in (rank / "cubins").iterdir():
                os.link(cubin, to / "cubins" / cubin.name)
    return total


if __name__ == "__main__":
    sys.exit(main())
