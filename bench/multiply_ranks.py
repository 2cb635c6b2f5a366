#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Recordings of many ranks, made of the recordings of the samples.
"""usage: multiply_ranks.py FOLDER --ranks 1000 [--programs 16]

Each rank gets the windows of the first samples in tests/recordings under one process. One rank in a hundred counted other data:
more sectors in its first row; one in fifty has a cubin and a kernel that no other rank has; one in two hundred has no end."""

import argparse
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SAMPLES = sorted((ROOT / "tests" / "recordings").iterdir())
PER_HOST = 8
SECTORS = 5  # place in a row: pc, requests, lanes, async_requests, async_lanes, sectors, …


def records(sample):
    return [json.loads(line) for line in (sample / "records.jsonl").read_text(encoding="utf-8").splitlines()]


def of_many(samples):
    """The records of one process that launched all kernels of these samples, but for the header and the end."""
    kept = []
    windows = ranges = 0
    for sample in samples:
        new_ranges = {0: 0}
        for record in records(sample):
            if record["record"] == "ranges":
                ranges += 1
                new_ranges[record["ranges"]] = ranges
                record["ranges"] = ranges
            if record["record"] == "window":
                windows += 1
                record["window"] = windows
            for shape in [record] if record["record"] == "tally" else record.get("inside", []):
                if "ranges" in shape:
                    shape["ranges"] = new_ranges[shape["ranges"]]
            if record["record"] in ("ranges", "window", "tally", "module"):
                kept.append(record)
    return kept


def differ(window, rank):
    row = window["functions"][0]["rows"][0]
    most = 64 * (row[1] + row[3])
    row[SECTORS] = min(most, row[SECTORS] + (rank % 7 + 1) * (row[1] + row[3]))


def write(folder, rank, ranks, common, header, device, own):
    lines = [dict(header, rank=rank, local_rank=rank % PER_HOST, world_size=ranks, job="slurm 4711.0", minor=7,
                  host=f"node{rank // PER_HOST}", pid=1000 + rank), dict(device, uuid=f"GPU-{rank:08x}-0000-0000-0000-000000000000")]
    records_of_rank = json.loads(common)
    if rank % 100 == 42:
        differ(next(one for one in records_of_rank if one["record"] == "window" and one["functions"]), rank)
    lines += records_of_rank
    cubins = []
    if rank % 50 == 7:
        extra, content = own(rank)
        lines += extra
        cubins.append(content)
    if rank % 200 != 5:
        lines.append({"record": "end", "reason": "exit", "seconds": 1.5})
    (folder / "cubins").mkdir(parents=True)
    text = "".join(json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n" for line in lines)
    (folder / "records.jsonl").write_text(text, encoding="utf-8")
    return cubins


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--ranks", type=int, default=1000)
    parser.add_argument("--programs", type=int, default=16)
    arguments = parser.parse_args()
    samples = SAMPLES[:arguments.programs]
    first = records(samples[0])
    header = next(one for one in first if one["record"] == "header")
    device = next(one for one in first if one["record"] == "device")
    common = json.dumps(of_many(samples))
    stored = [(cubin.name, cubin.read_bytes()) for sample in samples for cubin in sorted((sample / "cubins").iterdir())]
    spare = SAMPLES[arguments.programs:]

    def own(rank):
        """The records and the cubin of a sample that is not in the others."""
        sample = spare[rank // 50 % len(spare)]
        extra = of_many([sample])
        for record in extra:
            if record["record"] == "window":
                record["window"] += 100000
            for shape in [record] if record["record"] == "tally" else record.get("inside", []):
                shape.pop("ranges", None)
        return [one for one in extra if one["record"] != "ranges"], sample / "cubins"

    for rank in range(arguments.ranks):
        folder = arguments.folder / f"rank{rank}"
        folders = write(folder, rank, arguments.ranks, common, header, device, own)
        for name, content in stored:
            (folder / "cubins" / name).write_bytes(content)
        for cubins in folders:
            for cubin in cubins.iterdir():
                (folder / "cubins" / cubin.name).write_bytes(cubin.read_bytes())
    return 0


if __name__ == "__main__":
    sys.exit(main())
