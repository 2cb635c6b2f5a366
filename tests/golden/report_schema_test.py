#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# The JSON report on every recording in the tree against the published schema.
"""Reports on what GPUs recorded are what docs/report.schema.json says."""

import copy
import json
import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import tools  # noqa: E402  # pylint: disable=wrong-import-position
from strict_schema import close_objects  # noqa: E402  # pylint: disable=wrong-import-position

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COALCHECK = pathlib.Path(os.environ["COALCHECK_BINARY_DIR"], "bin", "coalcheck")
SCHEMA = ROOT / "docs" / "report.schema.json"


def report(recording, *options):
    done = subprocess.run([COALCHECK, "report", "--format", "json", "--path-map", f"/tmp/coalcheck={ROOT}", *options,
                           recording], capture_output=True, timeout=60, check=False)
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)


class ReportSchema(unittest.TestCase):
    def setUp(self):
        self.schema = tools.module("jsonschema").Draft7Validator(close_objects(json.loads(SCHEMA.read_text(encoding="utf-8"))))

    def valid_reports(self, folder, *options):
        recordings = sorted(path.parent for path in (ROOT / "tests" / folder).glob("*/records.jsonl"))
        self.assertTrue(recordings)
        for recording in recordings:
            value = report(recording, *options)
            self.assertTrue(value["accesses"], recording)
            problems = [f"{list(error.absolute_path)}: {error.message}" for error in self.schema.iter_errors(value)]
            self.assertEqual(problems, [], recording)
        return value

    def test_every_recording_gives_a_valid_report(self):
        self.valid_reports("recordings")
        self.valid_reports("budgeted_recordings")
        self.valid_reports("uncounted_recordings")

    def test_every_recording_gives_a_valid_report_by_range(self):
        self.valid_reports("recordings", "--scope", "all", "--group-by", "range")

    def test_every_prediction_is_a_valid_report(self):
        for sample in ("transpose_naive", "aos_soa"):
            cubin = next((ROOT / "tests" / "recordings" / sample / "cubins").glob("*.cubin"))
            done = subprocess.run([COALCHECK, "predict", "--format", "json", cubin], capture_output=True, timeout=60, check=False)
            value = json.loads(done.stdout)
            problems = [f"{list(error.absolute_path)}: {error.message}" for error in self.schema.iter_errors(value)]
            self.assertEqual(problems, [], sample)

    def test_every_recording_with_samples_gives_a_valid_report(self):
        value = self.valid_reports("sampled_recordings")
        self.assertTrue(value["cost"]["kernels"], "no recording with samples was among them")
        broken = copy.deepcopy(value)
        broken["accesses"][0]["sectors"] = "many"
        self.assertFalse(self.schema.is_valid(broken), "a check that cannot fail checks nothing")


if __name__ == "__main__":
    unittest.main()
