# SPDX-License-Identifier: Apache-2.0
#
# What somebody tries who wrote the machine code: it takes no more time and memory than code of its size may.
"""Each attack by itself. Run by ctest: work_of_code_test.py Class.test_name."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import launched

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "bench"))
import hostile_code  # noqa: E402  # pylint: disable=wrong-import-position


class WorkOfCode(unittest.TestCase):
    """What `coalcheck inspect` takes; the agent follows machine code in the same way."""

    def inspect(self, code):
        """CPU seconds, megabytes, and what was printed."""
        with tempfile.TemporaryDirectory(prefix="coalcheck-work-of-code-test-") as folder:
            cubin, printed = pathlib.Path(folder, "code.cubin"), pathlib.Path(folder, "printed")
            cubin.write_bytes(code)
            with open(printed, "wb") as out:
                process = subprocess.Popen([launched.COALCHECK, "inspect", "--cpu-limit", "30", str(cubin)],
                                           stdout=out, stderr=subprocess.STDOUT)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            text = printed.read_text()
            self.assertEqual(process.returncode, 0, text[-2000:])
            return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, text

    def follow(self, name, says="unreadable"):
        seconds, megabytes, text = self.inspect(hostile_code.CODE[name]())
        self.assertLess(seconds, 8)
        self.assertLess(megabytes, 400)
        self.assertIn(says, text)

    def test_calls_that_may_lead_anywhere_are_not_followed_to_their_end(self):
        self.follow("calls that may lead anywhere")

    def test_a_loop_around_calls_that_may_lead_anywhere_is_not_followed_to_its_end(self):
        self.follow("a loop around calls that may lead anywhere")

    def test_a_loop_that_may_count_is_not_searched_to_its_end(self):
        self.follow("a loop that may count", "weak load read again")

    def test_relocations_are_not_read_for_each_kernel(self):
        self.follow("relocations of many kernels")

    def test_masks_from_many_sides_are_not_followed_to_their_beginnings(self):
        self.follow("masks from many sides", "k59")

    def test_where_two_long_ways_meet_is_not_searched_for_each_kernel(self):
        self.follow("two long ways")

    def test_long_chains_of_calls_take_no_longer_than_short_ones(self):
        short, long = (self.inspect(hostile_code.chains_of_calls(calls))[0] for calls in (2, 245))
        self.assertLess(long, 3 * short + 1)


if __name__ == "__main__":
    sys.exit(unittest.main())
