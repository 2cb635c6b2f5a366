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
NO_NETWORK = "echo \"Could not resolve 'pypi.org'\"; exit 100"
# apt-get update only warns without a network, and succeeds.
APT_WITHOUT_NETWORK = """case "$*" in
  *update*) echo "W: Failed to fetch http://deb.debian.org/debian/dists/bookworm/InRelease" ;;
  *) echo "E: Unable to locate package cmake"; exit 100 ;;
esac"""
APT_WITHOUT_SPACE = """case "$*" in
  *install*) echo "E: You don't have enough free space in /var/cache/apt/archives/."; exit 100 ;;
esac"""
FULL = "echo 'OSError: [Errno 28] No space left on device'; exit 1"
# `python3 -m venv FOLDER` that puts a pip there, which makes what is looked for afterwards.
PYTHON = """mkdir -p "$3/bin"
cat >"$3/bin/pip" <<'PIP'
#!/bin/sh
while [ $# -gt 1 ]; do
  if [ "$1" = --target ]; then mkdir -p "$2" && touch "$2/sarif-schema.json"; fi
  shift
done
PIP
chmod +x "$3/bin/pip"
"""


class Setup(unittest.TestCase):
    """Each case ends with one sentence, leaves nothing but logs, and works once its cause is gone."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="coalcheck-setup-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.folder.chmod(0o755)
        self.clone = self.folder / "clone"
        (self.clone / "scripts").mkdir(parents=True)
        for name in ("setup", "cuda-toolkit.txt", "schemas.txt", "linters.txt", "python-tests.txt"):
            shutil.copy2(tree.ROOT / "scripts" / name, self.clone / "scripts")
        self.toolkit(self.folder, "exit 0")
        self.make_all_well()

    def make_all_well(self):
        """The programs of a machine on which nothing is missing."""
        self.programs = self.folder / "bin"
        for program in self.programs.glob("*"):
            if program.name != "nvcc":
                program.unlink()
        self.program("dpkg-query", "printf 'ii '")
        for name in ("dpkg", "apt-get"):
            self.program(name, "exit 0")
        self.program("python3", PYTHON)

    def toolkit(self, folder, compiles):
        """Makes a toolkit of what is looked for before it has to compile."""
        self.programs = folder / "bin"
        self.program("nvcc", f'case "$1" in --version) echo "release 13.0, V13.0.1";; *) {compiles};; esac')
        (folder / "include").mkdir()
        (folder / "include" / "cupti_sass_metrics.h").touch()

    def program(self, name, script):
        file = self.programs / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)
        return file

    def lack_packages(self, apt_get):
        self.program("dpkg-query", "exit 1")
        self.program("apt-get", apt_get)
        if os.geteuid() != 0:
            self.program("sudo", 'exec "$@"')

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
        self.assert_the_next_try_works()

    def assert_the_next_try_works(self):
        self.make_all_well()
        self.clone.chmod(0o755)
        self.assertEqual(self.run_setup(), (0, []))
        self.assertTrue((self.clone / ".toolchain" / "env").exists())

    def test_no_network_for_packages(self):
        self.lack_packages(APT_WITHOUT_NETWORK)
        self.assert_fails("nothing can be downloaded .*apt.log.*try again with a network")

    def test_no_network_for_what_comes_from_pypi(self):
        self.program("python3", NO_NETWORK)
        self.assert_fails("nothing can be downloaded .*try again with a network")

    def test_a_disk_that_gets_full(self):
        self.program("python3", FULL)
        self.assert_fails("the disk is full .*free some space and try again")

    def test_a_disk_that_is_too_small_for_the_packages(self):
        self.lack_packages(APT_WITHOUT_SPACE)
        self.assert_fails("the disk is full .*apt.log.*free some space and try again")

    def test_a_disk_that_is_full(self):
        self.program("df", "printf 'Avail\\n20480\\n'")
        self.assert_fails("the disk is full: 20 MB are free below .*, and 1000 are needed")

    def test_packages_are_missing_and_there_is_no_sudo(self):
        self.program("dpkg-query", "exit 1")
        for name in ("bash", "cat", "df", "dirname", "env", "find", "grep", "mkdir", "mktemp", "rm", "tail"):
            (self.programs / name).symlink_to(shutil.which(name))
        self.clone.chmod(0o777)
        self.assert_fails("neither root nor sudo. As root: apt-get install .*g\\+\\+", as_nobody=True,
                          PATH=str(self.programs))

    def test_packages_are_missing_and_sudo_asks_for_a_password(self):
        self.program("dpkg-query", "exit 1")
        self.program("sudo", "exit 1")
        self.clone.chmod(0o777)
        self.assert_fails("sudo asks for a password. Run first: sudo apt-get install .*g\\+\\+", as_nobody=True)

    def test_a_clone_that_cannot_be_written_to(self):
        self.clone.chmod(0o555)
        self.addCleanup(self.clone.chmod, 0o755)
        self.assert_fails("clone cannot be written to: use a clone of your own", as_nobody=True)

    def test_a_step_that_fails_for_a_reason_of_its_own_shows_it(self):
        self.lack_packages('case "$*" in *install*) echo "E: Sub-process returned an error"; exit 100;; esac')
        code, said = self.run_setup()
        self.assertEqual((code, said[0]), (1, "E: Sub-process returned an error"))
        self.assertRegex(said[-1], "^setup: error: the step 'apt' failed")

    def test_half_a_toolkit_is_named_and_passed_over(self):
        toolkit = self.folder / "half"
        self.toolkit(toolkit, "exit 1")
        self.programs = self.folder / "bin"
        self.program("python3", NO_NETWORK)
        code, said = self.run_setup(CUDA_HOME=str(toolkit))
        self.assertEqual(code, 1)
        self.assertIn(f"{toolkit} is no whole CUDA toolkit", said[0])
        self.assertIn("nothing can be downloaded", said[-1])
        self.assert_the_next_try_works()


if __name__ == "__main__":
    unittest.main()
