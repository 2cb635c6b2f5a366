# SPDX-License-Identifier: Apache-2.0
#
# scripts/measure-build with stand-ins for what makes and enters another root.
"""Run by ctest: measure_build_test.py Class.test_name."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import tools
import tree

MMDEBSTRAP = """for root; do :; done
mkdir -p "$root/usr/local/share/ca-certificates" "$root/etc/apt" "$root/dev" "$root/proc"
touch "$root/etc/apt/sources.list"
"""
# Runs the shell's command in the clone without entering the root.
CHROOT = """root="$1"
for command; do :; done
[ "$command" = update-ca-certificates ] || exec sh -c "$(echo "$command" | sed "s,cd /clone,cd $root/clone,")"
"""
CTEST = """echo 'Skipped tests: 65'
echo '99% tests passed, 3 tests failed out of 2122'"""
CI = """echo 'Skipped tests: 1'
echo '100% tests passed, 0 tests failed out of 20'
echo 'Skipped tests: 0'
echo '100% tests passed out of 30'"""


@unittest.skipIf(os.geteuid() != 0, "only root can enter another root")
class MeasureBuild(unittest.TestCase):
    def setUp(self):
        tools.need("git")
        scratch = tempfile.TemporaryDirectory(prefix="coalcheck-measure-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        for name, text in (("mmdebstrap", MMDEBSTRAP), ("chroot", CHROOT), ("mount", ""), ("umount", "")):
            self.script(self.folder / "bin" / name, text)
        self.clone = self.folder / "clone"
        self.script(self.clone / "scripts" / "setup", "mkdir -p .toolchain && touch .toolchain/env")
        self.script(self.clone / "scripts" / "test", f"{CTEST}; exit 8")
        self.script(self.clone / ".ci" / "run", f"[ -e .toolchain/env ] || exit 1; {CI}")
        shutil.copy2(tree.ROOT / "scripts" / "measure-build", self.clone / "scripts")
        for words in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "All"]):
            subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@b.example", *words], cwd=self.clone, check=True)

    def script(self, file, text):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/sh\n{text}\n")
        file.chmod(0o755)

    def measure(self, *words):
        """Its exit code, {step: cells} of its table, and what it said besides."""
        done = subprocess.run([self.clone / "scripts" / "measure-build", *words], text=True, check=False, capture_output=True,
                              env={**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}"}, timeout=60)
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in done.stdout.splitlines() if line[:2] == "| "]
        return done.returncode, {row[0]: dict(zip(rows[0], row)) for row in rows[1:]}, done.stderr

    def test_a_step_that_fails_is_marked_and_the_others_follow(self):
        code, rows, said = self.measure("--only", "setup,test,ci")
        self.assertEqual((code, list(rows)), (1, ["`setup`", "`test` **failed**", "`ci`"]), said)
        self.assertRegex(said.splitlines()[-1], r"^measure-build: error: failed: test \(/tmp/measure-build\.test\..*\)$")

    def test_how_many_tests_passed_is_said_for_each_suite(self):
        _, rows, _ = self.measure("--only", "setup,test,ci")
        self.assertEqual(rows["`setup`"]["tests"], "")
        self.assertEqual(rows["`test` **failed**"]["tests"], "3 failed of 2122, 65 skipped")
        self.assertEqual(rows["`ci`"]["tests"], "0 failed of 20, 1 skipped; 0 failed of 30, 0 skipped")

    def test_all_well_is_told_by_the_exit_code(self):
        code, rows, said = self.measure("--only", "setup")
        self.assertEqual((code, list(rows)), (0, ["`setup`"]), said)
        for column in ("load before", "wall s", "CPU s", "downloaded MB", "system MB", "clone MB"):
            self.assertRegex(rows["`setup`"][column], r"^\d+(\.\d+)?$", column)


if __name__ == "__main__":
    unittest.main()
