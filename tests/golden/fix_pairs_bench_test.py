#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench/measure_fix_pairs.py without a GPU: its parsers, its judgement, and a run with stand-ins.

All numbers here are made up; so is the text of Nsight Compute, which only has its form.
"""
import json
import os
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BENCH = Path(__file__).resolve().parents[2] / "bench"
sys.path.insert(0, str(BENCH))
import measure_fix_pairs as pairs  # noqa: E402

# A made-up sample of the form of `ncu --csv --page details --section SourceCounters`.
NCU = '''==PROF== Connected to process 1
==PROF== Disconnected from process 1
"ID","Process ID","Kernel Name","Section Name","Metric Name","Metric Value","Rule Name","Rule Type","Rule Description","Estimated Speedup Type","Estimated Speedup"
"0","1","k_bad","SourceCounters","Branch Efficiency","0","","","","",""
"0","1","k_bad","SourceCounters","","","UncoalescedGlobalAccess","OPT","This kernel has uncoalesced global accesses, resulting in ""many"" sectors.","global","64.5"
"0","1","k_bad","SourceCounters","","","UncoalescedSharedAccess","OPT","Not this one.","global","99"
'''
EXPECTED = {"least": 60.0, "most": 70.0, "memory_share": 80.0, "findings": 1}


def report(least=60.0, most=70.0, known=True, kernel="k_bad(float*)"):
    cost = {"known": known, "why_not": "no permission"}
    if known:
        cost["kernels"] = [{"kernel": kernel, "memory_share_percent": 80.0,
                            "gain_percent": {"least": least, "most": most}}]
    return {"cost": cost, "accesses": [{"finding": True}, {"finding": False}]}


class Parsers(unittest.TestCase):
    def test_the_rules_estimate_is_found_among_others(self):
        self.assertEqual(pairs.ncu_speedup(NCU), 64.5)
        self.assertEqual(pairs.ncu_speedup(NCU.replace("UncoalescedGlobalAccess", "Uncoalesced Global Accesses")), 64.5)

    def test_a_rule_that_is_silent_is_no_number(self):
        silent = "\n".join(line for line in NCU.splitlines() if "UncoalescedGlobal" not in line)
        self.assertIsNone(pairs.ncu_speedup(silent))

    def test_another_form_of_table_is_refused(self):
        with self.assertRaises(pairs.Failed):
            pairs.ncu_speedup("==ERROR== no permission")
        with self.assertRaises(pairs.Failed):
            pairs.ncu_speedup(NCU.replace("Estimated Speedup", "Speedup"))

    def test_a_time_is_read_and_its_absence_is_said(self):
        self.assertEqual(pairs.median_ms("k bad median_ms=0.251600 timed=9 launches=200\n"), 0.2516)
        with self.assertRaises(pairs.Failed):
            pairs.median_ms("k: no GPU here\n")

    def test_a_prediction_is_the_kernels_range(self):
        self.assertEqual(pairs.prediction(report(), "k_bad"), EXPECTED)

    def test_no_samples_are_no_prediction(self):
        with self.assertRaisesRegex(pairs.Failed, "no permission"):
            pairs.prediction(report(known=False), "k_bad")
        with self.assertRaises(pairs.Failed):
            pairs.prediction(report(kernel="another"), "k_bad")


class Judgement(unittest.TestCase):
    def row(self, good_ms, ncu=90.0):
        return pairs.judged(EXPECTED, {"bad_ms": 1.0, "good_ms": good_ms, "ncu": ncu})

    def test_the_ends_of_a_range_belong_to_it(self):
        self.assertTrue(self.row(0.35)["inside"])
        self.assertFalse(self.row(0.45)["inside"])
        self.assertFalse(self.row(0.25)["inside"])

    def test_no_gain_is_right_of_any_gain_below_what_is_called_one(self):
        def inside(least, most, gain):
            expected = {**EXPECTED, "least": least, "most": most}
            return pairs.judged(expected, {"bad_ms": 1.0, "good_ms": 1 - gain / 100, "ncu": 1.0})["inside"]
        self.assertTrue(inside(0.0, 0.0, 2.9))
        self.assertFalse(inside(0.0, 0.0, 6.0))
        self.assertFalse(inside(3.0, 7.0, 2.0))

    def test_claims_name_the_pairs_that_miss_them(self):
        far = pairs.judged({**EXPECTED, "least": 10.0}, {"bad_ms": 1.0, "good_ms": 0.99, "ncu": 1.0})
        verdicts = {claim: (what, met) for claim, what, met in pairs.claims({"near": self.row(0.35), "far": far})}
        self.assertEqual(verdicts["nine of ten gains inside their range"], ("1 of 2", False))
        self.assertEqual(verdicts["ranges at most 15 points wide"], ("wider: far", False))
        self.assertEqual(verdicts["nearer than Nsight Compute wherever the two differ"], ("not: far", False))
        self.assertEqual(verdicts["gains below 5 % are called none"], ("not: far", False))


class Run(unittest.TestCase):
    """The whole script, with a coalcheck, a pair and an ncu that are shell scripts."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)
        self.program("bin/coalcheck", f"cat {self.root}/report.json")
        (self.root / "lib").mkdir()
        (self.root / "report.json").write_text(json.dumps(report(kernel="transpose_bad(float*)")))
        self.program("bench/fix_pairs/transpose", '''
[ "$1" = check ] && echo "transpose: 9 equal values" && exit 0
case "$COALCHECK_OPTIONS" in *--recording*)
  folder="${COALCHECK_OPTIONS##*--recording }"; mkdir -p "$folder"; touch "$folder/records.jsonl";; esac
[ "$1" = bad ] && ms=1.0 || ms=0.35
echo "transpose $1 median_ms=$ms timed=9 launches=200"''')
        (self.root / "ncu.csv").write_text(NCU)
        self.program("ncu", f"cat {self.root}/ncu.csv")

    def program(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n" + text + "\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def script(self, *words):
        return subprocess.run([sys.executable, "-B", BENCH / "measure_fix_pairs.py", "--build-dir", self.root,
                               "--predictions", self.root / "predictions.json", "--output", self.root / "table.md",
                               "--only", "transpose", "--ncu", self.root / "ncu", *words],
                              env=os.environ, capture_output=True, text=True, check=False)

    def test_predictions_stand_before_times_do_and_are_kept(self):
        first = self.script("--predict-only")
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertIn("| transpose | 60.0 to 70.0 % | not timed |", (self.root / "table.md").read_text())
        (self.root / "report.json").write_text(json.dumps(report(least=0.0, kernel="transpose_bad(float*)")))
        second = self.script()
        self.assertEqual(second.returncode, 0, second.stderr)
        text = (self.root / "table.md").read_text()
        self.assertIn("| transpose | 60.0 to 70.0 % | 65.0 % | yes | 1.0000 | 0.3500 | 64.5 % | 0.0 | 0.5 | 80 % |", text)
        self.assertIn("* commit: ", text)

    def test_what_fails_is_named_and_nothing_is_made_up(self):
        self.program("bench/fix_pairs/transpose", "echo no GPU here >&2; exit 77")
        done = self.script()
        self.assertEqual(done.returncode, 1)
        self.assertIn("exit code 77", done.stderr)
        self.assertFalse((self.root / "predictions.json").exists())

    def test_every_pair_is_there(self):
        self.assertGreaterEqual(len(pairs.pairs()), 10)
        for name in pairs.pairs():
            text = (BENCH / "fix_pairs" / f"{name}.cu").read_text()
            for side in ("bad", "good"):
                self.assertIn(f"void {name}_{side}(", text)


if __name__ == "__main__":
    unittest.main()
