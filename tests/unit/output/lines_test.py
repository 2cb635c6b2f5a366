#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# The forms that are read line by line: annotations, Markdown, callgrind, folded stacks; and GitLab's.
"""The smaller forms, as their readers take them."""

import html.parser
import json
import re
import subprocess
import tempfile
import unittest

import forms
import tools

COMMAND = re.compile(r"\A::(warning|notice|error) ([^:\n]*)::([^\r\n]*)\Z")


def text(name, kind):
    return forms.form(name, kind).decode("utf-8")


def wasted(kind):
    return sum(access["wasted_sectors"] for access in forms.report(kind)["accesses"])


class Github(unittest.TestCase):
    def test_every_line_is_one_command(self):
        for kind in forms.KINDS:
            lines = text("github", kind).splitlines()
            for line in lines:
                self.assertRegex(line, COMMAND)
            self.assertEqual(forms.control_characters("".join(lines)), [])

    def test_no_more_warnings_than_are_shown_and_the_rest_is_said(self):
        lines = text("github", "many").splitlines()
        self.assertEqual(sum(line.startswith("::warning ") for line in lines), 10)
        self.assertEqual(len(lines), 11)
        self.assertRegex(lines[-1], r"9.?990 more findings are not annotated")

    def test_a_hostile_name_ends_no_property(self):
        for line in text("github", "hostile").splitlines():
            for pair in COMMAND.match(line)[2].split(","):
                self.assertRegex(pair, r"\A(file|line|title)=[^:]*\Z")

    def test_nothing_checked_is_an_error(self):
        self.assertRegex(text("github", "nothing"), r"\A::error title=coalcheck::.*nothing was checked")


class Tags(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen = set()

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)


class Markdown(unittest.TestCase):
    def test_every_row_has_as_many_cells_as_the_head(self):
        for kind in ("full", "hostile", "many"):
            rows = [line for line in text("markdown", kind).splitlines() if line.startswith("|")]
            self.assertGreater(len(rows), 2)
            cells = {len(re.findall(r"(?<!\\)\|", row)) for row in rows}
            self.assertEqual(cells, {8}, kind)

    def test_foreign_text_makes_no_html(self):
        tags = Tags()
        tags.feed(text("markdown", "hostile"))
        self.assertLessEqual(tags.seen, {"br"})

    def test_nothing_checked_is_said_first(self):
        self.assertRegex(text("markdown", "nothing"), r"\A### .*nothing was checked")


class Callgrind(unittest.TestCase):
    def annotate(self, kind):
        tools.need("callgrind_annotate")
        with tempfile.NamedTemporaryFile() as file:
            file.write(forms.form("callgrind", kind))
            file.flush()
            done = subprocess.run(["callgrind_annotate", "--threshold=100", file.name], capture_output=True, timeout=60,
                                  check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn(b"WARNING", done.stderr + done.stdout)
        return done.stdout.decode("utf-8", errors="replace")

    def test_callgrind_annotate_reads_every_kind_and_finds_the_totals(self):
        for kind in ("full", "hostile", "many"):
            shown = self.annotate(kind)
            total = next(line for line in shown.splitlines() if "PROGRAM TOTALS" in line)
            first = re.match(r"\s*([\d,]+)", total)[1].replace(",", "")
            self.assertEqual(int(first), forms.report(kind)["totals"]["sectors"], kind)

    def test_the_costliest_function_is_named(self):
        self.assertIn("transpose(float const*, float*, int, int)", self.annotate("full"))


class Folded(unittest.TestCase):
    def test_every_line_is_a_stack_and_a_number(self):
        for kind in ("full", "hostile", "many"):
            lines = text("folded", kind).splitlines()
            self.assertTrue(lines)
            for line in lines:
                self.assertRegex(line, r"\A[^;\x00-\x1f]+(;[^;\x00-\x1f]+)+ [1-9]\d*\Z")

    def test_the_numbers_are_all_that_was_wasted(self):
        for kind in ("full", "hostile", "many"):
            lines = text("folded", kind).splitlines()
            self.assertEqual(sum(int(line.rsplit(" ", 1)[1]) for line in lines), wasted(kind))


class Gitlab(unittest.TestCase):
    def test_every_issue_has_what_is_asked_for(self):
        for kind in forms.KINDS:
            issues = json.loads(forms.form("gitlab", kind))
            self.assertTrue(issues, kind)
            if kind == "suppressed":  # how much of it there is
                self.assertEqual([issue["check_name"] for issue in issues], ["suppressions-and-rules"])
            for issue in issues:
                self.assertLessEqual({"description", "check_name", "fingerprint", "severity", "location"}, set(issue))
                self.assertIn(issue["severity"], ("info", "minor", "major", "critical", "blocker"))
                self.assertGreaterEqual(issue["location"]["lines"]["begin"], 1)
                self.assertFalse(issue["location"]["path"].startswith(("/", "./")), issue["location"])

    def test_fingerprints_are_each_issues_own(self):
        issues = json.loads(forms.form("gitlab", "many"))
        self.assertEqual(len({issue["fingerprint"] for issue in issues}), 10000)

    def test_nothing_checked_is_an_issue(self):
        issues = json.loads(forms.form("gitlab", "nothing"))
        self.assertEqual([issue["check_name"] for issue in issues], ["not-checked"])


if __name__ == "__main__":
    unittest.main()
