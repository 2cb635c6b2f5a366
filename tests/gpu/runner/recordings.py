# SPDX-License-Identifier: Apache-2.0
"""What the recordings under a folder hold, read by docs/recording-format.md and nothing else of ours."""
import dataclasses
import json
from pathlib import Path


@dataclasses.dataclass
class Recorded:
    """All recordings of one run of a case."""
    folders: list = dataclasses.field(default_factory=list)  # those that hold a launch
    empty: list = dataclasses.field(default_factory=list)    # and those that do not
    windows: list = dataclasses.field(default_factory=list)
    tallies: dict = dataclasses.field(default_factory=dict)  # the last word on each kernel and shape
    ranges: dict = dataclasses.field(default_factory=dict)   # (file, number of a set) → names of its ranges
    losses: dict = dataclasses.field(default_factory=dict)   # what → how often
    ends: list = dataclasses.field(default_factory=list)     # a reason, or "", for each folder
    process_ends: list = dataclasses.field(default_factory=list)  # what a launcher saw, as a shell says it; -1: exec
    unexplained: list = dataclasses.field(default_factory=list)  # folders with neither of these two
    size_bytes: int = 0  # of all files
    problems: list = dataclasses.field(default_factory=list)

    def launches(self, part=""):
        return sum(tally["launches"] for tally in self.tallies.values() if part in tally["kernel"])

    def launches_in(self, name):
        """Those made in the range of that name."""
        return sum(tally["launches"] for key, tally in self.tallies.items() if name in self.ranges.get(key[-1], ()))

    def counted(self, part=""):
        return sum(tally["counted"] for tally in self.tallies.values() if part in tally["kernel"])

    def skipped(self):
        """Reason → launches."""
        sums = {}
        for tally in self.tallies.values():
            for one in tally["skipped"]:
                sums[one["reason"]] = sums.get(one["reason"], 0) + one["launches"]
        return sums


def read(root):
    recorded = Recorded()
    for file in sorted(Path(root).rglob("records.jsonl")):
        _read_one(file, recorded)
        recorded.size_bytes += sum(one.stat().st_size for one in file.parent.rglob("*") if one.is_file())
    return recorded


def _lines(file, problems):
    raw = file.read_bytes().split(b"\n")
    if raw[-1]:
        problems.append(f"{file.parent.name}: the last line is torn")
    for number, line in enumerate(raw[:-1], start=1):
        try:
            record = json.loads(line)
            yield record["record"], record
        except (ValueError, KeyError, TypeError):
            problems.append(f"{file.parent.name}: line {number} is no record")


def _read_one(file, recorded):
    windows, tallies, losses, ends, kinds = {}, {}, {}, [], []
    for kind, record in _lines(file, recorded.problems):
        kinds.append(kind)
        if kind == "window":
            windows.setdefault(record["window"], record)
        elif kind == "tally":
            key = (file, record["kernel"], tuple(record["grid"]), tuple(record["block"]), (file, record.get("ranges", 0)))
            if key not in tallies or tallies[key]["launches"] <= record["launches"]:
                tallies[key] = record
        elif kind == "ranges":
            recorded.ranges[(file, record["ranges"])] = {one["name"] for one in record["open"]}
        elif kind == "loss":
            key = (record["what"], record["detail"])
            losses[key] = max(losses.get(key, 0), record["count"])
        elif kind == "end":
            ends.append(record["reason"])
        elif kind == "process_end":
            signal = record.get("signal")
            recorded.process_ends.append(128 + signal if signal else record.get("exit_code", -1))
    if kinds[:1] != ["header"]:
        recorded.problems.append(f"{file.parent.name}: does not begin with a header")
    recorded.windows += windows.values()
    recorded.tallies.update(tallies)
    for (what, _), count in losses.items():
        recorded.losses[what] = recorded.losses.get(what, 0) + count
    (recorded.folders if windows or tallies else recorded.empty).append(file.parent)
    if windows or tallies:
        recorded.ends.append(ends[-1] if ends else "")
        if not ends and "process_end" not in kinds:
            recorded.unexplained.append(file.parent)
