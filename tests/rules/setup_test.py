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
import without_tools

NOBODY = 65534
NO_NETWORK = "echo \"Could not resolve 'pypi.org'\"; exit 100"
# apt-get update only warns without a network, and succeeds.
APT_WITHOUT_NETWORK = """case "$*" in
  *update*) echo "W: Failed to fetch http://deb.debian.org/debian/dists/bookworm/InRelease  Temporary failure resolving 'deb.debian.org'" ;;
  *) echo "E: Unable to locate package cmake"; exit 100 ;;
esac"""
APT_WITHOUT_SPACE = """case "$*" in
  *install*) echo "E: You don't have enough free space in /var/cache/apt/archives/."; exit 100 ;;
esac"""
# A server that has not what is asked for: there is a network, and trying again would not help.
APT_WITHOUT_FILE = """case "$*" in
  *install*) echo "E: Failed to fetch http://deb.debian.org/cmake.deb  404  Not Found [IP: 1.2.3.4 80]"; exit 100 ;;
esac"""
PIP_WITHOUT_FILE = "echo 'ERROR: No matching distribution found for pytest==9.2.0'; exit 1"
FULL = "echo 'OSError: [Errno 28] No space left on device'; exit 1"
NVCC = 'case "$1" in --version) echo "release {release}, V{release}";; *) {compiles};; esac'
# `python3 -m venv FOLDER` that puts a pip there, which makes what is looked for afterwards. It fails where it reads
# the list `fails_for`.
PYTHON = """mkdir -p "$3/bin"
cat >"$3/bin/pip" <<'PIP'
#!/bin/sh
case "$*" in *{fails_for}) {fails} ;; esac
while [ $# -gt 1 ]; do
  if [ "$1" = --target ]; then
    toolkit="$2/nvidia/cu13"
    mkdir -p "$toolkit/bin" "$toolkit/lib" "$2/nvidia_cuda_nvcc-1.dist-info/licenses"
    touch "$2/sarif-schema.json" "$2/nvidia_cuda_nvcc-1.dist-info/licenses/License.txt"
    printf '#!/bin/sh\\n{compiles}\\n' >"$toolkit/bin/nvcc"
    chmod +x "$toolkit/bin/nvcc"
  fi
  shift
done
PIP
chmod +x "$3/bin/pip"
"""


def python(fails_for="nothing", fails="exit 1", compiles="exit 0"):
    return PYTHON.format(fails_for=fails_for, fails=fails, compiles=compiles)


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
        self.hide_toolkit_of_this_machine()
        self.programs = self.folder / "bin"
        self.toolkit(self.folder)
        self.make_all_well()

    def make_all_well(self):
        """The programs of a machine on which nothing is missing."""
        for program in self.programs.glob("*"):
            if program.name != "nvcc":
                program.unlink()
        self.program("dpkg-query", "printf 'ii '")
        for name in ("dpkg", "apt-get"):
            self.program(name, "exit 0")
        self.program("python3", python())

    def toolkit(self, folder, compiles="exit 0", release="13.0", header="cupti_sass_metrics.h"):
        """Makes a toolkit of what is looked for before it has to compile."""
        self.program("nvcc", NVCC.format(release=release, compiles=compiles), folder / "bin")
        (folder / "include").mkdir()
        (folder / "include" / header).touch()
        return folder

    def lack_toolkit(self):
        (self.programs / "nvcc").unlink(missing_ok=True)

    def program(self, name, script, folder=None):
        file = (folder or self.programs) / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)
        return file

    def lack_packages(self, apt_get):
        self.program("dpkg-query", "exit 1")
        self.program("apt-get", apt_get)
        if os.geteuid() != 0:
            self.program("sudo", 'exec "$@"')

    def run_setup(self, *words, as_nobody=False, **variables):
        """Runs it; its exit code, and the lines that it said on standard error."""
        command = [self.clone / "scripts" / "setup", *words]
        if as_nobody and os.geteuid() == 0:
            command = ["/usr/bin/setpriv", f"--reuid={NOBODY}", "--clear-groups", *command]
        done = subprocess.run(command, env={"PATH": f"{self.programs}:{self.folder}/system", **variables}, text=True,
                              capture_output=True, timeout=60, check=False, stdin=subprocess.DEVNULL)
        return done.returncode, done.stderr.splitlines()

    def hide_toolkit_of_this_machine(self):
        without_tools.link_all_but({"nvcc"}, self.folder / "system")
        script = self.clone / "scripts" / "setup"
        text = script.read_text()
        self.assertEqual(text.count(" /usr/local/cuda; do"), 1)
        script.write_text(text.replace(" /usr/local/cuda; do", "; do"))

    def made(self):
        return {file.name for file in self.clone.glob(".toolchain/*") if file.suffix != ".log"}

    def assert_fails(self, sentence, *words, leaves=(), **how):
        """`leaves` is what was made in full before the step that fails."""
        code, said = self.run_setup(*words, **how)
        self.assertEqual((code, len(said)), (1, 1), said)
        self.assertRegex(said[0], f"^setup: error: .*{sentence}")
        self.assertEqual(self.made(), set(leaves))
        self.assert_the_next_try_works(*words)

    def assert_the_next_try_works(self, *words):
        self.make_all_well()
        self.clone.chmod(0o755)
        self.assertEqual(self.run_setup(*words), (0, []))
        self.assertIn("env", self.made())
        if "--tests" in words:
            self.assertTrue((self.clone / ".toolchain" / "schemas" / "sarif-schema.json").exists())
            self.assertTrue((self.clone / ".toolchain" / "python" / "python-tests.txt").exists())

    def test_no_network_for_packages(self):
        self.lack_packages(APT_WITHOUT_NETWORK)
        self.assert_fails("nothing can be downloaded .*apt.log.*try again with a network")

    def test_no_network_for_what_comes_from_pypi(self):
        self.program("python3", python("schemas.txt", NO_NETWORK))
        self.assert_fails("nothing can be downloaded .*schemas.log.*try again with a network", "--tests")

    def test_a_server_that_lacks_a_file_is_no_missing_network(self):
        self.lack_packages(APT_WITHOUT_FILE)
        code, said = self.run_setup()
        self.assertEqual((code, said[-1].split(";")[0]), (1, "setup: error: the step 'apt' failed"))
        self.make_all_well()
        self.program("python3", python("python-tests.txt", PIP_WITHOUT_FILE))
        code, said = self.run_setup("--tests")
        self.assertEqual((code, said[-1].split(";")[0]), (1, "setup: error: the step 'python' failed"))
        self.assertEqual(self.made(), {"schemas"})
        self.assert_the_next_try_works("--tests")

    def test_what_only_tests_need_is_fetched_for_tests_only(self):
        self.assertEqual(self.run_setup(), (0, []))
        self.assertEqual(self.made(), {"env"})
        self.assert_the_next_try_works("--tests")

    def test_a_disk_that_gets_full_while_tests_get_what_they_need(self):
        for fails_for, leaves in (("schemas.txt", ()), ("python-tests.txt", ("schemas",))):
            self.program("python3", python(fails_for, FULL))
            self.assert_fails("the disk is full .*free some space and try again", "--tests", leaves=leaves)
            shutil.rmtree(self.clone / ".toolchain")

    def test_a_disk_that_gets_full_while_the_toolkit_comes(self):
        for broken in (python("cuda-toolkit.txt", FULL), python(compiles=FULL.replace("'", "")), FULL):
            self.lack_toolkit()
            self.program("python3", broken)
            self.assert_fails("the disk is full .*free some space and try again")
            shutil.rmtree(self.clone / ".toolchain")

    def test_without_a_toolkit_nvidias_wheels_are_one(self):
        self.lack_toolkit()
        self.assertEqual(self.run_setup(), (0, []))
        (toolkit,) = self.made() - {"env"}
        self.assertIn(f"{toolkit}/bin/nvcc", (self.clone / ".toolchain" / "env").read_text())

    def test_a_disk_that_is_too_small_for_the_packages(self):
        self.lack_packages(APT_WITHOUT_SPACE)
        self.assert_fails("the disk is full .*apt.log.*free some space and try again")

    def test_a_disk_that_is_full(self):
        self.program("df", "printf 'Avail\\n20480\\n'")
        self.assert_fails("the disk is full: 20 MB are free below .*, and 1000 are needed")

    def test_packages_are_missing_and_there_is_no_sudo(self):
        self.program("dpkg-query", "exit 1")
        for name in ("bash", "cat", "df", "dirname", "env", "find", "grep", "mkdir", "mktemp", "rm", "tail"):
            (self.programs / name).symlink_to(f"/bin/{name}")
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

    def test_a_toolkit_that_will_not_do_is_passed_over_and_said_why(self):
        for name, how, why in (("half", {"compiles": "exit 1"}, "is no whole CUDA toolkit: it cannot compile"),
                               ("old", {"release": "12.9"}, "is passed over: it is 12.9, older than 13.0"),
                               ("bare", {"header": "cuda.h"}, "is passed over: it has no headers of CUPTI")):
            toolkit = self.toolkit(self.folder / name, **how)
            code, said = self.run_setup(CUDA_HOME=str(toolkit))
            self.assertEqual((code, len(said)), (0, 1), said)
            self.assertIn(f"{toolkit} {why}", said[0])
            self.assertIn(f"CUDAToolkit_ROOT={self.folder}\n", (self.clone / ".toolchain" / "env").read_text())

    def test_where_no_toolkit_will_do_and_none_comes_both_are_said(self):
        self.lack_toolkit()
        self.program("python3", NO_NETWORK)
        code, said = self.run_setup(CUDA_HOME=str(self.toolkit(self.folder / "bare", header="cuda.h")))
        self.assertEqual((code, len(said)), (1, 2), said)
        self.assertIn("it has no headers of CUPTI", said[0])
        self.assertIn("nothing can be downloaded", said[1])
        self.assertEqual(self.made(), set())


if __name__ == "__main__":
    unittest.main()
