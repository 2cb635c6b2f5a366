# SPDX-License-Identifier: Apache-2.0
#
# Every command that reads foreign files, in every form, over inputs that are nearly right: mutants of recordings, cubins, PTX, rules,
# baselines and reports.
"""usage: mutation_loop.py [--seconds N] [--seed S] [--once]

Runs for N seconds (60) from seed S (the clock's) on. Every input follows from its seed: --once --seed S makes that one
again and keeps its folder. COALCHECK_BINARY_DIR names the build."""

import argparse
import json
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
sys.path.insert(0, str(ROOT / "tests" / "support"))
from form_names import FORMS  # noqa: E402

RECORDINGS = sorted(path.parent for kind in ("recordings", "sampled_recordings", "budgeted_recordings", "merged_recordings",
                                             "uncounted_recordings")
                    for path in (ROOT / "tests" / kind).glob("*/records.jsonl"))
PTX = [*sorted((ROOT / "tests" / "ptx").glob("*.ptx")), *sorted((ROOT / "tests" / "fuzz" / "ptx_corpus").iterdir())]
SEEDS = sorted((ROOT / "tests" / "fuzz" / "corpus" / "cubin").iterdir())
RULES = sorted((ROOT / "tests" / "fuzz" / "policy_corpus").iterdir())
# What is right in one place and wrong in another.
SPLINTERS = (b"\0", b"\\u001b[2J\\n::error::x", b"\x1b[2J", b"\xff\xfe", b"-1", b"18446744073709551615", b"1e999", b"null", b"{}", b"[[[[[[[[[[", b"\"",
             b"\\", b"\\ud800", b"_Z1fIJDpT_EEvDpT_", b"../../../../etc/passwd", b"##[error]", b"\n", b"\r\n", b"\xe2\x80\xae",
             b"regex:(a|a)*$", b"regex:(((((.{9}){9}){9}){9}){9}", b"NaN", b"0x7fffffff", b"%s%n", b"<script>", b"\xed\xa0\x80",
             b"\xe2\x80\x8b", b"\xc2\xad", b"\xf3\xa0\x81\x81", b"\xc2\x85", b"[x](https://evil.example)")
DEADLINE = 60  # seconds: a sanitizer and other work make everything slower; a hang is for ever
# What nobody sees.
HIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]")
# What the runner of a build takes for a command to it; the form for GitHub has some of ours.
LOG_COMMAND = re.compile(r"##[^\s\[#]*\[")
LINE_COMMAND = re.compile(r"^\s*::", re.MULTILINE)


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


def copy_mutated(source, target, random_, share=1.0):
    """That share of the copies is a mutant."""
    data = source.read_bytes()
    target.write_bytes(mutate(data, random_) if random_.random() < share else data)


def foreign_text(file, random_):
    """A record that says what stands in a file, and where a kernel's lines were made from."""
    text = random_.choice(("x = 1\n" * 9, "\x1b[2J\n", "##[error]\n::error::x\n", "\u202e\n"))
    return json.dumps({"record": "source", "file": random_.choice((file, "<ipython-input-1>", "/etc/passwd", "x")), "first_line": 1,
                       "text": text, "shown_as": random_.choice(("In[1]", "\x1b]0;x\x07", "../../x")), "stack": "a.py:1"}) + "\n"


def make_recording(folder, random_):
    shutil.copytree(random_.choice(RECORDINGS), folder)
    records = folder / "records.jsonl"
    if random_.randrange(4) == 0:
        lines = records.read_text(encoding="utf-8").splitlines(keepends=True)
        lines.insert(1, foreign_text("/tmp/coalcheck/samples/mixed/mixed.cu", random_))
        records.write_text("".join(lines), encoding="utf-8")
    for file in (records, *folder.glob("cubins/*")):
        copy_mutated(file, file, random_, 2 / 3)
    if random_.randrange(8) == 0:
        (folder / "progress").write_bytes(mutate(b"CCPROG01" + bytes(56), random_))


def make_inputs(folder, random_):
    """A project with its recordings, each file perhaps a mutant."""
    fuzz = ROOT / "tests" / "fuzz"
    for name in ("run.rec", "other.rec"):
        make_recording(folder / name, random_)
    copy_mutated(random_.choice(RULES), folder / "coalcheck.toml", random_)
    copy_mutated(fuzz / "policy_corpus" / "baseline", folder / "base.txt", random_)
    copy_mutated(random_.choice([*SEEDS, *(folder / "run.rec").glob("cubins/*")]), folder / "a.cubin", random_)
    copy_mutated(random_.choice(PTX), folder / "a.ptx", random_)
    copy_mutated(random_.choice(sorted((fuzz / "json_report_corpus").iterdir())), folder / "report.json", random_)


def commands(random_):
    """Command lines in that folder, one after the other."""
    scope = ["--scope", random_.choice(("user", "all")), "--path-map", f"/tmp/coalcheck={ROOT}", "--source-root", str(ROOT)]
    config = ["--config", random_.choice(("none", "none", "coalcheck.toml"))]
    form = ["--format", random_.choice(FORMS)]
    table = ["--format", random_.choice(("text", "json", "markdown"))]
    launch = random_.choice((["--launches", "run.rec"], ["--block", random_.choice(("32", "0", "4294967295x4294967295x2"))],
                             ["--launch", "*: grid=128x512 block=32x8 arg4=4096"], []))
    grouped = ["--group-by", random_.choice(("range", "rank")), "--verbosity", "verbose"]
    return random_.choice((
        [["report", *form, *scope, *config, "run.rec"]],
        [["report", *form, *scope, *config, "--same-sources", *grouped, "run.rec", "other.rec"]],
        [["report", *form, "--baseline", "base.txt", "--config", "none", "run.rec"]],
        [["report", "--format", "json=new.json", *scope, "--config", "none", "run.rec"], ["diff", *table, *scope, "new.json", "report.json"]],
        [["verdict", "--explain", *scope, *config, "--min-ranks", "1", "run.rec", "other.rec"]],
        [["baseline", "write", *scope, *config, "new.txt", "run.rec"]],
        [["baseline", "check", "--tighten", *scope, "--config", "none", "base.txt", "run.rec"]],
        [["baseline", "write", "new.txt", "a.cubin"], ["baseline", "check", "new.txt", "a.cubin"]],
        [["diff", *table, *scope, "report.json", "run.rec"]],
        [["diff", *table, *scope, "other.rec", "run.rec"]],
        [["merge", "merged.rec", "run.rec", "other.rec"], ["merge", "more.rec", "merged.rec"], ["report", *form, *scope, "more.rec"]],
        [["predict", *form, *scope, *config, *launch, random_.choice(("a.cubin", "a.ptx"))]],
        [["predict", *form, *scope, *launch, "--arch", "sm_90", "--max-unknown", "10", "a.ptx", "a.cubin"]],
        [["inspect", "--format", random_.choice(("text", "json")), "a.cubin"]]))


def problem_of(words, folder):
    """What is wrong with how coalcheck took these words in the folder; empty when nothing is."""
    coalcheck = pathlib.Path(os.environ["COALCHECK_BINARY_DIR"]) / "bin" / "coalcheck"
    # Where a build asks for annotations, they are commands to its log.
    environment = {name: value for name, value in os.environ.items() if name != "GITHUB_ACTIONS"}
    begin = time.monotonic()
    try:
        done = subprocess.run([coalcheck, *words], cwd=folder, capture_output=True, stdin=subprocess.DEVNULL, check=False,
                              timeout=DEADLINE, env=environment)
    except subprocess.TimeoutExpired:
        return f"hangs: coalcheck {' '.join(words)}"
    what = f"coalcheck {' '.join(words)}: exit code {done.returncode} after {time.monotonic() - begin:.1f} s"
    if done.returncode not in range(6) or b"internal error" in done.stderr:
        return f"{what}\n{done.stderr.decode(errors='replace')[-4000:]}"
    try:
        said = (done.stdout + done.stderr).decode()
    except UnicodeDecodeError:
        return f"prints bytes that are no text: {what}"
    if HIDDEN.search(said):
        return f"prints characters that nobody sees: {what}"
    if LOG_COMMAND.search(said) or ("github" not in words and LINE_COMMAND.search(said)):
        return f"prints a command to a build's log: {what}"
    return ""


def attack(seed, folder):
    """(command lines, what is wrong with how coalcheck took one of them, on the input of this seed)."""
    random_ = random.Random(seed)
    make_inputs(folder, random_)
    lines = commands(random_)
    return lines, next(filter(None, (problem_of(words, folder) for words in lines)), "")


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
        lines, problem = attack(seed, folder)
        if problem:
            failed += 1
            print(f"seed {seed} ({folder}): {problem}", flush=True)
        elif not arguments.once:
            shutil.rmtree(folder)
        seed += 1
        if arguments.once:
            print(f"{folder}: {'; '.join(' '.join(words) for words in lines)}")
            break
    print(f"{seed - first} inputs, seeds {first} to {seed - 1}, {failed} with a problem")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
