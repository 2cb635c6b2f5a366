# SPDX-License-Identifier: Apache-2.0
#
# PTX texts that ask for much: `coalcheck predict` answers in time and within its memory.
"""Run by ctest, one test function at a time: hostile_ptx_test.py HostilePtx.test_name."""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench"))
import hostile_ptx  # noqa: E402

COALCHECK = os.path.join(os.environ["COALCHECK_BINARY_DIR"], "bin", "coalcheck")
SIZE = 60_000
# Of a busy machine; an idle one takes a tenth of it. bench/measure_bounds.py measures 64 MB.
SECONDS, MEGABYTES = 20, 160


def measure(words):
    """CPU seconds and MB of one command, and its exit code."""
    process = subprocess.Popen([COALCHECK, *words, "--format", "json"], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, process.returncode


class HostilePtx(unittest.TestCase):
    def test_is_answered_within_its_bounds(self):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "hostile.ptx")
            for name in hostile_ptx.TEXTS:
                hostile_ptx.write(name, path, SIZE)
                with self.subTest(name):
                    seconds, megabytes, code = measure(["predict", path])
                    self.assertIn(code, (0, 1, 3))
                    self.assertLess(seconds, SECONDS)
                    self.assertLess(megabytes, MEGABYTES)

    def test_of_more_code_than_is_followed_the_rest_is_unknown_and_named(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "many.ptx")
            hostile_ptx.write("kernels of one access each", path, 6_000_000)
            done = subprocess.run([COALCHECK, "predict", path, "--format", "json", "--max-unknown", "10"],
                                  capture_output=True, text=True, check=False)
        report = json.loads(done.stdout)
        prediction = report["prediction"]
        self.assertEqual(done.returncode, 3)
        self.assertGreater(prediction["clean"], 0)
        self.assertEqual(prediction["clean"] + prediction["unknown"], prediction["accesses"])
        self.assertEqual(len(report["accesses"]), prediction["clean"])
        self.assertIn("more code than is followed at a time", prediction["skipped"][0])

    def test_in_two_files_of_one_name_is_answered_within_its_bounds(self):
        with tempfile.TemporaryDirectory() as folder:
            files = [os.path.join(folder, name) for name in ("a.ptx", "b.ptx")]
            for file, step in zip(files, ("4", "8")):
                text = "".join(hostile_ptx.small_kernels(SIZE)).replace("%r1, 4;", f"%r1, {step};")
                pathlib.Path(file).write_text(text, encoding="utf-8")
            seconds, megabytes, code = measure(["predict", *files])
        self.assertIn(code, (0, 1, 3))
        self.assertLess(seconds, SECONDS)
        self.assertLess(megabytes, MEGABYTES)


if __name__ == "__main__":
    unittest.main()
