#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench/measure_overhead.py with stand-ins for the programs and the tools: what it reads, reckons and says."""
import contextlib
import io
import json
import sys
import tempfile
import time
import unittest
import unittest.mock
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
import measure_overhead  # noqa: E402
from overhead import claims, runner, table, variants, workloads  # noqa: E402

REPORT = {"recordings": [{"windows": 300}], "totals": {"sectors": 80, "ideal_sectors": 40}}
# Each launch adds up to the report above; Nsight Compute groups digits.
NCU_CSV = ('==PROF== Connected\n"ID","Kernel Name","{0}","{1}"\n"","","",""\n'
           '"0","k","79","1"\n"1","k","1","39"\n').format(*variants.NCU_METRICS)


def result(*values, key="kernel_ms", left=None, problem=""):
    """A Result whose rounds had these values; in whole seconds, too."""
    runs = [runner.Run(seconds=value, peak_mib=100, values={key: value}) for value in values]
    return claims.Result(runs, len(runs), problem, left or {})


class Reading(unittest.TestCase):
    def test_a_measured_line_is_names_and_values(self):
        self.assertEqual(runner.figures("hello\nmeasured launches 300 kernel_ms 30.5\n"),
                         {"launches": 300, "kernel_ms": 30.5})

    def test_the_launches_of_all_kernels_of_a_sample_are_summed(self):
        self.assertEqual(runner.figures("a 1 ms; 20 launches in 1.50 ms\nb 1 ms; 20 launches in 2.25 ms\n"),
                         {"kernel_ms": 3.75})

    def test_no_figures_are_no_figures(self):
        self.assertEqual(runner.figures("measured time\n"), {})

    def test_counts_of_both_tools_have_the_same_keys(self):
        self.assertEqual(variants.report_counts(json.dumps(REPORT)),
                         {"launches": 300, "sectors": 80, "ideal_sectors": 40})
        self.assertEqual(variants.ncu_counts(NCU_CSV), {"launches": 2, "sectors": 80, "ideal_sectors": 40})
        self.assertEqual(variants.ncu_counts(NCU_CSV.replace('"79"', '"1,234,567"'))["sectors"], 1234568)


class Running(unittest.TestCase):
    def run_shell(self, script, timeout=20):
        return runner.run(["sh", "-c", script], {"GREETING": "measured a 1"}, timeout)

    def test_a_run_has_its_time_its_memory_and_its_figures(self):
        run = self.run_shell('echo "$GREETING"')
        self.assertEqual((run.problem, run.values), ("", {"a": 1.0}))
        self.assertGreater(run.seconds, 0)
        self.assertGreater(run.peak_mib, 0)

    def test_a_program_that_hangs_is_stopped_with_its_children(self):
        start = time.monotonic()
        run = self.run_shell("sleep 30 & sleep 30; wait", timeout=0.3)
        self.assertLess(time.monotonic() - start, 10)
        self.assertEqual(run.problem, "stopped after 0 s")

    def test_a_failure_is_named_by_its_last_line(self):
        self.assertEqual(self.run_shell("echo out; echo first >&2; echo why >&2; exit 3").problem, "failed with 3: why")

    def test_a_program_that_is_not_there_is_no_crash(self):
        self.assertIn("cannot be run", runner.run(["/nowhere/app"], {}, 5).problem)

    def test_an_error_of_ncu_counts_although_it_ends_well(self):
        self.assertIn("ERR_NVGPUCTRPERM", self.run_shell("echo '==ERROR== ERR_NVGPUCTRPERM'").problem)

    def test_no_tool_comes_in_from_outside(self):
        with unittest.mock.patch.dict("os.environ", {"CUDA_INJECTION64_PATH": "/x.so"}):
            self.assertEqual(self.run_shell('test -z "$CUDA_INJECTION64_PATH"').problem, "")


class Claims(unittest.TestCase):
    def test_the_median_of_differences_within_a_round_decides(self):
        results = {"native": result(10, 110, 210), "coalcheck": result(69, 170, 300)}
        claim = claims.adds_at_most("", "coalcheck", "kernel_ms", 90, "ms")
        self.assertEqual(claim.measured(results), ("+60.0 ms (+59.0 to +90.0)", "met"))

    def test_a_limit_inside_what_is_likely_is_not_decided(self):
        results = {"native": result(10, 10, 10), "coalcheck": result(69, 70, 100)}
        for limit, verdict in ((59, "not decided: the limit is inside what is likely"), (89.9, "not decided: the limit is inside what is likely"),
                               (58, "**missed by 2.00 ms**"), (90, "met")):
            claim = claims.adds_at_most("", "coalcheck", "kernel_ms", limit, "ms")
            self.assertEqual(claim.measured(results)[1], verdict)

    def test_the_interval_leaves_out_what_confidence_allows(self):
        for count, left_out in ((1, 0), (5, 0), (8, 0), (9, 1), (12, 2), (15, 3), (20, 5)):
            self.assertEqual(claims.interval(list(range(count))), (left_out, count - 1 - left_out))

    def test_what_is_above_the_limit_is_missed_by_the_difference(self):
        results = {"native": result(200), "coalcheck": result(205)}
        claim = claims.adds_percent("", "coalcheck", "kernel_ms", 2)
        self.assertEqual(claim.measured(results)[1], "**missed by 0.500 %**")

    def test_a_cost_each_is_of_each_launch(self):
        run = [runner.Run(values={"launch_us": us}) for us in (2.0, 2.4)]
        results = {"native": claims.Result([run[0]]), "coalcheck": claims.Result([run[1]])}
        self.assertEqual(claims.adds_each("", "coalcheck", 0.5).measured(results)[0].split(" (")[0], "+0.400 µs")
        self.assertEqual(claims.adds_each("", "coalcheck", None).measured(results)[1], "no claim")

    def test_cheaper_compares_what_is_added(self):
        results = {"native": result(10), "coalcheck": result(15), "ncu": result(105)}
        for limit, verdict in ((19, "met"), (20, "**missed by 1.00 ×**")):
            claim = claims.times_cheaper("", "coalcheck", "ncu", "kernel_ms", limit)
            self.assertEqual(claim.measured(results), ("19.0 ×", verdict))

    def test_nothing_added_is_cheaper_than_anything(self):
        results = {"native": result(10), "coalcheck": result(9), "ncu": result(20)}
        claim = claims.times_cheaper("", "coalcheck", "ncu", "kernel_ms", 20)
        self.assertEqual(claim.measured(results), ("no cost to compare with", "met"))

    def test_a_missing_tool_is_neither_met_nor_missed(self):
        results = {"native": result(10), "coalcheck": result(15), "ncu": result(problem="not here: ncu")}
        claim = claims.times_cheaper("", "coalcheck", "ncu", "kernel_ms", 20)
        self.assertEqual(claim.measured(results), ("–", "not here: ncu"))

    def test_counts_are_equal_or_not(self):
        counts = {"launches": 2, "sectors": 80, "ideal_sectors": 40}
        claim = claims.EqualCounts("", "all", "ncu")
        self.assertEqual(claim.measured({"all": result(1, left=counts), "ncu": result(1, left=counts)})[1], "met")
        more = result(1, left=counts | {"sectors": 81})
        self.assertEqual(claim.measured({"all": result(1, left=counts), "ncu": more})[1], "**missed**")
        self.assertIn("it gave none", claim.measured({"all": result(1), "ncu": more})[1])

    def test_a_figure_that_differs_in_one_run_is_seen(self):
        claim = claims.EqualFigure("", "checksum")
        same = {"native": result(7, 7, key="checksum"), "coalcheck": result(7, 7, key="checksum")}
        self.assertEqual(claim.measured(same), ("one value in all runs", "met"))
        same["coalcheck"].runs[1].values["checksum"] = 8
        self.assertEqual(claim.measured(same), ("2 values", "**missed**"))


class Table(unittest.TestCase):
    def test_a_cell_has_the_median_and_both_ends(self):
        self.assertEqual(table.spread([3.0, 1.0, 2.0], 2), "2.00 (1.00–3.00)")

    def test_fewer_rounds_are_said(self):
        few = result(1, 2, problem="stopped after 90 s")
        few.wanted = 5
        self.assertEqual(table.rounds_cell(few), "2 of 5: stopped after 90 s")
        self.assertEqual(table.rounds_cell(result(1, 2, 3)), "3")
        self.assertEqual(table.rounds_cell(result(problem="not here: ncu")), "not here: ncu")

    def test_every_claim_names_variants_of_its_row(self):
        for row in workloads.ROWS:
            results = {variant.name: result(1, key="other") for variant in row.variants}
            for claim in row.claims:
                self.assertNotEqual(claim.measured(results)[1], "not measured", (row.key, claim.text))


class WholeScript(unittest.TestCase):
    """With shell scripts for the command, the programs and ncu."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        self.report = dict(REPORT)
        self.write("bench/workloads", 'echo measured launches 300 launch_us 2.5 kernel_ms "${FAKE_MS:-30}" loop_ms 31')
        self.write("lib/libcoalcheck.so", "")
        self.write("bench/bare_cupti.so", "")
        self.write_coalcheck()

    def write(self, name, script):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)
        return path

    def write_coalcheck(self):
        """Records, and lets the program take twice as long."""
        (self.folder / "report.json").write_text(json.dumps(self.report), encoding="utf-8")
        self.write("bin/coalcheck", f'if [ "$1" = report ]; then cat {self.folder}/report.json; exit; fi\n'
                   'while [ "$1" != -- ]; do\n'
                   'if [ "$1" = --recording ]; then mkdir -p "$2"; echo x >"$2/a"; fi; shift; done\n'
                   'shift; FAKE_MS=60 exec "$@"')

    def write_ncu(self):
        """Takes much longer, and counts two launches."""
        csv = self.folder / "ncu.csv"
        csv.write_text(NCU_CSV, encoding="utf-8")
        return self.write("ncu", f'if [ "$1" = --import ]; then cat {csv}; exit; fi\n'
                          'while [ "$1" != --export ]; do shift; done; shift 2; FAKE_MS=930 exec "$@"')

    def run_script(self, *words, ncu=None):
        """(exit code, {claim: verdict}, {variant: raw numbers}, Markdown) of the row kernels15."""
        raw, output = self.folder / "raw.json", self.folder / "out.md"
        with contextlib.redirect_stderr(io.StringIO()):
            code = measure_overhead.main(["--build-dir", str(self.folder), "--rows", "kernels15", "--rounds", "2",
                                          "--ncu", str(ncu or self.folder / "absent"), "--compute-sanitizer",
                                          str(self.folder / "absent"), "--json", str(raw), "--output", str(output),
                                          *words])
        data = json.loads(raw.read_text(encoding="utf-8"))
        verdicts = {claim["claim"]: claim["verdict"] for claim in data["claims"]}
        return code, verdicts, data["rows"]["kernels15"], output.read_text(encoding="utf-8")

    def test_without_yardsticks_the_rest_is_measured(self):
        code, verdicts, rows, text = self.run_script()
        self.assertEqual(code, 0)
        self.assertEqual(verdicts["default: at most +60 ms of kernel time"], "met")
        self.assertEqual(len(rows["coalcheck"]["runs"]), 2)
        self.assertEqual(rows["coalcheck"]["left"]["launches"], 300)
        self.assertIn("| not here: ncu |", text)
        self.assertIn("| not here: compute-sanitizer |", text)

    def test_ncu_is_compared_with(self):
        _, verdicts, rows, _ = self.run_script(ncu=self.write_ncu())
        cheaper = "default: at least 20 times cheaper than ncu, two sector metrics, kernel time"
        self.assertEqual(verdicts[cheaper], "met")
        self.assertEqual(rows["ncu, two sector metrics"]["left"]["sectors"], 80)
        # The stand-in saw two launches where coalcheck counted 300.
        self.assertEqual(verdicts["`--sampling all` counts what ncu, two sector metrics counts"], "**missed**")

    def test_a_run_that_counted_nothing_proves_nothing(self):
        self.report["recordings"] = []
        self.write_coalcheck()
        code, verdicts, _, _ = self.run_script()
        self.assertEqual(code, 0)
        self.assertIn("counted nothing", verdicts["default: at most +60 ms of kernel time"])

    def test_a_hanging_program_ends_the_row_and_not_the_script(self):
        self.write("bin/coalcheck", "sleep 60")
        code, verdicts, rows, _ = self.run_script("--timeout", "0.2")
        self.assertEqual(code, 0)
        self.assertIn("stopped", verdicts["default: at most +60 ms of kernel time"])
        self.assertEqual(len(rows["native"]["runs"]), 2)

    def test_what_the_time_does_not_reach_says_so(self):
        code, verdicts, _, _ = self.run_script("--deadline", "0")
        self.assertEqual(code, 1)
        self.assertEqual(set(verdicts.values()), {"not measured: out of time"})

    def test_a_run_goes_on_with_what_was_measured_on_this_machine(self):
        self.run_script()
        raw = self.folder / "raw.json"
        earlier = json.loads(raw.read_text(encoding="utf-8"))
        earlier["rows"]["empty"] = earlier["rows"].pop("kernels15")
        self.folder.joinpath("earlier.json").write_text(json.dumps(earlier), encoding="utf-8")
        code, _, _, text = self.run_script("--go-on", str(self.folder / "earlier.json"))
        self.assertEqual(code, 0)
        rows = json.loads(raw.read_text(encoding="utf-8"))["rows"]
        self.assertEqual((list(rows), rows["empty"]), (["kernels15", "empty"], earlier["rows"]["empty"]))
        self.assertEqual(text.count("* command:"), 1)
        self.assertIn("; python3", text)

    def test_times_of_two_machines_are_not_mixed(self):
        self.run_script()
        raw = self.folder / "raw.json"
        raw.write_text(raw.read_text(encoding="utf-8").replace('"machine": [', '"machine": ["another",'), encoding="utf-8")
        with self.assertRaises(measure_overhead.Refused):
            self.run_script("--go-on", str(raw))

    def test_rows_are_chosen_by_name(self):
        keys = [row.key for row in measure_overhead.chosen_rows("*")]
        self.assertNotIn("transpose-100000-large", keys)
        self.assertEqual([row.key for row in measure_overhead.chosen_rows("sgemm-*")], ["sgemm-100", "sgemm-10000"])
        self.assertEqual(len(measure_overhead.chosen_rows("transpose-100000-large")), 1)


if __name__ == "__main__":
    unittest.main()
