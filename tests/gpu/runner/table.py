# SPDX-License-Identifier: Apache-2.0
"""What came of every case: one line each while they run, a summary, JSON, and Markdown with provenance."""
import dataclasses
import functools
import importlib.metadata
import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "bench"))
import provenance  # noqa: E402  # pylint: disable=wrong-import-position


@dataclasses.dataclass
class Row:  # pylint: disable=too-many-instance-attributes
    """One case in all its runs."""
    name: str
    reason: str = ""  # why it was skipped
    runs: int = 0
    hangs: int = 0
    changed_outputs: int = 0
    changed_exits: int = 0
    lost_windows: int = 0
    foreseen_losses: int = 0  # windows that the ending itself takes: a failing launch, a full disk
    windows: int = 0   # of the last run
    launches: int = 0  # of the last run
    native_seconds: float = 0.0
    watched_seconds: list = dataclasses.field(default_factory=list)
    added_kb: list = dataclasses.field(default_factory=list)  # peak resident memory, above native
    measured: list = dataclasses.field(default_factory=list)  # what the program says of itself, natively and watched
    problems: list = dataclasses.field(default_factory=list)

    @property
    def skipped(self):
        return bool(self.reason) and not self.problems

    @property
    def outcome(self):
        return "failed" if self.problems else "skipped" if self.reason else "ok"

    @property
    def median_seconds(self):
        return statistics.median(self.watched_seconds) if self.watched_seconds else 0.0

    @property
    def median_added_mb(self):
        return statistics.median(self.added_kb) / 1024 if self.added_kb else 0.0

    def line(self):
        if self.skipped:
            return f"skipped  {self.name}: {self.reason}"
        return (f"{self.outcome:8} {self.name}: {self.runs} runs, {self.windows} windows, {self.launches} launches, "
                f"{self.native_seconds:.2f} s natively, {self.median_seconds:.2f} s watched")


PACKAGES = ("torch", "triton", "cupy-cuda13x", "cupy-cuda12x", "numba-cuda", "jax", "nvtx")


def _packages():
    """The frameworks of this Python, each with its version."""
    for name in PACKAGES:
        try:
            yield f"{name} {importlib.metadata.version(name)}"
        except importlib.metadata.PackageNotFoundError:
            continue


@functools.cache
def _provenance():
    return f"{provenance.markdown()}\n* Python packages: {', '.join(_packages()) or 'none of those that are tried'}"


def _sum(rows, key):
    return sum(getattr(row, key) for row in rows)


def summary(rows):
    ran = [row for row in rows if not row.reason]
    return (f"{len(ran)} cases, {_sum(rows, 'runs')} runs, {_sum(rows, 'hangs')} hangs, "
            f"{_sum(rows, 'changed_outputs')} changed outputs, {_sum(rows, 'changed_exits')} changed exits, "
            f"{_sum(rows, 'lost_windows')} lost windows, "
            f"{_sum(rows, 'foreseen_losses')} that the ending itself takes, "
            f"{sum(bool(row.problems) for row in rows)} cases failed, "
            f"{sum(row.skipped for row in rows)} skipped")


def as_json(rows):
    cases = [dataclasses.asdict(row) | {"outcome": row.outcome, "median_seconds": row.median_seconds}
             for row in rows]
    return {"provenance": _provenance().splitlines(), "summary": summary(rows), "cases": cases}


def markdown(rows, gpus, title):
    lines = [f"# {title}", "",
             "Made by `scripts/test-gpu`. Each case runs once natively and then watched; the same stdout, the same exit, "
             "no hang, and a recording in which every launch is accounted for. Seconds are medians of whole programs, "
             "start of CUDA and the report included.", "",
             _provenance(), f"* GPUs: {gpus}", "", f"**{summary(rows)}**", "",
             "| case | outcome | runs | hangs | changed outputs | windows | launches | native, s | watched, s | added, s | "
             "added at the peak, MB |",
             "|---|---|---|---|---|---|---|---|---|---|---|"]
    for row in rows:
        if row.skipped:
            continue
        lines.append(f"| {row.name} | {row.outcome} | {row.runs} | {row.hangs} | {row.changed_outputs} | {row.windows} | "
                     f"{row.launches} | {row.native_seconds:.2f} | {row.median_seconds:.2f} | "
                     f"{row.median_seconds - row.native_seconds:.2f} | {row.median_added_mb:.0f} |")
    if any(row.measured for row in rows):
        lines += ["", "## Measured by the programs themselves", ""]
        lines += [f"* {row.name}, {text}" for row in rows for text in row.measured]
    for title, chosen in (("Skipped", [row for row in rows if row.skipped]),
                          ("Failed", [row for row in rows if row.problems])):
        if chosen:
            lines += ["", f"## {title}", ""]
            lines += [f"* {row.name}: {'; '.join(dict.fromkeys(row.problems)) or row.reason}" for row in chosen]
    return "\n".join(lines) + "\n"
