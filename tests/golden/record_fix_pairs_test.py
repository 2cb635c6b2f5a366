#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench/record_fix_pairs.py without a GPU: a run with a compiler, a pair and a command that are shell scripts."""
import contextlib
import io
import json
import stat
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

BENCH = Path(__file__).resolve().parents[2] / "bench"
sys.path.insert(0, str(BENCH))
import record_fix_pairs as pairs  # noqa: E402

# A pair's program, as the compiler that is its parent leaves it: under the agent it makes a recording.
PROGRAM = """#!/bin/sh
folder="${COALCHECK_OPTIONS##*--recording }"; mkdir -p "$folder"; echo "$1" > "$folder/records.jsonl"; touch "$folder/progress"
"""


class Run(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.addCleanup(setattr, pairs, "NEUTRAL", pairs.NEUTRAL)
        pairs.NEUTRAL = self.root / "neutral"
        (self.root / "program").write_text(PROGRAM)
        self.program("nvcc", f'for last; do :; done\ncp {self.root}/program "$last"\nchmod +x "$last"')
        sides = [{"kernel": f"transpose_{side}(float*)", "finding": side == "bad", "sectors": 7} for side in pairs.SIDES]
        (self.root / "report.json").write_text(json.dumps({"accesses": sides}))
        self.program("bin/coalcheck", f"cat {self.root}/report.json")

    def program(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n" + text + "\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def script(self):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            code = pairs.main(["--build-dir", str(self.root), "--output", str(self.root / "all.tar.xz"), "--only",
                               "transpose", "--nvcc", str(self.root / "nvcc")])
        return code, said.getvalue()

    def test_both_sides_of_a_pair_are_recorded_into_one_file(self):
        code, said = self.script()
        self.assertEqual(code, 0, said)
        self.assertIn("transpose: 1 of 1, 7 sectors | 0 of 1, 7 sectors\n", said)
        with tarfile.open(self.root / "all.tar.xz") as packed:
            self.assertEqual(sorted(packed.getnames()), ["provenance.md", "transpose-bad", "transpose-bad/records.jsonl",
                                                         "transpose-good", "transpose-good/records.jsonl"])
            self.assertEqual(packed.extractfile("transpose-good/records.jsonl").read(), b"good\n")

    def test_a_program_that_fails_is_named_and_fails_the_run(self):
        (self.root / "program").write_text("#!/bin/sh\necho no GPU here >&2\nexit 77\n")
        code, said = self.script()
        self.assertEqual(code, 1)
        self.assertIn("exit code 77", said)
        self.assertIn("0 of 1 pairs", said)

    def test_a_program_without_a_recording_fails_the_run(self):
        (self.root / "program").write_text("#!/bin/sh\n")
        self.assertIn("left no recording", self.script()[1])


if __name__ == "__main__":
    unittest.main()
