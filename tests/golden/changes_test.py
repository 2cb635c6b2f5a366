#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Four dozen kernels, counted once on a GPU: which change is said first for what wastes most in each.
"""Of tests/changes, whose kernels were written by people who had not seen this project."""

import json
import os
import pathlib
import subprocess
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "changes"
COALCHECK = pathlib.Path(os.environ["COALCHECK_BINARY_DIR"], "bin", "coalcheck")


def table():
    """(kernel, changes that its author accepts, the one that is said) of each."""
    for line in (FOLDER / "accepted.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            name, accepted, said = line.split("; ")
            yield name, accepted.split(), said


def report_on(name):
    done = subprocess.run([COALCHECK, "report", "--format", "json", "--scope", "all", "--exit-zero", FOLDER / "recordings" / name],
                          capture_output=True, timeout=100, check=True)
    return json.loads(done.stdout)


def first_change(report):
    """The first that helps the kernel and the access that wastes most; where data scatter its lanes, to sort what they load."""
    number = report["causes"][0]["accesses"][0]

    def lowers(change):
        before, after = (change[f"requests_{when}"] * change[f"sectors_per_request_{when}"] for when in ("before", "after"))
        return change["access"] == number and after < 0.99 * before

    for one in (one for kernel in report["moves"] for one in kernel["tried"]):
        if one["outcome"] == "helps" and any(lowers(change) for change in one["accesses"]):
            return one["move"]
    scattered = report["accesses"][number]["patterns"][0]["class"] == "scattered"
    return "sort_indices" if scattered else "none"


class Changes(unittest.TestCase):
    def test_the_first_one_said_is_the_one_it_was_and_each_cause_stands_once(self):
        several = {}
        for name, _, said in table():
            report = report_on(name)
            with self.subTest(name):
                self.assertEqual(first_change(report), said)
            if len(report["causes"]) > 1:
                several[name] = len(report["causes"])
        self.assertEqual(several, {"deinterlace_blend": 2, "graph_mean_aggregate": 4, "matte_composite_u8": 4, "md_forces": 2, "pcm_framing": 2,
                                   "expected_errors": 2, "random_walks": 2})

    def test_nearly_all_that_are_said_are_accepted(self):
        wrong = [name for name, accepted, said in table() if said not in accepted]
        self.assertEqual(wrong, ["graph_mean_aggregate", "row_ingest", "random_walks"])


if __name__ == "__main__":
    unittest.main()
