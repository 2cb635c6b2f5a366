#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Three loads and two stores of the fields of one structure, in every form.
"""Findings of one cause are one entry where people read, and each its own where programs compare."""

import json
import re
import unittest
import xml.etree.ElementTree

import forms

MEMBERS = 5
CLAIM = "3 loads and 2 stores waste"


def text(name):
    return forms.form(name, "fields").decode("utf-8")


def sarif():
    return json.loads(text("sarif"))["runs"][0]["results"]


class OneEntry(unittest.TestCase):
    def test_markdown_has_one_row(self):
        rows = [line for line in text("markdown").splitlines() if line.startswith("| part0.cu")]
        self.assertEqual(len(rows), 1)
        self.assertTrue(rows[0].startswith("| part0.cu:1–5 | 3 loads and 2 stores |"), rows[0])

    def test_html_has_one_entry_whose_members_link_to_their_lines(self):
        page = text("html")
        self.assertEqual(re.findall(r'<details id="f(\d+)" data-kind="([^"]*)"', page), [("1", "load, store")])
        self.assertIn(f"<p>{CLAIM}", page)
        members = re.search(r'<ul class="members">(.*?)</ul>', page)[1]
        self.assertEqual(len(re.findall(r'<li><a href="#l[0-9a-f]+-\d+">part0.cu:\d</a>: (?:load|store) wastes', members)),
                         MEMBERS)
        self.assertEqual(len(re.findall(r'<a href="#f1">finding 1</a>', page)), MEMBERS, "each line leads to the entry")

    def test_sarif_has_one_result_with_the_others_as_related_locations(self):
        results = sarif()
        self.assertEqual(len(results), 1)
        self.assertIn(f"part0.cu:1–5: {CLAIM}", results[0]["message"]["text"])
        lines = [one["physicalLocation"]["region"]["startLine"] for one in results[0]["relatedLocations"]
                 if re.match("(load|store) wastes", one["message"]["text"])]
        own = results[0]["locations"][0]["physicalLocation"]["region"]["startLine"]
        self.assertEqual(sorted(lines + [own]), [1, 2, 3, 4, 5])
        ids = [one["id"] for one in results[0]["relatedLocations"]]
        self.assertEqual(len(set(ids)), len(ids))

    def test_sarif_keeps_the_fingerprint_of_the_first_member(self):
        self.assertEqual(sarif()[0]["partialFingerprints"]["coalcheckPlace/v1"],
                         forms.report("fields")["places"][0]["fingerprint"])

    def test_sarif_sums_up_the_members(self):
        self.assertEqual(sarif()[0]["properties"]["wastedSectors"],
                         sum(one["wasted_sectors"] for one in forms.findings("fields")))

    def test_the_gain_is_that_of_all_members_in_every_form(self):
        self.assertEqual(forms.report("fields")["causes"][0]["gain_of_kernel_percent"], {"least": 20.0, "most": 50.0})
        for name in ("text", "markdown", "html", "sarif", "github"):
            told = text(name).replace("%25", "%")
            self.assertEqual(len(re.findall("could save 20 % to 50 %", told)), 1, name)
            self.assertNotIn("4 % to 10 %", told, name)


class EachItsOwn(unittest.TestCase):
    def test_junit_fails_each_member(self):
        self.assertEqual(len(list(xml.etree.ElementTree.fromstring(text("junit")).iter("failure"))), MEMBERS)

    def test_gitlab_has_an_issue_for_each_member(self):
        self.assertEqual(len({one["fingerprint"] for one in json.loads(text("gitlab"))}), MEMBERS)

    def test_json_keeps_the_accesses_and_names_their_cause(self):
        causes = forms.report("fields")["causes"]
        self.assertEqual([len(one["accesses"]) for one in causes], [MEMBERS])


if __name__ == "__main__":
    unittest.main()
