# SPDX-License-Identifier: Apache-2.0
#
# run_at_length.py on programs that print what libFuzzer prints.
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
SCRIPT = pathlib.Path(__file__).resolve().parent / "run_at_length.py"
GOOD = "echo '#9\tDONE   cov: 42 ft: 80 corp: 3/9b'; echo 'stat::number_of_executed_units: 700'"
BAD = "echo '#5\tNEW    cov: 7 ft: 8 corp: 1/1b'; for a in $@; do case $a in -artifact_prefix=*) touch ${a#*=}crash-$$;; esac; done; exit 77"


class RunAtLength(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def program(self, name, text):
        (self.folder / "bin").mkdir(exist_ok=True)
        file = self.folder / "bin" / f"{name}_fuzzer"
        file.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        file.chmod(0o755)

    def run_script(self, *words):
        done = subprocess.run([sys.executable, "-B", SCRIPT, "--programs", self.folder / "bin", "--work", self.folder / "work", "--cores", "2",
                               "--seconds", "60", "--executions", "1000", *words], capture_output=True, text=True, check=False)
        state = json.loads((self.folder / "work" / "state.json").read_text(encoding="utf-8"))
        return done.returncode, done.stdout, state

    def test_a_fuzzer_is_run_until_it_has_made_its_executions(self):
        self.program("name", GOOD)
        code, table, state = self.run_script()
        self.assertEqual(code, 0)
        self.assertGreaterEqual(state["name"]["executions"], 1000)
        self.assertEqual(state["name"]["coverage"], 42)
        self.assertRegex(table, r"\| name \| \d+ \| \d \d00 \| 0 \| \d+ \| 42 \| 0 \| 0 \| 0 \| yes \|")

    def test_a_second_run_adds_to_the_first(self):
        self.program("name", GOOD)
        self.assertEqual(self.run_script()[2], self.run_script()[2])

    def test_the_first_run_adds_to_the_table_that_it_is_given(self):
        self.program("name", GOOD)
        table = self.folder / "table.md"
        table.write_text("| fuzzer | seeds | executions | core-seconds | corpus | crashes | hangs above 25 s | done |\n|---|--:|--:|--:|--:|--:|--:|---|\n"
                         "| name | 4 | 1 990 | 20 | 6 | 3 | 1 | no |\n| mutation loop | | 16 677 inputs | | | 0 | 0 | |\n", encoding="utf-8")
        code, said, state = self.run_script("--before", table, "--executions", "2000")
        self.assertEqual(code, 0)
        self.assertIn(state["name"]["executions"], (2690, 3390))  # two run at a time
        self.assertRegex(said, r"\| name \| \d+ \| [23] [36]90 \| 20 \| \d+ \| 42 \| 3 \| 1 \| 0 \| yes \|")
        self.assertEqual(self.run_script("--before", table, "--executions", "2000")[2], state)

    def test_an_input_that_it_ended_on_is_kept_and_said(self):
        self.program("policy", BAD)
        code, table, _ = self.run_script()
        self.assertEqual(code, 1)
        self.assertRegex(table, r"\| 3[01] \| 0 \| 0 \|")  # two run at a time
        self.assertIn(len(list((self.folder / "work" / "found" / "policy").iterdir())), (30, 31))


if __name__ == "__main__":
    unittest.main()
