# SPDX-License-Identifier: Apache-2.0
#
# This project's own gate without a GPU: the samples' compiled code, by the launches of their recordings, against
# their baselines; and beside it the counts of the same recordings, which are the truth.
"""Run by ctest, one test function at a time: predicted_samples_test.py PredictedSamples.test_name."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COALCHECK = os.path.join(os.environ["COALCHECK_BINARY_DIR"], "bin", "coalcheck")
RECORDINGS = sorted(folder for folder in (ROOT / "tests" / "recordings").iterdir() if folder.is_dir())
COMMON = ["--config", "none", "--source-root", str(ROOT), "--path-map", f"/tmp/coalcheck={ROOT}",
          "--same-sources"]


def coalcheck(*words):
    """Exit code and standard output."""
    done = subprocess.run([COALCHECK, *map(str, words), *COMMON], capture_output=True, text=True, check=False, timeout=120)
    return done.returncode, done.stdout


def predict(recording, *words):
    return coalcheck("predict", *sorted((recording / "cubins").glob("*.cubin")), "--launches", recording, *words)


def accesses(said):
    """By kernel, lines and kind; equal keys would hide each other."""
    rows = json.loads(said)["accesses"]
    table = {(one["kernel"], one["line"], one["kind"], tuple((frame["file"], frame["line"]) for frame in one["inline"])): one
             for one in rows if one["line"] is not None}
    assert len(table) == sum(one["line"] is not None for one in rows), "two accesses have one key"
    return table


def helpful_moves(kernel):
    return [(one["move"], one["text"]) for one in kernel["tried"] if one["outcome"] == "helps"]


class PredictedSamples(unittest.TestCase):
    def test_every_sample_passes_its_gate(self):
        for recording in RECORDINGS:
            with self.subTest(recording.name):
                baseline = ROOT / "samples" / recording.name / "coalcheck.baseline"
                code, said = predict(recording, "--baseline", baseline, "--max-unknown", "40")
                self.assertEqual(code, 0, said)
                self.assertIn("predicted: no ", said)
                self.assertNotIn("better than the baseline", said)

    def test_a_finding_that_the_baseline_does_not_know_fails_the_gate(self):
        recording = ROOT / "tests" / "recordings" / "transpose_naive"
        lines = (ROOT / "samples" / "transpose_naive" / "coalcheck.baseline").read_text().splitlines(keepends=True)
        with tempfile.TemporaryDirectory() as folder:
            baseline = pathlib.Path(folder) / "coalcheck.baseline"
            baseline.write_text("".join(lines[:2]))
            code, said = predict(recording, "--baseline", baseline)
        self.assertEqual(code, 1, said)

    def test_a_baseline_of_either_kind_is_checked_by_either_and_said(self):
        recording = ROOT / "tests" / "recordings" / "aos_soa"
        code = next((recording / "cubins").glob("*.cubin"))
        with tempfile.TemporaryDirectory() as folder:
            baseline = pathlib.Path(folder) / "base.txt"
            for made_of, words in ((code, "(of a prediction): 0 new"), (recording, "base.txt: 0 new")):
                self.assertEqual(coalcheck("baseline", "write", baseline, made_of)[0], 0)
                for checked in (code, recording):
                    result, said = coalcheck("baseline", "check", baseline, checked)
                    self.assertEqual(result, 0, said)
                    self.assertIn(words, said)
                    self.assertEqual("predicted: no new finding" in said, checked == code)

    def test_what_is_predicted_is_what_was_counted(self):
        compared = changes = 0
        for recording in RECORDINGS:
            _, counted = coalcheck("report", recording, "--format", "json")
            _, predicted = predict(recording, "--format", "json")
            compared += self.compare_accesses(recording, accesses(predicted), accesses(counted))
            changes += self.compare_changes(recording, json.loads(predicted)["moves"], json.loads(counted)["moves"])
        self.assertGreater(compared, 200)
        self.assertGreater(changes, 50)

    def compare_accesses(self, recording, told, counted):
        compared = 0
        for key, truth in counted.items():
            if truth["requests"] == 0 or truth["line"] is None:
                continue
            with self.subTest(recording.name, access=key):
                one = told[key]
                if one["lanes_by_data"]:
                    self.assertEqual(one["predicted"], "unknown")
                    continue
                self.assertEqual(one["predicted"], "wasteful" if truth["finding"] else "clean")
                self.assertAlmostEqual(one["wasted_share_percent"], truth["wasted_share_percent"], delta=1)
                self.assertEqual(one["requests"], truth["requests"])
                self.assertEqual(one["sectors"], truth["sectors"])
                compared += 1
        return compared

    def compare_changes(self, recording, told, counted):
        told = {one["kernel_mangled"]: helpful_moves(one) for one in told}
        for truth in counted:
            with self.subTest(recording.name, kernel=truth["kernel"]):
                self.assertEqual(told[truth["kernel_mangled"]], helpful_moves(truth))
        return len(counted)


if __name__ == "__main__":
    unittest.main()
