# SPDX-License-Identifier: Apache-2.0
"""The runner catches what it is there to catch: stand-ins for hosts misbehave only when they are watched."""
import json
import stat
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from runner import cases, expectations, recordings, runner, table  # noqa: E402

HEADER = {"record": "header", "format": "coalcheck-recording", "major": 1, "minor": 0, "counters": ["requests"]}
WINDOW = {"record": "window", "window": 1, "kind": "launch", "close": "in_time", "device": 0, "context": 1,
          "first_launch": 1, "inside": [], "dropped_records": 0, "functions": []}
TALLY = {"record": "tally", "kernel": "k", "grid": [1, 1, 1], "block": [1, 1, 1], "launches": 5, "counted": 1,
         "skipped": [{"reason": "sampling", "launches": 4}]}
END = {"record": "end", "reason": "exit", "seconds": 1.0}
GOOD = [HEADER, WINDOW, TALLY, END]

# A program that writes the records it is given when it is watched, and then runs `watched`.
HOST = """#!{python}
import os, sys, time
print("sum 42")
if os.environ.get("CUDA_INJECTION64_PATH"):
    print("coalcheck: a report", file=sys.stderr)
    folder = os.environ["COALCHECK_OPTIONS"].split()[1].replace("%p", str(os.getpid()))
    records = {records!r}
    if records and not folder.startswith("/dev/"):
        os.makedirs(folder)
        open(folder + "/records.jsonl", "w").write(records)
    sys.stdout.flush()
    {watched}
{everywhere}
"""


def is_running(pid):
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def ends(pid, within=10):
    """Whether a process that was killed is gone in so many seconds: a busy machine takes its time to end it."""
    deadline = time.monotonic() + within
    while is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not is_running(pid)


class Runner(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.command = self.folder / "coalcheck"
        self.script(self.command, "#!/bin/sh\n[ \"$1\" != run ] || exit 2\necho '{\"accesses\": []}'\n")

    def script(self, path, text):
        path.write_text(text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def rows(self, records=None, watched="pass", everywhere="", gpus=1, strict=False, repeat=1, **expected):
        lines = "".join(json.dumps(record) + "\n" for record in (GOOD if records is None else records))
        self.script(self.folder / "host", HOST.format(python=sys.executable, records=lines, watched=watched,
                                                      everywhere=everywhere))
        setup = runner.Setup(self.folder, self.folder / "agent.so", self.command, gpus, repeat=repeat,
                             strict=strict, spare_seconds=1.0)
        runner.look_around(setup)
        return runner.run_case(cases.Case("a case", ["host"], **expected), setup)

    def problems(self, *arguments, **keywords):
        return "; ".join(self.rows(*arguments, **keywords)[0].problems)

    def test_a_host_that_does_not_notice_passes(self):
        row = self.rows(windows=1, launches=5, repeat=3)[0]
        self.assertEqual((row.problems, row.runs, row.windows, row.launches), ([], 3, 1, 5))
        self.assertEqual(row.outcome, "ok")

    def test_another_output_is_caught(self):
        row = self.rows(watched='print("sum 43")')[0]
        self.assertIn("changed output: 'sum 43' for ''", row.problems)
        self.assertEqual(row.changed_outputs, 1)

    def test_another_exit_code_is_caught(self):
        row = self.rows(watched="sys.exit(3)")[0]
        self.assertIn("ended with 3, natively with 0", row.problems)
        self.assertEqual(row.changed_exits, 1)

    def test_a_signal_is_caught(self):
        self.assertIn("ended with 143", self.problems(watched="os.kill(os.getpid(), 15)"))

    def test_a_hang_is_caught_with_a_stack_and_leaves_no_process(self):
        mark = self.folder / "pid"
        watched = f"child = os.fork(); open({str(mark)!r}, 'a').write(str(os.getpid()) + ' '); time.sleep(100)"
        row = self.rows(watched=watched)[0]
        self.assertEqual((row.problems[0], row.hangs), ("hung", 1))
        pids = mark.read_text().split()
        self.assertEqual(len(pids), 2)
        for pid in pids:
            self.assertTrue(ends(pid), f"{pid} is still there")

    def test_what_a_host_leaves_running_is_ended(self):
        mark = self.folder / "left"
        left = (f"open({str(mark)!r}, 'w').close()\nif os.fork() == 0:\n"
                f"    open({str(mark)!r}, 'w').write(str(os.getpid())); time.sleep(100)\n"
                f"while not os.path.getsize({str(mark)!r}): time.sleep(0.01)")
        self.assertEqual(self.problems(everywhere=left), "")
        self.assertTrue(ends(mark.read_text()))

    def test_peak_memory_and_what_the_host_measures_are_noted(self):
        says = 'print("us per launch: 3", file=sys.stderr)'
        row = self.rows(watched="waste = b'x' * 100_000_000", everywhere=says)[0]
        self.assertGreater(row.median_added_mb, 80)
        self.assertEqual(row.measured[0], "natively: us per launch: 3")
        self.assertIn("watched: us per launch: 3; recording 0.0 MB", table.markdown([row], 1, "Hosts"))

    def test_what_the_table_says_is_compared_natively_first(self):
        self.assertIn("ended natively with 4, not 0", self.problems(everywhere="sys.exit(4)"))
        self.assertEqual(self.problems(everywhere="sys.exit(4)", exit=4), "")

    def test_a_torn_line_is_caught(self):
        self.assertIn("is torn", "; ".join(recordings.read(self.torn()).problems))

    def torn(self):
        folder = self.folder / "torn"
        folder.mkdir()
        (folder / "records.jsonl").write_text(json.dumps(HEADER) + "\n" + json.dumps(WINDOW)[:-5])
        return folder

    def test_a_launch_that_nobody_accounts_for_is_caught(self):
        lost = dict(TALLY, launches=6)
        self.assertIn("5 of 6 launches accounted for", self.problems([HEADER, WINDOW, lost, END]))

    def test_the_last_tally_of_a_kernel_counts(self):
        early = dict(TALLY, launches=1, counted=1, skipped=[])
        self.assertEqual(self.problems([HEADER, WINDOW, TALLY, early, END], launches=5), "")

    def test_expectations_on_the_recording_are_compared(self):
        self.assertIn("1 windows, fewer than 2", self.problems(windows=2))
        self.assertIn("5 launches, not 6", self.problems(launches=6))
        self.assertIn("5 launches of k, not 6", self.problems(launches_of={"k": 6}))
        self.assertIn("launches of k counted, not 9", self.problems(counted_of={"k": 9}))
        self.assertIn("was counted, too", self.problems(counts_only="other"))
        self.assertEqual(self.problems(counts_only="k"), "")
        self.assertIn("no launch was skipped for never_idle", self.problems(skipped=["never_idle"]))
        self.assertIn("the end is 'exit', not ''", self.problems(end=""))
        self.assertIn("the end is '', not 'exit'", self.problems(GOOD[:3]))
        self.assertIn("1 recordings, not 2", self.problems(recordings=2))
        self.assertIn("0 recordings, not 1", self.problems([]))

    def test_a_loss_that_was_not_expected_is_caught_and_a_missing_one_too(self):
        loss = {"record": "loss", "what": "window_lost", "detail": "", "count": 2}
        row = self.rows([*GOOD, loss])[0]
        self.assertIn("lost: window_lost (2)", row.problems)
        self.assertEqual((row.lost_windows, row.foreseen_losses), (2, 0))
        foreseen = self.rows([*GOOD, loss], may_lose=["window_lost"])[0]
        self.assertEqual((foreseen.lost_windows, foreseen.foreseen_losses), (0, 2))
        self.assertEqual(self.problems([*GOOD, loss], losses=["window_lost"]), "")
        self.assertIn("window_lost is not named", self.problems(losses=["window_lost"]))

    def test_a_recording_without_launches_is_not_left_behind(self):
        self.assertIn("without a launch were left behind", self.problems([HEADER, END], recordings=0))

    def test_a_report_that_fails_is_caught(self):
        self.script(self.command, "#!/bin/sh\nexit 5\n")
        self.assertIn("coalcheck report ended with 5", self.problems())

    def test_memory_that_grows_is_caught(self):
        grew = 'print("resident KB: start 1000 middle 0 end 90000", file=sys.stderr)'
        self.assertIn("grew by 87 MB", self.problems(everywhere=grew, most_growth_mb=64))
        self.assertEqual(self.problems(everywhere=grew, most_growth_mb=100), "")
        self.assertIn("did not say", self.problems(most_growth_mb=64))

    def test_a_torn_record_is_allowed_where_the_disk_is_full(self):
        torn = 'open(folder + "/records.jsonl", "a").write("{")'
        self.assertIn("is torn", self.problems(watched=torn))
        self.assertEqual(self.problems(watched=torn, torn=True), "")

    def launched(self, process_end, **expected):
        """What is wrong where a stand-in for the launcher records that ending."""
        end = json.dumps({"record": "process_end", "pid": 1} | process_end) if process_end else ""
        launcher = f"""#!/bin/sh
        if [ "$1" != run ]; then echo '{{"accesses": []}}'; exit 0; fi
        if [ "$2" = --help ]; then exit 0; fi
        while [ "$1" != -- ]; do shift; done
        shift
        CUDA_INJECTION64_PATH=x "$@"; code=$?
        set -- $COALCHECK_OPTIONS
        folder=$(dirname "$2")
        [ -z '{end}' ] || echo '{end}' >>"$(echo $folder/*/records.jsonl)"
        exit $code
        """
        self.script(self.command, launcher)
        bare, by_launcher = self.rows(launcher=True, **expected)
        self.assertEqual(bare.problems, [])
        self.assertEqual(by_launcher.runs, 1)
        return "; ".join(by_launcher.problems)

    def test_the_launcher_records_how_the_process_ended(self):
        fails = "sys.exit(4)"
        self.assertEqual(self.launched({"exit_code": 0}), "")
        self.assertEqual(self.launched({"exit_code": 4}, everywhere=fails, exit=4), "")
        self.assertIn("ended with 143, not 4", self.launched({"signal": 15}, everywhere=fails, exit=4))
        self.assertIn("do not say how", self.launched(None))

    def test_what_cannot_run_is_skipped_with_its_reason(self):
        skip = 'print("no NCCL here", file=sys.stderr); sys.exit(77)'
        self.assertEqual(self.rows(everywhere=skip)[0].line(), "skipped  a case: no NCCL here")
        self.assertEqual(self.rows(gpus=1, **{"needs": "--x"})[0].reason, "coalcheck has no option --x yet")
        self.assertEqual(self.rows(launcher=True)[1].reason, "coalcheck has no command run yet")
        two = cases.Case("two", ["host"], gpus=2)
        self.assertEqual(runner.reason_to_skip(two, runner.Setup(self.folder, None, None, 1)), "needs 2 GPUs")

    def test_no_gpu_fails_only_where_one_is_required(self):
        self.assertTrue(self.rows(gpus=0)[0].skipped)
        self.assertEqual(self.rows(gpus=0, strict=True)[0].outcome, "failed")
        says_so = 'print("no GPU here: no device", file=sys.stderr); sys.exit(77)'
        self.assertEqual(self.rows(everywhere=says_so, strict=True)[0].outcome, "failed")

    def test_the_summary_and_the_table_add_up(self):
        rows = self.rows(repeat=2) + self.rows(watched="sys.exit(3)") + self.rows(gpus=0)
        self.assertIn("2 cases, 3 runs, 0 hangs, 0 changed outputs, 1 changed exits", table.summary(rows))
        text = table.markdown(rows, 1, "Hosts")
        self.assertIn("| a case | ok | 2 | 0 |", text)
        self.assertIn("* a case: ended with 3, natively with 0", text)
        self.assertIn("* a case: no GPU here", text)
        json.dumps(table.as_json(rows))


class Tables(unittest.TestCase):
    def load(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "cases.toml"
            path.write_text(text)
            return cases.load(path)

    def test_the_tables_of_the_project_can_be_read(self):
        folder = Path(__file__).resolve().parents[1]
        for file in sorted(folder.glob("*/cases.toml")):
            self.assertTrue(cases.load(file))

    def test_a_spelling_mistake_is_refused(self):
        for text in ('[[case]]\nname="a"\nrun=["b"]\nlanches=1\n', '[[case]]\nname="a"\n', "", "[[case\n",
                     '[[case]]\nname="a"\nrun=["b"]\n' * 2):
            with self.assertRaises(cases.Wrong):
                self.load(text)

    def test_cases_are_chosen_by_globs(self):
        every = [cases.Case(name, ["x"]) for name in ("a/b", "a/c", "d")]
        self.assertEqual([case.name for case in cases.chosen(every, ["a/*"])], ["a/b", "a/c"])
        self.assertEqual(len(cases.chosen(every, None)), 3)


class Expectations(unittest.TestCase):
    TEXT = "def k(a, b):\n    # expect: load sectors=32 ideal=4; store clean\n    b[i] = a[i * 32]\n"

    def access(self, **changes):
        return {"file": "/x/bad.py", "line": 3, "kind": "load", "finding": True, "requests": 2, "sectors": 64,
                "ideal_sectors": 8, "lines": 64, "lanes": 64} | changes

    def check(self, *accesses):
        return "; ".join(expectations.check("bad.py", self.TEXT, {"accesses": list(accesses)}))

    def test_what_is_expected_must_be_seen(self):
        store = self.access(kind="store", finding=False)
        self.assertEqual(self.check(self.access(), store), "")
        self.assertIn("bad.py:3: load is not in the report", self.check(store))
        self.assertIn("is no finding", self.check(self.access(finding=False), store))
        self.assertIn("sectors per request are 16", self.check(self.access(sectors=32), store))
        self.assertIn("store is a finding", self.check(self.access(), self.access(kind="store")))

    def test_what_is_found_must_be_expected(self):
        store = self.access(kind="store", finding=False)
        self.assertIn("bad.py:1: load is an unexpected finding", self.check(self.access(), store, self.access(line=1)))

    def test_a_finding_can_be_asked_for_by_its_file(self):
        report = {"accesses": [self.access()]}
        self.assertEqual(expectations.check_finding_in(r"/x/.*\.py$", report), [])
        self.assertTrue(expectations.check_finding_in(r"/y/.*\.py$", report))
        self.assertTrue(expectations.check_finding_in("x", {"accesses": [self.access(finding=False)]}))
        self.assertTrue(expectations.check_finding_in("x", {"accesses": [self.access(line=None)]}))

    def test_a_finding_can_be_asked_for_by_its_kernel_and_pattern(self):
        share = {"requests": 2, "candidates": [{"pattern": "strided"}]}
        cost = {"cycles": 5, "gain_of_kernel_percent": {"most": 9.0}}
        found = self.access(kernel="void copy<float>", patterns=[share], cost=cost)

        def check(*accesses):
            return "; ".join(expectations.check_finding_of({"kernel": "copy", "pattern": "strided"}, {"accesses": accesses}))
        self.assertEqual(check(found), "")
        self.assertIn("no finding is in a kernel like copy", check(found | {"finding": False}))
        self.assertIn("cost None", check(found | {"cost": None}))
        self.assertIn("cost 0", check(found | {"cost": cost | {"cycles": 0}}))
        self.assertIn("but: scattered", check(found | {"patterns": [share | {"candidates": [{"pattern": "scattered"}]}]}))
        self.assertEqual(check(found | {"patterns": [share | {"candidates": [{"pattern": "scattered"}, *share["candidates"]]}]}), "")
        self.assertIn("but: no pattern", check(found | {"patterns": []}))
        self.assertIn("add is an unexpected finding", check(found, found | {"kernel": "add"}))

    def test_what_is_not_understood_is_refused(self):
        for text in ("# expect: laod\nx\n", "# expect: load sektors=1\nx\n", "# expect: load\n"):
            with self.assertRaises(ValueError):
                expectations.parse(text)


if __name__ == "__main__":
    unittest.main()
