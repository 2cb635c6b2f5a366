# SPDX-License-Identifier: Apache-2.0
#
# The gate over the project's own samples, as a pipeline runs it.
"""Run by ctest: samples_gate_test.py Class.test_name."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest


ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ["COALCHECK_BINARY_DIR"])
NO_GPU = 4


def gate(root, *words):
    done = subprocess.run([root / "scripts" / "gate-samples", "--build-dir", BUILD, *words], capture_output=True,
                          text=True, check=False, stdin=subprocess.DEVNULL, timeout=590)
    return done.returncode, done.stdout + done.stderr


class SamplesGate(unittest.TestCase):
    def project(self, sample):
        """A project of one sample, its recording and its baseline, which the test may change."""
        scratch = tempfile.TemporaryDirectory(prefix="coalcheck-gate-")
        self.addCleanup(scratch.cleanup)
        root = pathlib.Path(scratch.name)
        for part in (f"samples/{sample}", f"tests/recordings/{sample}"):
            shutil.copytree(ROOT / part, root / part)
        (root / "scripts").mkdir()
        shutil.copy(ROOT / "scripts" / "gate-samples", root / "scripts")
        return root, root / "samples" / sample / "coalcheck.baseline"

    def test_every_sample_passes_from_its_recording(self):
        code, said = gate(ROOT)
        self.assertEqual(code, 0, said)
        samples = [folder for folder in (ROOT / "tests" / "recordings").iterdir() if folder.is_dir()]
        self.assertIn(f"gate-samples: samples: {len(samples)} pass, 0 skipped\n", said)

    def test_none_judged_is_no_pass(self):
        code, said = gate(ROOT, "common")
        self.assertEqual(code, 3, said)
        self.assertIn("no sample could be judged", said)

    def test_every_sample_passes_live(self):
        code, said = gate(ROOT, "--live")
        if code == NO_GPU:
            self.skipTest("no GPU: " + said.strip().rpartition("error: ")[2])
        self.assertEqual(code, 0, said)

    def test_a_finding_that_the_baseline_does_not_know_fails_it(self):
        root, baseline = self.project("transpose_naive")
        lines = baseline.read_text().splitlines(keepends=True)
        baseline.write_text("".join(lines[:2]))
        code, said = gate(root)
        self.assertEqual(code, 1, said)
        self.assertIn("transpose_naive: FAILED, exit code 1", said)
        self.assertIn("transpose_naive.cu:17: store wastes 87.5 %", said)

    def test_a_finding_that_is_gone_or_better_fails_it(self):
        root, baseline = self.project("transpose_naive")
        text = baseline.read_text()
        finding = text.splitlines(keepends=True)[2]
        another = finding.replace(finding.split("\t")[0], "0123456789abcdef")
        for changed in (text.replace("\t28\t87.5\t", "\t30\t93.8\t"), text + another):
            self.assertNotEqual(changed, text)
            baseline.write_text(changed)
            code, said = gate(root)
            self.assertEqual(code, 1, said)
            self.assertIn("transpose_naive: FAILED, exit code 0", said)
            self.assertIn("+++ found", said)

    def test_a_sample_that_is_not_there_is_a_mistake(self):
        code, said = gate(ROOT, "no_such_sample")
        self.assertEqual(code, 2)
        self.assertIn("there is no sample no_such_sample", said)


if __name__ == "__main__":
    unittest.main()
