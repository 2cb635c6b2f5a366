# SPDX-License-Identifier: Apache-2.0
#
# What somebody tries who wrote one of several recordings: it hides no other, and makes no run look checked.
"""Each attack by itself. Run by ctest: recording_attack_test.py Class.test_name."""

import json
import pathlib
import re
import shutil
import sys
import time
import unittest

import gate_test

BARRED = gate_test.ROOT / "tests" / "integration" / "consumer" / "unavailable"
ALLOWED = "--allow-unavailable"


def of_job(rank, job, **more):
    """An edit of the recording: it is that of a rank."""
    return lambda text: text.replace('"record":"header"', json.dumps(
        {"record": "header", "rank": rank, "job": job} | more, separators=(",", ":"))[1:-1], 1)


def that_lost(what, detail=""):
    """An edit of the recording: it says that it lost something."""
    loss = json.dumps({"record": "loss", "what": what, "detail": detail, "count": 7}, separators=(",", ":"))
    return lambda text: text.replace('{"record":"end"', loss + '\n{"record":"end"')


class RecordingAttack(gate_test.Gate):
    def clean(self, name, *edits):
        """A recording without a finding."""
        def edit(text):
            text = gate_test.with_store_of(4)(text)
            for one in edits:
                text = one(text)
            return text
        pathlib.Path(self.folder, name).parent.mkdir(exist_ok=True)
        return self.recording(name, edit)

    def in_all(self, name):
        return str(pathlib.Path(self.folder, name))

    def expect(self, code, *words):
        got, text = self.coalcheck(words[:1], *words[1:])
        self.assertEqual(got, code, text)
        return text

    def linked(self, name, to):
        """A recording whose records are a link to those of another beside it."""
        folder = pathlib.Path(self.folder, name)
        (folder / "cubins").mkdir(parents=True)
        (folder / "records.jsonl").symlink_to(f"../{to}/records.jsonl")

    def test_ranks_that_are_missing_are_made_up_by_no_others(self):
        for i, rank in enumerate((0, 1, 17, 18)):
            self.clean(f"beyond/{i}.rec", of_job(rank, "j", world_size=4))
        self.assertIn("2 of 4 ranks recorded, at least 4 are required", self.expect(4, "report", self.in_all("beyond")))
        self.clean("unknown/a.rec", of_job(0, "j", world_size=4))
        self.clean("unknown/b.rec", of_job(0, "k"))
        self.assertIn("1 of 4 ranks recorded, at least 4 are required", self.expect(4, "report", self.in_all("unknown")))
        self.clean("others/a.rec", of_job(0, "j", world_size=4))
        for rank in range(5, 9):
            self.clean(f"others/{rank}.rec", of_job(rank, "k", world_size=1))
        self.assertIn("1 of 4 ranks recorded, at least 4 are required", self.expect(4, "report", self.in_all("others")))

    def test_what_a_run_that_counted_lost_is_not_allowed_with_another_that_could_not(self):
        self.clean("two/a.rec", that_lost("window_lost"))
        shutil.copytree(BARRED, pathlib.Path(self.folder, "two", "b.rec"))
        self.clean("one/a.rec", that_lost("window_lost"), that_lost("could_not_collect"))
        base = self.recording("base")
        for name in ("two", "one"):
            self.assertIn("lost 7 windows", self.expect(4, "report", ALLOWED, self.in_all(name)))
            self.expect(4, "diff", ALLOWED, base, self.in_all(name))
        self.assertIn("allowed (--allow-unavailable)", self.expect(0, "report", ALLOWED, str(BARRED)))

    def test_a_run_without_the_counters_to_judge_by_passes_no_diff_and_makes_no_baseline(self):
        pathlib.Path(self.folder, "both").mkdir()
        self.recording("both/a.rec", lambda text: text.replace('"ideal_sectors"', '"something"', 1))
        self.clean("both/b.rec")
        self.assertIn("lacks the counters ideal_sectors", self.expect(4, "diff", self.clean("base"), self.in_all("both")))
        kept = pathlib.Path(self.folder, "never.txt")
        self.expect(4, "baseline", "write", str(kept), self.in_all("both"))
        self.assertFalse(kept.exists())
        report = json.loads(self.coalcheck(("report", "--format", "json"), self.in_all("both"))[1])
        self.assertIn("lacks the counters", report["verdict"]["incomplete"])

    def test_records_that_are_a_link_are_named_and_hide_no_others(self):
        for link, honest in (("a.rec", "z.rec"), ("z.rec", "a.rec")):
            for code, make in ((1, self.recording), (4, self.clean)):
                folder = pathlib.Path(self.folder, f"{link}{code}")
                folder.mkdir()
                make(f"{folder.name}/{honest}")
                self.linked(f"{folder.name}/{link}", honest)
                text = self.expect(code, "report", str(folder))
                self.assertIn(f"{link}/records.jsonl", text)
                merged = self.in_all(f"merged-{folder.name}")
                self.assertIn("1 recording is merged", self.expect_words(4, "merge", merged, str(folder)))
                self.expect(code, "report", merged)

    def expect_words(self, code, *words):
        got, text = self.outcome_of(*words)
        self.assertEqual(got, code, text)
        return text

    def test_a_recording_hides_none_that_lie_in_its_folder(self):
        self.recording(str(pathlib.Path(self.clean("outer"), "inner.rec")))
        self.assertIn("summed over 2 recordings", self.expect(1, "report", self.in_all("outer")))
        self.assertIn("2 recordings are merged", self.expect_words(0, "merge", self.in_all("merged"), self.in_all("outer")))

    def test_a_recording_hides_none_in_its_folder_that_lost_its_records(self):
        for lost in ("inner.rec", "cubins alone", "link"):
            outer = pathlib.Path(self.clean(f"outer of {lost}"))
            inner = outer / lost
            if lost == "link":
                inner.symlink_to("nowhere")
            else:
                (inner / "cubins").mkdir(parents=True)
            self.assertIn(f"{lost}/records.jsonl", self.expect(4, "report", str(outer)))
            self.expect_words(4, "merge", self.in_all(f"merge of {lost}"), str(outer))

    def test_a_link_in_a_recording_leads_to_no_other(self):
        foreign = self.recording("foreign")
        outer = pathlib.Path(self.clean("outer"))
        (outer / "inner.rec").symlink_to(foreign)
        text = self.expect(4, "report", str(outer))
        self.assertIn("it lies behind a link in a recording", text)
        self.assertNotIn("out[col", text)
        code, err = self.launch(self.clean("whole"), f'ln -s "{foreign}" "$folder/inner"')
        self.assertEqual(code, 4, err)

    def test_a_folder_that_is_put_in_the_place_of_the_launchs_is_not_read(self):
        foreign = pathlib.Path(self.recording("others/4711")).parent
        before = (foreign / "4711" / "records.jsonl").read_bytes()
        clean = self.clean("whole")
        for remove in ('mv "${folder%/*}" gone', 'rm -r "${folder%/*}"'):  # a number that is free may be given again
            code, err = self.launch(clean, f'{remove}; ln -s "{foreign}" "${{folder%/*}}"')
            self.assertEqual(code, 3, err)
            self.assertIn("is no longer the folder of the recordings", err)
        self.assertEqual((foreign / "4711" / "records.jsonl").read_bytes(), before)

    def test_a_shape_that_no_gpu_takes_is_no_record(self):
        most = 2**32 - 1
        for number, shape in enumerate(('"grid":[%d,%d,%d]' % (most, most, most), '"block":[%d,2,%d]' % (most, most), '"block":[0,1,1]')):
            key = shape[:shape.index(":")]
            run = self.recording(f"shape{number}", lambda text: re.sub(key + r":\[[0-9,]*\]", shape, text))  # pylint: disable=cell-var-from-loop
            text = self.expect(3, "report", run)  # nothing is left to be checked
            self.assertIn("of a size that a GPU takes", text)

    def test_an_argument_at_the_end_of_all_addresses_takes_no_time(self):
        begin = time.monotonic()
        code, text = self.coalcheck(("predict", "--launch", "transpose_naive: arg1=-1 arg2=0 grid=128x512 block=32x8 "
                                     "arg3=4096 arg4=4096"), str(next((gate_test.SAMPLE / "cubins").iterdir())))
        self.assertEqual(code, 1, text)
        self.assertLess(time.monotonic() - begin, 10)

    def test_a_process_that_lost_its_records_is_not_passed_over(self):
        clean = self.clean("whole")
        self.assertEqual(self.launch(clean, ":")[0], 0)
        for loss in ("mkdir -p $lost/cubins", "mkdir $lost; ln -s nowhere $lost/records.jsonl"):
            code, err = self.launch(clean, f'lost="${{folder%/*}}/4242"; {loss}')
            self.assertEqual(code, 4, err)
            self.assertIn("4242/records.jsonl", err)

    def test_what_an_earlier_launch_lost_is_not_charged_to_the_next(self):
        clean = self.clean("whole")
        pathlib.Path(self.folder, "kept", "4242", "cubins").mkdir(parents=True)
        code, _, err = self.run_to_end("--recording", "kept", *self.rules(), "sh", "-c", gate_test.RECORDS_AND_THEN, clean, ":")
        self.assertEqual(code, 0, err)
        self.assertTrue(pathlib.Path(self.folder, "kept.2").is_dir())

    def test_a_merge_into_a_folder_that_it_reads_does_not_read_itself(self):
        self.clean("all/a.rec")
        text = self.expect_words(0, "merge", self.in_all("all/out.rec"), self.in_all("all"))
        self.assertEqual(text.count("\n"), 1, text)
        self.assertIn("1 recording is merged", text)

    def test_a_report_that_could_not_collect_is_none_in_a_diff_either(self):
        report = str(self.project / "barred.json")
        self.expect(4, "report", "--format", f"json={report}", str(BARRED))
        self.assertIn("nothing can be compared", self.expect(4, "diff", self.recording("base"), report))
        self.expect(3, "diff", self.recording("again"), self.empty_report())

    def empty_report(self):
        """Of a run that launched nothing."""
        nothing = self.recording("nothing", lambda text: "".join(
            line for line in text.splitlines(keepends=True) if json.loads(line)["record"] not in ("window", "tally")))
        report = str(self.project / "nothing.json")
        self.expect(3, "report", "--format", f"json={report}", nothing)
        return report


if __name__ == "__main__":
    sys.exit(unittest.main())
