# SPDX-License-Identifier: Apache-2.0
#
# What a gate makes of runs and sources that are there in part: nothing gets lost, and nothing passes.
"""Exit code and words of every case. Run by ctest: damage_test.py Class.test_name."""

import pathlib
import shutil
import unittest

import gate_test
from form_names import FORMS

ALLOWED = "--allow-unavailable"


class Damage(gate_test.Gate):
    """A project as a gate's; `elsewhere` is a mapping that leads to no source."""

    elsewhere = "/tmp/coalcheck=/no/such/folder"

    def other(self, command, *words):
        """Without the path mapping that finds the sources."""
        return self.outcome_of(*command, "--scope", "all", "--path-map", self.elsewhere, *words)

    def whole_and_torn(self):
        """A folder of two recordings; the only window of `torn` is a line that cannot be used."""
        both = pathlib.Path(self.folder, "both")
        both.mkdir()
        shutil.move(self.recording("whole"), both / "whole")
        torn = self.recording("torn", lambda text: text.replace('{"record":"window"', '{"record":"window'))
        shutil.move(torn, both / "torn")
        return both

    def test_tightening_drops_nothing_where_the_sources_cannot_be_read(self):
        recording = self.recording("before")
        self.write_baseline(recording)
        file = str(self.project / "base.txt")
        before = self.baseline_lines()
        code, text = self.other(("baseline", "check"), "--tighten", file, recording)
        self.assertEqual(code, 1, text)
        self.assertIn("1 not seen", text)
        self.assertIn("lines could not be read, by which findings are known (--source-root, --path-map)", text)
        self.assertEqual(self.baseline_lines(), before)

    def test_a_baseline_of_unreadable_lines_says_that_they_will_be_new(self):
        code, text = self.other(("baseline", "write"), "unread.txt", self.recording("before"))
        self.assertEqual(code, 0, text)
        self.assertIn("the text of 1 line could not be read: once it can, these findings are new", text)

    def test_no_baseline_is_written_from_a_damaged_recording_though_it_has_findings(self):
        both = self.whole_and_torn()
        code, text = self.coalcheck(("baseline", "write"), str(self.project / "base.txt"), str(both))
        self.assertEqual(code, 4, text)
        self.assertIn("no baseline is written, as findings may be missing", text)
        self.assertFalse((self.project / "base.txt").exists())

    def test_every_form_names_code_that_no_prediction_looked_at(self):
        (whole,) = pathlib.Path(self.recording("run"), "cubins").glob("*.cubin")
        cut = self.project / "cut.ptx"
        cut.write_text(".version 8.0\n.target sm_90\n.visible .entry k() { ret; }\n/* .visible .entry l() { ret; }")
        for form in FORMS:
            _, text = self.coalcheck(("predict", "--format", form, str(whole)), str(cut))
            said = "PTX text that is cut off: it ends within brackets" in " ".join(text.split())
            self.assertEqual(said, form not in ("folded", "callgrind"), (form, text))

    def test_gitlab_does_not_look_clean_where_the_waste_is_in_library_code(self):
        own = self.recording("own", lambda text: text.replace(
            gate_test.STORE, "[336,524288,16777216,0,0,2097152,2097152,524288]"))
        library = str(gate_test.ROOT / "tests" / "recordings" / "aos_soa")
        mine = ("--source-root", str(self.project), "--path-map",
                f"/tmp/coalcheck/samples/transpose_naive={self.source.parent}")
        self.assertEqual(self.outcome_of("report", "--format", "gitlab", *mine, own), (0, "[]\n"))
        code, text = self.outcome_of("report", "--format", "gitlab", *mine, own, library)
        self.assertEqual(code, 0, text)
        self.assertIn("library code, not judged: 12 accesses", text)

    def test_arguments_in_the_wrong_order_are_named(self):
        recording = self.recording("before")
        for command in ("write", "check"):
            code, text = self.coalcheck(("baseline", command), recording, str(self.project / "base.txt"))
            self.assertEqual(code, 2, text)
            self.assertIn("is a folder: the baseline comes first, and then the recordings", text)

    def test_what_is_tightened_now_is_not_recommended_once_more(self):
        self.write_baseline(self.recording("before"))
        code, text = self.coalcheck(("baseline", "check"), "--tighten", str(self.project / "base.txt"),
                                    self.recording("half", gate_test.with_store_of(16)))
        self.assertEqual(code, 0, text)
        self.assertIn("1 better or gone, which the baseline now says", text)

    def test_what_is_suppressed_is_not_taken_into_a_baseline(self):
        self.suppress("// coalcheck: ignore[later] until=2026-12-01")
        self.write_baseline(self.recording("before"))
        self.assertEqual(self.baseline_lines(), [])

    def test_every_form_names_a_suppression_that_expired(self):
        self.suppress("// coalcheck: ignore[later] until=2026-11-21")
        recording = self.recording("before")
        for form in FORMS:
            code, text = self.coalcheck(("report", "--format", form), recording)
            self.assertEqual(code, 1, form)
            if form != "folded":  # which has no room for a sentence
                self.assertIn("expired on 2026-11-21", text, form)

    def test_a_mistyped_end_of_a_suppression_is_named(self):
        self.suppress("// coalcheck: ignore[later] until 2026-12-01")
        self.gate(self.recording("before"), 1, "only until=YYYY-MM-DD may follow, not 'until 2026-12-01'")

    def test_a_diff_and_a_quiet_report_say_whose_rules_excused_how_much(self):
        (self.project / "coalcheck.toml").write_text('[[rule]]\nkernel = "*"\nmin-wasted-share = 100\n')
        says = f"rules of {self.project}/coalcheck.toml: 0 accesses suppressed, 1 more below its thresholds"
        recording = self.recording("run")
        report = str(self.project / "run.json")
        self.assertEqual(self.coalcheck(("report", "--format", f"json={report}"), recording)[0], 0)
        for new in (recording, report):
            for form in ("text", "json", "markdown"):
                code, text = self.coalcheck(("diff", "--format", form), recording, new)
                self.assertEqual(code, 0, (form, text))
                self.assertIn(says, text.replace("\\_", "_"), (form, new))
        code, text = self.coalcheck(("report", "--verbosity", "quiet"), recording)
        self.assertEqual(code, 0, text)
        self.assertIn(says, text)

    def test_a_newer_run_that_is_not_complete_does_not_pass_a_diff(self):
        both = self.whole_and_torn()
        base = str(both / "whole")
        for form in ("text", "json", "markdown"):
            code, text = self.coalcheck(("diff", "--format", form), base, str(both))
            self.assertEqual(code, 4, text)
            self.assertRegex(text, r'both is not complete: |"incomplete": "')
            code, text = self.coalcheck(("diff", "--format", form), str(both), base)
            self.assertEqual(code, 0, text)
            self.assertRegex(text, r'both is not complete: |"incomplete": "')
        self.assertEqual(self.coalcheck(("diff", ALLOWED), base, str(both))[0], 4)
        report = str(self.project / "both.json")
        self.assertEqual(self.coalcheck(("report", "--format", f"json={report}"), str(both))[0], 1)
        code, text = self.coalcheck(("diff",), base, report)
        self.assertEqual(code, 4, text)
        self.assertIn("both.json is not complete: ", text)
        self.assertEqual(self.coalcheck(("diff", "--exit-zero"), base, str(both))[0], 0)
        self.assertEqual(self.coalcheck(("diff",), base, base)[0], 0)

    def without_a_cubin(self):
        """A folder of two recordings; the code of the one that has a finding is lost."""
        both = pathlib.Path(self.folder, "lacking")
        both.mkdir()
        shutil.copytree(gate_test.SAMPLE.parent / "transpose_tiled", both / "tiled")
        shutil.move(self.recording("naive"), both / "naive")
        for cubin in (both / "naive" / "cubins").iterdir():
            cubin.unlink()
        return both

    def test_a_newer_run_whose_code_is_missing_does_not_pass_a_diff(self):
        both = self.without_a_cubin()
        report = self.project / "lacking.json"
        self.assertEqual(self.coalcheck(("report",), "--format", f"json={report}", str(both))[0], 4)
        for newer in (str(both), str(report)):
            code, text = self.coalcheck(("diff",), str(both / "tiled"), newer)
            self.assertEqual(code, 4, text)
            self.assertRegex(text, r"lacking(\.json)? is not complete: .* its cubin is not in the recording")

    def test_a_baseline_is_not_tightened_by_a_run_whose_code_is_missing(self):
        self.write_baseline(self.recording("before"))
        known = self.baseline_lines()
        code, text = self.coalcheck(("baseline", "check"), "--tighten", str(self.project / "base.txt"), str(self.without_a_cubin()))
        self.assertEqual(code, 4, text)
        self.assertIn("base.txt is unchanged, as findings may be missing", text)
        self.assertEqual(self.baseline_lines(), known)

    def test_a_reports_own_inputs_are_not_overwritten(self):
        recording = pathlib.Path(self.recording("before"))
        self.write_baseline(str(recording))
        baseline = self.project / "base.txt"
        for file, why in ((recording / "records.jsonl", "it is part of a recording"), (baseline, "it is the baseline")):
            text_before = file.read_text()
            code, text = self.coalcheck(("report", "--baseline", str(baseline), "--format", f"json={file}"),
                                        str(recording))
            self.assertEqual(code, 2, text)
            self.assertIn(f"cannot write the report to {file}: {why}", text)
            self.assertEqual(file.read_text(), text_before)

    def test_two_formats_do_not_share_a_file_by_two_names(self):
        code, text = self.coalcheck(("report", "--format", "text=a.out", "--format", "json=./a.out"),
                                    self.recording("before"))
        self.assertEqual(code, 2, text)
        self.assertIn("two formats, text and json, for ./a.out", text)

    def test_options_may_stand_before_both_words_of_a_command(self):
        recording, file = self.recording("before"), str(self.project / "base.txt")
        common = ("--source-root", str(self.project), "--path-map", f"/tmp/coalcheck={self.project}")
        for words in ((*common, "baseline", "write"), ("baseline", *common, "write")):
            code, text = self.outcome_of(*words, file, recording)
            self.assertEqual(code, 0, text)
            self.assertIn("1 known finding", text)

    def test_a_full_disk_is_noticed_by_every_command_that_prints(self):
        cubin = next((gate_test.SAMPLE / "cubins").iterdir())
        for words in (("inspect", str(cubin)), ("patterns",), ("options",), ("--help",), ("--version",)):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = gate_test.launched.subprocess.run(
                    [gate_test.launched.COALCHECK, *words], stdout=full, stderr=gate_test.launched.subprocess.PIPE,
                    text=True, env=self.environment, check=False, timeout=gate_test.launched.DEADLINE)
            self.assertEqual(done.returncode, 5, words)
            self.assertIn("cannot write to standard output", done.stderr)

    def test_two_formats_do_not_share_standard_output(self):
        code, text = self.coalcheck(("report", "--format", "json", "--format", "sarif"), self.recording("before"))
        self.assertEqual(code, 2, text)
        self.assertIn("two formats, json and sarif, for standard output; name a file: --format sarif=FILE", text)

    def test_gitlab_does_not_look_clean_where_nothing_could_be_collected_though_that_is_allowed(self):
        loss = '{"record":"loss","what":"could_not_collect","detail":"no permission","count":1}\n{"record":"end"'
        recording = self.recording("barred", lambda text: "".join(
            line for line in text.replace('{"record":"end"', loss).splitlines(keepends=True)
            if '"record":"window"' not in line and '"record":"tally"' not in line))
        code, text = self.coalcheck(("report", ALLOWED, "--format", "gitlab"), recording)
        self.assertEqual(code, 0, text)
        self.assertIn('"check_name": "not-checked"', text)

    def test_a_diff_of_a_run_that_could_not_collect_is_no_pass_unless_that_is_allowed(self):
        barred = str(gate_test.ROOT / "tests" / "integration" / "consumer" / "unavailable")
        recording = self.recording("before")
        code, text = self.coalcheck(("diff",), recording, barred)
        self.assertEqual(code, 4, text)
        code, text = self.coalcheck(("diff", ALLOWED), recording, barred)
        self.assertEqual(code, 0, text)
        self.assertIn("nothing can be compared; allowed (--allow-unavailable)", text)
        self.assertEqual(self.coalcheck(("diff", "--exit-zero"), recording, barred)[0], 0)

    def test_runs_without_a_common_kernel_are_not_compared(self):
        other = str(gate_test.ROOT / "tests" / "recordings" / "coalesced_copy")
        code, text = self.coalcheck(("diff", "--scope", "all"), other, other)
        self.assertEqual(code, 0, text)
        code, text = self.coalcheck(("diff", "--scope", "all"), self.recording("before"), other)
        self.assertEqual(code, 3, text)
        self.assertIn("no kernel was checked in both runs: nothing was compared", text)

    def test_another_file_of_ours_is_no_recording_and_is_named(self):
        recording = self.recording("before")
        self.write_baseline(recording)
        report = pathlib.Path(self.folder, "report.json")
        self.coalcheck(("report", "--format", f"json={report}"), recording)
        for file, what in ((self.project / "base.txt", "it is a baseline; --baseline "),
                           (report, "it is a report, which coalcheck diff compares"),
                           (self.source, "no folder with a records.jsonl")):
            code, text = self.coalcheck(("report",), str(file))
            self.assertEqual(code, 2, text)
            self.assertIn(f"this is not a coalcheck recording: {what}", text)

    def test_a_baseline_is_no_stream(self):
        for command in ("write", "check"):
            code, text = self.coalcheck(("baseline", command), "-", self.recording("r" + command))
            self.assertEqual(code, 2, text)
            self.assertIn("a baseline is a file that is kept, not standard output (-)", text)
            self.assertFalse(pathlib.Path(self.folder, "-").exists())

    def test_a_path_mapping_is_not_blamed_where_there_was_no_path(self):
        nothing = self.recording("nothing", lambda text: "".join(
            line for line in text.splitlines(keepends=True) if '"record":"window"' not in line))
        code, text = self.coalcheck(("report",), nothing)
        self.assertNotEqual(code, 0, text)
        self.assertNotIn("replaces nothing", text)

    def test_a_verdict_names_filters_that_fitted_nothing_and_its_scope(self):
        unmatched = '{"record":"unmatched","option":"kernel","filter":"no_such","nearest":[]}\n{"record":"end"'
        recording = self.recording("filtered", lambda text: text.replace('{"record":"end"', unmatched))
        code, text = self.coalcheck(("verdict",), recording)
        self.assertEqual(code, 1, text)
        self.assertIn("no_such", text)
        empty = pathlib.Path(self.folder, "empty")
        empty.mkdir()
        code, text = self.outcome_of("verdict", "--source-root", str(empty), recording)
        self.assertIn("no access lies under", text)

    def test_a_rule_without_a_threshold_and_half_a_launch_are_refused(self):
        for toml, why in (('[[rule]]\nkernel = "x"\n', "a rule needs a threshold"),
                          ("min-launches = 13.5\n", "min-launches takes a whole number"),
                          ('[[suppress]]\nkernel = "x"\nreason = "  "\n', "a suppression needs a reason")):
            (self.project / "coalcheck.toml").write_text(toml)
            self.gate(self.recording("r" + str(len(toml))), 2, why)


if __name__ == "__main__":
    unittest.main()
