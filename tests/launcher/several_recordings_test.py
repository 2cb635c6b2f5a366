# SPDX-License-Identifier: Apache-2.0
#
# What the sum of several recordings hides of one of them.
"""Every form names it, and no baseline drops it. Run by ctest: several_recordings_test.py Class.test_name."""

import json
import unittest

import gate_test
from form_names import FORMS

FORMS_THAT_NAME = tuple(form for form in FORMS if form not in ("folded", "callgrind"))
GATHER = gate_test.ROOT / "tests" / "recordings" / "gather"
SAMPLED = gate_test.ROOT / "tests" / "sampled_recordings" / "transpose_tiled"


class SeveralRecordings(gate_test.Gate):
    def clean(self):
        """The same accesses; the store is clean, and asked for a thousand times as much."""
        return self.recording("clean", lambda text: text.replace(
            gate_test.STORE, "[336,524288000,16777216000,0,0,2097152000,2097152000,524288000]"))

    def says(self, words, text):
        return words in " ".join(text.replace("\\_", "_").replace("%25", "%").split())

    def expect_in_forms(self, words, *command, but=("folded", "callgrind")):
        for form in FORMS:
            code, text = self.coalcheck(("report", "--format", form), *command)
            self.assertEqual(code, 0, (form, text))
            self.assertEqual(self.says(words, text), form not in but, (form, text))

    def test_waste_that_is_a_finding_in_one_is_named(self):
        wasteful = self.recording("wasteful")
        self.assertEqual(self.coalcheck(("verdict",), wasteful)[0], 1)
        self.expect_in_forms("wasteful alone: 87.5 % is not below", wasteful, self.clean())

    def test_a_minimum_for_each_launch_is_held_against_each_recordings_own_launches(self):
        wasteful = self.recording("wasteful")
        idle = self.recording("idle", lambda text: text.replace(gate_test.STORE, "[336,1,32,0,0,32,4,32]").replace(
            '"launches":1,"arguments":[{"launches":1,', '"launches":1000,"arguments":[{"launches":1000,'))
        for minimum in (("--min-requests", "100000"), ("--min-wasted-bytes", "1000000")):
            self.assertEqual(self.coalcheck(("verdict",), *minimum, wasteful)[0], 1)
            self.expect_in_forms("wasteful alone: 87.5 % is not below", *minimum, wasteful, idle)

    def test_a_minimum_of_cost_is_held_against_each_recordings_own_samples(self):
        wasteful = self.recording("wasteful")
        self.assertEqual(self.coalcheck(("verdict",), "--min-cost", "5", wasteful)[0], 1)
        self.expect_in_forms("wasteful alone: 87.5 % is not below", "--min-cost", "5", wasteful, str(SAMPLED))

    def test_what_the_options_let_pass_is_counted(self):
        for option in (("--min-wasted-share", "90"), ("--min-requests", "1e9")):
            self.expect_in_forms("1 more access below the thresholds of the options", *option, self.recording(option[0]), but=("folded",))

    def test_samples_that_were_dropped_let_nothing_pass(self):
        def dropping(samples):
            return lambda text: text.replace(
                '{"record":"end"',
                '{"record":"pc_sampling","sampling":1,"device":0,"context":1,"period_cycles":64,"buffer_bytes":1024,"reasons":["smsp__pcsamp_warps_issue_stalled_long_scoreboard"]}\n'
                f'{{"record":"pc_samples","sampling":1,"dropped":{samples},"elsewhere":5,"unplaced":0,"functions":[]}}\n'
                '{"record":"end"')
        self.assertEqual(self.coalcheck(("verdict",), "--min-cost", "5", self.recording("whole", dropping(0)))[0], 0)
        code, text = self.coalcheck(("report",), "--min-cost", "5", self.recording("dropped", dropping(900)))
        self.assertEqual(code, 1, text)
        self.assertTrue(self.says("of the samples were dropped", text), text)

    def test_what_is_worse_in_one_is_named_against_a_baseline_and_in_a_diff(self):
        half = self.recording("half", gate_test.with_store_of(16))
        self.write_baseline(half)
        file = str(self.project / "base.txt")
        clean = self.recording("quiet", gate_test.with_store_of(8))
        worse = self.recording("worse", gate_test.with_store_of(20))
        self.assertEqual(self.coalcheck(("baseline", "check"), file, worse)[0], 1)
        self.expect_in_forms("worse alone: worse: it was 12 wasted sectors per request", "--baseline", file, worse, clean)
        before = self.baseline_lines()
        self.assertEqual(self.coalcheck(("baseline", "check"), "--tighten", file, worse, clean)[0], 0)
        self.assertEqual(self.baseline_lines(), before)
        both = self.project / "both"
        both.mkdir()
        for one in (worse, clean):
            gate_test.shutil.move(one, both)
        for form in ("text", "json", "markdown"):
            code, text = self.coalcheck(("diff", "--format", form), half, str(both))
            self.assertEqual(code, 0, text)
            self.assertRegex(text, r'worse in .*/worse alone|"worse_in_recording": ".*/worse"')

    def minimal(self, name):
        """The accesses of clean(), of which sectors alone were counted."""
        def edit(text):
            records = [json.loads(line) for line in text.replace(
                gate_test.STORE, "[336,524288000,16777216000,0,0,2097152000,2097152000,524288000]").splitlines()]
            columns = [records[0]["counters"].index(counter) for counter in ("sectors", "ideal_sectors")]
            records[0]["counters"] = ["sectors", "ideal_sectors"]
            for function in (one for record in records for one in record.get("functions", [])):
                function["rows"] = [[row[0], *(row[1 + column] for column in columns)] for row in function["rows"]]
            return "".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records)
        return self.recording(name, edit)

    def test_a_recording_without_requests_hides_nothing_that_is_worse(self):
        half = self.recording("half", gate_test.with_store_of(16))
        self.write_baseline(half)
        file = str(self.project / "base.txt")
        worse = self.recording("worse", gate_test.with_store_of(20))
        self.assertEqual(self.coalcheck(("baseline", "check"), file, worse)[0], 1)
        self.expect_in_forms("worse alone: worse: it was 12", "--baseline", file, worse, self.minimal("minimal"))

    def test_a_line_under_the_root_in_one_recording_hides_nothing_of_another(self):
        here = f"/tmp/coalcheck/samples/transpose_naive={self.source.parent}"
        rules = ("--source-root", str(self.project), "--path-map", here, "--today", "2026-11-22")
        self.assertEqual(self.outcome_of("verdict", *rules, str(GATHER))[0], 1)
        for form in FORMS_THAT_NAME:
            code, text = self.outcome_of("report", "--format", form, *rules, str(GATHER), self.clean_under("clean_" + form))
            self.assertEqual(code, 0, text)
            self.assertTrue(self.says("gather alone: 87.4997 % is not below", text), (form, text))

    def clean_under(self, name):
        return self.recording(name, lambda text: text.replace(
            gate_test.STORE, "[336,524288,16777216,0,0,2097152,2097152,524288]"))

    def test_a_stricter_rule_for_a_program_holds_for_its_recording(self):
        file = self.project / "strict.toml"
        file.write_text('[thresholds]\nmin-wasted-share = 90\n\n[[rule]]\nmodule = "*/transpose_naive"\nmin-wasted-share = 10\n')
        strict = self.recording("strict")
        other = self.recording("other", lambda text: text.replace("/tmp/coalcheck/bin/transpose_naive", "/tmp/coalcheck/bin/old"))
        self.assertEqual(self.coalcheck(("verdict",), "--config", str(file), strict)[0], 1)
        self.expect_in_forms("strict alone: 87.5 % is not below", "--config", str(file), strict, other)

    def test_text_that_another_recording_brings_makes_no_finding_a_known_one(self):
        self.write_baseline(self.recording("before"))
        file = str(self.project / "base.txt")
        old = self.source.read_text()
        self.source.write_text(old.replace("out[col * height + row] = in", "out[col * height + row] = 1 * in"))
        after = self.recording("after")
        source = json.dumps({"record": "source", "file": "/tmp/coalcheck/samples/transpose_naive/transpose_naive.cu",
                             "first_line": 1, "text": old, "shown_as": "samples/x/transpose_naive.cu"})
        foreign = self.recording("foreign", lambda text: text.replace('{"record":"end"', source + '\n{"record":"end"'))
        for recordings in ((after,), (after, foreign)):
            code, text = self.coalcheck(("baseline", "check"), file, *recordings)
            self.assertEqual(code, 1, text)
            self.assertIn("1 new", text)


if __name__ == "__main__":
    unittest.main()
