#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# JUnit XML against the schema of its readers, and its numbers against the report's.
"""The JUnit form, as its readers take it."""

import subprocess
import unittest
import xml.etree.ElementTree

import forms
import tools


def validate(content):
    """What xmllint says against; empty for valid."""
    tools.need("xmllint")
    done = subprocess.run(["xmllint", "--noout", "--schema", forms.HERE / "junit.xsd", "-"], input=content,
                          capture_output=True, timeout=60, check=False)
    return "" if done.returncode == 0 else done.stderr.decode(errors="replace")


def root(kind):
    return xml.etree.ElementTree.fromstring(forms.form("junit", kind))


class Junit(unittest.TestCase):
    def test_every_kind_of_report_is_valid(self):
        for kind in forms.KINDS:
            self.assertEqual(validate(forms.form("junit", kind)), "", kind)

    def test_the_schema_refuses_what_is_wrong(self):
        self.assertNotEqual(validate(b"<testsuites><testsuite name='x'/></testsuites>"), "")

    def test_the_counts_are_those_of_the_cases(self):
        for kind in forms.KINDS:
            for suite in root(kind).iter("testsuite"):
                cases = suite.findall("testcase")
                self.assertEqual(int(suite.get("tests")), len(cases))
                for attribute, element in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
                    having = sum(case.find(element) is not None for case in cases)
                    self.assertEqual(int(suite.get(attribute)), having, (kind, attribute))

    def test_each_finding_is_a_failure_of_its_kernel(self):
        self.assertEqual(len(list(root("many").iter("failure"))), 10000)
        failing = {case.get("name") for case in root("many").iter("testcase") if case.find("failure") is not None}
        self.assertEqual(failing, {finding["kernel"] for finding in forms.findings("many")})

    def test_ranges_are_suites(self):
        names = {suite.get("name") for suite in root("full").iter("testsuite")}
        self.assertLessEqual({"step", "solver@run", "warm-up"}, names)

    def test_nothing_checked_is_an_error(self):
        errors = [error.get("message") for error in root("nothing").iter("error")]
        self.assertEqual(len(errors), 1)
        self.assertIn("nothing was checked", errors[0])

    def test_a_kernel_that_was_never_counted_is_skipped(self):
        skipped = [case.get("name") for case in root("full").iter("testcase") if case.find("skipped") is not None]
        self.assertIn("never", skipped)

    def test_hostile_names_are_text(self):
        cases = [case.get("name") for case in root("hostile").iter("testcase")]
        self.assertTrue(any("<script>alert(1)</script>]]>" in name for name in cases), cases)


if __name__ == "__main__":
    unittest.main()
