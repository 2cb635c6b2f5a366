#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Holds the doctor's JSON, of made-up machines and of this one, against the published schema, with
# nothing allowed that it does not name.
import copy
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import tools  # noqa: E402  # pylint: disable=wrong-import-position
from strict_schema import close_objects  # noqa: E402  # pylint: disable=wrong-import-position


def main():
    jsonschema = tools.module("jsonschema")
    schema_file, samples, command = sys.argv[1:]
    with open(schema_file, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    strict = close_objects(copy.deepcopy(schema))
    diagnoses = json.loads(subprocess.run([samples], check=True, capture_output=True).stdout)
    here = subprocess.run([command, "doctor", "--format", "json", "--no-self-test"], check=False,
                          capture_output=True)
    diagnoses.append(json.loads(here.stdout))
    if here.returncode != diagnoses[-1]["exit_code"]:
        sys.exit(f"exit code {here.returncode}, but the JSON says {diagnoses[-1]['exit_code']}")
    for diagnosis in diagnoses:
        jsonschema.validate(diagnosis, strict, cls=jsonschema.Draft7Validator)
    states = {check["state"] for diagnosis in diagnoses for check in diagnosis["checks"]}
    if states != {"ok", "warning", "problem", "unknown"}:
        sys.exit(f"only these states were checked: {states}")

    # A check that cannot fail checks nothing.
    broken = copy.deepcopy(diagnoses[0])
    broken["checks"][0]["state"] = "fine"
    if jsonschema.Draft7Validator(schema).is_valid(broken):
        sys.exit("the schema accepts a state that there is not")
    print("valid, and every key is in the schema")


tools.run_for_ctest(main)
