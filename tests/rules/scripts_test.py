# SPDX-License-Identifier: Apache-2.0
#
# Tests of the scripts that judge: skip reasons, strict mode, generated blocks, reordered sources, the
# installed tree.
"""Run by ctest: scripts_test.py Class.test_name."""

import importlib.machinery
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import tree

sys.dont_write_bytecode = True
BUILD = pathlib.Path(os.environ.get("COALCHECK_BINARY_DIR", tree.ROOT / "build" / "default"))


def script(name):
    """Loads a script of scripts/ as a module."""
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(tree.ROOT / "scripts" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class RunCtest(unittest.TestCase):
    def setUp(self):
        self.run_ctest = script("run-ctest")

    def test_the_reason_is_the_message_of_a_googletest_skip(self):
        output = ("[ RUN      ] Live.Transpose\n/a/live_test.cpp:12: Skipped\nno GPU in\nthis machine\n\n"
                  "[  SKIPPED ] Live.Transpose (0 ms)\n")
        self.assertEqual(self.run_ctest.reason_in(output, "SKIP"), "no GPU in this machine")

    def test_the_reason_is_the_last_line_of_a_script(self):
        self.assertEqual(self.run_ctest.reason_in("one\nno recording\n\n", "SKIP"), "no recording")
        self.assertEqual(self.run_ctest.reason_in("", "SKIP"), "SKIP")

    def run_project(self, require_gpu):
        """Runs scripts/run-ctest over a project of one passing test and one skipped for its GPU."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "scripts").mkdir()
            (folder / "build" / "default").mkdir(parents=True)
            copy = folder / "scripts" / "run-ctest"
            copy.write_text((tree.ROOT / "scripts" / "run-ctest").read_text())
            (folder / "CMakePresets.json").write_text((tree.ROOT / "CMakePresets.json").read_text())
            (folder / "build" / "default" / "CTestTestfile.cmake").write_text(
                'add_test(Runs "true")\nadd_test(Live "sh" "-c" "echo needs a GPU; exit 77")\n'
                'set_tests_properties(Live PROPERTIES SKIP_RETURN_CODE 77)\n')
            environment = dict(os.environ, COALCHECK_REQUIRE_GPU=require_gpu)
            return subprocess.run([sys.executable, copy], env=environment, capture_output=True, text=True,
                                  check=False)

    def test_skips_are_listed_before_the_summary_which_comes_last(self):
        done = self.run_project("0")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("Skipped tests: 1\n  needs a GPU\n    Live\n", done.stdout)
        self.assertRegex(done.stdout, r"100% tests passed(, 0 tests failed)? out of 2\n\nTotal Test time[^\n]*\n$")

    def test_strict_mode_fails_on_a_skip_that_wants_a_gpu(self):
        done = self.run_project("1")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("COALCHECK_REQUIRE_GPU=1", done.stdout)


class UpdateDocs(unittest.TestCase):
    def check(self, shown, *options, output="output: coalcheck --version"):
        """Runs scripts/update-docs over one document; returns the result and the document after it."""
        with tempfile.TemporaryDirectory() as folder:
            document = pathlib.Path(folder) / "page.md"
            document.write_text(f"<!-- {output} -->\n{shown}<!-- /output -->\n")
            done = subprocess.run([tree.ROOT / "scripts" / "update-docs", "--coalcheck",
                                   BUILD / "bin" / "coalcheck", *options, document],
                                  capture_output=True, text=True, check=False)
            return done, document.read_text()

    def test_a_block_that_differs_from_the_output_fails_the_check(self):
        done, text = self.check("```text\ncoalcheck 0.0.0\n```\n", "--check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("out of date", done.stdout)
        self.assertIn("coalcheck 0.0.0", text)

    def test_a_block_is_filled_with_the_output(self):
        done, text = self.check("")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(text, r"-->\n```text\ncoalcheck \d+\.\d+\.\d+\n```\n<!-- /output -->\n$")
        self.assertEqual(self.check(text.split("-->\n")[1].split("<!--")[0], "--check")[0].returncode, 0)

    def test_a_command_may_be_broken_into_lines(self):
        done, text = self.check("", output="output: coalcheck\n  --version")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(text, r"```text\ncoalcheck \d+\.")

    def test_a_command_has_to_end_with_the_exit_code_of_its_mark(self):
        refused = "coalcheck report --nonsense"
        done, text = self.check("", output=f"output 2: {refused}")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('```text\ncoalcheck: unknown option "--nonsense"', text)
        for mark, why in ((f"output: {refused}", "ended with 2, not 0 or 1"),
                          (f"output 3: {refused}", "ended with 2, not 3"),
                          ("output 1: coalcheck --version", "ended with 0, not 1")):
            done, text = self.check("", output=mark)
            self.assertEqual(done.returncode, 1, mark)
            self.assertIn(why, done.stderr)
            self.assertNotIn("```", text)


class ReorderFunctions(unittest.TestCase):
    FIRST = ("constexpr int kLine = __LINE__ + 4;\n\n// Adds.\n__global__ void first(int* p) {\n"
             "  *p += 1;  // expect: store\n}\n")
    SECOND = "template <int kBy>\n__device__ int second(\n    int a) {\n  return a * kBy;\n}\n"

    def setUp(self):
        self.reorder = script("reorder-functions")

    def run_over(self, text):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "file.cu"
            file.write_text(text)
            done = subprocess.run([tree.ROOT / "scripts" / "reorder-functions", file],
                                  capture_output=True, text=True, check=False)
            return done, file.read_text()

    def test_functions_are_turned_round_with_what_belongs_to_them(self):
        before, behind = "#include <a.h>\n\n// Of all.\nconstexpr int kAll = 1;\n\n", "\nint main() {\n}\n"
        done, text = self.run_over(f"{before}{self.FIRST}\n{self.SECOND}{behind}")
        self.assertEqual((done.returncode, done.stdout), (0, "file.cu: second, first\n"), done.stderr)
        self.assertEqual(text, f"{before}{self.SECOND}\n{self.FIRST}{behind}")

    def test_a_single_function_gets_neighbours(self):
        done, text = self.run_over(self.FIRST)
        self.assertEqual(done.stdout, "file.cu: unrelated_before, first, unrelated_behind\n")
        self.assertRegex(text, r"(?s)void unrelated_before\(.*int kLine.*void first\(.*void unrelated_behind\(")

    def test_what_cannot_be_reordered_is_refused(self):
        for text, why in ((f"{self.FIRST}\n__global__ void third() {{}}\n", "1 of 2 functions"),
                          (f"{self.FIRST}\nstatic __global__ void third() {{\n}}\n", "1 of 2 functions"),
                          ("int main() {\n}\n", "0 of 0 functions were recognised"),
                          (f"{self.FIRST}\nstruct S {{}};\n\n{self.SECOND}",
                           "between first and second: struct S {};")):
            done, after = self.run_over(text)
            self.assertEqual((done.returncode, after), (1, text))
            self.assertIn(why, done.stderr)

    def test_every_sample_has_another_order_and_all_its_lines(self):
        for source in sorted((tree.ROOT / "samples").glob("*/*.cu")):
            text = source.read_text()
            after, names = self.reorder.reordered(text)
            own = [name for name in names if not name.startswith("unrelated_")]
            places = [text.index(f" {name}(") for name in own]
            self.assertEqual(places, sorted(places, reverse=True), source.name)
            self.assertGreater(len(names), 1, source.name)
            kept = [line for line in after.split("\n") if "unrelated_" not in line]
            self.assertEqual(sorted(filter(None, kept)), sorted(filter(None, text.split("\n"))), source.name)


class Install(unittest.TestCase):
    def test_the_installed_command_runs_and_the_agent_lies_beside_it(self):
        with tempfile.TemporaryDirectory() as folder:
            prefix = pathlib.Path(folder)
            subprocess.run(["cmake", "--install", BUILD, "--prefix", prefix], check=True,
                           stdout=subprocess.DEVNULL)
            said = subprocess.run([prefix / "bin" / "coalcheck", "--version"], capture_output=True, text=True,
                                  check=True).stdout
            self.assertRegex(said, r"^coalcheck \d+\.\d+\.\d+\n$")
            built = (BUILD / "lib" / "libcoalcheck.so").exists()
            self.assertEqual((prefix / "lib" / "libcoalcheck.so").exists(), built)
            self.assertTrue((prefix / "share" / "doc" / "coalcheck" / "LICENSE").exists())


if __name__ == "__main__":
    unittest.main()
