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


if __name__ == "__main__":
    unittest.main()
