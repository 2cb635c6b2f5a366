# SPDX-License-Identifier: Apache-2.0
#
# Tests that use a program which not every machine has, once more on a machine that lacks it.
"""Run by ctest: hidden_tools_test.py Class.test_name."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ["COALCHECK_BINARY_DIR"])
SKIPPED = re.compile(r"skipped (['\"])(.*)\1$", re.MULTILINE)
LOOKS_FOR = re.compile(r"""shutil\.which\("([^"]+)"|command -v ([\w-]+)""")
# What scripts/setup installs always, and what every Debian has.
ALWAYS_THERE = {"bash", "setpriv"}


def link_all_but(hidden, folder):
    """Makes `folder` a PATH of its own: what the real one finds, but for the hidden programs."""
    for place in os.get_exec_path():
        for program in pathlib.Path(place).glob("*"):
            link = folder / program.name
            if program.name not in hidden and not link.is_symlink():
                link.symlink_to(program)


class HiddenTools(unittest.TestCase):
    """Each file passes without its tools, and names one of them in the reason of each skip."""

    def run_without(self, words, hidden=(), modules=()):
        """Runs a command on a machine that lacks these programs and Python modules."""
        with tempfile.TemporaryDirectory(prefix="coalcheck-tools-") as folder:
            programs = pathlib.Path(folder, "bin")
            programs.mkdir()
            link_all_but(hidden, programs)
            for module in modules:
                pathlib.Path(folder, f"{module}.py").write_text("raise ImportError\n")
            environment = {**os.environ, "PATH": str(programs), "PYTHONPATH": folder, "COALCHECK_LINTERS": "/nowhere"}
            return subprocess.run(words, env=environment, capture_output=True, text=True, timeout=110, check=False,
                                  stdin=subprocess.DEVNULL)

    def assert_skips(self, file, *hidden, modules=(), only=()):
        done = self.run_without([sys.executable, "-B", TESTS / file, "-v", *only], hidden, modules)
        self.assertEqual(done.returncode, 0, done.stderr)
        reasons = [reason for _, reason in SKIPPED.findall(done.stderr)]
        for tool in (*hidden, *modules):
            self.assertTrue([reason for reason in reasons if tool in reason], f"nothing misses {tool}: {reasons}")

    def test_every_program_that_a_test_looks_for_is_hidden_here(self):
        here = pathlib.Path(__file__).read_text()
        files = [file for file in TESTS.rglob("*") if file.suffix in (".py", ".cpp") and "gpu" not in file.parts]
        found = {name for file in files if file != pathlib.Path(__file__)
                 for pair in LOOKS_FOR.findall(file.read_text()) for name in pair if name}
        self.assertIn("xmllint", found)
        self.assertEqual([name for name in sorted(found - ALWAYS_THERE) if f'"{name}"' not in here], [])

    def test_the_browser(self):
        self.assert_skips("unit/output/html_test.py", "chromium", "chromedriver", only=["Html"])

    def test_callgrind_annotate(self):
        self.assert_skips("unit/output/lines_test.py", "callgrind_annotate")

    def test_xmllint(self):
        self.assert_skips("unit/output/xml_test.py", "xmllint")

    def test_the_validator_of_schemas(self):
        self.assert_skips("unit/output/sarif_test.py", modules=["jsonschema"])
        self.assert_skips("golden/report_schema_test.py", modules=["jsonschema"])

    def test_the_validator_of_schemas_for_what_programs_print(self):
        for file in ("unit/output/validate_report.py", "unit/doctor/validate_doctor.py"):
            done = self.run_without([sys.executable, "-B", TESTS / file], modules=["jsonschema"])
            self.assertEqual((done.returncode, done.stdout), (77, "skipped: python3-jsonschema is not installed\n"))

    def test_shells(self):
        self.assert_skips("integration/completion_test.py", "zsh", "fish")

    def test_readers_of_manual_pages(self):
        self.assert_skips("integration/manual_test.py", "man", "mandoc")

    def test_readers_of_the_files_for_servers(self):
        self.assert_skips("integration/ci_files_test.py", "jq", "yamllint", "check-jsonschema", "hadolint")
        self.assert_skips("integration/ci_files_test.py", modules=["yaml"])

    def test_makers_of_debian_packages(self):
        only = ["Package.test_the_debian_package_says_what_it_is"]
        self.assert_skips("integration/package_test.py", "dpkg-shlibdeps", only=only)
        self.assert_skips("integration/package_test.py", "file", only=only)

    def test_the_formatter_and_the_checker_of_sources(self):
        self.assert_skips("rules/rules_test.py", "clang-format-14")
        self.assert_skips("rules/thread_safety_test.py", "clang++-16")
        self.assert_skips("rules/tidy_changed_test.py", "clang-tidy-16")
        self.assert_skips("rules/tidy_changed_test.py", "git")

    def test_the_measurer_of_memory(self):
        self.assert_skips("golden/ranks_bench_test.py", "time")

    def test_the_launcher_of_ranks(self):
        program = BUILD / "bin" / "library_host_test"
        if not program.exists():
            self.skipTest("the agent is not built")
        done = self.run_without([program, "--gtest_filter=Ranks.OfMpirun*"], ["mpirun"])
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("[  SKIPPED ] 2 tests", done.stdout)
        self.assertIn("no mpirun", done.stdout)


if __name__ == "__main__":
    unittest.main()
