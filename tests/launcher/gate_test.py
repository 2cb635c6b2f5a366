# SPDX-License-Identifier: Apache-2.0
#
# What a build that runs coalcheck as its gate gets to see: one row for each case.
"""Exit code and last line of every case. Run by ctest: gate_test.py Class.test_name."""

import json
import pathlib
import shutil
import sys
import unittest

import launched

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))

import edited_recording  # noqa: E402  # pylint: disable=wrong-import-position

SAMPLE = ROOT / "tests" / "recordings" / "transpose_naive"
SOURCE = ROOT / "samples" / "transpose_naive" / "transpose_naive.cu"
STORE = "[336,524288,16777216,0,0,16777216,2097152,16777216]"  # 32 sectors a request, 4 would do
# A program that leaves a copy of the recording "$0", as its own, where it is asked for one, and then does "$1".
RECORDS_AND_THEN = r"""
then=$1
eval "set -- $COALCHECK_OPTIONS"
for word; do
  case $word in --recording=*) folder=${word#--recording=} ;; esac
done
folder=${folder%\%p}$$
cp -r "$0" "$folder" && sed -i "1s/\"pid\":[0-9]*/\"pid\":$$/; s/,\"before\":{.*}}\$/}/" "$folder/records.jsonl"
eval "$then"
"""


def with_store_of(sectors):
    """An edit of the recording: the wasteful store touches so many sectors in each request."""
    total = 524288 * sectors
    return lambda text: text.replace(STORE, STORE.replace(",16777216,2097152,", f",{total},2097152,"))


def of_a_filter_that_fitted_nothing(option, reason):
    """An edit of the recording: `option` named what was not seen, so every launch was passed over for `reason`."""
    def edit(text):
        records = [json.loads(line) for line in text.splitlines()]
        for tally in (record for record in records if record["record"] == "tally"):
            tally.update(counted=0, skipped=[{"reason": reason, "launches": tally["launches"]}])
        records.insert(-1, {"record": "unmatched", "option": option, "filter": "transpse",
                            "nearest": ["transpose_naive"]})
        return "".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records
                       if record["record"] != "window")
    return edit


def cut_off(text):
    """An edit of the recording: the program did not live to its end."""
    return text[:text.index('{"record":"end"')]


class Gate(launched.Launched):
    """A project with its source, its recordings and its rules in a folder of its own."""

    def setUp(self):
        super().setUp()
        self.project = pathlib.Path(self.folder, "project")
        source = self.project / "samples" / "transpose_naive" / SOURCE.name
        source.parent.mkdir(parents=True)
        shutil.copy(SOURCE, source)
        self.source = source

    def recording(self, name, edit=lambda text: text):
        folder = pathlib.Path(self.folder, name)
        shutil.copytree(SAMPLE, folder)
        records = folder / "records.jsonl"
        records.write_text(edited_recording.without_vouching(edit(records.read_text())))
        return str(folder)

    def outcome_of(self, *words):
        done = launched.subprocess.run([launched.COALCHECK, *words], capture_output=True, text=True,
                                       env=self.environment, cwd=self.folder, check=False,
                                       timeout=launched.DEADLINE)
        return done.returncode, done.stdout + done.stderr

    def rules(self):
        return ("--source-root", str(self.project), "--path-map", f"/tmp/coalcheck={self.project}",
                "--today", "2026-11-22")

    def coalcheck(self, command, *words):
        return self.outcome_of(*command, *self.rules(), *words)

    def launch(self, recording, then):
        """Exit code and stderr of a launch of a program that makes this recording and then ends so."""
        code, _, err = self.run_to_end(*self.rules(), "sh", "-c", RECORDS_AND_THEN, recording, then)
        return code, err

    def gate(self, recording, code, *says):
        """The gate's exit code is `code`, and it says each of `says`."""
        got, text = self.coalcheck(("report",), recording)
        self.assertEqual(got, code, text)
        for sentence in says:
            self.assertIn(sentence, text)
        return text

    def write_baseline(self, recording):
        code, text = self.coalcheck(("baseline", "write"), str(self.project / "base.txt"), recording)
        self.assertEqual(code, 0, text)
        (self.project / "coalcheck.toml").write_text('baseline = "base.txt"\n')

    def baseline_lines(self):
        return [line for line in (self.project / "base.txt").read_text().splitlines()
                if not line.startswith("#")]

    def suppress(self, comment):
        text = self.source.read_text().splitlines()
        text[16] += "  " + comment  # the store is on line 17
        self.source.write_text("\n".join(text) + "\n")

    def test_clean_passes(self):
        self.gate(self.recording("clean", with_store_of(4)), 0, "every access is clean: 2 accesses")

    def test_a_new_finding_fails(self):
        self.write_baseline(self.recording("before", with_store_of(4)))
        self.gate(self.recording("after"), 1, "baseline: new", "1 new, 0 worse, 0 known",
                  "1 finding (1 store)")

    def test_a_known_finding_passes(self):
        self.write_baseline(self.recording("before"))
        self.assertEqual(len(self.baseline_lines()), 1)
        self.gate(self.recording("after"), 0, "no new finding: 1 known; the others clean: 1 access",
                  "0 new, 0 worse, 1 known")

    def test_a_worse_finding_fails(self):
        self.write_baseline(self.recording("before", with_store_of(16)))
        self.gate(self.recording("after"), 1, "baseline: worse: it was 12 wasted sectors per request",
                  "0 new, 1 worse, 0 known")

    def test_a_better_finding_passes_and_is_announced(self):
        self.write_baseline(self.recording("before"))
        self.gate(self.recording("after", with_store_of(16)), 0,
                  "better than the baseline: samples/transpose_naive/transpose_naive.cu: store",
                  "28 -> 12 wasted sectors per request", "1 better or gone")

    def test_tightening_takes_over_what_is_better_and_drops_what_is_gone(self):
        self.write_baseline(self.recording("before"))
        check = ("baseline", "check")
        file = str(self.project / "base.txt")
        code, text = self.coalcheck(check, "--tighten", file, self.recording("half", with_store_of(16)))
        self.assertEqual(code, 0, text)
        self.assertIn("base.txt is rewritten with the findings that got better", text)
        self.assertIn("\t12\t75\tstore\t", self.baseline_lines()[0])
        before = launched.os.stat(file)
        code, text = self.coalcheck(check, "--tighten", file, self.recording("again", with_store_of(16)))
        self.assertIn("nothing got better: " + file + " is unchanged", text)
        self.assertEqual(launched.os.stat(file), before)
        self.gate(self.recording("back"), 1, "worse: it was 12 wasted sectors per request")
        code, text = self.coalcheck(check, "--tighten", file, self.recording("none", with_store_of(4)))
        self.assertEqual((code, self.baseline_lines()), (0, []), text)

    def test_a_baseline_that_is_checked_in_a_workflow_annotates(self):
        self.write_baseline(self.recording("before", with_store_of(4)))
        summary = pathlib.Path(self.folder, "summary.md")
        self.environment.update(GITHUB_ACTIONS="true", GITHUB_STEP_SUMMARY=str(summary))
        code, text = self.coalcheck(("baseline", "check"), str(self.project / "base.txt"), self.recording("after"))
        self.assertEqual(code, 1, text)
        self.assertIn("::warning ", text)
        self.assertIn("### coalcheck: 1 finding", summary.read_text())

    def test_a_verdict_says_what_is_missing_of_a_run_that_was_cut_off(self):
        torn = self.recording("torn", cut_off)
        code, text = self.coalcheck(("verdict",), torn)
        self.assertEqual(code, 1, text)
        self.assertIn("coalcheck: " + torn, text)
        whole = self.recording("whole")
        self.assertNotIn("coalcheck: " + whole, self.coalcheck(("verdict",), whole)[1])

    def test_what_is_no_baseline_is_not_overwritten(self):
        recording = self.recording("before")
        source, folder, pipe = self.source, self.project / "samples", self.project / "pipe"
        launched.os.mkfifo(pipe)
        text_before = source.read_text()
        for target, why in ((source, "is there and is no baseline"), (folder, "is a folder: the baseline comes first"),
                            (pipe, "is not a regular file")):
            code, text = self.coalcheck(("baseline", "write"), str(target), recording)
            self.assertEqual(code, 2, text)
            self.assertIn(f"coalcheck: no baseline is written: {target} {why}", text)
        self.assertEqual(source.read_text(), text_before)
        self.assertTrue(folder.is_dir() and pipe.is_fifo())

    def test_an_empty_file_and_a_baseline_are_overwritten(self):
        (self.project / "base.txt").touch()
        self.write_baseline(self.recording("before"))
        self.write_baseline(self.recording("clean", with_store_of(4)))
        self.assertEqual(self.baseline_lines(), [])

    def test_a_link_to_a_baseline_stays_one(self):
        link, kept = self.project / "base.txt", self.project / "kept" / "base.txt"
        kept.parent.mkdir()
        link.symlink_to("kept/base.txt")
        self.write_baseline(self.recording("before"))  # the link leads nowhere yet
        self.assertTrue(link.is_symlink() and kept.is_file())
        code, text = self.coalcheck(("baseline", "check"), "--tighten", str(link),
                                    self.recording("half", with_store_of(16)))
        self.assertEqual(code, 0, text)
        self.assertTrue(link.is_symlink())
        self.assertIn("\t12\t75\tstore\t", kept.read_text())

    def test_a_finding_that_was_not_run_is_kept(self):
        self.write_baseline(self.recording("before"))
        other = ROOT / "tests" / "recordings" / "coalesced_copy"
        before = self.baseline_lines()
        code, text = self.coalcheck(("baseline", "check"), "--tighten", "--scope", "all",
                                    str(self.project / "base.txt"), str(other))
        self.assertEqual(code, 0, text)
        self.assertIn("1 not seen, as their kernels were not checked", text)
        self.assertEqual(self.baseline_lines(), before)

    def test_a_moved_project_passes(self):
        self.write_baseline(self.recording("before"))
        moved = self.project.with_name("elsewhere")
        self.project.rename(moved)
        self.project = moved
        self.gate(self.recording("after"), 0, "no new finding: 1 known; the others clean: 1 access",
                  "0 new, 0 worse, 1 known")

    def test_a_suppressed_finding_passes(self):
        self.suppress("// coalcheck: ignore[measured, no gain] until=2026-11-22")
        self.gate(self.recording("run"), 0, "no new finding: 1 suppressed; the others clean: 1 access")

    def test_an_expired_suppression_fails_and_is_named(self):
        self.suppress("// coalcheck: ignore[measured, no gain] until=2026-11-21")
        self.gate(self.recording("run"), 1,
                  "transpose_naive.cu:17: the suppression expired on 2026-11-21: measured, no gain")

    def test_a_suppression_in_the_project_file_passes_and_an_unused_one_is_named(self):
        (self.project / "coalcheck.toml").write_text(
            '[[suppress]]\nfile = "samples/*"\nkernel = "transpose_naive"\nreason = "a sample"\n'
            '[[suppress]]\nkernel = "gone"\nreason = "old"\n')
        text = self.gate(self.recording("run"), 0, "1 suppressed")
        self.assertIn("no kernel is 'gone', seen were transpose_naive", text)
        self.assertIn("coalcheck.toml:5: the suppression matches no finding of this run: old", text)

    def test_a_module_is_the_program_that_loaded_it(self):
        recording = self.recording("run")
        for program, code in (("transpose_naive", 0), ("*/bin/transpose_naive", 0), ("another", 1)):
            (self.project / "coalcheck.toml").write_text(
                f'[[suppress]]\nmodule = "{program}"\nreason = "a sample"\n')
            self.gate(recording, code)

    def test_a_rule_that_matches_nothing_is_named_with_what_was_seen(self):
        (self.project / "coalcheck.toml").write_text(
            '[[rule]]\nkernel = "transpose_naiv"\nmin-wasted-share = 90\n')
        self.gate(self.recording("run"), 1, "coalcheck.toml:1: the rule matches no access of this run; no kernel is "
                  "'transpose_naiv', seen were transpose_naive")
        code, text = self.coalcheck(("verdict", "--explain"), self.recording("again"))
        self.assertEqual(code, 1)
        self.assertTrue(text.startswith(f"coalcheck: rules of {self.project}/coalcheck.toml\n"), text)

    def test_a_suppression_without_a_reason_is_none(self):
        self.suppress("// coalcheck: ignore")
        self.gate(self.recording("run"), 1, ":17: a suppression needs a reason")

    def test_nothing_checked_does_not_pass(self):
        def nothing(text):
            lines = [line for line in text.splitlines()
                     if json.loads(line)["record"] not in ("window", "tally")]
            return "\n".join(lines) + "\n"
        self.gate(self.recording("run", nothing), 3, "nothing was checked: no kernel was launched")

    def test_a_filter_that_matched_nothing_does_not_pass_and_is_named(self):
        self.write_baseline(self.recording("before"))
        file, lines = str(self.project / "base.txt"), self.baseline_lines()
        for option, reason, why in (("kernel", "not_selected", "because their kernel is not selected"),
                                    ("nvtx-include", "outside_ranges", "outside the selected ranges")):
            recording = self.recording(option, of_a_filter_that_fitted_nothing(option, reason))
            nothing = f"5 launches seen, none counted: 5 {why}"
            self.gate(recording, 3, f"--{option} transpse matched nothing; seen were transpose_naive",
                      "nothing was checked: " + nothing)
            for words in (("verdict",), ("report", "--allow-unavailable"), ("baseline", "check", "--tighten", file),
                          ("baseline", "write", file)):
                code, text = self.coalcheck(words, recording)
                self.assertEqual(code, 3, text)
                self.assertIn(nothing, text)
            self.assertEqual(self.baseline_lines(), lines)

    def test_a_launch_whose_filter_matched_nothing_does_not_pass(self):
        recording = self.recording("run", of_a_filter_that_fitted_nothing("kernel", "not_selected"))
        code, err = self.launch(recording, "exit 0")
        self.assertEqual(code, 3, err)
        self.assertIn("--kernel transpse matched nothing; seen were transpose_naive", err)
        self.assertTrue(err.endswith("; exit code 3 is the verdict\n"), err)

    def test_too_few_launches_do_not_pass(self):
        (self.project / "coalcheck.toml").write_text("min-launches = 2\n")
        self.gate(self.recording("run", with_store_of(4)), 3,
                  "too little was checked: 1 launch checked, at least 2 are required")

    def test_dropped_records_do_not_pass(self):
        def dropped(text):
            return with_store_of(4)(text).replace('"dropped_records":0', '"dropped_records":3')
        self.gate(self.recording("run", dropped), 4, "not all could be judged: CUPTI dropped 3")

    def test_unavailable_counters_do_not_pass_unless_allowed(self):
        def unavailable(text):
            lines = [line for line in text.splitlines()
                     if json.loads(line)["record"] not in ("window", "tally")]
            lines.insert(1, json.dumps({"record": "loss", "what": "could_not_collect",
                                        "detail": "no permission", "count": 1}))
            return "\n".join(lines) + "\n"
        recording = self.recording("run", unavailable)
        self.gate(recording, 4, "could not collect: no permission")
        code, text = self.coalcheck(("report",), "--allow-unavailable", recording)
        self.assertEqual(code, 0, text)
        self.assertIn("could not collect: no permission; allowed (--allow-unavailable)", text)

    def test_allowing_unavailable_counters_allows_nothing_else(self):
        def dropped(text):
            return with_store_of(4)(text).replace('"dropped_records":0', '"dropped_records":3')
        code, text = self.coalcheck(("report",), "--allow-unavailable", self.recording("run", dropped))
        self.assertEqual(code, 4, text)

    def test_a_program_that_succeeded_gets_the_verdict(self):
        code, err = self.launch(self.recording("run"), "exit 0")
        self.assertEqual(code, 1, err)
        self.assertTrue(err.endswith("; exit code 1 is the verdict\n"), err)
        code, err = self.launch(self.recording("clean", with_store_of(4)), "exit 0")
        self.assertEqual(code, 0, err)
        self.assertIn("every access is clean: 2 accesses", err)

    def test_a_program_that_failed_keeps_its_exit_code_and_its_findings_are_named(self):
        code, err = self.launch(self.recording("run"), "exit 37")
        self.assertEqual(code, 37, err)
        self.assertIn("transpose_naive.cu:17: store wastes 87.5 %", err)
        self.assertRegex(err.splitlines()[-1], r"1 finding \(1 store\).*; exit code 37 is the program's own$")

    def test_a_program_that_failed_and_recorded_nothing_keeps_its_exit_code(self):
        code, _, err = self.run_to_end("sh", "-c", "exit 37")
        self.assertEqual(code, 37, err)
        self.assertIn("exit code 37 is the program's own", err)

    def test_a_program_that_was_killed_ends_by_its_signal_and_its_findings_are_named(self):
        code, err = self.launch(self.recording("run", cut_off), "kill -KILL $$")
        self.assertEqual(code, -9, err)
        self.assertIn("transpose_naive.cu:17: store wastes 87.5 %", err)
        self.assertIn("was killed by SIGKILL after 1 window", err)
        self.assertRegex(err.splitlines()[-1], r"1 finding \(1 store\).*; ended by SIGKILL, as the program was$")

    def test_a_program_that_was_killed_and_recorded_nothing_ends_by_its_signal(self):
        code, _, err = self.run_to_end("sh", "-c", "kill -KILL $$")
        self.assertEqual(code, -9, err)
        self.assertIn("ended by SIGKILL, as the program was", err)

    def test_a_missing_baseline_is_said_before_the_program_runs(self):
        code, out, err = self.run_to_end("--baseline", "nowhere.txt", "sh", "-c", "echo ran")
        self.assertEqual((code, out), (2, ""), err)
        self.assertIn("there is no baseline nowhere.txt; coalcheck baseline write makes it", err)

    def test_the_command_line_wins_over_the_file_and_the_file_over_the_defaults(self):
        file = self.project / "coalcheck.toml"
        file.write_text("[thresholds]\nmin-wasted-share = 90\n")
        recording = self.recording("run")
        self.gate(recording, 0)
        code, text = self.coalcheck(("report",), "--min-wasted-share", "50", recording)
        self.assertEqual(code, 1, text)
        code, text = self.coalcheck(("report",), "--config", "none", recording)
        self.assertEqual(code, 1, text)

    def test_the_verdict_explains_itself(self):
        (self.project / "coalcheck.toml").write_text(
            '[[rule]]\nfile = "samples/*"\nmin-requests = 1000000\n')
        code, text = self.coalcheck(("verdict", "--explain"), self.recording("run"))
        self.assertEqual(code, 0, text)
        self.assertIn("store in transpose_naive: clean: 524\u202f288 per launch is below min-requests "
                      f"1\u202f000\u202f000 per launch ({self.project}/coalcheck.toml:3)", text)
        self.assertIn("load in transpose_naive: clean: wastes nothing", text)

    def test_a_project_file_that_is_no_file_is_refused(self):
        recording, rules = self.recording("run"), self.project / "coalcheck.toml"
        rules.mkdir()
        self.gate(recording, 2, f"{rules} is not a regular file")
        rules.rmdir()
        rules.symlink_to("nothing")
        self.gate(recording, 2, f"{rules} is not a regular file but a link")

    def test_a_project_file_with_a_mistake_is_refused(self):
        (self.project / "coalcheck.toml").write_text("[thresholds]\nmin-wasted-shar = 90\n")
        self.gate(self.recording("run"), 2,
                  "coalcheck.toml:2: unknown key 'min-wasted-shar': did you mean 'min-wasted-share'?")


if __name__ == "__main__":
    unittest.main()
