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
SKIPPED = re.compile(r"skipped (['\"])(.*)\1$", re.MULTILINE)


def link_all_but(hidden, folder):
    """Makes `folder` a PATH of its own: what the real one finds, but for the hidden programs."""
    for place in os.get_exec_path():
        for program in pathlib.Path(place).glob("*"):
            link = folder / program.name
            if program.name not in hidden and not link.is_symlink():
                link.symlink_to(program)


class HiddenTools(unittest.TestCase):
    """Each file passes without its tools, and names one of them in the reason of each skip."""

    def assert_skips(self, file, *hidden, modules=(), only=()):
        with tempfile.TemporaryDirectory(prefix="coalcheck-tools-") as folder:
            programs = pathlib.Path(folder, "bin")
            programs.mkdir()
            link_all_but(hidden, programs)
            for module in modules:
                pathlib.Path(folder, f"{module}.py").write_text("raise ImportError\n")
            environment = {**os.environ, "PATH": str(programs), "PYTHONPATH": folder}
            done = subprocess.run([sys.executable, "-B", TESTS / file, "-v", *only], env=environment, capture_output=True,
                                  text=True, timeout=110, check=False, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 0, done.stderr)
        reasons = [reason for _, reason in SKIPPED.findall(done.stderr)]
        for tool in (*hidden, *modules):
            self.assertTrue([reason for reason in reasons if tool in reason], f"nothing misses {tool}: {reasons}")

    def test_the_browser(self):
        self.assert_skips("unit/output/html_test.py", "chromium", "chromedriver", only=["Html"])

    def test_callgrind_annotate(self):
        self.assert_skips("unit/output/lines_test.py", "callgrind_annotate")

    def test_xmllint(self):
        self.assert_skips("unit/output/xml_test.py", "xmllint")

    def test_the_validator_of_schemas(self):
        self.assert_skips("unit/output/sarif_test.py", modules=["jsonschema"])
        self.assert_skips("golden/report_schema_test.py", modules=["jsonschema"])

    def test_shells(self):
        self.assert_skips("integration/completion_test.py", "zsh", "fish")

    def test_readers_of_manual_pages(self):
        self.assert_skips("integration/manual_test.py", "man", "mandoc")

    def test_readers_of_the_files_for_servers(self):
        self.assert_skips("integration/ci_files_test.py", "jq")


if __name__ == "__main__":
    unittest.main()
