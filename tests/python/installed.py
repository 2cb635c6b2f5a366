# SPDX-License-Identifier: Apache-2.0
"""The wheel of this build and the fresh environment that it is installed in, for the tests of the Python package."""

import os
import pathlib
import subprocess
import unittest

import tools

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ["COALCHECK_BINARY_DIR"]) / "python"
VENV = BUILD / "venv"
PYTHON = VENV / "bin" / "python"
RECORDINGS = ROOT / "tests" / "recordings"


def environment(**more):
    """This process's, without what would show in another's."""
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("COALCHECK_", "PYTHON", "PYTEST_", "VIRTUAL_ENV", "CUDA_", "NVTX_"))}
    return {**kept, "PYTHONDONTWRITEBYTECODE": "1", **more}


def run(*words, check=True, timeout=100, env=None, **more):
    more.setdefault("input", "")
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=timeout, check=False,
                          env=environment(**(env or {})), **more)
    if check and done.returncode != 0:
        raise AssertionError(f"{words} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done


def python(code, **more):
    """What a program prints in the environment where the wheel is installed."""
    return run(PYTHON, "-c", code, **more)


class InstalledTest(unittest.TestCase):
    def setUp(self):
        tools.python_packages()
        if not PYTHON.exists():
            self.fail("the wheel is not installed: run Wheel.is_built_and_installed first")
