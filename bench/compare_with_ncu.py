#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares coalcheck with Nsight Compute and with the samples' own counts, instruction by instruction.

Each sample runs once under the agent and once under ncu. For every global-memory instruction of every
kernel the sectors, ideal sectors, 128-byte lines and requests must be equal; for every kernel the sectors
must equal the hardware counters of loads and stores, which patch nothing; and for every source line they
must equal what `SAMPLE --count` finds by brute force on the CPU. Exit code 1 says that something differs.
"""
import argparse
import datetime
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# What is compared for each instruction: coalcheck's name and Nsight Compute's.
PER_INSTRUCTION = {
    "sectors": "memory_l2_theoretical_sectors_global",
    "ideal_sectors": "memory_l2_theoretical_sectors_global_ideal",
    "lines": "memory_l1_tag_requests_global",
    "requests": "inst_executed",
}
# Sectors by hardware counters for each kernel, and the kinds of access that they count.
HARDWARE = {
    "ld": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "st": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "atom": "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
    "red": "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
}
# Smaller than the defaults where patched code would take long; counts are exact at any size.
SIZES = {"coalesced_copy": 1 << 22, "strided_copy": 1 << 22, "matrix_update": 2048,
         "stride_sweep": 1 << 18, "misaligned": 1 << 18, "matrix_product": 256, "row_sums": 1024}


class Failed(Exception):
    """One program could not be compared; the message says why."""


def run(command, environment=None, **more):
    """Runs a command without any injection but the one asked for."""
    clean = {k: v for k, v in os.environ.items()
             if k not in ("CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH", "COALCHECK_OPTIONS")}
    done = subprocess.run([str(word) for word in command], env=clean | (environment or {}),
                          capture_output=True, text=True, errors="replace", **more)
    if done.returncode != 0:
        raise Failed(f"exit code {done.returncode} of {' '.join(map(str, command))}\n"
                     f"{done.stdout[-2000:]}{done.stderr[-4000:]}")
    return done.stdout


def arguments_of(name, full_size):
    words = ["--launches", "1"]
    if name in SIZES and not full_size:
        words += ["--n", str(SIZES[name])]
    return words


def agent_report(setup, program, words, folder):
    """What coalcheck reports about one run: the JSON document."""
    recording = folder / f"{program.name}.recording"
    run([program, *words], {"CUDA_INJECTION64_PATH": str(setup.agent),
                            "COALCHECK_OPTIONS": f"--no-report --sampling first --recording {recording}"})
    if not (recording / "records.jsonl").exists():
        raise Failed("the agent left no recording: was the library loaded?")
    return json.loads(run([setup.coalcheck, "report", "--format", "json", "--exit-zero",
                           "--source-root", ROOT, recording]))


def agent_kernels(report):
    """{mangled kernel: {pc: counts}} of a report, with each instruction's kind."""
    kernels = {}
    for access in report["accesses"]:
        for instruction in access["instructions"]:
            row = {key: instruction[key] for key in PER_INSTRUCTION} | {"kind": access["kind"]}
            kernels.setdefault(access["kernel_mangled"], {})[instruction["pc"]] = row
    if report.get("unattributed"):
        raise Failed(f"the report has unattributed rows: {report['unattributed']}")
    return kernels


def ncu_run(setup, program, words, folder):
    """Runs ncu; returns the path of its report."""
    base = folder / f"{program.name}.ncu"
    metrics = ",".join([*PER_INSTRUCTION.values(), *HARDWARE.values()])
    run([setup.ncu, "--metrics", metrics, "--clock-control", "none", "--cache-control", "none",
         "--force-overwrite", "--export", base, program, *words], timeout=300)
    report = Path(f"{base}.ncu-rep")
    if not report.exists():
        raise Failed(f"ncu left no {report}")
    return report


def mangled_name(ncu_report, action):
    """The spelling of the constant changed between versions of Nsight Compute."""
    if hasattr(ncu_report.IAction, "NameBase_MANGLED"):
        return action.name(ncu_report.IAction.NameBase_MANGLED)
    if hasattr(ncu_report.IAction, "NameBase"):
        return action.name(ncu_report.IAction.NameBase.MANGLED)
    raise Failed(f"ncu_report knows no mangled names: {dir(ncu_report.IAction)}")


def instances(action, name):
    """{pc address: value} of a metric that has a value for each instruction."""
    metric = action.metric_by_name(name)
    if metric is None:
        raise Failed(f"ncu has no metric {name} in {action.name()}; it has {list(action.metric_names())[:60]}")
    count = metric.num_instances()
    if count == 0 or not metric.has_correlation_ids():
        if count == 0 and metric.as_uint64() == 0:
            return {}
        raise Failed(f"{name} of {action.name()} has {count} instances and no addresses")
    ids = metric.correlation_ids()
    return {ids.as_uint64(i): metric.as_uint64(i) for i in range(count)}


def ncu_kernels(ncu_report, path):
    """{mangled kernel: ({pc offset: counts}, {hardware counter: sum})} of an ncu report."""
    kernels = {}
    context = ncu_report.load_report(str(path))
    for r in range(context.num_ranges()):
        for a in range(context.range_by_idx(r).num_actions()):
            action = context.range_by_idx(r).action_by_idx(a)
            values = {key: instances(action, metric) for key, metric in PER_INSTRUCTION.items()}
            if not values["requests"]:
                raise Failed(f"ncu counted no instructions in {action.name()}")
            start = min(values["requests"])  # every instruction is executed or listed with 0
            rows = {}
            for key, by_address in values.items():
                for address, value in by_address.items():
                    rows.setdefault(address - start, dict.fromkeys(PER_INSTRUCTION, 0))[key] = value
            hardware = {}
            for kind, metric in HARDWARE.items():
                found = action.metric_by_name(metric)
                hardware[kind] = None if found is None else found.as_uint64()
            name = mangled_name(ncu_report, action)
            if name in kernels:
                raise Failed(f"ncu saw {name} twice; one launch of each kernel was asked for")
            kernels[name] = (rows, hardware)
    return kernels


def compare_instructions(kernel, ours, theirs):
    """(number compared, differences, notes) of one kernel, the last two as sentences."""
    differences, notes = [], []
    theirs_global = {pc for pc, row in theirs.items() if row["sectors"] or row["lines"]}
    for pc in sorted(set(ours) | theirs_global):
        if pc not in ours:
            differences.append(f"{kernel} pc {pc:#x}: only Nsight Compute counted it: {theirs[pc]}")
        elif pc not in theirs:
            differences.append(f"{kernel} pc {pc:#x}: only coalcheck counted it: {ours[pc]}")
        else:
            for key in PER_INSTRUCTION:
                mine, other = ours[pc][key], theirs[pc][key]
                said = f"{kernel} pc {pc:#x} ({ours[pc]['kind']}): {key} {mine}, Nsight Compute {other}"
                # A warp whose lanes are all predicated off executes the instruction without a request.
                if key == "requests" and mine < other:
                    notes.append(f"{said}: it counts warps in which no lane was active")
                elif mine != other:
                    differences.append(said)
    if theirs_global and not set(ours) & theirs_global:
        differences.append(f"{kernel}: no pc in common; ours {sorted(ours)}, theirs "
                           f"{sorted(theirs_global)}: is the function's start address wrong?")
    return len(set(ours) | theirs_global), differences, notes


def compare_hardware(kernel, ours, hardware):
    """Differences between patched sectors and hardware counters, as sentences."""
    sums = {}
    for row in ours.values():
        sums[row["kind"]] = sums.get(row["kind"], 0) + row["sectors"]
    differences, notes = [], []
    for counter, kinds in (("ld", ["load"]), ("st", ["store"])):
        expected = sum(sums.get(kind, 0) for kind in kinds)
        if hardware[counter] is None:
            differences.append(f"{kernel}: ncu has no {HARDWARE[counter]}")
        elif hardware[counter] != expected:
            with_async = expected + sums.get("async copy", 0)
            if counter == "ld" and hardware[counter] == with_async:
                notes.append(f"{kernel}: the hardware's load counter includes async copies")
            else:
                differences.append(f"{kernel}: op_{counter} sectors {expected}, hardware {hardware[counter]}")
    for counter, kind in (("atom", "atomic"), ("red", "reduction")):
        if sums.get(kind) and hardware[counter] is not None:
            notes.append(f"{kernel}: {kind} sectors {sums[kind]}, hardware op_{counter} {hardware[counter]}")
    return differences, notes


def line_key(access):
    path = access["file"] or ""
    kernel = access["kernel"].split("(")[0]
    kernel = re.sub(r"^(void|unsigned int|int|float) ", "", kernel)
    return (path[path.rfind("/samples/") + 1:] if "/samples/" in path else path.rsplit("/", 1)[-1]
            if not path.startswith("samples/") else path, access["line"], kernel, access["kind"])


def sum_by_line(accesses):
    sums = {}
    for access in accesses:
        row = sums.setdefault(line_key(access), dict.fromkeys([*PER_INSTRUCTION, "lanes"], 0))
        for key in row:
            row[key] += access[key]
    return sums


def compare_with_count(report, count):
    """Differences between a report and the CPU's count, as sentences; call sites of a line add up."""
    ours, theirs = sum_by_line(report["accesses"]), sum_by_line(count["accesses"])
    return [f"{key}: coalcheck {ours.get(key)}, CPU {theirs.get(key)}"
            for key in sorted(set(ours) | set(theirs), key=str) if ours.get(key) != theirs.get(key)]


def compare_program(setup, program, folder):
    """Rows of the table and all differences of one program."""
    words = arguments_of(program.name, setup.full_size)
    count = json.loads(run([program, *words, "--count"]))
    # The count names files the way it was compiled; only those of tests differ from samples/.
    report = agent_report(setup, program, words, folder)
    ours = agent_kernels(report)
    theirs = ncu_kernels(setup.ncu_report, ncu_run(setup, program, words, folder))
    cpu = compare_with_count(report, count)
    differences = [f"CPU: {difference}" for difference in cpu]
    rows, notes = [], []
    for kernel in sorted(set(ours) | set(theirs)):
        theirs_rows, hardware = theirs.get(kernel, ({}, None))
        compared, differing, idle_warps = compare_instructions(kernel, ours.get(kernel, {}), theirs_rows)
        by_hardware, more_notes = ([f"{kernel}: not seen by ncu"], []) if hardware is None else \
            compare_hardware(kernel, ours.get(kernel, {}), hardware)
        differing_pcs = len({d.split(":")[0].split("(")[0] for d in differing})
        short = re.sub(r"^void ", "", demangled(report, kernel)).split("(")[0]
        cpu_differs = [d for d in cpu if f"'{short}'" in d]
        rows.append((program.name, short, compared, compared - differing_pcs, differing_pcs,
                     not by_hardware, not cpu_differs))
        differences += differing + by_hardware
        notes += idle_warps + more_notes
    return rows, differences, notes


def demangled(report, kernel):
    for access in report["accesses"]:
        if access["kernel_mangled"] == kernel:
            return access["kernel"]
    return kernel


def first_line(command, pattern):
    try:
        found = re.search(pattern, run(command))
    except (Failed, OSError):
        found = None
    return found.group(1).strip() if found else "unknown"


def provenance(setup):
    """What a table of measurements has to say about itself, as Markdown lines."""
    query = ["nvidia-smi", "--format=csv,noheader"]
    facts = {
        "GPU": first_line([*query, "--query-gpu=name"], r"(.*)"),
        "driver": first_line([*query, "--query-gpu=driver_version"], r"(.*)"),
        "toolkit": setup.toolkit or first_line([shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc",
                                                "--version"], r"release (.*)"),
        "Nsight Compute": first_line([setup.ncu, "--version"], r"Version (.*)"),
        "commit": setup.commit or first_line(["git", "-C", ROOT, "rev-parse", "HEAD"], r"(.*)"),
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
        "command": "`bench/compare_with_ncu.py" + (" --full-size`" if setup.full_size else "`"),
    }
    return ["| | |", "|---|---|", *(f"| {key} | {value} |" for key, value in facts.items())]


def markdown(setup, rows, differences, notes):
    def yes(equal):
        return "equal" if equal else "**differs**"

    out = ["# The samples against Nsight Compute, hardware counters and a count on the CPU", "",
           *provenance(setup), "",
           "Per instruction: sectors, ideal sectors, 128-byte lines and requests against Nsight Compute's",
           "`" + "`, `".join(PER_INSTRUCTION.values()) + "`. Per kernel: sectors of loads and of stores against",
           f"`{HARDWARE['ld']}` and `…_st.sum`. Per source line: all counts against `SAMPLE --count`.", "",
           f"**{sum(r[3] for r in rows)} of {sum(r[2] for r in rows)} instructions equal**, "
           f"{sum(r[5] for r in rows)} of {len(rows)} kernels equal to the hardware, "
           f"{sum(r[6] for r in rows)} of {len(rows)} to the CPU's count.", "",
           "| sample | kernel | instructions | equal | differing | hardware sectors | CPU count |",
           "|---|---|---|---|---|---|---|"]
    out += [f"| {r[0]} | `{r[1]}` | {r[2]} | {r[3]} | {r[4]} | {yes(r[5])} | {yes(r[6])} |" for r in rows]
    for title, lines in (("Differences", differences), ("Notes", notes)):
        if lines:
            out += ["", f"## {title}", "", *(f"* {line}" for line in lines)]
    return "\n".join(out) + "\n"


def import_ncu_report(ncu):
    for folder in (ncu.resolve().parent / "extras/python", *ncu.resolve().parents[0:3],
                   *(p / "extras/python" for p in ncu.resolve().parents)):
        if (folder / "ncu_report.py").exists():
            sys.path.insert(0, str(folder))
            import ncu_report
            return ncu_report
    raise Failed(f"no extras/python/ncu_report.py near {ncu}")


def parse_arguments():
    build = ROOT / "build/default"
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("samples", nargs="*", help="programs in --programs (default: all)")
    parser.add_argument("--programs", type=Path, default=build / "samples", help="where the samples are")
    parser.add_argument("--agent", type=Path, default=build / "lib/libcoalcheck.so")
    parser.add_argument("--coalcheck", type=Path, default=build / "bin/coalcheck")
    parser.add_argument("--ncu", type=Path, help="default: the one in PATH, else in /opt/nvidia")
    parser.add_argument("--output", type=Path, help="the Markdown table (default: standard output)")
    parser.add_argument("--keep", type=Path, help="keep recordings and .ncu-rep files there")
    parser.add_argument("--commit", help="the commit of the sources (default: asks git)")
    parser.add_argument("--toolkit", help="what the samples were compiled with (default: asks nvcc)")
    parser.add_argument("--full-size", action="store_true", help="default sizes of all samples; slower")
    return parser.parse_args()


def find_ncu(given):
    candidates = [given] if given else [shutil.which("ncu"),
                                        *sorted(Path("/opt/nvidia/nsight-compute").glob("*/ncu"), reverse=True)]
    for candidate in filter(None, candidates):
        if Path(candidate).exists():
            return Path(candidate)
    raise Failed("ncu is not here; see --ncu")


def compare_all(setup, folder):
    names = setup.samples or sorted(p.name for p in setup.programs.iterdir()
                                    if p.is_file() and os.access(p, os.X_OK))
    rows, differences, notes = [], [], []
    for name in names:
        try:
            more = compare_program(setup, (setup.programs / name).resolve(), folder)
        except (Failed, subprocess.TimeoutExpired, KeyError, OSError, ValueError) as error:
            more = [], [f"{name}: not compared: {type(error).__name__}: {error}"], []
        rows += more[0]
        differences += more[1]
        notes += more[2]
        print(f"{name}: {sum(r[2] for r in more[0])} instructions, {len(more[1])} differences", file=sys.stderr)
        for line in more[1][:20]:
            print(f"  {line}", file=sys.stderr)
    return rows, differences, notes


def main():
    setup = parse_arguments()
    try:
        setup.ncu = find_ncu(setup.ncu)
        setup.ncu_report = import_ncu_report(setup.ncu)
    except Failed as error:
        print(f"compare_with_ncu: {error}", file=sys.stderr)
        return 2
    setup.agent, setup.coalcheck = setup.agent.resolve(), setup.coalcheck.resolve()
    with tempfile.TemporaryDirectory() as scratch:
        folder = setup.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        rows, differences, notes = compare_all(setup, folder)
    text = markdown(setup, rows, differences, notes)
    if setup.output:
        setup.output.write_text(text)
    else:
        print(text)
    return 1 if differences or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
