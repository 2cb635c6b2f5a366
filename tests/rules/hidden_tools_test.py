# SPDX-License-Identifier: Apache-2.0
#
# No test passes or fails by what happens to be installed: tests ask for it in one way, and what is no file of
# unittest is run here once more on a machine that lacks it (without_tools.py does so for each that is).
"""Run by ctest: hidden_tools_test.py Class.test_name."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import tools
import tree
import without_tools

BUILD = pathlib.Path(os.environ["COALCHECK_BINARY_DIR"])
ASKS_BY_ITSELF = re.compile(r"\bwhich\(|find_executable|find_spec|except \(?(?:ImportError|ModuleNotFoundError)|command -v")
ASKS = re.compile(r"\btools\.(need|module)\(|^from installed import", re.M)  # as cmake/CoalcheckTest.cmake sees it
WITHOUT = "import runpy, sys; sys.modules[sys.argv[1]] = None; runpy.run_path(sys.argv[2], run_name='__main__')"


def python_tests():
    """{path: text} of what ctest runs of Python, without this file and what it speaks for."""
    own = ("tests/rules/hidden_tools_test.py", "tests/support/tools.py")
    return {path: tree.text(path) for path in tree.files() if path.endswith(".py") and path.startswith("tests/")
            and not path.startswith("tests/gpu/") and path not in own}


def started(program):
    """What a test looks like that starts a program: ["zsh", or ("zsh",."""
    return re.compile(rf"""(?<![\w\]])[\[(]["']{re.escape(program)}["'],""")


class OneWayToAsk(unittest.TestCase):
    def test_no_test_looks_for_a_program_or_a_module_by_itself(self):
        for text in ('shutil.which("zsh")', "if which(name):", "except ImportError:", "except (ImportError, OSError):"):
            self.assertRegex(text, ASKS_BY_ITSELF)
        found = [path for path, text in python_tests().items() if ASKS_BY_ITSELF.search(text)]
        self.assertEqual(found, [], "tests/support/tools.py answers, and skips the test")

    def test_no_test_starts_such_a_program_without_asking(self):
        self.assertRegex('run(["mandoc", "-T", page])', started("mandoc"))
        # The first goes on without it; of the second the tests ask that use it.
        known = {("tests/rules/tree.py", "git"), ("tests/unit/output/webdriver.py", "chromedriver")}
        found = {(path, program) for path, text in python_tests().items() for program in tools.PROGRAMS
                 if started(program).search(text) and not ASKS.search(text)}
        self.assertEqual(found, known)

    def test_a_program_of_the_list_is_asked_for_by_some_test(self):
        asked = {name for text in python_tests().values() for call in re.findall(r"\btools\.(?:need|module)\(([^()]*)\)", text)
                 for name in re.findall(r'"([^"]+)"', call)}
        self.assertEqual(set(tools.PROGRAMS) | set(tools.MODULES), asked)

    def test_programs_of_c_plus_plus_ask_for_mpirun_only(self):
        asked = {name for path in tree.files() if path.startswith("tests/") and path.endswith((".cpp", ".h"))
                 and not path.startswith("tests/gpu/") for name in re.findall(r"command -v ([\w+-]+)", tree.text(path))}
        self.assertEqual(asked, {"mpirun"})


class HiddenTools(unittest.TestCase):
    def test_a_program_that_asks_and_is_here_is_hidden(self):
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder, "bin")
            without_tools.link_all_but({"cmake"}, place)
            self.assertTrue((place / "sh").exists())
            self.assertFalse((place / "cmake").exists())

    def test_the_validator_of_schemas_for_what_programs_print(self):
        for file in ("unit/output/validate_report.py", "unit/doctor/validate_doctor.py"):
            done = subprocess.run([sys.executable, "-B", "-c", WITHOUT, "jsonschema", tree.ROOT / "tests" / file],
                                  capture_output=True, text=True, timeout=100, check=False)
            self.assertEqual((done.returncode, done.stdout),
                             (tools.EXIT_SKIPPED, "not installed: Python's jsonschema (scripts/setup --tests)\n"), done.stderr)

    def test_the_launcher_of_ranks(self):
        program = BUILD / "bin" / "library_report_test"
        if not program.exists():
            self.skipTest("the agent is not built")
        with tempfile.TemporaryDirectory(prefix="coalcheck-tools-") as folder:
            without_tools.link_all_but({"mpirun"}, pathlib.Path(folder, "bin"))
            done = subprocess.run([program, "--gtest_filter=Ranks.OfMpirun*"], capture_output=True, text=True, timeout=100,
                                  check=False, env={**os.environ, "PATH": f"{folder}/bin"})
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("[  SKIPPED ] 2 tests", done.stdout)
        self.assertIn("not installed: mpirun", done.stdout)


if __name__ == "__main__":
    unittest.main()
