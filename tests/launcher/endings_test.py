# SPDX-License-Identifier: Apache-2.0
#
# The launcher with real processes: how they end, what the shell sees, what is refused.
"""Run by ctest: endings_test.py Class.test_name."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import unittest

from launched import COALCHECK, DEADLINE, HOST, Launched

sys.dont_write_bytecode = True


class Exits(Launched):
    def test_the_programs_own_exit_code_wins_and_the_last_line_says_so(self):
        code, out, err = self.run_to_end(HOST, "record", "window", "end", "say:mine", "exit:37")
        self.assertEqual((code, out), (37, "mine\n"))
        self.assertTrue(err.splitlines()[-1].endswith("; exit code 37 is the program's own"), err)
        self.assertEqual(self.left(), [])

    def test_the_verdict_speaks_when_the_program_succeeded(self):
        code, _, err = self.run_to_end(HOST, "record", "end", "exit:0")
        self.assertEqual(code, 3)
        self.assertTrue(err.splitlines()[-1].endswith(
            "nothing was checked: no kernel was launched; exit code 3 is the verdict"), err)

    def test_exit_zero_only_reports_and_does_not_hide_the_programs_failure(self):
        code, _, err = self.run_to_end("--exit-zero", HOST, "record", "end", "exit:0")
        self.assertEqual(code, 0)
        self.assertIn("exit code 0 because of --exit-zero", err)
        self.assertEqual(self.run_to_end("--exit-zero", HOST, "exit:9")[0], 9)

    def test_a_signal_is_passed_on_after_the_report_without_a_core(self):
        for number in (signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM, signal.SIGABRT, signal.SIGQUIT):
            code, _, err = self.run_to_end(HOST, "record", "window", "window", f"kill:{number}")
            self.assertEqual(code, -number)
            self.assertIn(f"was killed by {number.name} after 2 windows; launches that were not counted", err)
            self.assertTrue(err.splitlines()[-1].endswith(f"; ended by {number.name}, as the program was"))
        self.assertFalse([name for name in os.listdir(self.folder) if name.startswith("core")])

    def test_the_json_says_who_decided(self):
        report, code, err = self.report(HOST, "record", "window", "progress", "kill:9")
        self.assertEqual(code, -9)
        self.assertEqual(report["launch"]["shell_sees"],
                         {"exit_code": None, "signal": 9, "decided_by": "program"})
        self.assertEqual(report["recordings"][0]["signal"], 9)
        self.assertEqual(report["recordings"][0]["launches_seen"], 1234)
        self.assertTrue(err.splitlines()[-1].startswith("coalcheck: "), err)

    def test_an_end_without_exit_handlers_is_named(self):
        _, _, err = self.run_to_end(HOST, "record", "window", "_exit:0")
        self.assertIn("ended with exit code 0 and without its exit handlers (_exit) after 1 window", err)

    def test_a_torn_last_line_of_a_killed_program_is_no_damage(self):
        report, code, _ = self.report(HOST, "record", "window", "torn", "kill:15")
        self.assertEqual(code, -15)
        self.assertEqual([lost["why"] for lost in report["recordings"][0]["lost_lines"]],
                         ["cut short at the end of the file"])
        self.assertEqual(report["recordings"][0]["signal"], 15)

    def test_what_cannot_be_executed_ends_as_in_a_shell(self):
        script = pathlib.Path(self.folder, "script")
        script.write_text("#!/nonexistent/interpreter\n")
        cases = ((127, "/nonexistent/app", "No such file"), (127, "no-such-app", "no such command"),
                 (126, self.library, "not executable"), (126, self.folder, "it is a folder"))
        for expected, program, reason in cases:
            code, _, err = self.run_to_end(program)
            self.assertEqual((code, len(err.splitlines())), (expected, 1), err)
            self.assertIn(reason, err)
        script.chmod(0o755)
        self.assertIn("interpreter /nonexistent/interpreter is missing", self.run_to_end(str(script))[2])
        self.assertEqual(self.left(), [])

    def test_a_program_that_records_nothing_is_exit_code_3_with_the_likely_cause(self):
        code, out, err = self.run_to_end("echo", "hello")
        self.assertEqual((code, out), (3, "hello\n"))
        self.assertIn("echo made no recording", err)
        self.assertIn("no process of the program made a recording", err.splitlines()[-1])

    def test_an_output_that_cannot_be_written_is_found_before_the_program_runs(self):
        code, out, err = self.run_to_end("-o", "/nonexistent/x", "echo", "ran")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("cannot write the report to /nonexistent/x", err)


    def test_a_report_that_cannot_be_written_has_a_last_line_too(self):
        code, _, err = self.run_to_end("-o", "/dev/full", HOST, "record", "end", "exit:0")
        self.assertEqual(code, 5)
        self.assertIn("cannot write the report to /dev/full", err)
        self.assertIn("; exit code 5 because the report could not be written\n", err)
        code, _, err = self.run_to_end("-o", "/dev/full", HOST, "record", "end", "exit:37")
        self.assertEqual(code, 37)
        self.assertIn("exit code 37 is the program's own", err)


class CommandLine(Launched):
    def launch(self, *words):
        done = subprocess.run([COALCHECK, *words], env=self.environment, cwd=self.folder, text=True,
                              capture_output=True, stdin=subprocess.DEVNULL, timeout=DEADLINE, check=False)
        return done.returncode, done.stdout, done.stderr

    def test_run_may_be_left_out(self):
        self.environment["COALCHECK_OPTIONS"] = f"--library {self.library}"
        self.assertEqual(self.launch("echo", "--format", "x")[1], "--format x\n")
        self.assertEqual(self.launch("--exit-zero", "echo", "x")[:2], (0, "x\n"))
        self.assertEqual(self.launch("--", "echo", "x")[1], "x\n")

    def test_two_dashes_run_a_program_named_like_a_command(self):
        program = pathlib.Path(self.folder, "report")
        program.write_text("#!/bin/sh\necho the program\n")
        program.chmod(0o755)
        self.environment["PATH"] = self.folder + ":" + self.environment["PATH"]
        self.environment["COALCHECK_OPTIONS"] = f"--library {self.library}"
        self.assertEqual(self.launch("--", "report")[1], "the program\n")
        self.assertEqual(self.launch("report")[0], 2)

    def test_what_is_near_a_command_and_no_program_gets_the_suggestion(self):
        code, _, err = self.launch("reprot", "x.rec")
        self.assertEqual(code, 2)
        self.assertIn('did you mean "report"?', err)
        self.assertIn('did you mean "--sampling"?', self.launch("--samplng", "all", "true")[2])

    def test_what_is_no_injection_library_is_refused(self):
        for file in ("/etc/passwd", HOST, sys.executable):
            code, out, err = self.run_to_end("--library", file, "echo", "ran")
            self.assertEqual((code, out), (2, ""), file)
            self.assertIn("is not libcoalcheck.so: not a shared library that exports InitializeInjection", err)

    def test_a_json_report_needs_a_place_of_its_own(self):
        code, out, err = self.run_to_end("--format", "json", "echo", "ran")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("-o - for standard output", err)
        code, out, err = self.run_to_end("--format", "json", "-o", "-", "true")
        self.assertEqual((code, json.loads(out)["verdict"]["exit_code"]), (3, 3))
        self.assertIn("exit code 3 is the verdict", err.splitlines()[-1])

    def test_bad_values_are_refused_before_the_program_runs(self):
        for words in (("--sampling", "sometimes"), ("--format", "yaml"), ("--children-deadline", "-1"),
                      ("--library", "/nonexistent.so"), ("--print-limit", "-1"), ("--recording",), ()):
            code, out, err = self.run_to_end(*words, *(["echo", "ran"] if len(words) == 2 else []))
            self.assertEqual((code, out), (2, ""), words)
            self.assertTrue(err.startswith("coalcheck: "), err)

    def test_what_was_in_the_injection_variables_is_named(self):
        self.environment.update(CUDA_INJECTION64_PATH="/opt/other.so", NVTX_INJECTION64_PATH=self.library)
        _, out, err = self.run_to_end("sh", "-c", "echo $CUDA_INJECTION64_PATH $NVTX_INJECTION64_PATH")
        self.assertEqual(out, f"{self.library} {self.library}\n")
        self.assertIn(f"CUDA_INJECTION64_PATH was /opt/other.so; for this run it is {self.library}", err)
        self.assertIn("NVTX_INJECTION64_PATH names this library already: kept", err)

    def test_the_command_line_wins_over_the_variable(self):
        self.environment["COALCHECK_OPTIONS"] = "--sampling every:3 --metrics minimal --exit-zero"
        code, out, _ = self.run_to_end("--sampling=all", "sh", "-c", 'echo "$COALCHECK_OPTIONS"')
        self.assertIn("--sampling=all", out)
        self.assertIn("--metrics=minimal", out)
        self.assertNotIn("every:3", out)
        self.assertEqual(code, 0)


class Kept(Launched):
    def test_a_named_recording_is_kept_and_holds_one_folder_for_each_process(self):
        self.run_to_end("--recording", "kept %p", HOST, "record", "window", "end", "exit:0")
        (kept,) = [name for name in os.listdir(self.folder) if name.startswith("kept ")]
        done = subprocess.run([COALCHECK, "report", os.path.join(self.folder, kept)], text=True,
                              capture_output=True, timeout=DEADLINE, check=False)
        self.assertEqual(done.returncode, 3)
        self.assertIn("32 sectors of kernel", done.stdout)

    def test_a_second_run_does_not_add_to_the_first(self):
        for _ in range(2):
            report, _, _ = self.report("--recording", "kept", HOST, "record", "window", "end", "exit:0")
            self.assertEqual(report["totals"]["sectors"], 32)
        self.assertTrue(os.path.isdir(os.path.join(self.folder, "kept.2")))

    def test_the_folder_really_used_is_named(self):
        for _ in range(2):
            _, _, err = self.run_to_end("--recording", "kept", HOST, "record", "end", "exit:0")
        self.assertIn(f"kept holds a recording already; this one goes to {self.folder}/kept.2\n", err)

    def test_without_a_report_the_recording_is_named_and_the_exit_code_is_0(self):
        for words, folder in (((), "coalcheck-run-"), (("--recording", "kept"), "kept")):
            code, _, err = self.run_to_end("--no-report", *words, HOST, "record", "window", "end", "exit:0")
            self.assertEqual((code, len(err.splitlines())), (0, 1), err)
            self.assertIn(f"coalcheck report {self.folder}/{folder}", err)
            recording = err.split("coalcheck report ")[1].strip()
            done = subprocess.run([COALCHECK, "report", recording], text=True, capture_output=True,
                                  timeout=DEADLINE, check=False)
            self.assertIn("32 sectors of kernel", done.stdout)
        self.assertEqual(self.run_to_end("--no-report", HOST, "record", "end", "exit:7")[0], 7)
        self.assertEqual(self.run_to_end("--no-report", "-o", "x", "true")[0], 2)

    def test_without_a_report_a_program_that_recorded_nothing_is_still_no_success(self):
        code, _, err = self.run_to_end("--no-report", "true")
        self.assertEqual(code, 3)
        self.assertTrue(err.endswith("nothing was checked: no process of the program made a recording\n"), err)
        self.assertEqual(self.run_to_end("--no-report", "--exit-zero", "true")[0], 0)
        self.assertEqual(self.run_to_end("--no-report", "false")[0], 1)

    def test_a_launch_that_recorded_nothing_leaves_its_reason_for_the_report(self):
        code, _, said = self.run_to_end("--recording", "kept", "true")
        kept = os.path.join(self.folder, "kept")
        done = subprocess.run([COALCHECK, "report", kept], text=True, capture_output=True,
                              timeout=DEADLINE, check=False)
        self.assertEqual((code, done.returncode), (3, 3))
        self.assertIn(": true made no recording", done.stderr)
        self.assertIn("nothing was checked: no process of the program made a recording", done.stdout)
        self.run_to_end("--recording", "kept", HOST, "record", "window", "end", "exit:0")
        self.assertEqual([name for name in os.listdir(kept) if "nothing" in name], [], said)

    def test_nothing_is_left_where_the_report_cannot_be_told(self):
        with open("/dev/full", "w") as full:
            self.assertEqual(self.run_to_end("true", stderr=full)[0], 5)
        script = " ".join(f"'{word}'" for word in self.command("true")) + " 2>&-"
        subprocess.run(["sh", "-c", script], env=self.environment, timeout=DEADLINE, check=False)
        self.assertEqual(self.left(), [])

    def test_a_reader_who_goes_away_does_not_cost_the_exit_code(self):
        for program, expected in (("exit:7", 7), ("exit:0", 5)):
            reader, writer = os.pipe()
            process = self.start(HOST, "record", "end", program, stderr=writer)
            os.close(writer)
            os.close(reader)
            self.assertEqual(process.wait(DEADLINE), expected)

    def test_a_temporary_folder_that_cannot_be_made_is_no_usage_error(self):
        self.environment.update(TMPDIR="/nonexistent")
        code, out, err = self.run_to_end("echo", "ran")
        self.assertEqual((code, out), (4, ""))
        self.assertIn("the program was not started: ", err)
        self.assertIn("set TMPDIR", err)

    def test_a_folder_that_cannot_be_made_is_said_before_the_program_runs(self):
        code, out, err = self.run_to_end("--recording", self.library + "/x", "echo", "ran")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("cannot make the folder", err)


if __name__ == "__main__":
    unittest.main()
