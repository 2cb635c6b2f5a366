#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# SARIF against the official schema and against what code scanning asks for.
"""The SARIF form, as its readers take it."""

import copy
import gzip
import json
import re
import unittest

import forms
import tools

MOST_BYTES = 10 * 1000 * 1000  # gzipped
MOST_RESULTS = 5000
MOST_LOCATIONS = 1000
MOST_TEXT = 1024


def validator():
    schema = json.loads(tools.sarif_schema().read_text(encoding="utf-8"))
    return tools.module("jsonschema").Draft4Validator(schema)


def log(kind):
    return json.loads(forms.form("sarif", kind))


def run(kind):
    runs = log(kind)["runs"]
    assert len(runs) == 1
    return runs[0]


class Sarif(unittest.TestCase):
    def test_every_kind_of_report_is_valid(self):
        valid = validator()
        for kind in forms.KINDS:
            value = log(kind)
            value["runs"][0]["results"] = value["runs"][0]["results"][:50]  # the schema is slow
            self.assertEqual([error.message for error in valid.iter_errors(value)], [], kind)

    def test_the_schema_refuses_what_is_wrong(self):
        broken = copy.deepcopy(log("full"))
        broken["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = "2"
        self.assertFalse(validator().is_valid(broken))

    def test_the_code_scanning_subset_is_there(self):
        for kind in forms.KINDS:
            self.assertEqual(log(kind)["version"], "2.1.0")
            self.assertIn("sarif-schema-2.1.0.json", log(kind)["$schema"])
            driver = run(kind)["tool"]["driver"]
            self.assertEqual(driver["name"], "coalcheck")
            for rule in driver["rules"]:
                for key in ("shortDescription", "fullDescription", "help"):
                    self.assertTrue(0 < len(rule[key]["text"]) <= MOST_TEXT, rule["id"])
            for result in run(kind)["results"]:
                self.check_result(result, driver["rules"])

    def check_result(self, result, rules):
        self.assertEqual(rules[result["ruleIndex"]]["id"], result["ruleId"])
        self.assertTrue(result["message"]["text"])
        self.assertLessEqual(len(result["locations"]) + len(result.get("relatedLocations", [])), MOST_LOCATIONS)
        place = result["locations"][0]["physicalLocation"]
        self.assertRegex(place["artifactLocation"]["uri"], r"\A(?![/.])[A-Za-z0-9._~/%-]+\Z")
        region = place["region"]
        self.assertGreaterEqual(region["startLine"], 1)
        self.assertEqual(region["startLine"], region["endLine"])
        self.assertGreaterEqual(region["endColumn"], region["startColumn"])
        self.assertGreaterEqual(region["startColumn"], 1)
        self.assertRegex(result["partialFingerprints"]["coalcheckPlace/v1"], r"\A[0-9a-f]{16}\Z")
        self.assertNotIn("primaryLocationLineHash", result["partialFingerprints"])

    def test_fingerprints_are_each_findings_own(self):
        results = run("many")["results"]
        prints = {result["partialFingerprints"]["coalcheckPlace/v1"] for result in results}
        self.assertEqual(len(prints), len(results))

    def test_the_region_is_the_line_from_its_first_character_on(self):
        region = run("many")["results"][0]["locations"][0]["physicalLocation"]["region"]
        text = region["snippet"]["text"]
        self.assertEqual(region["startColumn"], len(text) - len(text.lstrip()) + 1)
        self.assertEqual(region["endColumn"], len(text) + 1)

    def test_what_is_cut_is_the_least_costly_and_is_said(self):
        self.assertEqual(len(forms.findings("many")), 10000)
        results = run("many")["results"]
        self.assertEqual(len(results), MOST_RESULTS)
        wasted = [result["properties"]["wastedSectors"] for result in results]
        all_wasted = sorted((one["wasted_sectors"] for one in forms.findings("many")), reverse=True)
        self.assertEqual(wasted, all_wasted[:MOST_RESULTS])
        told = [one["message"]["text"] for one in run("many")["invocations"][0]["toolExecutionNotifications"]]
        self.assertTrue(any(re.match(r"5.?000 more findings are left out", text) for text in told), told[:3])

    def test_ten_thousand_findings_stay_under_the_size_that_is_taken(self):
        self.assertLess(len(gzip.compress(forms.form("sarif", "many"))), MOST_BYTES)

    def test_suppressed_findings_are_results_that_say_by_what_and_why(self):
        suppressions = [result["suppressions"] for result in run("suppressed")["results"]]
        self.assertEqual(suppressions, [
            [{"kind": "inSource", "justification": "part0.cu:1: no gain"}],
            [{"kind": "external", "justification": "coalcheck.toml:7: not ours"}]])
        self.assertFalse(any("suppressions" in result for result in run("many")["results"]))

    def test_findings_without_a_line_are_told_of(self):
        told = [one["message"]["text"] for one in run("hostile")["invocations"][0]["toolExecutionNotifications"]]
        self.assertTrue(any("has no line information" in text for text in told), told)

    def test_nothing_checked_is_no_success(self):
        invocation = run("nothing")["invocations"][0]
        self.assertFalse(invocation["executionSuccessful"])
        self.assertEqual(invocation["exitCode"], 3)
        self.assertEqual(invocation["toolExecutionNotifications"][0]["level"], "error")
        self.assertIn("nothing was checked", invocation["toolExecutionNotifications"][0]["message"]["text"])

    def test_hostile_names_leave_no_control_character(self):
        for text in forms.strings(log("hostile")["runs"][0]["results"][0]["message"]):
            self.assertEqual(forms.control_characters(text), [])


if __name__ == "__main__":
    unittest.main()
