#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the gains that coalcheck expects against those that repairs bring.

Each pair under bench/fix_pairs/ is a wasteful kernel and its repair. First coalcheck watches the
wasteful ones and says what a repair could save; these predictions are written to a file and, once
there, never changed. Then both kernels of each pair are timed, and Nsight Compute is asked for the
speed-up that its rule on uncoalesced accesses expects.

  measure_fix_pairs.py --build-dir build/default --predictions predictions.json --predict-only
  measure_fix_pairs.py --build-dir build/default --predictions predictions.json --output fix-pairs.md
"""
import argparse
import csv
import io
import json
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import provenance  # noqa: E402

SOURCES = Path(__file__).parent / "fix_pairs"
TIME = re.compile(r"^\w+ (?:bad|good) median_ms=([0-9.]+) timed=\d+ launches=\d+$", re.MULTILINE)
RULE = "uncoalescedglobalaccess"  # of Nsight Compute, without blanks and plural
WIDEST = 15.0  # points between a range's ends
FAR = 5.0  # points between our middle and Nsight Compute's figure, from which on the two differ
NO_GAIN = 5.0  # percent below which coalcheck says so


class Failed(Exception):
    """A program failed; the message says which and why."""


def run(command, environment=None):
    """What the command prints, under no injection but the one asked for."""
    clean = {k: v for k, v in os.environ.items()
             if k not in ("CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH", "COALCHECK_OPTIONS")}
    words = [str(word) for word in command]
    try:
        done = subprocess.run(words, env=clean | (environment or {}), capture_output=True, text=True,
                              errors="replace", timeout=300, check=False)
    except (OSError, subprocess.SubprocessError) as error:
        raise Failed(f"{words[0]}: {error}") from error
    if done.returncode != 0:
        raise Failed(f"exit code {done.returncode} of {' '.join(words)}\n{done.stdout[-1000:]}{done.stderr[-2000:]}")
    return done.stdout


def median_ms(output):
    """The time that a pair's program prints."""
    found = TIME.search(output)
    if found is None:
        raise Failed(f"no time in: {output[:200]!r}")
    return float(found.group(1))


def prediction(report, kernel):
    """{least, most, memory_share, findings} of a JSON report on the wasteful kernel."""
    cost = report["cost"]
    if not cost["known"]:
        raise Failed(f"{kernel}: cost not known: {cost.get('why_not') or 'nothing was sampled'}")
    found = [row for row in cost["kernels"] if kernel in row["kernel"]]
    if len(found) != 1:
        raise Failed(f"{kernel}: {len(found)} kernels of that name were sampled")
    gain = found[0]["gain_percent"]
    return {"least": gain["least"], "most": gain["most"],
            "memory_share": found[0]["memory_share_percent"],
            "findings": sum(1 for access in report["accesses"] if access["finding"])}


def ncu_speedup(output):
    """Percent that Nsight Compute's rule estimates, None where the rule is silent.

    `output` is that of --csv --page details. The rule may speak several times; the largest counts.
    """
    start = output.find('"ID"')
    if start < 0:
        raise Failed(f"no table in Nsight Compute's output: {output[:200]!r}")
    rows = csv.DictReader(io.StringIO(output[start:]))
    if "Rule Name" not in (rows.fieldnames or []) or "Estimated Speedup" not in rows.fieldnames:
        raise Failed("Nsight Compute's table has no columns 'Rule Name' and 'Estimated Speedup'")
    found = []
    for row in rows:
        rule = re.sub(r"[^a-z]", "", (row["Rule Name"] or "").lower())
        if rule.removesuffix("es") != RULE and rule != RULE:
            continue
        if (row["Estimated Speedup"] or "").strip():
            found.append(float(row["Estimated Speedup"].replace(",", "")))
    return max(found) if found else None


def pairs():
    return sorted(source.stem for source in SOURCES.glob("*.cu"))


def predict(setup, name):
    recording = setup.scratch / f"{name}.rec"
    options = (f"--no-report --sampling first --cost on --cost-period {setup.cost_period} --cost-memory 64M "
               f"--recording {recording}")
    run([setup.folder / name, "bad", str(setup.launches)],
        {"CUDA_INJECTION64_PATH": str(setup.agent), "COALCHECK_OPTIONS": options})
    if not (recording / "records.jsonl").exists():
        raise Failed(f"{name}: the agent left no recording: was the library loaded?")
    report = json.loads(run([setup.coalcheck, "report", "--format", "json", "--exit-zero", "--source-root",
                             SOURCES.parent.parent, recording]))
    return prediction(report, f"{name}_bad")


def measure(setup, name):
    """{bad_ms, good_ms, ncu}: medians of interleaved rounds, and what Nsight Compute expects."""
    times = {"bad": [], "good": []}
    for _ in range(setup.rounds):
        for side, laps in times.items():
            laps.append(median_ms(run([setup.folder / name, side, str(setup.launches)])))
    # The first launch is the warm-up.
    words = [setup.ncu, "--csv", "--page", "details", "--section", "SourceCounters", "--launch-skip", "1",
             "--launch-count", "1", setup.folder / name, "bad", "2"]
    return {side + "_ms": statistics.median(laps) for side, laps in times.items()} | {
        "ncu": ncu_speedup(run(words))}


def judged(expected, measured):
    """A row of the table: the expected gain, the measured gain, and how far off both tools were."""
    gain = 100 * (1 - measured["good_ms"] / measured["bad_ms"])
    middle = (expected["least"] + expected["most"]) / 2
    theirs = measured["ncu"] or 0.0  # silence is no expectation
    # "No gain expected" is said of a range below NO_GAIN, and is right of any gain below it.
    no_gain = expected["most"] < NO_GAIN and gain < NO_GAIN
    return expected | measured | {
        "gain": gain, "inside": no_gain or expected["least"] <= gain <= expected["most"],
        "width": expected["most"] - expected["least"], "ours_off": abs(gain - middle),
        "theirs_off": abs(gain - theirs), "differ": abs(middle - theirs) > FAR,
        "said_no_gain": expected["most"] < NO_GAIN}


def claims(rows):
    """[(claim, what was measured, whether it is met)] over {name: judged row}."""
    inside = sum(row["inside"] for row in rows.values())
    wide = [name for name, row in rows.items() if row["width"] > WIDEST]
    worse = [name for name, row in rows.items() if row["differ"] and row["ours_off"] >= row["theirs_off"]]
    unsaid = [name for name, row in rows.items() if row["gain"] < NO_GAIN and not row["said_no_gain"]]

    def named(names):
        return ", ".join(names) if names else "none"
    return [("at least ten pairs", f"{len(rows)}", len(rows) >= 10),
            ("nine of ten gains inside their range", f"{inside} of {len(rows)}", 10 * inside >= 9 * len(rows)),
            (f"ranges at most {WIDEST:g} points wide", f"wider: {named(wide)}", not wide),
            ("nearer than Nsight Compute wherever the two differ", f"not: {named(worse)}", not worse),
            (f"gains below {NO_GAIN:g} % are called none", f"not: {named(unsaid)}", not unsaid)]


def span(row):
    return f"{row['least']:.1f} to {row['most']:.1f} %"


def table(predictions, rows, facts):
    lines = ["# Fix pairs", "",
             "Made by `bench/measure_fix_pairs.py`: what coalcheck expected of a repair, which was written down before the",
             "repair was timed, what the repair brought, and what Nsight Compute's rule on uncoalesced accesses expected.",
             "Gains are of kernel time, in percent; times are medians.", "", facts, ""]
    if rows:
        lines += ["| claim | measured | verdict |", "|---|---|---|"]
        lines += [f"| {claim} | {what} | {'met' if met else '**missed**'} |" for claim, what, met in claims(rows)]
        lines += [""]
    lines += ["| pair | expected | measured | inside | bad, ms | good, ms | Nsight Compute | ours off | theirs off | memory's peak |",
              "|---|---|---|---|---|---|---|---|---|---|"]
    for name, expected in predictions.items():
        share = expected["memory_share"]
        peak = "not known" if share is None else f"{share:.0f} %"
        row = rows.get(name)
        if row is None:
            lines.append(f"| {name} | {span(expected)} | not timed | | | | | | | {peak} |")
            continue
        theirs = "silent" if row["ncu"] is None else f"{row['ncu']:.1f} %"
        lines.append(f"| {name} | {span(row)} | {row['gain']:.1f} % | {'yes' if row['inside'] else '**no**'} "
                     f"| {row['bad_ms']:.4f} | {row['good_ms']:.4f} | {theirs} | {row['ours_off']:.1f} "
                     f"| {row['theirs_off']:.1f} | {peak} |")
    return "\n".join(lines) + "\n"


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build-dir", type=Path, required=True, help="with the targets coalcheck, the agent and fix_pairs")
    parser.add_argument("--predictions", type=Path, required=True, help="written when it is not there, else read")
    parser.add_argument("--predict-only", action="store_true", help="stop before anything is timed")
    parser.add_argument("--output", type=Path, help="the table; on stdout without")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each kernel (default 5)")
    parser.add_argument("--launches", type=int, default=200, help="launches in each run (default 200)")
    parser.add_argument("--cost-period", type=int, default=14, help="as coalcheck's option (default 14)")
    parser.add_argument("--ncu", default="ncu", help="Nsight Compute's command")
    parser.add_argument("--only", action="append", help="this pair; may be repeated")
    options = parser.parse_args(words)
    options.folder = options.build_dir / "bench" / "fix_pairs"
    options.agent = (options.build_dir / "lib" / "libcoalcheck.so").resolve()
    options.coalcheck = options.build_dir / "bin" / "coalcheck"
    options.scratch = options.predictions.resolve().parent / "fix-pairs-recordings"
    unknown = set(options.only or ()) - set(pairs())
    if unknown:
        parser.error(f"no such pair: {', '.join(sorted(unknown))}; there are {', '.join(pairs())}")
    if options.rounds < 1 or options.launches < 2:
        parser.error("--rounds takes 1 or more, --launches 2 or more")
    return options


def main(words):
    setup = parse(words)
    names = setup.only or pairs()
    facts = provenance.markdown([("ncu", [setup.ncu, "--version"])])

    def write(predictions, rows):
        text = table(predictions, rows, facts)
        if setup.output:
            setup.output.write_text(text, encoding="utf-8")
        return text
    try:
        if setup.predictions.exists():
            predictions = json.loads(setup.predictions.read_text(encoding="utf-8"))
        else:
            predictions = {}
            for name in names:
                print(run([setup.folder / name, "check"]).strip(), file=sys.stderr)
                predictions[name] = predict(setup, name)
            setup.predictions.write_text(json.dumps(predictions, indent=2) + "\n", encoding="utf-8")
        missing = [name for name in names if name not in predictions]
        if missing:
            raise Failed(f"{setup.predictions} has no prediction for {', '.join(missing)}: remove it to predict anew")
        predictions = {name: predictions[name] for name in names}
        rows = {}
        text = write(predictions, rows)
        for name in [] if setup.predict_only else names:
            rows[name] = judged(predictions[name], measure(setup, name))
            text = write(predictions, rows)
    except Failed as failure:
        print(f"measure_fix_pairs: {failure}", file=sys.stderr)
        return 1
    if not setup.output:
        print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
