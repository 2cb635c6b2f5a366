# SPDX-License-Identifier: Apache-2.0
#
# Recordings of any size, each the worst that is known of its kind.
"""Each maker yields lines of a records.jsonl, in the order of the file, for ever or to its end; write() stops at a size."""

import itertools
import json

COUNTERS = ["requests", "lanes", "async_requests", "async_lanes", "sectors", "ideal_sectors", "lines"]
HEADER = {"record": "header", "format": "coalcheck-recording", "major": 1, "minor": 4, "tool_version": "0.1.0",
          "program": "/p", "arguments": [], "working_directory": "/", "host": "h", "pid": 1, "started": "", "sampling": "all",
          "counters": COUNTERS}
SHAPE = {"grid": [1, 1, 1], "block": [32, 1, 1]}


def line(record):
    return json.dumps(record, separators=(",", ":")) + "\n"


def header(**more):
    return line(HEADER | more)


def behind_header(make, **more):
    """make(0), make(1)… for ever."""
    return itertools.chain([header(**more)], map(make, itertools.count()))


def tally(kernel, skipped=(), ranges=0, launches=1, shape=None):
    return line({"record": "tally", "kernel": kernel, **(shape or SHAPE), "ranges": ranges, "launches": launches, "counted": 1,
                 "skipped": [{"reason": reason, "launches": 1} for reason in skipped]})


def rows(count):
    return [[16 * pc, 1, 32, 0, 0, 32, 4, 32] for pc in range(count)]


def window(number, kernel, rows_, cubin=None, ranges=0, **more):
    return line({"record": "window", "window": number + 1, "kind": "launch", "close": "in_time", "device": 0, "context": 1,
                 "first_launch": number + 1, "inside": [{"kernel": kernel, **SHAPE, "ranges": ranges, "launches": 1}],
                 "dropped_records": 0, "functions": [{"cubin": f"{number if cubin is None else cubin:016x}", "function": kernel,
                                                      "rows": rows_}], **more})


def range_set(number, names):
    return line({"record": "ranges", "ranges": number, "open": [{"domain": "", "name": name} for name in names]})


def long_name(i):
    """A thousand characters that cost as much as a name may."""
    text = f"_Z1f1P{len(str(i)) + 1}k{i}".replace("1P", "1PI", 1)
    parts = "".join(f"S_IS{c}_S{c}_E" for c in "01234567")
    return (text + "E" + parts + "i" * 900)[:1000]


def ranges_of_their_own(i):
    return range_set(i + 1, [f"r{i}"]) + window(i, f"k{i % 10}", rows(1), 0, ranges=i + 1)


def deep_ranges(i):
    return range_set(i + 1, [f"{n}/{i}" for n in range(256)]) + window(i, "k", rows(1), 0, ranges=i + 1)


def modules_and_silent_kernels(i):
    silent = window(i, f"k{i}", [], functions=[])
    return line({"record": "module", "context": 1, "cubin": f"{i:016x}", "size_bytes": 1}) + silent


def sampling(i, *reasons):
    return line({"record": "pc_sampling", "sampling": i + 1, "device": i, "context": 1, "period_cycles": 32, "reasons": reasons})


def samplings_of_devices(i):
    return line({"record": "device", "device": i, "compute_major": 9}) + sampling(i)


def samples(i):
    begin = sampling(0, "smsp__pcsamp_warps_issue_stalled_long_scoreboard") if i == 0 else ""
    return begin + line({"record": "pc_samples", "sampling": 1, "dropped": 0, "elsewhere": 0, "unplaced": 0,
                         "functions": [{"cubin": f"{i:016x}", "function": f"k{i}", "rows": [[16, 0, 1]]}]})


def merged(make):
    return behind_header(make, minor=8, merged=2)


def rank(i):
    return line({"record": "rank", "rank": i, "world_size": 4_000_000, "host": f"h{i}", "launches": 1, "launches_checked": 1, "sectors": 1,
                 "ideal_sectors": 1, "endings": [{"processes": 1, "exit_code": i}]})


def alike_windows(i):
    """Examples that only their whole lines tell apart."""
    return window(i, f"k{i}", rows(100), 0, origin={"rank": 0, "host": "h", "pid": 1, "started": "", "window": 1})


def spread(i):
    extent = {"least": [32, 1, 0], "most": [64, 1, 0], "eighths": [[n, 1, [n % 4]] for n in range(1024)]}
    return line({"record": "spread", "cubin": f"{i:016x}", "function": f"k{i}", **SHAPE,
                 "rows": [{"pc": 0, "processes": 1024, "touched": extent, "wasted": extent}]})


def many_counters():
    """As many as fit into one line, so that every pair may be compared."""
    names = COUNTERS + [f"c{i}" for i in range(1_400_000)]
    yield header(counters=names, dropped_counters=["d"])
    yield from map(lambda i: tally(f"k{i}"), itertools.count())


def distinct_sources(i):
    return line({"record": "source", "file": f"/s{i}", "first_line": 1, "text": "x\n" * 500})


def words(i):
    """A name that breaks over lines wherever it may."""
    return f"f{i}<" + "a :: ##[x] " * 90 + ">"


LINES = {
    "kernels with names of a thousand characters that are wrapped": lambda: behind_header(lambda i: tally(words(i))),
    "kernels, each with a tally": lambda: behind_header(lambda i: tally(f"k{i}")),
    "windows, each of a kernel and a cubin of its own": lambda: behind_header(lambda i: window(i, f"k{i}", rows(1))),
    "windows with a thousand instructions each": lambda: behind_header(lambda i: window(i, f"k{i % 100}", rows(1000))),
    "kernels with names of a thousand characters": lambda: behind_header(lambda i: tally(long_name(i))),
    "losses, each of its own kind": lambda: behind_header(
        lambda i: line({"record": "loss", "what": f"w{i}", "detail": "d", "count": 1})),
    "reasons to skip one kernel": lambda: behind_header(lambda i: tally("k", [f"r{i}.{n}" for n in range(1000)], launches=i + 1)),
    "windows, each in a set of ranges of its own": lambda: behind_header(ranges_of_their_own),
    "windows, each in 256 ranges of its own": lambda: behind_header(deep_ranges),
    "cubins, and kernels in which nothing was counted": lambda: behind_header(modules_and_silent_kernels),
    "samplings, each of a device of its own": lambda: behind_header(samplings_of_devices),
    "samples, each of a kernel of its own": lambda: behind_header(samples),
    "ranks, each with an exit code of its own": lambda: merged(rank),
    "windows that were merged from one": lambda: merged(alike_windows),
    "spreads of a thousand steps": lambda: merged(spread),
    "more than a million counters": many_counters,
    "sources of five hundred lines": lambda: behind_header(distinct_sources),
    "empty lines": lambda: behind_header(lambda i: "\n" * 1000),
    "brackets": lambda: behind_header(lambda i: "[" * 1000 + "\n"),
}


def write(name, path, size):
    """How many lines the file has behind its header."""
    written = count = 0
    with open(path, "w", encoding="utf-8") as out:
        for text in LINES[name]():
            written += out.write(text)
            count += 1
            if written >= size:
                break
    return count - 1
