# SPDX-License-Identifier: Apache-2.0
#
# Every command, in every form, over inputs that are nearly right: mutants of recordings, cubins, rules and baselines.
"""usage: mutation_loop.py [--seconds N] [--seed S] [--once]

Runs for N seconds (60) from seed S (the clock's) on. Every input follows from its seed: --once --seed S makes that one
again and keeps its folder. COALCHECK_BINARY_DIR names the build."""

import argparse
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RECORDINGS = sorted(path.parent for path in (ROOT / "tests" / "recordings").glob("*/records.jsonl"))
SEEDS = sorted((ROOT / "tests" / "fuzz" / "corpus" / "cubin").iterdir())
RULES = sorted((ROOT / "tests" / "fuzz" / "policy_corpus").iterdir())
FORMS = ("text", "json", "sarif", "github", "junit", "gitlab", "markdown", "html", "callgrind", "folded")
# What is right in one place and wrong in another.
SPLINTERS = (b"\0", b"\x1b[2J", b"\xff\xfe", b"-1", b"18446744073709551615", b"1e999", b"null", b"{}", b"[[[[[[[[[[", b"\"",
             b"\\", b"\\ud800", b"_Z1fIJDpT_EEvDpT_", b"../../../../etc/passwd", b"##[error]", b"\n", b"\r\n", b"\xe2\x80\xae",
             b"regex:(a|a)*$", b"regex:(((((.{9}){9}){9}){9}){9}", b"NaN", b"0x7fffffff", b"%s%n", b"<script>", b"\xed\xa0\x80")
DEADLINE = 20  # seconds: a sanitizer makes everything slower; a hang is for ever
CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def mutate(data, random_):
    data = bytearray(data)
    for _ in range(random_.choice((1, 1, 2, 4, 16))):
        at = random_.randrange(len(data) + 1)
        way = random_.randrange(7)
        if way == 0 and data:
            data[at % len(data)] ^= 1 << random_.randrange(8)
        elif way == 1:
            del data[at:at + random_.choice((1, 4, 64, 4096))]
        elif way == 2:
            data[at:at] = random_.choice(SPLINTERS)
        elif way == 3:
            end = at + random_.randrange(200)
            data[at:at] = data[at:end] * random_.choice((1, 2, 50))
        elif way == 4 and random_.randrange(4) == 0:
            del data[at:]
        elif way == 5:
            numbers = list(re.finditer(rb"\d+", bytes(data[:65536])))
            if numbers:
                number = random_.choice(numbers)
                data[number.start():number.end()] = random_.choice((b"0", b"1", b"4294967296", b"18446744073709551615"))
        elif way == 6:
            lines = bytes(data).split(b"\n")
            random_.shuffle(lines) if len(lines) < 1000 else lines.reverse()
            data = bytearray(b"\n".join(lines))
    return bytes(data)


def make_inputs(folder, random_):
    """A project with its recording, each file perhaps a mutant."""
    recording = folder / "run.rec"
    shutil.copytree(random_.choice(RECORDINGS), recording)
    for file in [recording / "records.jsonl", *recording.glob("cubins/*")]:
        if random_.randrange(3):
            file.write_bytes(mutate(file.read_bytes(), random_))
    if random_.randrange(8) == 0:
        (recording / "progress").write_bytes(mutate(b"CCPROG01" + bytes(56), random_))
    (folder / "coalcheck.toml").write_bytes(mutate(random_.choice(RULES).read_bytes(), random_))
    (folder / "base.txt").write_bytes(mutate((ROOT / "tests/fuzz/policy_corpus/baseline").read_bytes(), random_))
    cubin = random_.choice([*SEEDS, *recording.glob("cubins/*")])
    (folder / "a.cubin").write_bytes(mutate(cubin.read_bytes(), random_))
    report = random_.choice(sorted((ROOT / "tests" / "fuzz" / "json_report_corpus").iterdir()))
    (folder / "report.json").write_bytes(mutate(report.read_bytes(), random_))


def command(random_):
    """One command line in that folder."""
    scope = ["--scope", random_.choice(("user", "all")), "--path-map", f"/tmp/coalcheck={ROOT}", "--source-root", str(ROOT)]
    config = ["--config", random_.choice(("none", "none", "coalcheck.toml"))]
    form = ["--format", random_.choice(FORMS)]
    return random_.choice((
        ["report", *form, *scope, *config, "run.rec"],
        ["report", *form, *scope, *config, "--group-by", "range", "--verbosity", "verbose", "run.rec"],
        ["report", *form, "--baseline", "base.txt", "--config", "none", "run.rec"],
        ["verdict", "--explain", *scope, *config, "run.rec"],
        ["baseline", "write", *scope, *config, "new.txt", "run.rec"],
        ["baseline", "check", "--tighten", *scope, "--config", "none", "base.txt", "run.rec"],
        ["diff", "--format", random_.choice(("text", "json", "markdown")), *scope, "report.json", "run.rec"],
        ["inspect", "--format", random_.choice(("text", "json")), "a.cubin"]))


def attack(seed, folder):
    """What is wrong with how coalcheck took the input of this seed; empty when nothing is."""
    random_ = random.Random(seed)
    make_inputs(folder, random_)
    words = command(random_)
    coalcheck = pathlib.Path(os.environ["COALCHECK_BINARY_DIR"]) / "bin" / "coalcheck"
    begin = time.monotonic()
    try:
        done = subprocess.run([coalcheck, *words], cwd=folder, capture_output=True, stdin=subprocess.DEVNULL, check=False,
                              timeout=DEADLINE)
    except subprocess.TimeoutExpired:
        return f"hangs: coalcheck {' '.join(words)}"
    what = f"coalcheck {' '.join(words)}: exit code {done.returncode} after {time.monotonic() - begin:.1f} s"
    if done.returncode not in range(6) or b"internal error" in done.stderr:
        return f"{what}\n{done.stderr.decode(errors='replace')[-4000:]}"
    if CONTROL.search(done.stdout + done.stderr):
        return f"prints control characters: {what}"
    return ""


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n", maxsplit=1)[0].removeprefix("usage: "))
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=time.time_ns() // 1000)
    parser.add_argument("--once", action="store_true")
    arguments = parser.parse_args()
    end = time.monotonic() + arguments.seconds
    first = seed = arguments.seed
    print(f"from seed {first}", flush=True)
    failed = 0
    while time.monotonic() < end:
        folder = pathlib.Path(tempfile.mkdtemp(prefix="coalcheck-mutant-"))
        problem = attack(seed, folder)
        if problem:
            failed += 1
            print(f"seed {seed} ({folder}): {problem}", flush=True)
        elif not arguments.once:
            shutil.rmtree(folder)
        seed += 1
        if arguments.once:
            print(f"{folder}: {' '.join(command_of(seed - 1))}")
            break
    print(f"{seed - first} inputs, seeds {first} to {seed - 1}, {failed} with a problem")
    return 1 if failed else 0


def command_of(seed):
    """The command line of a seed, whose inputs are drawn before it."""
    random_ = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        make_inputs(pathlib.Path(folder), random_)
    return command(random_)


if __name__ == "__main__":
    sys.exit(main())
