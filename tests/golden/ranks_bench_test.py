#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench/measure_ranks.py on few ranks: every tree of merges has the same bytes, and the table says so."""
import os
import subprocess
import sys
import unittest
from pathlib import Path

import tools

BENCH = Path(__file__).resolve().parents[2] / "bench"


class RanksBench(unittest.TestCase):
    def test_a_tree_of_merges_has_the_bytes_of_one_merge(self):
        tools.need("time")
        build = os.environ["COALCHECK_BINARY_DIR"]
        done = subprocess.run([sys.executable, str(BENCH / "measure_ranks.py"), "--build", build, "--ranks", "70", "--many", "140",
                               "--programs", "3"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("The tree has the same bytes as the one process.", done.stdout)
        self.assertIn("| 140 ranks in one process", done.stdout)


if __name__ == "__main__":
    unittest.main()
