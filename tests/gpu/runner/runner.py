# SPDX-License-Identifier: Apache-2.0
"""Runs one case natively and watched, as often as asked, and collects what is wrong."""
import dataclasses
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from runner import checks, expectations, process, recordings, table

CANNOT_RUN_HERE = 77  # how a program says so; its last line on stderr is the reason
OURS = ("CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH", "COALCHECK_OPTIONS")


@dataclasses.dataclass
class Setup:
    """What all cases share."""
    programs: Path
    agent: Path
    command: Path
    gpus: int
    repeat: int = 1
    repeat_frameworks: int = 1
    slow: bool = False
    strict: bool = False
    spare_seconds: float = 60.0  # of a run's deadline, on top of three times the native time
    more_options: str = ""       # given to every case, before its own
    options: str = ""            # what `coalcheck options` prints
    has_launcher: bool = False
    keep: Path | None = None     # recordings of failed runs go there


def look_around(setup):
    """Asks the command what it can do, so that a case that needs more is skipped with a reason."""
    def asked(*words):
        return subprocess.run([setup.command, *words], capture_output=True, text=True, timeout=60, check=False,
                              stdin=subprocess.DEVNULL)
    setup.options = asked("options").stdout
    setup.has_launcher = asked("run", "--help").returncode == 0
    return setup


def command_of(case, setup):
    words = [str(word) for word in case.run]
    if words[0].endswith(".py"):
        return [sys.executable, "-B", str(case.folder / words[0]), *words[1:]]
    return [str(setup.programs / words[0]), *words[1:]]


def reason_to_skip(case, setup):
    if setup.gpus < 1:
        return "no GPU here"
    if setup.gpus < case.gpus:
        return f"needs {case.gpus} GPUs"
    if case.needs and case.needs not in setup.options:
        return f"coalcheck has no option {case.needs} yet"
    if case.slow and not setup.slow:
        return "slow: --slow runs it"
    program = Path(command_of(case, setup)[2 if case.run[0].endswith(".py") else 0])
    if not program.exists():
        return f"{program.name} was not built"
    return ""


def library_folders():
    """Where Python's packages keep NVIDIA's libraries: a host looks there for NCCL and NVRTC."""
    found = (folder for place in sys.path for folder in sorted(Path(place).glob("nvidia/*/lib")) if place)
    return ":".join(map(str, found))


def clean_environment(case):
    environment = {name: value for name, value in os.environ.items() if name not in OURS}
    environment["COALCHECK_TEST_LIBRARIES"] = library_folders()
    return environment | {str(name): str(value) for name, value in case.env.items()}


def run_case(case, setup):
    """A row for each way of starting it."""
    row = table.Row(case.name, reason_to_skip(case, setup))
    rows = [row]
    if row.reason:
        if row.reason == "no GPU here" and setup.strict:
            row.problems.append(row.reason)
        return rows
    native = process.run(command_of(case, setup), clean_environment(case), 300)
    if native.status == CANNOT_RUN_HERE:
        said = (native.stderr.strip() or native.stdout.decode(errors="replace").strip()).splitlines()
        row.reason = said[-1] if said else "it cannot run here"
        if "no GPU here" in row.reason and setup.strict:
            row.problems.append(row.reason)
        return rows
    if native.stacks or native.status != case.exit:
        row.problems.append("hung natively" if native.stacks else
                            f"ended natively with {native.status}, not {case.exit}: {native.stderr[-300:]}")
        return rows
    if case.launcher:
        rows.append(table.Row(f"{case.name}, by coalcheck run"))
        if not setup.has_launcher:
            rows[1].reason = "coalcheck has no command run yet"
    for one, by_launcher in zip(rows, (False, True)):
        if not one.reason:
            one.native_seconds = native.seconds
            for _ in range(setup.repeat_frameworks if case.framework else setup.repeat):
                run_watched(case, setup, native, one, by_launcher)
    return rows


def run_watched(case, setup, native, row, by_launcher):
    """One run under the agent; adds what came of it to the row."""
    with tempfile.TemporaryDirectory(prefix="coalcheck-hosts-") as scratch:
        root = Path(scratch) / "recordings"
        root.mkdir()
        # Not even root can make a folder below a device.
        folder = f"{root}/%p.rec" if case.writable else "/dev/null/%p.rec"
        environment = clean_environment(case)
        environment["COALCHECK_OPTIONS"] = " ".join(
            filter(None, ("--recording", folder, setup.more_options, case.options)))
        command = command_of(case, setup)
        if by_launcher:
            command = [str(setup.command), "run", "--exit-zero", "--library", str(setup.agent), "--", *command]
        else:
            environment["CUDA_INJECTION64_PATH"] = str(setup.agent)
            if case.nvtx:
                environment["NVTX_INJECTION64_PATH"] = str(setup.agent)
        watched = process.run(command, environment, 3 * native.seconds + setup.spare_seconds)
        recorded = recordings.read(root)
        problems = checks.behaviour(case, native, watched) + checks.recording(case, recorded)
        if by_launcher:
            problems += checks.ends_as_seen_by_launcher(case, recorded)
        if not watched.stacks:
            problems += check_report(case, setup, watched, recorded)
        note(case, row, native, watched, recorded, problems)
        if problems and setup.keep:
            keep(setup.keep, case, row, root, watched)


def facts_of(outcome):
    """What the program measured itself, a line on stderr each."""
    return "; ".join(line for line in outcome.stderr.splitlines() if line.startswith(("resident KB:", "us per launch:")))


def note(case, row, native, watched, recorded, problems):
    row.runs += 1
    row.hangs += bool(watched.stacks)
    row.changed_outputs += not watched.stacks and watched.stdout != native.stdout
    row.changed_exits += not watched.stacks and watched.status != native.status
    lost = recorded.losses.get("window_lost", 0)
    if "window_lost" in (*case.losses, *case.may_lose):
        row.foreseen_losses += lost
    else:
        row.lost_windows += lost
    row.windows, row.launches = len(recorded.windows), recorded.launches()
    row.watched_seconds.append(watched.seconds)
    row.added_kb.append(watched.peak_kb - native.peak_kb)
    if facts_of(native):
        row.measured = [f"natively: {facts_of(native)}",
                        f"watched: {facts_of(watched)}; recording {recorded.size_bytes / 1e6:.1f} MB"]
    row.problems += problems
    if watched.stacks:
        print(f"--- {row.name} hung; its threads:\n{watched.stacks}\n--- and its stderr:\n{watched.stderr[-2000:]}",
              flush=True)


def keep(folder, case, row, root, watched):
    """Leaves what is needed to look into a failure."""
    name = "".join(letter if letter.isalnum() else "_" for letter in row.name) + f".{row.runs}"
    place = folder / name
    place.mkdir(parents=True, exist_ok=True)
    (place / "stdout").write_bytes(watched.stdout)
    (place / "stderr").write_text(watched.stderr)
    (place / "stacks").write_text(watched.stacks)
    (place / "command").write_text(" ".join(map(str, case.run)) + "\n")
    for file in root.rglob("records.jsonl"):
        (place / (file.parent.name + ".jsonl")).write_bytes(file.read_bytes())


def check_report(case, setup, watched, recorded):
    """A report can be made of what was recorded; where the program ended in order, one was made."""
    problems = []
    if "coalcheck:" not in watched.stderr and (case.end == "exit" or not case.writable):
        problems.append("nothing was reported on stderr")
    if not recorded.folders:
        return problems
    made = subprocess.run([setup.command, "report", "--format", "json", "--scope", "all", *recorded.folders],
                          capture_output=True, text=True, timeout=300, check=False, stdin=subprocess.DEVNULL)
    if made.returncode not in case.report:
        problems.append(f"coalcheck report ended with {made.returncode}: {made.stderr[-300:]}")
    try:
        report = json.loads(made.stdout)
    except ValueError:
        return problems + ["coalcheck report printed no JSON"]
    if case.expectations:
        program = case.folder / case.run[0]
        problems += expectations.check(program.name, program.read_text(encoding="utf-8"), report)
    if case.finding_in:
        problems += expectations.check_finding_in(case.finding_in, report)
    if case.finding_of:
        problems += expectations.check_finding_of(case.finding_of, report)
    return problems
