# SPDX-License-Identifier: Apache-2.0
"""Writes what was measured as Markdown: all claims first, then a table for each workload."""
import statistics

from overhead.claims import NATIVE, NotMeasured, Result
from overhead.runner import Run

ABOUT = """Made by `bench/measure_overhead.py`: medians of interleaved rounds, smallest and largest in brackets; the last column
says how many. What a claim measures is the median of the differences between runs of one round, and in brackets the interval that holds
it with 95 % confidence (94 % for five rounds); a verdict is given where that interval lies on one side of the limit. "Whole program" is from start to exit, with
coalcheck's report; memory is the largest resident size of any process of the run. Clocks are not locked. The
yardsticks are Nsight Compute, bare CUPTI callbacks, compute-sanitizer and, where it is installed, the one peer that PyPI
has (gpufl, in its version 1.2.1 for Python 3.12 and newer). PC sampling is off but where a row says `--cost on`. SGEMM is the toolkit's cuBLAS, in FP32."""


def spread(values, digits):
    middle, least, most = statistics.median(values), min(values), max(values)
    return f"{middle:.{digits}f} ({least:.{digits}f}–{most:.{digits}f})"


def figure(result, native, key, digits):
    """Two cells: the figure and what it adds to the native one."""
    try:
        values = result.series(key)
        more = "" if result is native else f"{result.median(key) - native.median(key):+.{digits}f}"
        return [spread(values, digits), more]
    except NotMeasured:
        return ["–", "–"]


def memory(result, native):
    try:
        return [f"{result.median('peak_mib'):.0f}",
                "" if result is native else f"{result.median('peak_mib') - native.median('peak_mib'):+.0f}"]
    except NotMeasured:
        return ["–", "–"]


def rounds_cell(result):
    if not result.runs:
        return result.problem or "not measured"
    count = f"{len(result.runs)} of {result.wanted}" if len(result.runs) < result.wanted else str(result.wanted)
    return f"{count}: {result.problem}" if result.problem else count


def line(cells):
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def row_table(row, results):
    """The lines of one workload's table."""
    key, heading = row.time
    yield f"\n## {row.title}\n"
    if row.note:
        yield f"{row.note}\n"
    yield line(["", heading, f"added, {heading.rsplit(', ', 1)[1]}", "whole program, s", "added, s", "memory, MiB", "added, MiB",
                "recording, MiB", "launches counted", "rounds"])
    yield "|" + "---|" * 10
    native = results[NATIVE]
    for name, result in results.items():
        left = result.left
        recording = f"{left['recording_mib']:.2f}" if "recording_mib" in left else ""
        yield line([name, *figure(result, native, key, 2), *figure(result, native, "seconds", 3),
                    *memory(result, native), recording, left.get("launches", ""), rounds_cell(result)])


def claim_lines(measured):
    """The table of all claims; `measured` is [(row, results)]."""
    yield line(["workload", "claim", "measured", "verdict"])
    yield "|---|---|---|---|"
    for row, results in measured:
        for claim in row.claims:
            yield line([row.title, claim.text, *claim.measured(results)])


def markdown(measured, provenance, quick):
    lines = ["# What coalcheck adds to a program", "", ABOUT, "", provenance, ""]
    if quick:
        lines += ["**A quick run with small counts: it shows that everything works; no figure means anything.**", ""]
    lines += claim_lines(measured)
    for row, results in measured:
        lines += row_table(row, results)
    return "\n".join(lines) + "\n"


def results_from_json(row):
    """{variant's name: Result}, as as_json wrote them."""
    def run_of(run):
        values = {name: value for name, value in run.items() if name not in ("seconds", "peak_mib")}
        return Run(run["seconds"], run["peak_mib"], values)
    return {name: Result([run_of(run) for run in one["runs"]], one["wanted_rounds"], one["problem"], one["left"])
            for name, one in row.items()}


def as_json(measured, facts):
    """The raw numbers, for json.dump."""
    return {"provenance": dict(facts),
            "rows": {row.key: {name: {"wanted_rounds": result.wanted, "problem": result.problem, "left": result.left,
                                      "runs": [{"seconds": run.seconds, "peak_mib": run.peak_mib, **run.values}
                                               for run in result.runs]}
                               for name, result in results.items()} for row, results in measured},
            "claims": [dict(zip(("row", "claim", "measured", "verdict"),
                                (row.key, claim.text, *claim.measured(results))))
                       for row, results in measured for claim in row.claims]}
