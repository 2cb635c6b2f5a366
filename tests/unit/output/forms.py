# SPDX-License-Identifier: Apache-2.0
#
# Sample reports in every form, for tests that hold them against other people's readers.
"""What the tests of the report's forms have in common."""

import functools
import json
import os
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ["COALCHECK_BINARY_DIR"])
PROGRAM = BUILD / "bin" / "print_sample_report"
KINDS = ("full", "fields", "hostile", "many", "suppressed", "nothing")


@functools.lru_cache(maxsize=None)
def form(name, kind="full"):
    """The bytes of a sample report."""
    return subprocess.run([PROGRAM, name, kind], check=True, capture_output=True, timeout=60).stdout


@functools.lru_cache(maxsize=None)
def report(kind="full"):
    """The same report as our own JSON, to compare with."""
    return json.loads(form("json", kind))


def findings(kind):
    return [access for access in report(kind)["accesses"] if access["finding"]]


def strings(value):
    """Every string in a JSON value, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


def control_characters(text):
    return [character for character in text if (ord(character) < 32 and character != "\n") or 127 <= ord(character) < 160]
