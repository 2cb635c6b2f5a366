# SPDX-License-Identifier: Apache-2.0
"""Shows on a GPU what of the Python package can be shown nowhere else, as a table: check.py WHEEL [--repeat N].

Installs the wheel, without its dependencies, into a folder that goes again, and uses whatever this interpreter has:
PyTorch, Triton, CuPy, Numba, pytest, pytest-xdist, ipykernel. What is missing is a row that says so. The exit code is 1 where
a row is not as it has to be.
"""

import argparse
import importlib.util
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "python"))
os.environ.setdefault("COALCHECK_BINARY_DIR", "unused")
FRAMEWORKS = ("triton", "cupy", "numba")
CELLS = ["%load_ext coalcheck",
         "from numba import cuda\nimport numpy\n@cuda.jit(lineinfo=True)\ndef scale(values):\n    i = cuda.grid(1)\n"
         "    values[i * 32] *= 2\nvalues = cuda.to_device(numpy.ones(65536 * 32, numpy.float32))",
         "%%coalcheck --kernel *scale*\nscale[256, 256](values)\ncuda.synchronize()"]


class Table:
    def __init__(self, site):
        self.environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), str(HERE)]),
                            "PYTHONDONTWRITEBYTECODE": "1"}
        self.library = site / "coalcheck" / "lib" / "libcoalcheck.so"
        self.failed = False

    def row(self, name, good, shown):
        self.failed |= not good
        print(f"{'ok  ' if good else 'FAIL'}  {name}: {shown}", flush=True)

    def run(self, *words, **more):
        environment = {**self.environment, **more.pop("env", {})}
        return subprocess.run([sys.executable, *map(str, words)], env=environment, capture_output=True, text=True, timeout=300,
                              check=False, **more)


def there(name):
    return importlib.util.find_spec(name) is not None


def doctor(table):
    done = table.run("-m", "coalcheck", "doctor")
    table.row("doctor", done.returncode == 0, done.stdout.strip().splitlines()[-1:])


def tests(table, folder, words):
    done = table.run("-m", "pytest", "-rA", "-p", "no:cacheprovider", "--coalcheck", "--coalcheck-recording", folder / "kept",
                     *words, HERE / "coalesced_cases.py")
    found = dict(reversed(pair) for pair in re.findall(r"^(PASSED|FAILED|SKIPPED) .*::test_(\w+)", done.stdout, re.M))
    for name in FRAMEWORKS:
        if f"{name}_strided" not in found:
            why = "it is not installed" if not there(name) else "skipped"
            table.row(" ".join(["pytest", *words, name]), not there(name), f"not shown: {why}")
            continue
        outcome = (found[f"{name}_strided"], found.get(f"{name}_repaired"))
        table.row(" ".join(["pytest", *words, name]), outcome == ("FAILED", "PASSED"), f"strided, repaired: {outcome}")
    nothing = found.get("that_launches_nothing_fails")
    table.row("pytest, a test that launches nothing", nothing == "FAILED", nothing)
    if table.failed:
        print(done.stdout + done.stderr)


def costs(table, repeat):
    """Seconds of 300 steps: natively, with the variable, with enable(), in turn."""
    ways = {"native": ([], {}), "variable": ([], {"CUDA_INJECTION64_PATH": str(table.library)}), "enable()": (["enable"], {})}
    times = {name: [] for name in ways}
    for _ in range(repeat):
        for name, (words, env) in ways.items():
            done = table.run(HERE / "training.py", *words, env=env)
            if done.returncode != 0:
                table.row(f"training, {name}", False, done.stderr[-500:])
                return
            times[name].append(float(done.stdout.split()[0]))
    for name, seconds in times.items():
        spread = f"{min(seconds):.3f} to {max(seconds):.3f}"
        table.row(f"training of 300 steps, {name}", True, f"median {statistics.median(seconds):.3f} s ({spread})")


def notebook(table, folder):
    from notebook_test import DRIVER

    done = table.run("-c", DRIVER, input=json.dumps(CELLS), cwd=folder)
    if done.returncode != 0:
        table.row("notebook", False, done.stderr[-500:])
        return
    shown = json.loads(done.stdout.splitlines()[-1])[-1]
    lines = sorted(set(re.findall(r"In\[\d+\]:\d+", shown["html"])))
    table.row("notebook", bool(lines), f"lines {lines} {shown['text']}{shown['error']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wheel", type=pathlib.Path)
    parser.add_argument("--repeat", type=int, default=5, help="how often each training is timed (default: 5)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="coalcheck-python-") as scratch:
        folder = pathlib.Path(scratch)
        subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", folder / "site",
                        arguments.wheel], check=True)
        table = Table(folder / "site")
        doctor(table)
        if there("pytest"):
            tests(table, folder, [])
            if there("xdist"):
                tests(table, folder, ["-n", "2"])
        if there("torch"):
            done = table.run(HERE / "in_program.py", cwd=folder)
            table.row("in a program", done.returncode == 0, "\n" + done.stdout + done.stderr[-1500:])
            costs(table, arguments.repeat)
        if there("ipykernel") and there("numba"):
            notebook(table, folder)
        missing = [name for name in ("pytest", "xdist", "torch", "ipykernel", *FRAMEWORKS) if not there(name)]
        print("not installed here:", ", ".join(missing) or "nothing")
    return 1 if table.failed else 0


if __name__ == "__main__":
    sys.exit(main())
