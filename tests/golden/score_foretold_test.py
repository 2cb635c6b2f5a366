#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench/score_foretold.py on reports that are made up: what is equal, what is not, what is not there."""
import contextlib
import io
import json
import sys
import tempfile
import unittest
from pathlib import Path

BENCH = Path(__file__).resolve().parents[2] / "bench"
sys.path.insert(0, str(BENCH))
import score_foretold as score  # noqa: E402


def access(kernel, line, kind, sectors):
    return {"kernel": f"{kernel}(float*)", "line": line, "kind": kind, "per_request": {"sectors": sectors}}


def naive(move="shared_tile", outcome="helps", after=4.0, why=None):
    changes = [{"access": 0, "sectors_per_request_before": 4.0, "sectors_per_request_after": 4.0},
               {"access": 1, "sectors_per_request_before": 32.0, "sectors_per_request_after": after}]
    tried = [{"move": move, "outcome": outcome, "accesses": changes}]
    return {"accesses": [access("transpose_bad", 15, "load", 4.0), access("transpose_bad", 15, "store", 32.0)],
            "moves": [{"kernel": "transpose_bad(float*)", "tried": tried, "why_not_all": why}]}


REPAIRED = {"accesses": [access("transpose_good", 23, "load", 4.0), access("transpose_good", 28, "store", 4.0)], "moves": []}


class Table(unittest.TestCase):
    def table(self, **reports):
        with tempfile.TemporaryDirectory() as name:
            for pair, (bad, good) in reports.items():
                Path(name, f"{pair}-bad.json").write_text(json.dumps(bad))
                Path(name, f"{pair}-good.json").write_text(json.dumps(good))
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                self.assertEqual(score.main([name, name]), 0)
        return said.getvalue()

    def test_accesses_are_held_against_those_of_the_repair(self):
        self.assertIn("| transpose | shared_tile | shared_tile | 2 of 2 | load 15: 4 → 4, counted 4<br>store 15: 32 → 4, "
                      "counted 4 |", self.table(transpose=(naive(), REPAIRED)))

    def test_what_was_foretold_wrong_stands_out(self):
        table = self.table(transpose=(naive(after=8.0), REPAIRED))
        self.assertIn("| 1 of 2 | load 15: 4 → 4, counted 4<br>**store 15: 32 → 8, counted 4** |", table)
        self.assertIn("In 0 every access", table)

    def test_the_most_that_was_foretold_holds_for_less(self):
        bad = naive(after=8.0)
        bad["moves"][0]["tried"][0]["accesses"][1]["at_most"] = True
        self.assertIn("| 2 of 2 | load 15: 4 → 4, counted 4<br>store 15: 32 → at most 8, counted 4 |",
                      self.table(transpose=(bad, REPAIRED)))
        bad["moves"][0]["tried"][0]["accesses"][1]["sectors_per_request_after"] = 2.0
        self.assertIn("**store 15: 32 → at most 2, counted 4**", self.table(transpose=(bad, REPAIRED)))

    def test_an_access_that_the_repair_has_not_is_not_equal(self):
        repaired = {"accesses": REPAIRED["accesses"][:1], "moves": []}
        self.assertIn("**store 15: 32 → 4, counted nowhere**", self.table(transpose=(naive(), repaired)))

    def test_several_accesses_of_a_line_stand_for_one_where_they_are_alike(self):
        twice = {"accesses": [*REPAIRED["accesses"], access("transpose_good", 28, "store", 4.0)], "moves": []}
        self.assertIn("store 15: 32 → 4, counted 4 |", self.table(transpose=(naive(), twice)))
        twice["accesses"][2]["per_request"]["sectors"] = 8.0
        self.assertIn("**store 15: 32 → 4, counted nowhere**", self.table(transpose=(naive(), twice)))

    def test_a_template_is_the_pairs_kernel_too(self):
        bad, good = (json.loads(json.dumps(one).replace("transpose_bad(", "void transpose_bad<float, 32>(")
                                .replace("transpose_good(", "void transpose_good<float, 32>(")) for one in (naive(), REPAIRED))
        self.assertIn("| transpose | shared_tile | shared_tile | 2 of 2 |", self.table(transpose=(bad, good)))

    def test_another_move_than_the_repair_is_told_and_not_scored(self):
        self.assertIn("| transpose | shared_tile | block_shape | not foretold | |",
                      self.table(transpose=(naive("block_shape"), REPAIRED)))
        self.assertIn("| transpose | shared_tile | none helps (its threads share memory) | not foretold | |",
                      self.table(transpose=(naive(outcome="rejected", why="its threads share memory"), REPAIRED)))

    def test_a_repair_that_is_no_move_says_what_it_is(self):
        report = {"accesses": [], "moves": []}
        self.assertIn("| random_gather | no move: the index is sorted | nothing was tried (", self.table(
            random_gather=(report, report)))

    def test_pairs_that_are_not_there_are_named(self):
        self.assertIn("\nNot recorded: align_reads, ", self.table(transpose=(naive(), REPAIRED)))

    def test_every_pair_has_a_repair_and_its_lines_are_in_the_source(self):
        sources = {source.stem: source.read_text().splitlines() for source in (BENCH / "fix_pairs").glob("*.cu")}
        self.assertEqual(set(score.REPAIRS), set(sources))
        for pair, (move, lines) in score.REPAIRS.items():
            if move is None:
                continue
            for before, after in lines.items():
                for line in (before if isinstance(before, int) else before[0], after):
                    self.assertRegex(sources[pair][line - 1], r"\[.*\]|Hit\(|row\(i\)|\*to\+\+", f"{pair}:{line}")


if __name__ == "__main__":
    unittest.main()
