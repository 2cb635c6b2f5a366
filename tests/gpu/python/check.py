# SPDX-License-Identifier: Apache-2.0
"""Shows on a GPU what of the Python package can be shown nowhere else, as a table.

Installs the wheel into a fresh environment beside all that this interpreter has (PyTorch, Triton, CuPy, Numba …), without a
network: what is missing for the check itself, as pytest, comes from --tools. What cannot be shown for want of a package is a
row that says so. The exit code is 1 where a row is not as it has to be.
"""

import argparse
import importlib.util
import os
import pathlib
import re
import shlex
import statistics
import subprocess
import sys
import sysconfig
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent.parent / "python"), str(HERE.parent.parent / "support")]
os.environ.setdefault("COALCHECK_BINARY_DIR", "unused")
import examples  # noqa: E402  # pylint: disable=wrong-import-position

FRAMEWORKS = ("triton", "cupy", "numba")
TOOLS = {"pytest": "pytest", "xdist": "pytest-xdist", "ipykernel": "ipykernel", "pandas": "pandas"}


def there(name):
    return importlib.util.find_spec(name) is not None


class Table:
    """Rows, and programs in the environment that has the wheel."""

    def __init__(self, venv):
        self.venv = venv
        (self.library,) = venv.glob("lib/python3*/site-packages/coalcheck/lib/libcoalcheck.so")
        self.environment = {**os.environ, "PYTHONPATH": str(HERE), "PYTHONDONTWRITEBYTECODE": "1",
                            "CUPY_CACHE_DIR": str(venv / "cupy"), "PATH": f"{venv}/bin:{os.environ['PATH']}"}
        self.failed = []

    def row(self, name, good, shown):
        self.failed += [] if good else [name]
        print(f"{'ok  ' if good else 'FAIL'}  {name}: {str(shown).strip()}", flush=True)

    def run(self, *words, **more):
        return self._start([self.venv / "bin" / "python", *map(str, words)], **more)

    def shell(self, line, **more):
        words = shlex.split(line)
        if words[0] == "pytest":  # which may be installed for the other interpreter
            return self.run("-m", *words, **more)
        return self._start(words, **more)

    def _start(self, words, **more):
        environment = {**self.environment, **more.pop("env", {})}
        if "input" not in more:
            more["stdin"] = subprocess.DEVNULL
        return subprocess.run(words, env=environment, capture_output=True, text=True, timeout=300, check=False, **more)


def make_environment(folder, wheel, tools):
    """A fresh one, which sees what this interpreter sees and has the wheel beside it."""
    venv = folder / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    (site,) = venv.glob("lib/python3*/site-packages")
    # So that the files there that say more are read, too: as Numba's, which puts numba-cuda in the place of its own.
    (site / "given.pth").write_text(f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n")
    pips = sorted(tools.glob("pip-*.whl")) if tools else []
    pip = [sys.executable, f"{pips[-1]}/pip"] if pips else [sys.executable, "-m", "pip"]
    install = [*pip, "--python", venv / "bin" / "python", "install", "-q", "--no-index"]
    subprocess.run([*install, "--no-deps", wheel], check=True)
    missing = [project for module, project in TOOLS.items() if not there(module)]
    if tools and missing:
        subprocess.run([*install, "--find-links", tools, *missing], check=True)
    return venv


def doctor(table, _):
    done = table.run("-m", "coalcheck", "doctor")
    table.row("doctor", done.returncode == 0, done.stdout.strip().splitlines()[-1:])
    timed = "import time\nbegin = time.perf_counter()\nimport coalcheck\nprint(time.perf_counter() - begin)"
    seconds = [float(table.run("-c", timed).stdout) for _ in range(10)]
    table.row("import coalcheck", statistics.median(seconds) < 0.05, f"median {1e3 * statistics.median(seconds):.1f} ms of 10")


def tests(table, folder):
    for words in ([], ["-n", "2"]):
        done = table.run("-m", "pytest", "-rA", "-p", "no:cacheprovider", "--coalcheck", "--coalcheck-recording",
                         folder / "kept", *words, HERE / "coalesced_cases.py")
        found = dict(reversed(pair) for pair in re.findall(r"^(PASSED|FAILED|SKIPPED) .*::test_(\w+)", done.stdout, re.M))
        before = len(table.failed)
        for name in FRAMEWORKS:
            row = " ".join(["pytest", *words, name])
            outcome = (found.get(f"{name}_strided"), found.get(f"{name}_repaired"))
            if there(name):
                table.row(row, outcome == ("FAILED", "PASSED"), f"strided, repaired: {outcome}")
            else:
                table.row(row, True, "not shown: it is not installed")
        nothing = found.get("that_launches_nothing_fails")
        table.row(" ".join(["pytest", *words, "a test that launches nothing"]), nothing == "FAILED", nothing)
        if len(table.failed) > before:
            print(done.stdout + done.stderr)


def program(table, folder):
    done = table.run(HERE / "in_program.py", cwd=folder)
    table.row("in a program", done.returncode == 0, "\n" + done.stdout + done.stderr[-1500:])


def lines(table, folder):
    """Of CuPy and Inductor twice: compiled, and out of their caches."""
    wanted = {"cupy": r"out\[column", "triton": r"tl\.(load|store)",
              "inductor": r"tl\.(load|store).*made from \S*lines\.py:\d+ in column: return x\[:, 0\] \+ 1"}
    for words in ("cupy", "cupy", "triton", "inductor", "inductor"):
        done = table.run(HERE / "lines.py", words, cwd=folder, env={"TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor")})
        good = re.search(wanted[words], done.stdout)
        table.row(f"quoted lines of {words}", bool(good), done.stdout if good else done.stdout + done.stderr[-1500:])


def autotuning(table, folder):
    for words in ("triton", "inductor"):
        done = table.run(HERE / "autotuned.py", words, cwd=folder)
        good = re.search(r'"autotuning": [1-9]', done.stdout)
        table.row(f"autotuning of {words}: launches, checked, skipped", bool(good),
                  done.stdout if good else done.stdout + done.stderr[-1500:])


def costs(table, folder, repeat=5):
    """Seconds of 300 steps: natively, with the variable, with enable(), in turn."""
    ways = {"native": ([], {}), "variable": ([], {"CUDA_INJECTION64_PATH": str(table.library)}), "enable()": (["enable"], {})}
    times = {name: [] for name in ways}
    for _ in range(repeat):
        for name, (words, env) in ways.items():
            done = table.run(HERE / "training.py", *words, env=env, cwd=folder)
            if done.returncode != 0:
                return table.row(f"training, {name}", False, done.stderr[-500:])
            times[name].append([float(word) for word in done.stdout.split()[:2]])
    for name, both in times.items():
        for seconds, what in zip(zip(*both), ("300 steps", "the whole process")):
            spread = f"{min(seconds):.3f} to {max(seconds):.3f}"
            table.row(f"{what}, {name}", True, f"median {statistics.median(seconds):.3f} s ({spread})")
    return None


PARTS = {"doctor": doctor, "tests": tests, "program": program, "examples": examples.run, "lines": lines,
         "autotuning": autotuning, "costs": costs}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=pathlib.Path)
    parser.add_argument("--tools", type=pathlib.Path, metavar="FOLDER", help="wheels of pytest, ipykernel, pandas, pip")
    parser.add_argument("--repeat", type=int, default=5, help="how often each training is timed (default: 5); 0: not at all")
    parser.add_argument("--only", action="append", choices=PARTS, help="these parts alone; repeatable")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="coalcheck-python-") as scratch:
        folder = pathlib.Path(scratch)
        table = Table(make_environment(folder, arguments.wheel.absolute(), arguments.tools and arguments.tools.absolute()))
        for name in arguments.only or PARTS:
            work = folder / name
            work.mkdir()
            if name == "costs":
                if arguments.repeat > 0:
                    costs(table, work, arguments.repeat)
            else:
                PARTS[name](table, work)
        print("not as it has to be:", ", ".join(table.failed) or "nothing")
    return 1 if table.failed else 0


if __name__ == "__main__":
    sys.exit(main())
