# SPDX-License-Identifier: Apache-2.0
#
# The launcher between the shell and a program: streams, signals, terminals, children.
"""Run by ctest: processes_test.py Class.test_name."""

import fcntl
import os
import pathlib
import select
import signal
import struct
import subprocess
import sys
import termios
import time
import unittest

from launched import COALCHECK, DEADLINE, HOST, Launched

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import pseudo_terminal  # noqa: E402  # pylint: disable=wrong-import-position


class Streams(Launched):
    def test_standard_input_and_output_are_the_programs(self):
        process = self.start("cat", stdin=subprocess.PIPE)
        text = "line\n" * 100000
        out, _ = process.communicate(text, timeout=DEADLINE)
        self.assertEqual(out, text)

    def test_descriptors_and_folder_are_the_programs(self):
        read, write = os.pipe()
        with os.fdopen(read) as end:
            script = f"echo through >&{write}; pwd; ls /proc/$$/fd"
            plain = subprocess.run(["sh", "-c", script], cwd=self.folder, capture_output=True, text=True,
                                   pass_fds=(write,), check=True, timeout=DEADLINE)
            code, out, _ = self.run_to_end("sh", "-c", script, pass_fds=(write,))
            os.close(write)
            self.assertEqual(end.read(), "through\n" * 2)
        self.assertEqual((code, out), (3, plain.stdout))

    def test_nothing_but_the_report_is_on_stderr_of_a_pipe(self):
        _, _, err = self.run_to_end(HOST, "record", "progress", "sleep:2700", "end", "exit:0")
        self.assertNotIn("\r", err)
        self.assertNotIn("1234", err)

    def test_ignored_signals_and_the_mask_reach_the_program(self):
        def prepare():
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
            signal.signal(signal.SIGHUP, signal.SIG_IGN)

        # Not through a shell, which sets its own.
        show = ["grep", "-E", "SigBlk|SigIgn", "/proc/self/status"]
        plain = subprocess.run(show, capture_output=True, text=True, check=True, timeout=DEADLINE,
                               preexec_fn=prepare)
        _, out, _ = self.run_to_end(*show, preexec_fn=prepare)
        self.assertEqual(out, plain.stdout)
        self.assertRegex(out, r"SigBlk:\s+0*200\nSigIgn:\s+0*1\n")


class Signals(Launched):
    TRAP = 'trap "echo got; exit 5" {0}; echo ready; while :; do sleep 0.05; done'

    def test_signals_to_the_launcher_alone_reach_the_program(self):
        for name in ("HUP", "INT", "QUIT", "TERM", "USR1", "USR2"):
            process = self.start("sh", "-c", self.TRAP.format(name))
            self.await_line(process, "ready")
            process.send_signal(getattr(signal, "SIG" + name))
            out, err = process.communicate(timeout=DEADLINE)
            self.assertEqual((process.returncode, out), (5, "got\n"), name)
            self.assertIn("exit code 5 is the program's own", err)

    def test_a_signal_that_ends_the_program_is_reported_and_passed_on(self):
        process = self.start(HOST, "record", "window", "say:ready", "sleep:30000")
        self.await_line(process, "ready")
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=DEADLINE)
        self.assertEqual(process.returncode, -signal.SIGTERM)
        self.assertIn("was killed by SIGTERM after 1 window", err)

    def test_what_the_program_sends_to_its_group_does_not_come_back(self):
        script = 'trap "echo got" USR1; trap "" USR2; kill -USR1 0; sleep 0.3; exit 5'
        code, out, _ = self.run_to_end("sh", "-c", script, start_new_session=True)
        self.assertEqual((code, out), (5, "got\n"))

    def test_a_stopped_program_goes_on_when_it_is_continued(self):
        process = self.start("sh", "-c", "echo $$; kill -STOP $$; exit 5")
        pid = int(process.stdout.readline())
        self.wait_for_state(pid, "T")
        time.sleep(0.1)
        os.kill(pid, signal.SIGCONT)
        process.communicate(timeout=DEADLINE)
        self.assertEqual(process.returncode, 5)

    def wait_for_state(self, pid, state):
        end = time.monotonic() + DEADLINE
        while pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1][0] != state:
            self.assertLess(time.monotonic(), end, f"{pid} never came to state {state}")
            time.sleep(0.01)


class Terminals(Launched):
    """The launcher as the foreground job of a terminal."""

    def in_terminal(self, *words, act=None):
        """All that the terminal shows, and the wait status."""
        child, terminal = pseudo_terminal.fork()
        if child == 0:
            os.chdir(self.folder)
            os.execve(COALCHECK, self.command(*words), self.environment)
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
        self.addCleanup(os.close, terminal)
        shown, end, acted = "", time.monotonic() + DEADLINE, act is None
        while time.monotonic() < end:
            ready, _, _ = select.select([terminal], [], [], 0.1)
            if ready:
                try:
                    shown += os.read(terminal, 65536).decode(errors="replace")
                except OSError:
                    return shown, os.waitpid(child, 0)[1]
            if not acted and "ready" in shown:
                acted = True
                act(terminal)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        self.fail(f"no end after {DEADLINE} s: {shown}")

    def test_the_program_is_in_the_foreground_of_the_terminal(self):
        shown, status = self.in_terminal("sh", "-c", "echo ready; read line; echo read $line",
                                         act=lambda terminal: os.write(terminal, b"typed\n"))
        self.assertIn("read typed", shown)
        self.assertEqual(os.waitstatus_to_exitcode(status), 3)

    def test_an_interrupt_reaches_the_program_once_and_the_report_still_comes(self):
        script = ("import signal, sys, time; got = []; signal.signal(signal.SIGINT, lambda *_: got.append(1));"
                  "print('ready', flush=True); end = time.monotonic() + 1.5\n"
                  "while time.monotonic() < end: time.sleep(0.01)\n"
                  "print('got', len(got)); sys.exit(5)")
        shown, status = self.in_terminal(sys.executable, "-c", script,
                                         act=lambda terminal: os.write(terminal, b"\x03"))
        self.assertIn("got 1", shown)
        # Lines are wrapped at the terminal's width.
        self.assertIn("exit code 5 is the program's own", " ".join(shown.split()))
        self.assertEqual(os.waitstatus_to_exitcode(status), 5)

    def test_a_deadly_interrupt_ends_the_launcher_the_same_way(self):
        shown, status = self.in_terminal(HOST, "record", "window", "say:ready", "sleep:30000",
                                         act=lambda terminal: os.write(terminal, b"\x03"))
        self.assertIn("was killed by SIGINT after 1 window", shown)
        self.assertEqual(os.waitstatus_to_exitcode(status), -signal.SIGINT)

    def test_a_status_line_shows_how_far_it_is_and_is_gone_before_the_report(self):
        shown, _ = self.in_terminal(HOST, "record", "window", "progress", "sleep:3700", "end", "exit:0")
        line = "coalcheck: 1\u202f234 launches seen, 1 window, 1 kernel without line information\r"
        self.assertIn(line, shown)
        after = shown[shown.rindex(line) + len(line):]
        self.assertTrue(after.startswith("\r\x1b[Kcoalcheck: "), repr(after))

    def test_quiet_shows_no_status_line(self):
        shown, _ = self.in_terminal("--quiet", HOST, "record", "window", "progress", "sleep:2700", "end", "exit:0")
        self.assertNotIn("launches seen", shown)

    def test_a_job_control_shell_sees_the_launcher_stop_and_continue(self):
        launcher = " ".join(f"'{word}'" for word in self.command("sh", "-c", "echo ready; sleep 1.5; exit 5"))
        script = f"set -m; {launcher}; echo stopped $?; fg >/dev/null; echo ended $?"
        child, terminal = pseudo_terminal.fork()
        if child == 0:
            os.chdir(self.folder)
            os.execve("/bin/bash", ["bash", "-c", script], self.environment)
        self.addCleanup(os.close, terminal)
        shown, end, typed = "", time.monotonic() + DEADLINE, False
        while time.monotonic() < end:
            ready, _, _ = select.select([terminal], [], [], 0.1)
            if ready:
                try:
                    shown += os.read(terminal, 65536).decode(errors="replace")
                except OSError:
                    break
            if not typed and "ready" in shown:
                typed = True
                time.sleep(0.2)
                os.write(terminal, b"\x1a")
        else:
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        self.assertRegex(shown, r"stopped 1(46|47|48)")
        self.assertIn("ended 5", shown)


class Children(Launched):
    def test_one_report_sums_over_all_processes(self):
        report, code, _ = self.report("sh", "-c", f"{HOST} record window end & {HOST} record window end; "
                                                  f"sleep 0.01; {HOST} record window end; wait")
        self.assertEqual(code, 3)
        self.assertEqual(report["totals"]["sectors"], 96)
        self.assertEqual(len(report["recordings"]), 3)

    def test_a_child_that_ends_badly_is_named(self):
        report, code, _ = self.report(HOST, "record", "end", "orphan", "record", "window", "kill:11")
        self.assertEqual(code, 3)
        self.assertEqual(sorted(one["ended"] for one in report["recordings"]), ["", "was killed by SIGSEGV"])

    def test_an_orphan_that_records_is_waited_for(self):
        report, _, _ = self.report(HOST, "orphan", "record", "sleep:600", "window", "end", "exit:4")
        self.assertEqual(report["totals"]["sectors"], 32)
        self.assertEqual(report["recordings"][0]["exit_code"], 4)
        self.assertEqual(report["launch"]["outlived"], [])

    def test_an_orphan_that_never_ends_is_waited_for_until_the_deadline_only(self):
        start = time.monotonic()
        orphan = f"{HOST} alone record window sleep:8000 >/dev/null 2>&1 & sleep 0.4"
        report, _, err = self.report("--children-deadline", "300", "sh", "-c", orphan)
        self.assertLess(time.monotonic() - start, 6)
        self.assertEqual([one["program"] for one in report["launch"]["outlived"]], ["recording_host"])
        self.assertEqual(report["totals"]["sectors"], 32)
        self.assertTrue(err)

    def test_a_daemon_that_records_nothing_is_named_and_not_waited_for(self):
        start = time.monotonic()
        code, _, err = self.run_to_end("sh", "-c", "sleep 8 >/dev/null 2>&1 & sleep 0.2")
        self.assertLess(time.monotonic() - start, 2)
        self.assertEqual(code, 3)
        self.assertRegex(err, r"sleep \(pid \d+\) outlived the program and was not waited for")

    def test_a_program_that_becomes_another_is_two_recordings(self):
        report, code, _ = self.report(HOST, "record", "window", "exec", "record", "window", "end", "exit:6")
        self.assertEqual(code, 6)
        self.assertEqual([one["ended"] for one in report["recordings"]],
                         ["went on as another program (exec)", "ended with exit code 6"])
        self.assertEqual(report["totals"]["sectors"], 64)

    def test_children_of_the_shell_before_are_not_the_programs(self):
        launcher = " ".join(f"'{word}'" for word in self.command("true"))
        done = subprocess.run(["sh", "-c", f"sleep 3 >/dev/null 2>&1 & exec {launcher}"], text=True,
                              env=self.environment, capture_output=True, timeout=DEADLINE, check=False)
        self.assertNotIn("outlived", done.stderr)

    def test_hundreds_of_children_that_never_record_are_reaped(self):
        code, _, err = self.run_to_end("sh", "-c", "i=0; while [ $i -lt 300 ]; do /bin/true & i=$((i+1)); done; wait")
        self.assertEqual(code, 3)
        self.assertNotIn("outlived", err)


if __name__ == "__main__":
    unittest.main()
