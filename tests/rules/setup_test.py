# SPDX-License-Identifier: Apache-2.0
#
# scripts/setup where something is missing: programs that stand in for the system's say what.
"""Run by ctest: setup_test.py Class.test_name."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import tree

NOBODY = 65534
NO_NETWORK = "echo \"Could not resolve 'deb.debian.org'\"; exit 100"
FULL = "echo 'OSError: [Errno 28] No space left on device'; exit 1"


class Setup(unittest.TestCase):
    """Each case ends with one sentence, and leaves nothing but logs."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="coalcheck-setup-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.folder.chmod(0o755)
        self.clone = self.folder / "clone"
        (self.clone / "scripts").mkdir(parents=True)
        for name in ("setup", "cuda-toolkit.txt", "schemas.txt", "linters.txt", "python-tests.txt"):
            shutil.copy2(tree.ROOT / "scripts" / name, self.clone / "scripts")
        self.programs = self.folder / "bin"
        self.programs.mkdir()
        self.program("dpkg-query", "printf 'ii '")
        self.program("dpkg", "exit 0")
        self.program("apt-get", "exit 0")
        self.program("python3", "exit 0")
        self.toolkit(self.folder, "exit 0")

    def toolkit(self, folder, compiles):
        """Makes a toolkit of what is looked for before it has to compile."""
        self.program(f"{folder}/bin/nvcc", f'case "$1" in --version) echo "release 13.0, V13.0.1";; *) {compiles};; esac')
        (folder / "include").mkdir()
        (folder / "include" / "cupti_sass_metrics.h").touch()

    def program(self, name, script):
        file = self.programs / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)
        return file

    def run_setup(self, as_nobody=False, **variables):
        """Runs it; its exit code, and the lines that it said on standard error."""
        command = [self.clone / "scripts" / "setup"]
        if as_nobody and os.geteuid() == 0:
            command = [shutil.which("setpriv"), f"--reuid={NOBODY}", "--clear-groups", *command]
        done = subprocess.run(command, env={"PATH": f"{self.programs}:/usr/bin:/bin", **variables}, text=True,
                              capture_output=True, timeout=60, check=False, stdin=subprocess.DEVNULL)
        return done.returncode, done.stderr.splitlines()

    def assert_fails(self, sentence, **how):
        code, said = self.run_setup(**how)
        self.assertEqual((code, len(said)), (1, 1), said)
        self.assertRegex(said[0], f"^setup: error: .*{sentence}")
        left = sorted(file.name for file in self.clone.glob(".toolchain/*") if file.suffix != ".log")
        self.assertEqual(left, [])

    def test_no_network_for_packages(self):
        self.program("dpkg-query", "exit 1")
        self.program("apt-get", NO_NETWORK)
        if os.geteuid() != 0:
            self.program("sudo", 'exec "$@"')
        self.assert_fails("nothing can be downloaded .*apt-update.log.*try again with a network")

    def test_no_network_for_what_comes_from_pypi(self):
        self.program("python3", NO_NETWORK)
        self.assert_fails("nothing can be downloaded .*try again with a network")

    def test_a_disk_that_gets_full(self):
        self.program("python3", FULL)
        self.assert_fails("the disk is full .*free some space and try again")

    def test_a_disk_that_is_full(self):
        self.program("df", "printf 'Avail\\n20480\\n'")
        self.assert_fails("the disk is full: 20 MB are free below .*, and 1000 are needed")

    def test_packages_are_missing_and_there_is_no_sudo(self):
        self.program("dpkg-query", "exit 1")
        for name in ("bash", "cat", "df", "dirname", "env", "grep", "mkdir", "mktemp", "rm", "tail"):
            (self.programs / name).symlink_to(shutil.which(name))
        self.clone.chmod(0o777)
        self.assert_fails("neither root nor sudo. As root: apt-get install .*g\\+\\+", as_nobody=True,
                          PATH=str(self.programs))

    def test_a_clone_that_cannot_be_written_to(self):
        self.clone.chmod(0o555)
        self.addCleanup(self.clone.chmod, 0o755)
        self.assert_fails("clone cannot be written to: use a clone of your own", as_nobody=True)

    def test_half_a_toolkit_is_named_and_passed_over(self):
        toolkit = self.folder / "half"
        self.toolkit(toolkit, "exit 1")
        self.program("python3", NO_NETWORK)
        code, said = self.run_setup(CUDA_HOME=str(toolkit))
        self.assertEqual(code, 1)
        self.assertIn(f"{toolkit} is no whole CUDA toolkit", said[0])
        self.assertIn("nothing can be downloaded", said[-1])


if __name__ == "__main__":
    unittest.main()
