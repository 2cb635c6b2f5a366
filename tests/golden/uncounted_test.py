#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Launches that were not counted, put into recordings that a GPU wrote, with arguments of other
# sizes: what a report predicts of them.
"""A report predicts launches that were not counted by their own shapes and arguments, and only where a count confirmed it."""

import json
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COALCHECK = pathlib.Path(os.environ["COALCHECK_BINARY_DIR"], "bin", "coalcheck")

TRANSPOSE = "_Z15transpose_naivePKfPfii"
IN, OUT = 0x7FB474000000, 0x7FB470000000  # as the recorded launch has them
GATHER = "_Z15gather_unsortedPKiPKfPfj"


def launches(count, grid, block, arguments):
    return {"grid": grid, "block": block, "launches": count, "shared_bytes": 0, "size_bytes": len(arguments),
            "bytes": arguments.hex()}


def transpose(count, width=4096, height=4096, source=IN, target=OUT):
    grid = [(width + 31) // 32, (height + 7) // 8, 1]
    return launches(count, grid, [32, 8, 1], struct.pack("<QQii", source, target, width, height))


class Uncounted(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="coalcheck-")
        self.addCleanup(folder.cleanup)
        self.recording = pathlib.Path(folder.name, "recording")

    def run_report(self, sample, kernel, sets, *options, others=0):
        """Of the sample's recording, four of whose five launches were not counted and had these arguments."""
        shutil.copytree(ROOT / "tests" / "recordings" / sample, self.recording)
        record = {"record": "uncounted", "kernel": kernel, "sets": sets, "others": others}
        with open(self.recording / "records.jsonl", "a", encoding="utf-8") as file:
            file.write(json.dumps(record, separators=(",", ":")) + "\n")
        return subprocess.run([COALCHECK, "report", "--exit-zero", "--scope", "all", *options, self.recording],
                              capture_output=True, text=True, timeout=100, check=True).stdout

    def accesses(self, *arguments, **others):
        report = json.loads(self.run_report(*arguments, "--format", "json", **others))
        return report, {(access["kernel_mangled"], access["kind"]): access for access in report["accesses"]}

    def predicted(self, *sets):
        report, accesses = self.accesses("transpose_naive", TRANSPOSE, list(sets))
        return report, *(accesses[TRANSPOSE, kind] for kind in ("load", "store"))

    def test_what_is_predicted_is_what_the_gpu_counted_where_it_counted_all(self):
        """20 kernels, each launched nine times by strides of 1 (counted once), 2, 4, 8 and 32 floats."""
        done = subprocess.run([COALCHECK, "report", "--exit-zero", "--scope", "all", "--format", "json",
                               ROOT / "tests" / "uncounted_recordings" / "strides"],
                              capture_output=True, text=True, timeout=100, check=True)
        accesses = json.loads(done.stdout)["accesses"]
        self.assertEqual(len(accesses), 40)
        counted = {"requests": 720, "lanes": 23040, "sectors": 13248, "ideal_sectors": 2880, "lines": 6768}
        for access in accesses:
            self.assertEqual((access["launches_checked"], access["launches_predicted"]), (1, 44))
            self.assertEqual({key: access[key] + access["uncounted"][key] for key in counted}, counted)

    def test_launches_like_the_counted_one_have_its_counts(self):
        report, load, store = self.predicted(transpose(4, source=IN + 4096))
        for access in (load, store):
            self.assertEqual(access["launches_predicted"], 4)
            for key in ("requests", "lanes", "sectors", "ideal_sectors", "lines"):
                self.assertEqual(access["uncounted"][key], 4 * access[key], key)
            self.assertIsNone(access["estimate"])
        self.assertEqual(store["uncounted"]["predicted"], "wasteful")
        self.assertEqual(load["uncounted"]["predicted"], "clean")
        self.assertEqual(report["summary"]["launches_predicted"], 4)
        self.assertEqual(report["summary"]["launches_checked"], 1)

    def test_launches_of_other_sizes_have_counts_of_their_own(self):
        _, load, store = self.predicted(transpose(1, 1024, 2048), transpose(3, 64, 64))
        requests = (1024 * 2048 + 3 * 64 * 64) // 32
        self.assertEqual(load["uncounted"]["requests"], requests)
        self.assertEqual(load["uncounted"]["sectors"], 4 * requests)
        self.assertEqual(store["uncounted"]["sectors"], 32 * requests)

    def test_an_access_that_was_wasteful_when_counted_may_be_clean_in_others(self):
        _, _, store = self.predicted(transpose(4, 4096, 1))
        self.assertTrue(store["finding"])
        self.assertEqual(store["uncounted"]["sectors"], 4 * 4 * 4096 // 32)
        self.assertEqual(store["uncounted"]["wasted_sectors"], 0)
        self.assertEqual(store["uncounted"]["predicted"], "clean")

    def test_a_pointer_matters_by_its_alignment(self):
        _, load, _ = self.predicted(transpose(4, source=IN + 4))
        self.assertEqual(load["uncounted"]["sectors"], 5 * load["uncounted"]["requests"])
        self.assertEqual(load["uncounted"]["predicted"], "wasteful")
        self.assertFalse(load["finding"])

    def test_the_text_says_what_is_predicted(self):
        text = self.run_report("transpose_naive", TRANSPOSE, [transpose(4)], "--verbosity", "verbose").replace("\u202f", " ")
        self.assertIn("predicted: 4 launches that were not counted waste 58.7 M sectors, 87.5 %", text)
        self.assertIn("counted 1 of 5 launches, the others predicted", text)
        self.assertNotIn("estimate", text)

    def test_the_text_warns_of_an_access_that_was_clean_when_counted(self):
        text = self.run_report("transpose_naive", TRANSPOSE, [transpose(3, source=IN + 4)], others=1)
        self.assertIn("counted 1 of 5 launches, 3 predicted, where 1 access that was clean when counted will waste "
                      "sectors (--sampling all for the rest)", " ".join(text.split()))

    def test_what_is_not_known_is_estimated_from_all_that_is(self):
        _, accesses = self.accesses("transpose_naive", TRANSPOSE, [transpose(2)], others=2)
        store = accesses[TRANSPOSE, "store"]
        self.assertEqual(store["launches_predicted"], 2)
        self.assertEqual(store["estimate"]["wasted_sectors"], 5 * store["wasted_sectors"])

    def test_what_data_decide_is_not_predicted(self):
        same = bytes.fromhex("00000020717f000000008040717f000000000021717f000000004000")
        report, accesses = self.accesses("gather", GATHER, [launches(4, [16384, 1, 1], [256, 1, 1], same)])
        self.assertEqual(accesses[GATHER, "store"]["launches_predicted"], 4)
        gathered = [access for access in report["accesses"] if access["kernel_mangled"] == GATHER
                    and access["instructions"][0]["address"]["standing"] == "decided_by_data"]
        self.assertEqual([access["launches_predicted"] for access in gathered], [0])
        self.assertIsNone(gathered[0]["uncounted"])
        self.assertIsNotNone(gathered[0]["estimate"])
        text = subprocess.run([COALCHECK, "report", "--exit-zero", "--scope", "all", self.recording],
                              capture_output=True, text=True, timeout=100, check=True).stdout
        self.assertIn("counted 2 of 10 launches, 4 predicted in part", text)

    def test_more_launches_than_were_seen_are_not_believed(self):
        report, _, store = self.predicted(transpose(5))
        self.assertIsNone(store["uncounted"])
        self.assertEqual(report["summary"]["launches_predicted"], 0)

    def test_arguments_of_another_size_predict_nothing(self):
        _, _, store = self.predicted(launches(4, [128, 512, 1], [32, 8, 1], b"\0" * 8))
        self.assertIsNone(store["uncounted"])

    def test_no_more_is_evaluated_than_a_report_may_take(self):
        sets = [transpose(0, 1 << 20, 1 << 20 | number) for number in range(64)]
        self.assertEqual(len(self.accesses("transpose_naive", TRANSPOSE, sets)[1]), 2)


if __name__ == "__main__":
    unittest.main()
