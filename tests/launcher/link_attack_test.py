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
        code, text = self.outcome_of("--no-report", "--recording", f"{link}/run.rec", "/bin/true")
        self.assertEqual(code, 2, text)
        self.assertIn("leads out of its repository", text)
        self.assertFalse((outside / "run.rec").exists())
        self.assertEqual((outside / "config").read_text(), "years of work")
        self.assertEqual(self.coalcheck(("report", "--source-root", str(outside)), recording)[0], 1)

    def test_no_link_of_a_repository_leads_quotes_into_its_hidden_folders(self):
        hidden = self.project / ".git"
        hidden.mkdir(exist_ok=True)
        link = self.project / "src"
        link.symlink_to(".git")
        recording = self.recording("run")
        for options in (("--source-root", str(link)), ("--path-map", f"/build={link}")):
            code, text = self.coalcheck(("report", *options), recording)
            self.assertEqual(code, 2, text)
            self.assertIn("into a hidden folder of its repository", text)
        # A link that stays within a hidden folder, as of a virtual environment, leads nowhere new.
        (self.project / ".venv" / "lib").mkdir(parents=True)
        (self.project / ".venv" / "lib64").symlink_to("lib")
        self.assertEqual(self.coalcheck(("report", "--source-root", str(self.project / ".venv" / "lib64")), recording)[0], 1)


if __name__ == "__main__":
    unittest.main()
