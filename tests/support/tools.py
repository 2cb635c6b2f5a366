# SPDX-License-Identifier: Apache-2.0
#
# What tests need and not every machine has. A test asks for it here, and is skipped where it is missing.
"""Programs, modules of Python, and what scripts/setup puts into .toolchain/ for tests."""

import importlib
import os
import pathlib
import shutil
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TOOLCHAIN = pathlib.Path(os.environ.get("COALCHECK_TOOLCHAIN", ROOT / ".toolchain"))
EXIT_SKIPPED = 77  # for ctest
NOT_INSTALLED = "not installed: "

_TESTS, _TOOLS, _CLANG = (f"scripts/setup {option}" for option in ("--tests", "--tools", "--clang-tidy"))
# Every program and module that a test may ask for, and what brings it.
PROGRAMS = {
    "callgrind_annotate": _TOOLS, "check-jsonschema": _TOOLS, "chromedriver": _TOOLS, "chromium": _TOOLS, "clang++-16": _CLANG,
    "clang-format-14": _TOOLS, "clang-tidy-16": _CLANG, "dpkg-shlibdeps": "scripts/setup", "file": "scripts/setup",
    "fish": _TOOLS, "git": _TOOLS, "hadolint": _TOOLS, "jq": _TOOLS, "man": _TOOLS, "mandoc": _TOOLS, "time": _TOOLS,
    "xmllint": _TESTS, "yamllint": _TOOLS, "zsh": _TOOLS,
}
MODULES = {"jsonschema": _TESTS, "yaml": _TESTS}


def need(*programs):
    """Skips the test unless all of these are here; returns the path of the first."""
    places = f"{TOOLCHAIN}/linters/bin:{os.environ['PATH']}"
    found = [shutil.which(program, path=places) for program in programs]
    missing = [program for program, place in zip(programs, found) if not place]
    if missing:
        _skip(missing, {PROGRAMS[program] for program in programs})
    return found[0]


def module(name):
    """Skips the test unless Python has this module; returns it."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return _skip([f"Python's {name}"], {MODULES[name]})


def python_packages():
    """Skips the test unless the list scripts/python-tests.txt is installed; returns the folder with it."""
    wanted = ROOT / "scripts" / "python-tests.txt"
    here = TOOLCHAIN / "python" / wanted.name
    if not here.exists() or here.read_text() != wanted.read_text():
        _skip([f"scripts/{wanted.name}"], {_TESTS})
    return here.parent


def sarif_schema():
    """Skips the test unless the official schema of SARIF 2.1.0 is here; returns its file."""
    schema = TOOLCHAIN / "schemas" / "sarif-schema.json"
    if not schema.exists():
        _skip([schema.name], {_TESTS})
    return schema


def _skip(missing, brought_by):
    raise unittest.SkipTest(f"{NOT_INSTALLED}{', '.join(missing)} ({', '.join(sorted(brought_by))})")


def run_for_ctest(main):
    """Runs a check that is no unittest, which may be skipped, too."""
    try:
        main()
    except unittest.SkipTest as skip:
        print(skip)
        sys.exit(EXIT_SKIPPED)
