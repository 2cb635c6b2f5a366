# SPDX-License-Identifier: Apache-2.0
#
# The wheel: built from the binaries of this build, installed where nothing else is.
"""Run by ctest: wheel_test.py Class.test_name. Wheel.is_built_and_installed makes what the others look at."""

import shutil
import unittest
import zipfile

from installed import BUILD, PYTHON, RECORDINGS, ROOT, VENV, InstalledTest, run, tools

MOST_BYTES = 12 << 20


def wheel():
    (found,) = (BUILD / "dist").glob("coalcheck-*.whl")
    return found


class Wheel(unittest.TestCase):
    def test_is_built_and_installed(self):
        packages = tools.python_packages()
        for folder in ("dist", "venv", "ready"):
            shutil.rmtree(BUILD / folder, ignore_errors=True)
        settings = {"cmake.source-dir": "python/ready", "cmake.define.COALCHECK_BUILD": BUILD.parent,
                    "build-dir": BUILD / "ready"}
        run(packages / "bin" / "pip", "wheel", ROOT, "--no-deps", "--no-index", "--no-build-isolation", "--no-cache-dir",
            "--wheel-dir", BUILD / "dist", *(f"--config-settings={key}={value}" for key, value in settings.items()))
        run(packages / "bin" / "python", "-m", "venv", "--without-pip", VENV)
        run(packages / "bin" / "pip", "--python", PYTHON, "install", "--no-deps", "--no-index", wheel())
        # What tests need beside the package, without installing it again.
        (site,) = VENV.glob("lib/python3*/site-packages")
        (of_tests,) = packages.glob("lib/python3*/site-packages")
        (site / "tools.pth").write_text(f"{of_tests}\n")
        self.assertTrue((VENV / "bin" / "coalcheck").exists())


class PythonWheel(InstalledTest):
    def test_is_for_every_python_3_and_small(self):
        self.assertRegex(wheel().name, r"^coalcheck-[\d.]+-py3-none-.*linux.*_x86_64\.whl$")
        self.assertLessEqual(wheel().stat().st_size, MOST_BYTES)

    def test_holds_the_command_the_library_the_package_and_the_notices(self):
        names = set(zipfile.ZipFile(wheel()).namelist())
        sources = {f"coalcheck/{path.name}" for path in (ROOT / "python" / "coalcheck").iterdir() if path.is_file()}
        wanted = {"coalcheck/bin/coalcheck", "coalcheck/lib/libcoalcheck.so", "coalcheck/report_types.py",
                  "coalcheck/py.typed", "coalcheck/third-party/libfmt-dev", "coalcheck/third-party/llvm-demangle"}
        self.assertLessEqual(wanted | sources, names)
        self.assertEqual({name.partition("/")[0].partition("-")[0] for name in names}, {"coalcheck"})

    def test_names_no_folder_of_the_machine_it_was_made_on(self):
        with zipfile.ZipFile(wheel()) as archive:
            for name in archive.namelist():
                self.assertNotIn(str(ROOT).encode(), archive.read(name), name)

    def test_gives_the_command_that_reports(self):
        done = run(VENV / "bin" / "coalcheck", "report", "--config", "none", RECORDINGS / "transpose_naive", check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("transpose_naive.cu:17: store wastes 87.5 %", done.stdout)

    def test_asks_for_cupti_only_where_that_is_wanted(self):
        with zipfile.ZipFile(wheel()) as archive:
            (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
            wanted = [line for line in archive.read(metadata).decode().splitlines() if line.startswith("Requires-Dist")]
        self.assertEqual(len(wanted), 1, wanted)
        self.assertRegex(wanted[0], r"^Requires-Dist: nvidia-cuda-cupti.*extra == .cupti.")


class PythonCommand(InstalledTest):
    def launched(self, *words):
        """What the program printed that the command was to start; there is no GPU, so there is no recording."""
        done = run(*words, check=False, cwd=self.folder, env={"PATH": "/usr/bin:/bin"})
        self.assertIn("made no recording", done.stderr)
        return done.stdout.split()

    def setUp(self):
        super().setUp()
        self.folder = BUILD / "programs"
        self.folder.mkdir(exist_ok=True)
        show = "import os, sys\nprint(sys.executable, os.environ['CUDA_INJECTION64_PATH'], *sys.argv[1:])\n"
        (self.folder / "train.py").write_text(show)
        (self.folder / "trainer.py").write_text(show)
        (self.library,) = VENV.glob("lib/python3*/site-packages/coalcheck/lib/libcoalcheck.so")

    def test_runs_a_file_of_python_with_this_interpreter(self):
        for start in ([VENV / "bin" / "coalcheck"], [PYTHON, "-m", "coalcheck"]):
            for words in (["train.py"], ["run", "train.py"], ["--sampling", "all", "train.py"],
                          ["run", "--quiet", "--kernel=a.py", "--", "train.py"]):
                printed = self.launched(*start, *words, "--epochs", "3")
                self.assertEqual(printed, [str(PYTHON), str(self.library), "--epochs", "3"], words)

    def test_runs_a_module_with_this_interpreter(self):
        printed = self.launched(PYTHON, "-m", "coalcheck", "run", "-m", "trainer", "--epochs", "3")
        self.assertEqual(printed, [str(PYTHON), str(self.library), "--epochs", "3"])

    def test_leaves_every_other_program_as_it_is(self):
        printed = self.launched(PYTHON, "-m", "coalcheck", "run", "--kernel", "k.py", "/usr/bin/python3", "train.py")
        self.assertEqual(printed[0], "/usr/bin/python3")

    def test_says_what_to_do_where_there_is_no_command(self):
        done = run(PYTHON, "-m", "coalcheck", "--version", check=False, env={"COALCHECK_COMMAND": "/nowhere/coalcheck"})
        self.assertEqual(done.returncode, 5)
        self.assertEqual(done.stderr, "coalcheck: COALCHECK_COMMAND=/nowhere/coalcheck is no program\n")


if __name__ == "__main__":
    unittest.main()
