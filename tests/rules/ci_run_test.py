# SPDX-License-Identifier: Apache-2.0
#
# .ci/run over stand-ins for the scripts that it starts.
"""Run by ctest: ci_run_test.py Class.test_name."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import tree

PARTS = ["scripts/setup --tests --clang-tidy", "scripts/tidy-changed --no-setup", "scripts/check-headers",
         "scripts/test --no-setup --preset asan", "scripts/test --no-setup --preset tsan", "scripts/test --no-setup"]
TIME = r" +\d+ min \d\d s  "


class CiRun(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="coalcheck-ci-run-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        for name in (".ci", "scripts"):
            (self.folder / name).mkdir()
        shutil.copy2(tree.ROOT / ".ci" / "run", self.folder / ".ci")
        for name in ("setup", "tidy-changed", "check-headers", "test"):
            self.script(name, "exit 0")

    def script(self, name, text):
        file = self.folder / "scripts" / name
        file.write_text(f"#!/bin/sh\n{text}\n")
        file.chmod(0o755)

    def run_it(self, **variables):
        done = subprocess.run([self.folder / ".ci" / "run"], env={**os.environ, **variables}, text=True, check=False,
                              capture_output=True, timeout=60)
        return done.returncode, done.stdout.splitlines()

    def test_how_long_each_part_took_is_said_at_the_end(self):
        code, said = self.run_it()
        self.assertEqual(code, 0)
        self.assertEqual(said[:2], ["", ".ci/run took"])
        self.assertEqual(len(said), 2 + len(PARTS) + 1)
        for line, part in zip(said[2:], [*PARTS, "in all"]):
            self.assertRegex(line, f"^{TIME}{part}$")

    def test_a_part_that_fails_is_the_last(self):
        self.script("check-headers", "exit 7")
        code, said = self.run_it()
        self.assertEqual(code, 7)
        self.assertRegex(said[-2], f"^{TIME}scripts/check-headers \\(failed\\)$")
        self.assertEqual(len(said), 2 + 3 + 1)

    def test_more_than_its_minutes_fail(self):
        self.script("check-headers", "sleep 1.1")
        code, said = self.run_it(COALCHECK_CI_MINUTES="0")
        self.assertEqual((code, said[-1]), (
            1, ".ci/run: that is more than 0 minutes"))


if __name__ == "__main__":
    unittest.main()
