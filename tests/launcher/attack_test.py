# SPDX-License-Identifier: Apache-2.0
#
# What somebody tries who wrote the recording, the rules, the names or the program: nothing gets in, nothing hangs.
"""Each attack by itself. Run by ctest: attack_test.py Class.test_name."""

import json
import os
import pathlib
import re
import resource
import shlex
import subprocess
import sys
import unittest

import gate_test
import launched
from form_names import FORMS

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "bench"))
import hostile_files  # noqa: E402
import hostile_ptx  # noqa: E402
import hostile_recordings  # noqa: E402

HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\u0600\u2800\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]")
NASTY = "a\x1b]0;owned\x07\rb\u202ec"
# Its parts refer to each other; who looks for a pack in it walks 2^34 ways.
ENDLESS = "_Z1fDp1QI1PIiiE" + "".join(f"S0_IS{c}_S{c}_E" for c in "123456789ABCDEFGHIJKLMNOPQRSTUVWX") + "E"
# The program leaves pipes where its records should be. $1: their names.
LEAVES_PIPES = r"""
eval "set -- $COALCHECK_OPTIONS"
for word; do
  case $word in --recording=*) folder=${word#--recording=} ;; esac
done
folder=${folder%\%p}$$
mkdir -p "$folder" && mkfifo "$folder/records.jsonl" "$folder/progress"
"""


def without(*kinds):
    """An edit of the recording: records of these kinds are gone."""
    return lambda text: "".join(line for line in text.splitlines(keepends=True)
                                if json.loads(line)["record"] not in kinds)


class Attack(gate_test.Gate):
    def every_form(self, recording, *words):
        """(form, exit code, what was printed) of each form."""
        for form in FORMS:
            code, text = self.coalcheck(("report", "--format", form, *words), recording)
            yield form, code, text

    def test_a_name_that_refers_to_itself_hangs_no_command(self):
        recording = self.recording("evil", lambda text: text.replace("_Z15transpose_naivePKfPfii", ENDLESS))
        for command in (("report",), ("verdict", "--explain"), ("diff", recording), ("baseline", "write", "b.txt")):
            code, text = self.coalcheck(command, recording)  # a hang ends in an error: every wait has a deadline
            self.assertIn(code, range(6), text)
        for form, code, text in self.every_form(recording, "--scope", "all"):
            self.assertIn(code, range(6), (form, text))

    def test_branches_that_lead_anywhere_hang_no_prediction(self):
        few, many = (self.seconds_of_predicting(hostile_ptx.crossing_branches(size)) for size in (200_000, 600_000))
        self.assertLess(few, 30)
        self.assertLess(many, 7 * few)  # of three times the text; what is quadratic takes nine

    def seconds_of_predicting(self, ptx):
        """CPU seconds of two forms."""
        text = self.project / "branches.ptx"
        text.write_text("".join(ptx))
        return sum(self.seconds_of("predict", "--format", form, str(text)) for form in ("text", "json"))

    def test_pipes_in_the_place_of_records_hold_no_launch_up(self):
        code, out, err = self.run_to_end("--recording", "kept", "sh", "-c", LEAVES_PIPES)
        self.assertEqual((code, out), (3, ""), err)
        pipe = next(pathlib.Path(self.folder, "kept").glob("*/records.jsonl"))
        code, text = self.coalcheck(("report",), str(pipe.parent))
        self.assertEqual(code, 2, text)
        self.assertIn("records.jsonl is not a regular file", text)

    def test_a_pipe_in_the_place_of_a_report_holds_nothing_up(self):
        pipe = self.project / "report.json"
        os.mkfifo(pipe)
        code, text = self.coalcheck(("report", "-o", str(pipe)), self.recording("run"))
        self.assertEqual((code, f"cannot write the report to {pipe}: it is a pipe" in text), (2, True), text)
        self.environment |= {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(pipe)}
        self.assertIn("cannot append to the step summary", self.coalcheck(("report",), self.recording("again"))[1])
        code, _, err = self.run_to_end("--format", "json=later.json", "sh", "-c", "mkfifo later.json")
        self.assertEqual(code, 5, err)
        self.assertIn("cannot write the report to later.json", err)

    def test_a_link_in_the_place_of_a_recording_is_not_followed(self):
        foreign = pathlib.Path(self.recording("foreign"))
        before = (foreign / "records.jsonl").read_bytes()
        code, out, err = self.run_to_end("--recording", "kept", "sh", "-c", f'ln -s "{foreign}" "{self.folder}/kept/$$"')
        self.assertEqual((code, out), (3, ""), err)
        self.assertEqual((foreign / "records.jsonl").read_bytes(), before)

    def test_rules_above_the_repository_are_not_read(self):
        (self.project / ".git").mkdir()
        all_clean = "[thresholds]\nmin-wasted-share = 100\n"
        pathlib.Path(self.folder, "coalcheck.toml").write_text(all_clean)
        recording = self.recording("run")
        self.gate(recording, 1)
        self.assertNotIn("rules of", self.coalcheck(("report",), recording)[1])
        code, text = self.coalcheck(("report", "--config", f"{self.folder}/coalcheck.toml"), recording)
        self.assertEqual(code, 0, text)

    def test_rules_above_the_home_are_not_read(self):
        pathlib.Path(self.folder, "coalcheck.toml").write_text("[thresholds]\nmin-wasted-share = 100\n")
        recording = self.recording("run")
        self.environment["HOME"] = self.folder
        self.gate(recording, 0)
        self.environment["HOME"] = str(self.project)
        self.gate(recording, 1)

    def test_every_form_says_whose_rules_excused_how_much(self):
        (self.project / "coalcheck.toml").write_text(
            '[thresholds]\nmin-wasted-share = 90\n[[suppress]]\nkernel = "x"\nreason = "r"\n')
        says = f"rules of {self.project}/coalcheck.toml: 0 accesses suppressed, 1 more below its thresholds"
        for form, code, text in self.every_form(self.recording("run")):
            self.assertEqual(code, 0, (form, text))
            plain = text.replace("\\_", "_").replace("\\/", "/").replace("\n   ", " ").replace("\n", " ")
            if form != "folded":  # which has no room for a sentence
                self.assertIn(says, re.sub(" +", " ", plain), form)

    @unittest.skipIf(os.geteuid() != 0, "only root can give a file to another user")
    def test_rules_of_another_user_are_refused_unless_they_are_named(self):
        rules = self.project / "coalcheck.toml"
        rules.write_text("[thresholds]\nmin-wasted-share = 100\n")
        os.chown(rules, 4711, 4711)
        recording = self.recording("run")
        self.gate(recording, 2, f"{rules} belongs to another user (id 4711), and is not used unless it is named")
        code, text = self.coalcheck(("report", "--config", str(rules)), recording)
        self.assertEqual(code, 0, text)
        (self.project / ".git").mkdir()
        os.chown(self.project, 4711, 4711)  # whose repository it is decides there
        self.gate(recording, 0)

    def test_no_form_quotes_a_file_outside_the_sources(self):
        secret = pathlib.Path(self.folder, "secret")
        secret.write_text("".join(f"root-password-{i}\n" for i in range(1, 40)))
        hidden = self.project / ".git" / "config"
        hidden.parent.mkdir()
        hidden.write_text(secret.read_text())
        recording = self.recording("run")
        for target in (secret, hidden):
            self.source.unlink()
            self.source.symlink_to(target)
            # A prefix that is mapped to nothing names no folder.
            for form, code, text in self.every_form(recording, "--scope", "all", "--path-map", "/nowhere="):
                self.assertEqual(code, 1, (form, text))
                self.assertNotIn("root-password", text, form)
        # Who says that sources lie there gets to see them.
        self.source.unlink()
        self.source.symlink_to(secret)
        code, text = self.outcome_of("report", "--source-root", self.folder, *self.rules(), recording)
        self.assertIn("root-password-17", text)

    def test_links_in_a_recording_are_not_followed(self):
        recording = pathlib.Path(self.recording("run"))
        elsewhere = pathlib.Path(self.folder, "elsewhere")
        (recording / "records.jsonl").rename(elsewhere)
        (recording / "records.jsonl").symlink_to(elsewhere)
        self.gate(str(recording), 2, "records.jsonl is not a regular file but a link")

    def test_no_message_moves_the_cursor(self):
        folder = pathlib.Path(self.folder, NASTY)
        folder.mkdir()
        recording = self.recording("run")
        (self.project / "coalcheck.toml").write_text(f'[thresholds]\n"{json.dumps(NASTY)[1:-1]}" = 1\n')
        named = pathlib.Path(self.folder, "named.toml")
        named.write_text(f"[[rule]]\nkernel = {json.dumps('regex:(' + NASTY)}\nmin-requests = 1\n")
        baseline = pathlib.Path(self.folder, "base.txt")
        baseline.write_text("# coalcheck baseline 1\n" + NASTY + "\n")
        for words in (("report", recording), ("report", str(folder)), ("report", "--config", str(named), recording),
                      ("report", "--config", "none", "--baseline", str(baseline), recording),
                      ("report", "--config", str(folder), recording), ("inspect", str(folder)), ("inspect", NASTY),
                      ("diff", str(folder), recording), ("verdict", NASTY), (NASTY,), ("report", "--" + NASTY),
                      ("report", "--format", NASTY), ("report", "--format", "json=/no/" + NASTY, recording),
                      ("run", "--kernel", "regex:(" + NASTY, "true"), ("run", "--library", NASTY, "true"),
                      ("baseline", "write", NASTY + "/x", recording), ("run", "--recording", "/dev/null/" + NASTY, "true")):
            code, text = self.coalcheck((), *words) if words[0] == "report" else self.outcome_of(*words)
            self.assertEqual(code == 0, words[0] == "baseline", words)  # that file can be written
            self.assertIsNone(HIDDEN.search(text.replace("\n", "")), (words, text))

    def test_no_form_passes_a_command_to_the_log_of_a_build(self):
        self.environment["GITHUB_ACTIONS"] = "true"
        lines = self.source.read_text().split("\n")
        lines[16] += "  // ##[error]owned ##vso[task.setvariable variable=x]y"
        self.source.write_text("\n".join(lines))
        recording = self.recording("run", lambda text: text.replace('"program":"', '"program":"##[group]'))
        (self.project / "coalcheck.toml").write_text(
            '[[suppress]]\nkernel = "##[group]"\nreason = "##[endgroup]"\n')
        for form, _, text in self.every_form(recording):
            self.assertNotRegex(text, r"##\w*\[", form)
        code, text = self.outcome_of("report", "##[error]x")
        self.assertEqual(code, 2)
        self.assertNotIn("##[", text)

    def test_inspect_passes_no_command_to_the_log_of_a_build(self):
        cubin = next(pathlib.Path(self.recording("run"), "cubins").iterdir())
        name = b"_Z15transpose_naivePKfPfii"
        cubin.write_bytes(cubin.read_bytes().replace(name, b"\n::error::x\x1b[31m##[error]yyyyyyy"[:len(name)]))
        code, text = self.outcome_of("inspect", str(cubin))
        self.assertEqual(code, 0, text)
        self.assertIn("error", text)
        self.assertIsNone(HIDDEN.search(text), text)
        self.assertNotIn("\n::", text)
        self.assertNotIn("##[", text)

    def test_a_recording_that_lost_a_window_is_not_clean(self):
        self.run_to_end("--recording", "kept", launched.HOST, "record", "window", "window", "window", "end", "exit:0")
        folder = next(pathlib.Path(self.folder, "kept").iterdir())
        records = folder / "records.jsonl"
        whole = records.read_text()
        self.assertNotIn("as it was written", self.coalcheck(("verdict",), str(folder))[1])
        for edit, says in ((lambda text: re.sub(r'\{"record":"window","window":2,.*\n', "", text),
                            "1 of 3 records of the kind window cannot be read"),
                           (lambda text: text.replace("[16,32,4]", "[16,32,32]", 1),
                            "the bytes before it are not those that were written"),
                           (lambda text: re.sub(r',"before":\{"records":\{[^}]*\},"hash":"[^"]*"\}', "", text),
                            "it does not say what was written before it")):
            records.write_text(edit(whole))
            code, text = self.coalcheck(("verdict",), str(folder))
            self.assertIn(says, text)
            code, text = self.coalcheck(("baseline", "write"), "never.txt", str(folder))
            self.assertNotEqual(code, 0, text)

    def test_a_recording_that_holds_fewer_windows_than_have_closed_is_not_clean(self):
        self.run_to_end("--recording", "kept", launched.HOST, "record", "window", "window", "progress", "kill:9")
        folder = next(pathlib.Path(self.folder, "kept").iterdir())
        progress = (folder / "progress").read_bytes()
        clean = pathlib.Path(self.recording("cut", lambda text: gate_test.with_store_of(4)(without("end")(text))))
        self.gate(str(clean), 0)
        (clean / "progress").write_bytes(progress)
        self.gate(str(clean), 4, "holds 1 of the 2 windows that closed")

    def test_a_recording_whose_progress_is_damaged_is_not_clean(self):
        cut = pathlib.Path(self.recording("cut", lambda text: gate_test.with_store_of(4)(without("end")(text))))
        for damaged in (b"", b"CCPROG01" + bytes(32), b"XXPROG01" + bytes(56)):
            (cut / "progress").write_bytes(damaged)
            self.gate(str(cut), 4, "its file progress is damaged")

    def test_an_end_can_be_required(self):
        cut = self.recording("cut", lambda text: gate_test.with_store_of(4)(without("end")(text)))
        self.gate(cut, 0)
        for command in ("report", "verdict"):
            code, text = self.coalcheck((command, "--require-end"), cut)
            self.assertEqual(code, 4, text)
            self.assertIn("ended without finishing its recording", text)
        nothing = self.recording("nothing", without("end", "window", "tally"))
        self.assertEqual(self.coalcheck(("verdict", "--require-end"), nothing)[0], 4)
        found = self.recording("found", without("end"))
        self.assertEqual(self.coalcheck(("verdict", "--require-end"), found)[0], 1)
        self.assertEqual(self.coalcheck(("verdict", "--require-end"), self.recording("whole"))[0], 1)

    def test_every_form_says_that_a_recording_was_cut(self):
        cut = self.recording("cut", lambda text: gate_test.with_store_of(4)(without("end")(text)))
        for form, code, text in self.every_form(cut):
            if form not in ("folded", "callgrind", "json"):  # profiles, and a field
                self.assertEqual(code, 0, (form, text))
                self.assertIn("ended without finishing its recording", " ".join(text.split()), form)
        whole = self.recording("whole", gate_test.with_store_of(4))
        self.assertEqual(json.loads(self.coalcheck(("report", "--format", "gitlab"), whole)[1]), [])

    def test_a_few_expressions_do_not_fill_the_memory(self):
        regexes = ", ".join('"regex:([a-z]{90}){90}"' for _ in range(150))
        (self.project / "coalcheck.toml").write_text(f"[[rule]]\nkernel = [{regexes}]\nmin-requests = 1\n")
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        self.gate(self.recording("run"), 2, "repeat too much together")
        after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        self.assertLess(after, max(before, 400 << 10))  # KiB; a sanitizer takes most of them

    def test_no_form_holds_what_it_writes_of_all_kernels(self):
        recording = pathlib.Path(self.folder, "many.rec")
        recording.mkdir()
        hostile_recordings.write("kernels, each with a tally", recording / "records.jsonl", 4 << 20)
        most = {form: self.megabytes_of("report", "--scope", "all", "--format", form, str(recording))
                for form in ("text", "json")}
        self.assertLess(most["json"], 1.5 * most["text"])

    def test_a_diff_does_not_hold_what_it_writes_as_json(self):
        report = self.project / "report.json"
        report.write_text(hostile_files.REPORTS["places"](8 << 20))
        most = {form: self.megabytes_of("diff", "--format", form, str(report), self.recording(form), code=1)
                for form in ("text", "json")}
        self.assertLess(most["json"], 2.2 * most["text"])

    def megabytes_of(self, *words, code=3):
        # What AddressSanitizer keeps of freed memory, nobody else holds.
        environment = dict(self.environment, ASAN_OPTIONS=f"{self.environment.get('ASAN_OPTIONS', '')}:quarantine_size_mb=0")
        with open(os.devnull, "wb") as nowhere:
            process = subprocess.Popen([launched.COALCHECK, *words], stdout=nowhere, stderr=nowhere, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, code)
        return usage.ru_maxrss / 1024

    def test_more_windows_than_can_be_grouped_are_refused(self):
        recording = pathlib.Path(self.folder, "many.rec")
        recording.mkdir()
        hostile_recordings.write("windows with a thousand instructions each", recording / "records.jsonl", 50 << 20)
        code, text = self.coalcheck(("report", "--group-by", "range"), str(recording))
        self.assertEqual(code, 2, text)
        self.assertIn("--group-by range is for at most 2 000 000 counts of an instruction", text.replace("\u202f", " "))
        self.assertEqual(self.coalcheck(("report", "--group-by", "range", "--kernel", "k1"), str(recording))[0], 3)

    def test_many_windows_in_many_ranges_are_grouped_in_time(self):
        names = [f"n{i}" for i in range(250)]

        def multiplied(text):
            records = [json.loads(line) for line in text.splitlines()]
            window = next(one for one in records if one["record"] == "window")
            lines = [one for one in records if one["record"] not in ("window", "end")]
            for i in range(200):
                ranges = [{"domain": "", "name": name, "kind": "push_pop"} for name in (*names, f"u{i}")]
                lines.append({"record": "ranges", "ranges": i + 1, "open": ranges})
            for i in range(4000):
                inside = dict(window["inside"][0], grid=[i + 1, 1, 1], ranges=i % 200 + 1)
                inside.pop("arguments", None)
                lines.append(dict(window, window=i + 1, first_launch=i + 1, inside=[inside]))
            return "".join(json.dumps(line) + "\n" for line in lines)

        recording = self.recording("many", multiplied)
        whole, grouped = (self.seconds_of("report", *words, recording) for words in ((), ("--group-by", "range")))
        # 15 times before the ranges of each group were left out, and the whole has become quicker since.
        self.assertLess(grouped, 10 * max(whole, 0.2))

    def seconds_of(self, *words):
        """CPU seconds of a command."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        code, said = self.outcome_of(*words)
        self.assertIn(code, range(5), said)
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before

    def test_what_a_file_is_called_fills_no_report(self):
        file = "/tmp/coalcheck/samples/transpose_naive/transpose_naive.cu"  # as its line table says
        source = {"record": "source", "file": file, "first_line": 1, "text": "x", "shown_as": "n" * 5000}
        self.assertNotIn("nnn", self.outcome_of("report", self.recording("run", lambda text: json.dumps(source) + "\n" + text))[1])

    def test_a_file_with_nothing_in_it_but_its_size_is_refused(self):
        for name in ("records.jsonl", "cubins"):
            recording = pathlib.Path(self.recording(name))
            file = recording / "records.jsonl" if name == "records.jsonl" else next((recording / name).iterdir())
            with open(file, "r+b") as opened:
                opened.truncate(6 << 30)
            code, text = self.coalcheck(("report",), str(recording))
            self.assertIn("is larger than", text)
            self.assertEqual(code, 2 if name == "records.jsonl" else 3, text)

    def test_a_folder_with_other_files_does_not_become_a_recording(self):
        foreign = pathlib.Path(self.folder, "foreign")
        foreign.mkdir()
        (foreign / "thesis.tex").write_text("years of work")
        code, out, err = self.run_to_end("--recording", "foreign", "sh", "-c", "echo ran")
        self.assertEqual((code, out), (2, ""), err)
        self.assertIn("--recording: foreign is not used, for it holds other files; name a new folder", err)

    def test_parents_of_a_recording_are_the_users_alone(self):
        before = os.umask(0)
        self.addCleanup(os.umask, before)
        self.run_to_end("--recording", "deep/er/kept", launched.HOST, "record", "end", "exit:0")
        for name in ("deep", "deep/er", "deep/er/kept"):
            self.assertEqual(os.stat(pathlib.Path(self.folder, name)).st_mode & 0o777, 0o700, name)

    def test_names_hide_nothing_turn_no_text_around_and_become_no_link(self):
        name = "www.evil.example [x](https://evil.example) a\u202eb\u2028\u2066\u200b\u00ad\u0085\x7f\ufe0f\U000e0041\ufeff" \
               "\u2800\u0600 @team a/b#12 GH-12 me@evil.example"
        recording = self.recording("run", lambda text: text.replace("_Z15transpose_naivePKfPfii", name))
        for form, _, text in self.every_form(recording, "--scope", "all"):
            self.assertIsNone(HIDDEN.search(text), form)
            if form == "markdown":
                self.assertNotIn("www.evil", text)
                self.assertNotIn("https://evil", text)
                self.assertNotRegex(text, "@[a-z]|#[0-9]|GH-[0-9]|&#(64|35);")  # GitHub reads what entities stand for, too
            if form == "sarif":
                self.assertIn("[x] (https://evil.example)", text)
                for message in re.findall(r'"message": \{\s*"text": "(.*)"', text):
                    self.assertNotIn("](", message)

    def test_a_command_that_is_suggested_is_one_for_a_shell_too(self):
        name = "it's $(touch owned) `x`"
        _, _, err = self.run_to_end("--no-report", "--recording", name, launched.HOST, "record", "window", "end", "exit:0")
        words = shlex.split(err[err.index("coalcheck report"):].splitlines()[0])
        self.assertEqual(words[-1], str(pathlib.Path(self.folder, name)) if words[-1].startswith("/") else name, err)


if __name__ == "__main__":
    sys.exit(unittest.main())
