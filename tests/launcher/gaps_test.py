# SPDX-License-Identifier: Apache-2.0
#
# What a recording lacks is said in every form of its report, however clean the rest is.
"""Run by ctest: gaps_test.py Class.test_name."""

import json
import unittest

import gate_test
from form_names import FORMS

GATHER = gate_test.ROOT / "tests" / "recordings" / "gather"
LOSS = '{"record":"loss","what":"recording_full","detail":"after a while","count":3}\n'
TALLY = ('{"record":"tally","kernel":"_Z5neverv","grid":[1,1,1],"block":[32,1,1],"launches":2,"counted":0,'
         '"skipped":[{"reason":"capture","launches":2}]}\n')


class Gaps(gate_test.Gate):
    def expect_in_forms(self, words, recording):
        for form in FORMS:
            quiet = ("--verbosity", "quiet") if form == "text" else ()
            _, text = self.coalcheck(("report", "--format", form, *quiet), recording)
            said = words in " ".join(text.replace("\\_", "_").split())
            self.assertEqual(said, form not in ("folded", "callgrind"), (form, text))

    def before_end(self, line):
        return lambda text: text.replace('{"record":"end"', line + '{"record":"end"')

    def test_a_loss_is_named(self):
        self.expect_in_forms("after a while", self.recording("full", self.before_end(LOSS)))

    def test_a_kernel_that_was_never_counted_is_named(self):
        self.expect_in_forms("never counted: never()", self.recording("never", self.before_end(TALLY)))

    def test_a_line_that_cannot_be_used_is_named_beside_a_finding(self):
        self.expect_in_forms("1 line not used", self.recording("torn", self.before_end('{"record":"device"\n')))

    def test_ranges_that_no_record_lists_are_a_missing_line(self):
        listed = '{"record":"ranges","ranges":1,"open":[{"domain":"","name":"step","kind":"push_pop"}]}'

        def in_ranges(text):
            """A clean window in listed ranges, and the wasteful one in others."""
            lines = text.splitlines()
            (at,) = (i for i, line in enumerate(lines) if line.startswith('{"record":"window"'))
            first, second = (lines[at].replace('"block":[32,8,1],', f'"block":[32,8,1],"ranges":{ranges},') for ranges in (1, 2))
            clean = gate_test.with_store_of(4)(first)
            lines[at:at + 1] = [listed, clean, second.replace('"window":1,', '"window":2,')]
            return "\n".join(lines) + "\n"
        recording = self.recording("ranges", in_ranges)
        code, text = self.coalcheck(("report", "--nvtx-include", "step"), recording)
        self.assertEqual(code, 4, text)
        self.assertIn("in which ranges its launches were made is not recorded", " ".join(text.split()))

    def test_how_lanes_lie_is_not_said_where_the_counts_contradict_it(self):
        folder = self.project / "gather"
        gate_test.shutil.copytree(GATHER, folder)
        records = folder / "records.jsonl"
        lines = []
        for line in records.read_text().splitlines():
            record = json.loads(line)
            if record["record"] == "window":
                for row in (row for function in record["functions"] for row in function["rows"]):
                    if row[0] == 208:
                        row[1:] = [131072, 4194304, 0, 0, 4194304, 524288, 4194304]
            lines.append(json.dumps(record))
        records.write_text(gate_test.edited_recording.without_vouching("\n".join(lines) + "\n"))
        for form in FORMS:
            _, text = self.outcome_of("report", "--scope", "all", "--format", form, str(folder))
            if form != "json":  # which says that it is contradicted
                self.assertNotIn("threads are 4 bytes apart", " ".join(text.split()), form)
        _, text = self.outcome_of("report", "--scope", "all", "--format", "json", str(folder))
        contradicted = [one["address"] for access in json.loads(text[text.index("{"):])["accesses"]
                        for one in access["instructions"] if one["address"]["standing"] == "contradicted"]
        self.assertTrue(contradicted)
        for address in contradicted:
            self.assertTrue(address["expression"])
            self.assertIsNone(address["lanes"])

    def test_what_a_comment_or_a_baseline_excuses_is_counted_in_every_form(self):
        recording = self.recording("excused")
        file = str(self.project / "base.txt")
        self.assertEqual(self.coalcheck(("baseline", "write"), file, recording)[0], 0)
        self.expect_said("1 known", ("--baseline", file), recording)
        self.source.write_text(self.source.read_text().replace("[row * width + col];", "[row * width + col];  // coalcheck: ignore[why]"))
        self.expect_said("1 suppressed", (), recording)
        _, text = self.coalcheck(("report", "--verbosity", "verbose"), recording)
        self.assertRegex(text, r"excused \(.*why\): samples/transpose_naive/transpose_naive.cu:17: store wastes 87.5 %")

    def expect_said(self, words, options, recording):
        for form in FORMS:
            code, text = self.coalcheck(("report", "--format", form, *options), recording)
            self.assertEqual(code, 0, (form, text))
            said = words in " ".join(text.split()) or f'"{words.split()[1]}": 1' in text
            self.assertEqual(said, form != "folded", (form, text))

    def test_launches_that_comments_name_are_counted_in_every_form_of_a_prediction(self):
        self.source.write_text(self.source.read_text().replace(
            "__global__ void transpose_naive", "// coalcheck: grid=1 block=1 width=1 height=1\n__global__ void transpose_naive"))
        (cubin,) = (gate_test.SAMPLE / "cubins").iterdir()
        for form in FORMS:
            code, text = self.coalcheck(("predict", "--same-sources", "--format", form), str(cubin))
            self.assertEqual(code, 0, (form, text))
            said = "judged for launches that comments in the source name" in " ".join(text.split()) or '"by_comments": 2' in text
            self.assertEqual(said, form != "folded", (form, text))

    def test_library_code_that_a_prediction_does_not_judge_is_named_in_every_form(self):
        code = [str(gate_test.ROOT / "tests" / "recordings" / one / "cubins") for one in ("coalesced_copy", "gather")]
        cubins = [str(path) for folder in code for path in sorted(gate_test.pathlib.Path(folder).iterdir())]
        here = ("--source-root", str(self.project), "--path-map", f"/tmp/coalcheck/samples/coalesced_copy={self.project}")
        for form in FORMS:
            done, text = self.outcome_of("predict", "--format", form, *here, *cubins)
            self.assertEqual(done, 0, (form, text))
            self.assertEqual("library code" in text or "library_code" in text or "not_judged" in text, form != "folded", (form, text))


if __name__ == "__main__":
    unittest.main()
