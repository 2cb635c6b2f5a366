#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records both kernels of each fix pair on a GPU, for bench/score_foretold.py.

Each program of bench/fix_pairs/ is compiled by nvcc from a copy of the sources in /tmp/coalcheck, so that recordings name
no folder of this machine, and runs twice under the agent, as bad and as good. What is left is one file, PAIRS.tar.xz, with
the recordings PAIR-bad and PAIR-good, and provenance.md.

  record_fix_pairs.py --build-dir build/default --output fix-pairs.tar.xz
"""
import argparse
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tarfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import provenance  # noqa: E402

ROOT = Path(__file__).resolve().parents[1]
NEUTRAL = Path("/tmp/coalcheck")
COPIED = ("bench/fix_pairs", "samples/common", "libcoalcheck/base", "libcoalcheck/sectors")
SIDES = ("bad", "good")


class Failed(Exception):
    """A program failed; the message says which and why."""


def run(command, timeout, **more):
    words = [str(word) for word in command]
    try:
        done = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=timeout, check=False, **more)
    except (OSError, subprocess.SubprocessError) as error:
        raise Failed(f"{words[0]}: {error}") from error
    if done.returncode != 0:
        raise Failed(f"exit code {done.returncode} of {' '.join(words)}\n{done.stdout[-500:]}{done.stderr[-1000:]}")
    return done.stdout


def copy_sources():
    shutil.rmtree(NEUTRAL, ignore_errors=True)
    for folder in COPIED:
        shutil.copytree(ROOT / folder, NEUTRAL / folder)
    for folder in ("bin", "recordings"):
        (NEUTRAL / folder).mkdir()


def compile_pair(setup, name):
    run([setup.nvcc, "-std=c++20", "-O3", "-lineinfo", "-gencode",
         f"arch=compute_{setup.arch},code=[compute_{setup.arch},sm_{setup.arch}]", "-I.", f"bench/fix_pairs/{name}.cu",
         "-o", f"bin/{name}"], 300, cwd=NEUTRAL)


def under_another_name():
    """Words before a command that change the host name in its recording; none without the permission."""
    words = ["unshare", "--uts", "sh", "-c", 'hostname gpu-host && exec "$@"', "sh"]
    return words if subprocess.run([*words, "true"], capture_output=True, check=False).returncode == 0 else []


def record(setup, name, side):
    """One line on what was counted: findings and sectors of the pair's own kernel."""
    recording = NEUTRAL / "recordings" / f"{name}-{side}"
    options = f"--no-report --sampling first --recording {recording}"
    environment = {**os.environ, "CUDA_INJECTION64_PATH": str(setup.agent), "COALCHECK_OPTIONS": options}
    run([*setup.before, f"bin/{name}", side, "1"], setup.timeout, cwd=NEUTRAL, env=environment)
    (recording / "progress").unlink(missing_ok=True)
    if not (recording / "records.jsonl").exists():
        raise Failed(f"{name} {side}: the agent left no recording: was the library loaded?")
    report = json.loads(run([setup.coalcheck, "report", "--format", "json", "--exit-zero", "--scope", "all",
                             "--path-map", f"{NEUTRAL}={ROOT}", recording], 60))
    own = [one for one in report["accesses"] if f"{name}_{side}" in one["kernel"]]
    if not own:
        raise Failed(f"{name} {side}: no access of {name}_{side} was counted")
    return f"{sum(one['finding'] for one in own)} of {len(own)}, {sum(one['sectors'] for one in own)} sectors"


def pack(setup, facts):
    (NEUTRAL / "recordings" / "provenance.md").write_text(facts + "\n", encoding="utf-8")
    with tarfile.open(setup.output, "w:xz") as packed:
        for entry in sorted((NEUTRAL / "recordings").iterdir()):
            packed.add(entry, entry.name)


def parse(words):
    names = sorted(source.stem for source in (ROOT / "bench" / "fix_pairs").glob("*.cu"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build-dir", type=Path, required=True, help="with bin/coalcheck and lib/libcoalcheck.so")
    parser.add_argument("--output", type=Path, required=True, help="the file with all recordings")
    parser.add_argument("--nvcc", default=shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc", help="the compiler")
    parser.add_argument("--arch", default="90", help="the GPU's architecture (default 90)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at a time (default: every core)")
    parser.add_argument("--timeout", type=float, default=30, help="seconds for one program (default 30)")
    parser.add_argument("--only", action="append", choices=names, metavar="PAIR", help="this pair; may be repeated")
    setup = parser.parse_args(words)
    setup.names = setup.only or names
    setup.output = setup.output.resolve()
    setup.agent = (setup.build_dir / "lib" / "libcoalcheck.so").resolve()
    setup.coalcheck = (setup.build_dir / "bin" / "coalcheck").resolve()
    setup.before = under_another_name()
    return setup


def main(words):
    setup = parse(words)
    facts = provenance.markdown()
    copy_sources()
    start = time.monotonic()
    failures = 0
    rows = {}
    with concurrent.futures.ThreadPoolExecutor(max_workers=setup.jobs) as compilers, \
            concurrent.futures.ThreadPoolExecutor(max_workers=2) as runners:
        compiled = {name: compilers.submit(compile_pair, setup, name) for name in setup.names}

        def side_of(name, side):
            compiled[name].result()
            return record(setup, name, side)
        for name in setup.names:
            rows[name] = [runners.submit(side_of, name, side) for side in SIDES]
        print("pair: findings of accesses, sectors; wasteful | repaired")
        for name, sides in rows.items():
            try:
                print(f"{name}: " + " | ".join(side.result() for side in sides), flush=True)
            except Failed as failure:
                failures += 1
                print(f"{name}: {failure}", flush=True)
    pack(setup, facts)
    print(f"{len(rows) - failures} of {len(rows)} pairs in {time.monotonic() - start:.0f} s, "
          f"{setup.output.stat().st_size / 1e6:.1f} MB in {setup.output}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
