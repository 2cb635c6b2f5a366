# SPDX-License-Identifier: Apache-2.0
#
# The examples of docs/python.md as they are written. What they take as given stands before them: a stand-in for the GPU, and
# empty modules for PyTorch and pandas.
"""Run by ctest: examples_test.py Class.test_name."""

import re
import shutil
import unittest

from host_test import HostTest
from installed import RECORDINGS, ROOT, VENV, run
from notebook_test import run_cells

GIVEN = """
import stand_in_cuda as cuda
batches = range(3)
def train(batch): cuda.launch()
"""


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / "docs" / "python.md").read_text(), re.M | re.S)


class PythonExamples(HostTest):
    def setUp(self):
        super().setUp()
        (self.folder / "torch.py").write_text("")
        (self.folder / "pandas.py").write_text("DataFrame = list\n")
        (self.folder / "given.py").write_text(GIVEN)

    def example(self, beginning):
        (found,) = (block for block in blocks("python") if block.startswith(beginning))
        return found

    def program(self, text):
        (self.folder / "program.py").write_text(text)
        return run(VENV / "bin" / "python", "program.py", cwd=self.folder, env=self.env).stdout

    def test_of_a_program_reports_on_its_range(self):
        printed = self.program("from given import batches, train\n" + self.example("import coalcheck"))
        self.assertIn("spread.cu:4: store wastes 87.5 %", printed)
        self.assertRegex(printed, r"coalcheck@step +3 +1 ")

    def test_of_a_report_prints_its_findings(self):
        shutil.copytree(RECORDINGS / "transpose_naive", self.folder / "run.rec")
        printed = self.program("import coalcheck\n" + self.example("report = coalcheck.read"))
        self.assertRegex(printed, r"^\S+/transpose_naive\.cu 17 store 87\.5\n$")

    def test_of_a_notebook_run_as_cells(self):
        load, check = self.example("%load_ext"), self.example("%%coalcheck")
        given = ("import stand_in_cuda as cuda, collections\ngrid = block = values = None\n"
                 "scale = collections.defaultdict(lambda: lambda values: cuda.launch())")
        *_, shown = run_cells(self.folder, load, given, check, **self.env)
        self.assertEqual(shown["error"], "")
        self.assertIn("select none of the launches recorded", shown["text"])  # the stand-in has no kernel called scale
        self.assertIn("srcdoc=", shown["html"])

    def test_of_a_test_is_one_that_pytest_takes(self):
        text = "from given import train as transpose\nmatrix = None\n" + self.example("import pytest")
        (self.folder / "test_example.py").write_text(text.replace('"transpose"', '"spread"'))
        done = run(VENV / "bin" / "python", "-m", "pytest", "--coalcheck", "--strict-markers", check=False, cwd=self.folder,
                   env=self.env)
        self.assertIn("1 failed", done.stdout)
        self.assertIn("spread.cu:4: store wastes 87.5 %", done.stdout)


if __name__ == "__main__":
    unittest.main()
