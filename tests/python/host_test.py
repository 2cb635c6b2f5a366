# SPDX-License-Identifier: Apache-2.0
#
# The whole way from enable() to a report in one process: the real library over stand-ins for the driver and CUPTI.
"""Run by ctest: host_test.py Class.test_name."""

import json
import pathlib
import re
import tempfile
import unittest

from installed import BUILD, PYTHON, VENV, InstalledTest, python, run
from notebook_test import run_cells

STAND_INS = BUILD.parent / "tests" / "agent" / "library" / "stand-ins"
MODULE = STAND_INS.parent / "spread.cubin"
# Requests, lanes, the two of cp.async, sectors, ideal sectors and lines of one launch of the module's one store.
STRIDED = "spread 112 4 128 0 0 128 16 128"
PACKED = "spread 112 4 128 0 0 16 16 4"
BEGIN = "import coalcheck, json\nimport stand_in_cuda as cuda\n"


class HostTest(InstalledTest):
    def setUp(self):
        super().setUp()
        if not MODULE.exists():
            self.skipTest("there is no nvcc, so there is no module to load")
        scratch = tempfile.TemporaryDirectory(prefix="coalcheck-host-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        (self.library,) = map(str, VENV.glob("lib/python3*/site-packages/coalcheck/lib/libcoalcheck.so"))
        (self.folder / "coalcheck.toml").write_text("")  # no rules of a project above
        self.env = {"LD_LIBRARY_PATH": str(STAND_INS), "COALCHECK_CUPTI_PATH": str(STAND_INS), "STAND_IN_ROWS": STRIDED,
                    "STAND_IN_MODULE": str(MODULE), "PYTHONPATH": str(pathlib.Path(__file__).parent),
                    "TMPDIR": str(self.folder)}

    def host(self, code, **more):
        return python(BEGIN + code, cwd=self.folder, env={**self.env, **more})

    def told(self, code):
        return json.loads(self.host(code).stdout)


class PythonHost(HostTest):
    def test_reports_what_was_launched_so_far(self):
        told = self.told("""
coalcheck.enable(sampling="all", no_report=True)
cuda.launch()
first = coalcheck.report()
cuda.launch()
reports = [first, coalcheck.report()]
print(json.dumps([[one.exit_code, one.findings[0].line, one.findings[0].wasted_sectors, one.data.summary.launches_checked]
                  for one in reports]))""")
        self.assertEqual(told, [[1, 4, 112, 1], [1, 4, 224, 2]])

    def test_reports_how_much_was_left_out_so_far(self):
        told = self.told("""
coalcheck.enable(sampling="first", no_report=True)
cuda.launch(); cuda.launch()
reports = [coalcheck.report()]
cuda.launch()
reports.append(coalcheck.report())
print(json.dumps([[one.data.summary.launches, one.data.summary.launches_checked] for one in reports]))""")
        self.assertEqual(told, [[2, 1], [3, 1]])

    def test_tells_ranges_apart(self):
        told = self.told("""
coalcheck.enable(sampling="all", no_report=True)
with coalcheck.range("warm up"):
    cuda.launch()
@coalcheck.range("step")
def step():
    cuda.launch()
step(); step(); cuda.launch()
names = [None, "step", "warm*", "never"]
print(json.dumps([coalcheck.report(nvtx_include=name).data.summary.launches for name in names]))""")
        self.assertEqual(told, [4, 2, 1, 0])

    def test_a_range_that_began_before_cuda_counts(self):
        told = self.told("""
coalcheck.enable(sampling="all", no_report=True)
with coalcheck.range("all of it"):
    cuda.begin(); cuda.launch()
print(json.dumps(coalcheck.report(nvtx_include="all of it").data.summary.launches))""")
        self.assertEqual(told, 1)

    def test_checks_between_start_and_stop_only(self):
        told = self.told("""
coalcheck.enable(sampling="all", no_report=True, profile_from_start=False)
cuda.launch(); coalcheck.start(); cuda.launch(); cuda.launch(); coalcheck.stop(); cuda.launch()
summary = coalcheck.report().data.summary
print(json.dumps([summary.launches, summary.launches_checked]))""")
        self.assertEqual(told, [4, 2])

    def test_reports_at_the_end_unless_told_otherwise(self):
        for option, said in (("", True), ("no_report=True", False)):
            done = self.host(f"coalcheck.enable({option})\ncuda.launch()")
            self.assertEqual("spread.cu:4: store wastes 87.5 %" in done.stderr, said, done.stderr)

    def test_a_forked_child_is_told_to_be_spawned(self):
        done = self.host("""
import os
coalcheck.enable(no_report=True)
cuda.launch()
if os.fork() == 0:
    for call in (coalcheck.enable, coalcheck.report):
        try: call()
        except coalcheck.Error as error: print(type(error).__name__, error, flush=True)
    os._exit(0)
os.wait()
print(len(coalcheck.report().findings))""")
        self.assertRegex(done.stdout, 'CudaHasStarted this process was forked .*"spawn".*\nNothingRecorded this process was '
                                      "forked .*\n1\n$")

    def test_too_late_is_an_exception_and_the_program_goes_on(self):
        done = self.host("cuda.launch()\ntry: coalcheck.enable()\nexcept coalcheck.CudaHasStarted as error: print(error)\n"
                         "cuda.launch()\nprint('went on')")
        self.assertRegex(done.stdout, "^CUDA has started in this process.*\nwent on\n$")

    def test_the_command_runs_a_file_of_python(self):
        (self.folder / "train.py").write_text("import stand_in_cuda as cuda\nimport coalcheck\ncoalcheck.enable()\n"
                                              "with coalcheck.range('step'): cuda.launch()\n")
        for start in ([VENV / "bin" / "coalcheck"], [PYTHON, "-m", "coalcheck", "run"]):
            done = run(*start, "--nvtx-include", "step", "train.py", check=False, cwd=self.folder, env=self.env)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("spread.cu:4: store wastes 87.5 %", done.stderr)
            self.assertNotIn("Warning", done.stderr)


TESTS = f"""
import os
import pytest
import stand_in_cuda as cuda

@pytest.fixture(autouse=True)
def counts(request):
    os.environ["STAND_IN_ROWS"] = {PACKED!r} if "repaired" in request.node.name else {STRIDED!r}
    yield
    cuda.launch()  # no longer the test's own

cuda.launch()

@pytest.mark.coalesced
def test_strided(): cuda.launch()

@pytest.mark.coalesced
def test_repaired(): cuda.launch(); cuda.launch()

@pytest.mark.coalesced(kernel="other")
def test_another_kernel(): cuda.launch()

@pytest.mark.coalesced(max_wasted_share=90)
def test_tolerated(): cuda.launch()

@pytest.mark.coalesced
def test_without_a_launch(): pass
"""


class PythonHostTests(HostTest):
    def pytest(self, *words):
        (self.folder / "test_a.py").write_text(TESTS)
        done = run(PYTHON, "-m", "pytest", "-rA", "--coalcheck", *words, check=False, cwd=self.folder, env=self.env)
        found = re.findall(r"^(PASSED|FAILED) test_a\.py::test_(\w+)", done.stdout, re.M)
        return {name: outcome.lower() for outcome, name in found}, done.stdout + done.stderr

    EXPECTED = {"strided": "failed", "repaired": "passed", "another_kernel": "failed", "tolerated": "passed",
                "without_a_launch": "failed"}

    def test_judge_each_test_by_its_own_launches(self):
        outcomes, printed = self.pytest()
        self.assertEqual(outcomes, self.EXPECTED, printed)
        self.assertIn("spread.cu:4: store wastes 87.5 %", printed)
        self.assertIn("--kernel and --nvtx-include select none of the launches recorded", printed)
        self.assertRegex(printed.partition("= coalcheck =")[2], r"coalcheck: 1 finding \(1 store\).* counted 5( of \d+)? launches")

    def test_judge_under_xdist_and_report_on_all_workers(self):
        outcomes, printed = self.pytest("-n", "2")
        self.assertEqual(outcomes, self.EXPECTED, printed)
        self.assertRegex(printed.partition("= coalcheck =")[2], r"coalcheck: 1 finding \(1 store\).* counted 5( of \d+)? launches")

    def test_begin_with_no_recording_of_another_run(self):
        for _ in range(2):
            _, printed = self.pytest("-k", "strided")
            self.assertRegex(printed.partition("= coalcheck =")[2], r"counted 1( of \d+)? launch")


class PythonHostNotebook(HostTest):
    def test_reports_on_the_launches_of_the_cell(self):
        _, _, wasteful, tolerant = run_cells(
            self.folder, "%load_ext coalcheck", "import stand_in_cuda as cuda; cuda.launch()",
            "%%coalcheck\ncuda.launch()\ncuda.launch()", "%%coalcheck --max-wasted-share 90\ncuda.launch()", **self.env)
        self.assertRegex(wasteful["html"], r"1 finding \(1 store\).* counted 2( of \d+)? launches")
        self.assertIn("There is no finding.", tolerant["html"])
        self.assertEqual(wasteful["text"] + wasteful["error"] + tolerant["text"] + tolerant["error"], "")

    def test_names_lines_of_cells_in_a_report_that_is_made_when_the_kernel_is_gone(self):
        *_, told = run_cells(
            self.folder, "%load_ext coalcheck", "import stand_in_cuda as cuda, coalcheck, linecache, sys", "%%coalcheck\ncuda.launch()",
            # What the module's line table names becomes this cell.
            "compiled = coalcheck.report(scope='all').data.accesses[0].file\n"
            "linecache.cache[compiled] = linecache.cache[sys._getframe().f_code.co_filename]\n"
            "get_ipython().compile._filename_map[compiled] = 12\n"
            "str(coalcheck.report()); print(coalcheck._agent.recording())  # line 4", **self.env)
        self.assertEqual(told["error"], "")
        # The compiled file is on disk, as no cell is: with this root it is none that may be quoted.
        done = run(VENV / "bin" / "coalcheck", "report", "--source-root", str(self.folder), told["text"].strip(), check=False)
        self.assertRegex(done.stdout, r"^In\[12\]:4: store wastes 87\.5 %.*\n +4 \| str\(.*# line 4")


if __name__ == "__main__":
    unittest.main()
