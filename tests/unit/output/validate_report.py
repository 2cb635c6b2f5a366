#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Runs a program that prints a JSON report and holds the output against the published schema, twice:
# as it is, and with nothing allowed that it does not name, so that no key stays undocumented.
import copy
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import tools  # noqa: E402  # pylint: disable=wrong-import-position
from strict_schema import close_objects  # noqa: E402  # pylint: disable=wrong-import-position


def empty_arrays(report, path="$"):
    """Arrays without an element, which would make the check of their elements empty."""
    if isinstance(report, dict):
        for key, value in report.items():
            yield from empty_arrays(value, f"{path}.{key}")
    elif isinstance(report, list):
        if not report:
            yield path
        for value in report:
            yield from empty_arrays(value, f"{path}[]")


def main():
    jsonschema = tools.module("jsonschema")
    schema_file, program = sys.argv[1:]
    with open(schema_file, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    report = json.loads(subprocess.run([program], check=True, capture_output=True).stdout)
    jsonschema.validate(report, schema, cls=jsonschema.Draft7Validator)
    strict = close_objects(copy.deepcopy(schema))
    jsonschema.validate(report, strict, cls=jsonschema.Draft7Validator)

    always_empty = set(empty_arrays(report))
    for row in ("accesses", "unattributed", "kernels", "recordings", "by_range", "local_memory", "fetched_again"):
        if f"$.{row}" in always_empty:
            sys.exit(f"the sample report has no {row}: its schema was not checked")

    # A check that cannot fail checks nothing.
    broken = copy.deepcopy(report)
    broken["accesses"][0]["instructions"][0]["pc"] = "16"
    if jsonschema.Draft7Validator(schema).is_valid(broken):
        sys.exit("the schema accepts a pc that is a string")
    print("valid, and every key is in the schema")


tools.run_for_ctest(main)
