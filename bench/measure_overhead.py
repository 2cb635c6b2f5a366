#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what coalcheck adds to programs, and holds it against what it promises.

Every variant of a workload runs in turn, round after round, so that a drifting machine touches all of
them alike. A promise that is missed is written down and fails nothing; the exit code is 1 only when
nothing could be measured. Build first: cmake --build BUILD --target libcoalcheck coalcheck
transpose_naive bench_programs.
"""
import argparse
import fnmatch
import json
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import provenance  # noqa: E402
from overhead import runner, table, variants, workloads  # noqa: E402
from overhead.claims import Result  # noqa: E402

WARM_UP = variants.Variant("warm-up")


class Clock:
    """How long one run may take: the limit of a run, and of all of them together."""

    def __init__(self, timeout, deadline):
        self.timeout, self.end = timeout, time.monotonic() + deadline

    def allowance(self):
        """Seconds, 0 when there is no time for another run."""
        return max(0.0, min(self.timeout, self.end - time.monotonic()))


class Refused(Exception):
    """The earlier part cannot be gone on with; the message says why."""


def earlier_part(path, machine):
    """({row's key: results}, its command) of the JSON that a run on this machine wrote before."""
    data = json.loads(path.read_text(encoding="utf-8"))
    if data["machine"] != machine:
        raise Refused(f"{path} comes from another machine, boot or commit: times of both are not to be compared")
    return {key: table.results_from_json(row) for key, row in data["rows"].items()}, data["provenance"]["command"]


def run_once(variant, command, setup, clock):
    allowance = clock.allowance()
    if allowance == 0:
        return runner.Run(problem="not measured: out of time")
    words, environment = variants.prepared(variant, command, setup)
    return runner.run(words, environment, allowance)


def measure(row, setup, rounds, clock):
    """{variant's name: Result} of one row."""
    results = {}
    for variant in row.variants:
        lacking = variants.missing(variant, setup)
        wanted = min(rounds, variant.rounds or rounds)
        results[variant.name] = Result(wanted=wanted, problem=f"not here: {lacking}" if lacking else "")
    command = row.command(setup)
    run_once(WARM_UP, command, setup, clock)  # files and the driver
    for number in range(rounds):
        for variant in row.variants:
            result = results[variant.name]
            if result.problem or number >= result.wanted:
                continue
            run = run_once(variant, command, setup, clock)
            if run.problem:
                result.problem = run.problem
            else:
                result.runs.append(run)
                if number + 1 == result.wanted:
                    result.left = variants.left_behind(variant, setup)
                    if variant.tool == "coalcheck" and variant.counts and result.left.get("launches") == 0:
                        result.problem, result.runs = "counted nothing: its cost says nothing", []
    return results


def chosen_rows(pattern):
    patterns = pattern.split(",")
    return [row for row in workloads.ROWS
            if any(fnmatch.fnmatchcase(row.key, each) for each in patterns)
            and (row.key in patterns or not row.only_when_named)]


def tool_versions(setup):
    """(name, command) whose first line names the tool's version."""
    return [(name, ["sh", "-c", '"$0" --version | grep -i version', str(setup.tools[name])])
            for name in ("ncu", "compute-sanitizer") if setup.tools[name]]


def write(arguments, measured, facts, machine):
    lines = "\n".join(f"* {what}: {value}" for what, value in facts)
    text = table.markdown(measured, lines, arguments.quick)
    if arguments.output:
        arguments.output.write_text(text, encoding="utf-8")
    if arguments.json:
        arguments.json.write_text(json.dumps({"machine": machine} | table.as_json(measured, facts), indent=1) + "\n", encoding="utf-8")
    return text


def parse_arguments(words):
    build = Path(__file__).resolve().parents[1] / "build" / "default"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--build-dir", type=Path, default=build, help="the build with samples/ and bench/ (default build/default)")
    add("--agent", type=Path, help="libcoalcheck.so (default: the build's)")
    add("--coalcheck", type=Path, help="the command (default: the build's)")
    add("--ncu", type=Path, help="default: the one in PATH or /opt/nvidia")
    add("--compute-sanitizer", type=Path, help="default: the one in PATH or the toolkit")
    add("--gpufl", type=Path, help="GPUFlight's command (default: the one in PATH)")
    add("--python", default=sys.executable, help="a Python with PyTorch (default: this one)")
    add("--rounds", type=int, help="runs of each variant, of expensive yardsticks fewer (default: of each row its own; quick 1)")
    add("--rows", default="*", metavar="GLOB,…", help="only these rows: " + " ".join(row.key for row in workloads.ROWS))
    add("--quick", action="store_true", help="small counts and one round: does everything work?")
    add("--timeout", type=float, default=90, help="seconds that one run may take (default 90)")
    add("--deadline", type=float, default=540, help="seconds for all of it; what is left over says so (default 540)")
    add("--output", type=Path, help="write the Markdown there instead of stdout")
    add("--json", type=Path, help="write all numbers there, too")
    add("--go-on", type=Path, metavar="JSON", help="add the rows to those of an earlier run on this very machine")
    arguments = parser.parse_args(words)
    arguments.rounds = arguments.rounds or (1 if arguments.quick else None)
    if not chosen_rows(arguments.rows):
        parser.error(f"no row fits {arguments.rows}")
    return arguments


def main(words=None):
    arguments = parse_arguments(words)
    build = arguments.build_dir.resolve()
    tools = variants.find_tools(build, arguments.agent, arguments.coalcheck, arguments.ncu,
                                arguments.compute_sanitizer, arguments.gpufl)
    clock = Clock(arguments.timeout, arguments.deadline)
    text = ""
    with tempfile.TemporaryDirectory() as scratch:
        setup = variants.Setup(tools, build, arguments.python, Path(scratch), arguments.quick)
        facts = dict(provenance.rows(tool_versions(setup)))
        machine = provenance.machine()
        done = {}
        if arguments.go_on:
            done, command = earlier_part(arguments.go_on, machine)
            facts["command"] = f"{command}; {facts['command']}"
        for row in chosen_rows(arguments.rows):
            start = time.monotonic()
            done[row.key] = measure(row, setup, arguments.rounds or row.rounds, clock)
            measured = [(each, done[each.key]) for each in workloads.ROWS if each.key in done]
            text = write(arguments, measured, facts.items(), machine)  # after each row, so that finished rows stay
            print(f"{row.key}: {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
            for claim in row.claims:
                print("  " + ": ".join((claim.text, *claim.measured(done[row.key]))), file=sys.stderr, flush=True)
    if not arguments.output:
        print(text, end="")
    return 0 if any(result.runs for results in done.values() for result in results.values()) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Refused as refused:
        sys.exit(f"measure_overhead: error: {refused}")
