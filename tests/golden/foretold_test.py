#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# What a change was foretold to bring, against what a GPU counted where somebody had made it.
"""The sectors that moves foretell are those that were counted in the repaired kernels."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COALCHECK = pathlib.Path(os.environ["COALCHECK_BINARY_DIR"], "bin", "coalcheck")

# Recording, kernel and move; for each line and kind of it, the recording, kernel and line of the repair.
PAIRS = [
    ("transpose_naive", "transpose_naive", "shared_tile", "transpose_tiled", "transpose_tiled",
     {(17, "load"): 22, (17, "store"): 30}),
    ("aos_soa", "move_aos", "field_arrays", "aos_soa", "move_soa",
     {(line, kind): line + 13 for line in (21, 23, 25) for kind in ("load", "store")}),
    ("padded_struct", "weights_of_structs", "field_arrays", "padded_struct", "weights_of_array",
     {(21, "load"): 31, (21, "store"): 31}),
    ("narrow_block", "copy_rows<4>", "block_shape", "narrow_block", "copy_rows<64>",
     {(21, "load"): 21, (21, "store"): 21}),
    ("row_sums", "thread_per_row", "lanes_along_loop", "row_sums", "block_per_row",
     {(19, "load"): 33, (22, "store"): 42}),
    ("matrix_update", "update_column_major", "exchange_axes", "matrix_update", "update_row_major",
     {(24, "load"): 15, (24, "store"): 15}),
    ("misaligned", "copy_offset<10>", "align", "misaligned", "copy_offset<0>",
     {(22, "load"): 22, (22, "store"): 22}),
    ("atomics", "count_spread", "field_arrays", "atomics", "count_packed", {(16, "reduction"): 24}),
    ("atomics", "ticket_spread", "field_arrays", "atomics", "ticket_packed",
     {(32, "atomic"): 40, (32, "store"): 40}),
]


def report(recording):
    done = subprocess.run([COALCHECK, "report", "--format", "json", "--scope", "all", "--exit-zero",
                           ROOT / "tests" / "recordings" / recording], capture_output=True, timeout=60, check=True)
    return json.loads(done.stdout)


def report_on_changed(sample, change):
    """The report on a recording whose windows `change` was called with."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder, sample)
        shutil.copytree(ROOT / "tests" / "recordings" / sample, copy)
        records = [json.loads(line) for line in (copy / "records.jsonl").read_text().splitlines()]
        for record in records:
            if record["record"] == "window":
                change(record)
        kept = [json.dumps(record) for record in records if record["record"] != "end"]
        (copy / "records.jsonl").write_text("\n".join(kept) + "\n")
        return report(copy)


def access_of(found, kernel, line, kind):
    return next(number for number, one in enumerate(found["accesses"])
                if kernel + "(" in one["kernel"] and (one["line"], one["kind"]) == (line, kind))


class Foretold(unittest.TestCase):
    def test_sectors_are_those_counted_in_the_repair(self):
        for sample, kernel, move, repaired, repair, lines in PAIRS:
            found, after = report(sample), report(repaired)
            moves = next(one for one in found["moves"] if kernel + "(" in one["kernel"])
            best = moves["tried"][0]
            with self.subTest(kernel=kernel):
                self.assertEqual((best["move"], best["outcome"]), (move, "helps"))
                foretold = {one["access"]: one["sectors_per_request_after"] for one in best["accesses"]}
                for (line, kind), repaired_line in lines.items():
                    counted = after["accesses"][access_of(after, repair, repaired_line, kind)]
                    self.assertEqual(foretold.pop(access_of(found, kernel, line, kind)),
                                     counted["per_request"]["sectors"], f"{kind} in line {line}")
                self.assertEqual(foretold, {}, "every access of the kernel has its repair")

    def assert_nothing_is_foretold(self, found, why):
        self.assertEqual([(one["tried"], one["why_not_all"]) for one in found["moves"]], [([], why)])
        for access in found["accesses"]:
            self.assertIsNone((access["changes"] or {"fix": None})["fix"])

    def test_nothing_is_foretold_where_the_counts_say_something_else(self):
        def lower(window):
            for row in window["functions"][0]["rows"]:
                row[5] = row[5] * 3 // 4 if row[5] > row[6] else row[5]
        self.assert_nothing_is_foretold(report_on_changed("transpose_naive", lower),
                                        "not every access of the kernel is explained")

    def test_nothing_is_foretold_without_arguments(self):
        def forget(window):
            for inside in window["inside"]:
                del inside["arguments"]
        self.assert_nothing_is_foretold(report_on_changed("transpose_naive", forget),
                                        "the launch's arguments were not recorded")


class FetchedAgain(unittest.TestCase):
    def test_every_load_of_a_matrix_product_is_asked_for_by_each_of_a_blocks_eight_warps(self):
        found = report("matrix_product")
        times = {found["accesses"][one["access"]]["line"]: one["times"] for one in found["fetched_again"]}
        self.assertEqual(times, {19: 8, 21: 8, 38: 8, 40: 8})

    def test_a_product_through_tiles_and_a_copy_have_no_such_load(self):
        for sample in ("transpose_tiled", "coalesced_copy", "row_sums"):
            self.assertEqual(report(sample)["fetched_again"], [], sample)


class Names(unittest.TestCase):
    """The sources here are another clone's than those that were compiled."""

    def text(self, *words):
        return subprocess.run([COALCHECK, "report", "--path-map", f"/tmp/coalcheck={ROOT}", "--source-root", ROOT, *words,
                               ROOT / "tests" / "recordings" / "transpose_naive"], capture_output=True, text=True,
                              timeout=60, check=False).stdout

    def test_parameters_have_none_where_the_file_is_not_the_one_that_was_compiled(self):
        self.assertIn("neighbouring threads are parameter 4 = 4096 floats (16 KiB) apart", self.text())

    def test_parameters_have_them_where_somebody_vouches_for_the_file(self):
        self.assertIn("neighbouring threads are height = 4096 floats (16 KiB) apart", self.text("--same-sources"))


if __name__ == "__main__":
    unittest.main()
