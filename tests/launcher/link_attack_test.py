# SPDX-License-Identifier: Apache-2.0
#
# What somebody tries who can put links where a report is made: nothing is written or quoted through them.
"""Each attack by itself. Run by ctest: link_attack_test.py Class.test_name."""

import pathlib
import unittest

import gate_test


class LinkAttack(gate_test.Gate):
    def test_a_report_is_not_written_through_a_link(self):
        kept = self.project / "kept"
        kept.write_text("years of work")
        link = self.project / "report.txt"
        link.symlink_to("kept")
        recording = self.recording("run")
        code, text = self.coalcheck(("report", "-o", str(link)), recording)
        self.assertEqual(code, 2, text)
        self.assertIn(f"cannot write the report to {link}: it is a link", text)
        self.assertEqual(kept.read_text(), "years of work")
        self.assertIn("sectors", self.coalcheck(("report", "-o", "/dev/stdout"), recording)[1])

    def test_no_link_of_a_repository_leads_reports_or_quotes_out_of_it(self):
        (self.project / ".git").mkdir(exist_ok=True)
        outside = pathlib.Path(self.folder, "outside")
        outside.mkdir()
        (outside / "config").write_text("years of work")
        link = self.project / "out"
        link.symlink_to(outside)
        recording = self.recording("run")
        for options, word in ((("-o", f"{link}/config"), "cannot write the report"), (("--source-root", str(link)), "--source-root"),
                              (("--path-map", f"/build={link}"), "--path-map")):
            code, text = self.coalcheck(("report", *options), recording)
            self.assertEqual(code, 2, text)
            self.assertIn(word, text)
            self.assertIn("leads out of its repository", text)
        code, text = self.outcome_of("merge", f"{link}/merged", recording)
        self.assertEqual(code, 2, text)
        self.assertFalse((outside / "merged").exists())
        self.assertEqual((outside / "config").read_text(), "years of work")
        self.assertEqual(self.coalcheck(("report", "--source-root", str(outside)), recording)[0], 1)


if __name__ == "__main__":
    unittest.main()
