#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# How long each command takes, and how much memory, on the worst inputs that are known for it at 64 MB.
"""usage: measure_bounds.py --build DIR [--megabytes 64] [--only WORDS] [--keep FOLDER] [--seconds N] [--list]

Writes a table in Markdown for docs/measurements/security.md. DIR is an optimised build. --only takes the inputs whose name holds the
words. --keep adds to the rows that lie in FOLDER: several can run side by side, and a later call goes on where an earlier one was
stopped; inputs that missed a bound in the committed table, or are not in it, come first. CPU seconds: no command has more than one thread, so
on an idle machine it waits as long. Exit code 1 if any takes more."""

import argparse
import contextlib
import ctypes
import ctypes.util
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

import hostile_cubins
import hostile_files
import hostile_ptx
import hostile_recordings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "support"))
from form_names import FORMS  # noqa: E402

SECONDS, MEGABYTES = 10, 1000  # what every command has to stay within
MISSED = "**no**"
TABLE = pathlib.Path(__file__).resolve().parent.parent / "docs" / "measurements" / "security.md"
TOO_LONG = 60  # seconds after which a command is ended
REPORT = ["report", "--scope", "all", "--source-root", "."]
FURTHER = [["verdict", "r"], ["diff", "r", "r"], ["baseline", "write", "b.txt", "r"], ["merge", "m", "r"]]
COLUMNS = ("input", "command", "CPU s", "MB", "exit code", f"≤ {SECONDS} s and {MEGABYTES} MB")


def of_forms(forms, more=(), recording="r"):
    return [[*REPORT, *more, "--format", form, recording] for form in forms]


def hash_of(code):
    """The identity of a cubin in a recording."""
    xxhash = ctypes.CDLL(ctypes.util.find_library("xxhash") or "libxxhash.so.0")
    xxhash.XXH3_64bits.restype = ctypes.c_uint64
    return xxhash.XXH3_64bits(ctypes.c_char_p(code), ctypes.c_size_t(len(code)))


class Input:
    """A folder of files, and the command lines that are tried there: of each list the worst gets a row."""

    def __init__(self, name, prepare, commands):
        self.name, self.prepare, self.commands = name, prepare, commands


def recording_of(name):
    def prepare(folder, size):
        (folder / "r").mkdir()
        return f"{hostile_recordings.write(name, folder / 'r' / 'records.jsonl', size)} {name}"
    return prepare


def file_of(name, make):
    def prepare(folder, size):
        (folder / name).write_bytes(make(size))
    return prepare


def write_counted(folder, code, kernels, rows, size):
    """A recording that counts `rows` instructions of each kernel in that cubin, as far as `size` goes."""
    cubin = hash_of(code)
    (folder / "r" / "cubins").mkdir(parents=True)
    (folder / "r" / "cubins" / f"{cubin:016x}.cubin").write_bytes(code)
    with open(folder / "r" / "records.jsonl", "w", encoding="utf-8") as out:
        written = out.write(hostile_recordings.header())
        for i, kernel in enumerate(kernels):
            if written >= size:
                break
            part = hostile_recordings.rows(rows)
            written += out.write(hostile_recordings.window(i, kernel, part, cubin) + hostile_recordings.tally(kernel))


def counted(make):
    """Half of the size is a cubin, the other half counts its kernels."""
    def prepare(folder, size):
        code = make(size // 2)
        kernels = hostile_cubins.kernels_of(code)
        write_counted(folder, code, kernels, max(1, size // 2 // 30 // max(1, len(kernels))), size // 2)
    return prepare


def beside_source(make):
    """Loads in the first lines of a source, each counted."""
    def prepare(folder, size):
        counted(hostile_cubins.lines_of_a_source)(folder, size // 4)
        (folder / "x.cu").write_text(hostile_files.source(make)(size), encoding="utf-8")
    return prepare


def ruled(make):
    """A project file beside a recording of as many accesses as fit."""
    def prepare(folder, size):
        counted(hostile_cubins.many_kernels)(folder, size)
        (folder / "rules.toml").write_text(make(size), encoding="utf-8")
    return prepare


def beside_small_recording(name, make):
    def prepare(folder, size):
        code = hostile_cubins.many_kernels(100_000)
        write_counted(folder, code, hostile_cubins.kernels_of(code), 1, 1_000_000)
        (folder / name).write_text(make(size), encoding="utf-8")
    return prepare


def launched(make):
    """PTX, and a recording of a large launch of each of its kernels."""
    def prepare(folder, size):
        text = "".join(make(size))
        (folder / "h.ptx").write_text(text, encoding="utf-8")
        (folder / "r").mkdir()
        shape = {"grid": [1000, 1, 1], "block": [256, 1, 1]}
        tallies = (hostile_recordings.tally(f"k{i}", shape=shape) for i in range(text.count(".entry")))
        (folder / "r" / "records.jsonl").write_text(hostile_recordings.header() + "".join(tallies), encoding="utf-8")
    return prepare


def all_inputs():
    grouped = of_forms(("text", "json", "html"), ("--group-by", "range"))
    for name in hostile_recordings.LINES:
        yield Input(name, recording_of(name), [of_forms(FORMS), grouped, *([words] for words in FURTHER)])
    for name, make in hostile_cubins.CUBINS.items():
        inspect = [["inspect", "--source-root", ".", "--format", form, "c.cubin"] for form in ("text", "json")]
        predict = [["predict", "--source-root", ".", "--scope", "all", "--format", form, "c.cubin"] for form in ("text", "json", "html")]
        yield Input(f"a cubin: {name}", file_of("c.cubin", make), [inspect, predict])
        if name != "packed images":
            yield Input(f"a recording and its cubin: {name}", counted(make),
                        [of_forms(("text", "json", "html")), grouped, *([words] for words in FURTHER)])
    for name in hostile_ptx.TEXTS:
        text = file_of("h.ptx", lambda size, name=name: "".join(hostile_ptx.TEXTS[name](size)).encode())
        yield Input(f"PTX: {name}", text, [[["predict", "h.ptx", "--format", "json"]]])
    for name in ("long loops over loaded addresses", "long loops that store to memory of the thread's own", "moves of carried values in a loop"):
        yield Input(f"PTX and launches of its kernels: {name}", launched(hostile_ptx.TEXTS[name]),
                    [[["predict", "h.ptx", "--launches", "r", "--format", "json"]]])
    for name, make in hostile_files.RULES.items():
        yield Input(f"rules: {name}", ruled(make), [of_forms(("text", "json"), ("--config", "rules.toml"))])
    for name, make in hostile_files.SOURCES.items():
        yield Input(f"a source: {name}", beside_source(make), [of_forms(("text", "json", "html")), *([words] for words in FURTHER[:3])])
    for name, make in hostile_files.BASELINES.items():
        yield Input(f"a baseline: {name}", beside_small_recording("base.txt", make),
                    [of_forms(("text", "json"), ("--baseline", "base.txt")), [["baseline", "check", "--tighten", "base.txt", "r"]]])
    for name, make in hostile_files.REPORTS.items():
        yield Input(f"a JSON report: {name}", beside_small_recording("report.json", make),
                    [[["diff", "--format", form, "report.json", "r"] for form in ("text", "json", "markdown")]])


def measure(words, folder):
    """(CPU seconds, MB, exit code, last line said)."""
    begin = time.monotonic()
    with open(folder / "said", "wb") as said, open(os.devnull, "wb") as nowhere:
        process = subprocess.Popen(words, stdout=nowhere, stderr=said, cwd=folder)
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > begin + TOO_LONG:
                os.kill(process.pid, signal.SIGKILL)
            time.sleep(0.01)
    lines = (folder / "said").read_text(errors="replace").splitlines()
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, os.waitstatus_to_exitcode(status), (lines or [""])[-1]


def prepared(one, folder, size):
    """The input's name; made in a process of its own, as what this one holds would count as the commands' memory."""
    pid = os.fork()
    if pid == 0:
        (folder / "name").write_text(one.prepare(folder, size) or one.name, encoding="utf-8")
        os._exit(0)
    if os.waitpid(pid, 0)[1] != 0:
        raise SystemExit(f"{one.name}: it could not be made")
    return (folder / "name").read_text(encoding="utf-8")


def row(*cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


class Rows:
    """A row for each list of an input's command lines: the most time, and the most memory, of any."""

    def __init__(self, command, size, end):
        self.command, self.size, self.end = command, size, end

    def of(self, one, done=0):
        """All but the first `done`, as they are measured; nothing more once the time is over."""
        if time.monotonic() > self.end:
            return
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            name = prepared(one, folder, self.size)
            for alike in one.commands[done:]:
                measured = []
                for words in alike:
                    if time.monotonic() > self.end:
                        return
                    measured.append((words, measure([self.command, *words], folder)))
                yield self.row(name, measured)

    @staticmethod
    def row(name, measured):
        slowest, largest = (max(measured, key=lambda it, key=key: it[1][key]) for key in (0, 1))
        seconds, megabytes, code = slowest[1][0], largest[1][1], slowest[1][2]
        good = seconds <= SECONDS and megabytes <= MEGABYTES
        words = " ".join(word for word in slowest[0] if word not in ("--source-root", "."))
        more = f" (worst of {len(measured)} forms)" if len(measured) > 1 else ""
        return row(name, words + more, f"{seconds:.1f}", f"{megabytes:.0f}", "ended" if code < 0 else code, "yes" if good else MISSED)


def in_order(inputs):
    """Those first of which the committed table does not say that all is well."""
    well = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        name = re.sub(r"^\| (\d+ )?", "", line).split(" |")[0]
        well[name] = well.get(name, True) and MISSED not in line
    return sorted(inputs, key=lambda one: well.get(one.name, False))


def add_to(folder, inputs, rows):
    """Measures what no other process has taken; a file for each input."""
    folder.mkdir(parents=True, exist_ok=True)
    for one in in_order(inputs):
        file = folder / f"{re.sub('[^a-z0-9]+', '-', one.name.lower())}.md"
        before = len(file.read_text(encoding="utf-8").splitlines()) if file.exists() else 0
        taken = file.with_suffix(".taken")
        with contextlib.suppress(FileExistsError), open(taken, "x", encoding="utf-8"):
            if before < len(one.commands):
                for text in rows.of(one, before):
                    with open(file, "a", encoding="utf-8") as out:
                        out.write(text + "\n")
            taken.unlink()


def kept_rows(folder, inputs):
    for one in inputs:
        file = folder / f"{re.sub('[^a-z0-9]+', '-', one.name.lower())}.md"
        if file.exists():
            yield from file.read_text(encoding="utf-8").splitlines()


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n", maxsplit=1)[0].removeprefix("usage: "))
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--megabytes", type=float, default=64)
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    chosen = [one for one in all_inputs() if arguments.only in one.name]
    if arguments.list:
        print("\n".join(one.name for one in chosen))
        return 0
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    command = str((arguments.build / "bin" / "coalcheck").resolve())
    rows = Rows(command, int(arguments.megabytes * (1 << 20)), time.monotonic() + arguments.seconds)
    if arguments.keep:
        add_to(arguments.keep, chosen, rows)
    found = kept_rows(arguments.keep, chosen) if arguments.keep else (text for one in chosen for text in rows.of(one))
    print(row(*COLUMNS), row(*["---"] * len(COLUMNS)), sep="\n")
    missed = False
    for text in found:
        print(text, flush=True)
        missed = missed or MISSED in text
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
