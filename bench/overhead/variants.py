# SPDX-License-Identifier: Apache-2.0
"""The ways to run a workload: natively, under coalcheck, bare CUPTI, Nsight Compute or memcheck."""
import csv
import dataclasses
import io
import json
import os
import shutil
import subprocess
from pathlib import Path

NCU_METRICS = ("memory_l2_theoretical_sectors_global", "memory_l2_theoretical_sectors_global_ideal")
REPORT_SECONDS = 120


@dataclasses.dataclass(frozen=True)
class Variant:
    """`tool` is a key of Setup.tools, empty for none; `words` are its options, for bare CUPTI the stage.

    An expensive yardstick runs in the first `rounds` rounds only; 0 means in all of them.
    """
    name: str
    tool: str = ""
    words: tuple = ()
    rounds: int = 0
    counts: bool = True  # a run that counts no launch says nothing


NATIVE = Variant("native")


@dataclasses.dataclass
class Setup:
    """Where everything is. `tools` maps coalcheck, agent, bare, ncu and compute-sanitizer to paths or None."""
    tools: dict
    build: Path
    python: str
    scratch: Path
    quick: bool = False

    def folder(self, variant):
        """Where this variant leaves its files, whatever is in its name."""
        return self.scratch / "".join(letter if letter.isalnum() else "_" for letter in variant.name)


def missing(variant, setup):
    """Names the tools that the variant needs and this machine lacks; empty when it can run."""
    needs = ("coalcheck", "agent") if variant.tool == "coalcheck" else (variant.tool,) if variant.tool else ()
    return " and ".join(tool for tool in needs if not setup.tools.get(tool))


def prepared(variant, command, setup):
    """(command, environment) of one run; removes the files of the last run."""
    folder = setup.folder(variant)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    tool = setup.tools.get(variant.tool)
    if variant.tool == "coalcheck":
        report = [] if "--no-report" in variant.words else ["--output", folder / "report.txt"]
        cost = [] if "--cost" in variant.words else ["--cost", "off"]
        return [tool, "--exit-zero", "--library", setup.tools["agent"], "--recording", folder / "recording",
                *report, *cost, *variant.words, "--", *command], {}
    if variant.tool == "bare":
        return command, {"CUDA_INJECTION64_PATH": str(tool), "BARE_CUPTI": variant.words[0]}
    if variant.tool == "ncu":
        return [tool, "--clock-control", "none", *variant.words, "--force-overwrite", "--export", folder / "ncu",
                *command], {}
    if variant.tool == "gpufl":
        return [tool, "trace", "--quiet", f"--output={folder}", *variant.words, "--", *command], {}
    if variant.tool:
        return [tool, *variant.words, *command], {}
    return command, {}


def read_tool(command):
    """What a command prints; None when it fails."""
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace",
                              timeout=REPORT_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout


def size_mib(folder):
    return sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file()) / (1 << 20)


def report_counts(text):
    """{launches, sectors, ideal_sectors} of a JSON report."""
    report = json.loads(text)
    return {"launches": sum(recording.get("windows") or 0 for recording in report["recordings"]),
            "sectors": report["totals"]["sectors"], "ideal_sectors": report["totals"]["ideal_sectors"]}


def ncu_counts(text):
    """The same of Nsight Compute's raw page as CSV: a line of names, one of units, one for each launch."""
    lines = text.splitlines()
    start = next(index for index, line in enumerate(lines) if NCU_METRICS[0] in line)
    rows = [row for row in csv.DictReader(io.StringIO("\n".join(lines[start:]))) if row["ID"].strip()]

    def total(metric):
        return sum(round(float(row[metric].replace(",", ""))) for row in rows)

    return {"launches": len(rows), "sectors": total(NCU_METRICS[0]), "ideal_sectors": total(NCU_METRICS[1])}


def left_behind(variant, setup):
    """{recording_mib, launches, sectors, ideal_sectors} of the last run, as far as the variant has them."""
    folder = setup.folder(variant)
    found = {}
    try:
        if variant.tool == "coalcheck":
            found["recording_mib"] = size_mib(folder / "recording")
            text = read_tool([setup.tools["coalcheck"], "report", "--format", "json", "--exit-zero",
                              folder / "recording"])
            found |= report_counts(text) if text else {}
        elif variant.tool == "gpufl":
            found["recording_mib"] = size_mib(folder)
        elif variant.tool == "ncu":
            found["recording_mib"] = size_mib(folder)
            if "--metrics" in variant.words:
                text = read_tool([setup.tools["ncu"], "--import", folder / "ncu.ncu-rep", "--page", "raw", "--csv",
                                  "--print-units", "base"])
                found |= ncu_counts(text) if text else {}
    except (KeyError, ValueError, StopIteration, TypeError, OSError) as error:
        found["problem"] = f"{type(error).__name__}: {error}"
    shutil.rmtree(folder, ignore_errors=True)
    return found


def find_tools(build, agent=None, coalcheck=None, ncu=None, sanitizer=None, gpufl=None):
    """Setup.tools: what was named, else what is in the build, in PATH or where toolkits put it."""
    def first(*candidates):
        for candidate in candidates:
            if candidate and os.access(candidate, os.R_OK):
                return Path(os.path.abspath(candidate))
        return None

    newest = sorted(Path("/opt/nvidia/nsight-compute").glob("*/ncu"), reverse=True)
    toolkit = Path("/usr/local/cuda/bin")
    return {"coalcheck": first(coalcheck or build / "bin/coalcheck"),
            "agent": first(agent or build / "lib/libcoalcheck.so"),
            "bare": first(build / "bench/bare_cupti.so"),
            "ncu": first(ncu) if ncu else first(shutil.which("ncu"), toolkit / "ncu", *newest),
            "compute-sanitizer": first(sanitizer) if sanitizer else
            first(shutil.which("compute-sanitizer"), toolkit / "compute-sanitizer"),
            "gpufl": first(gpufl or shutil.which("gpufl"))}
