# SPDX-License-Identifier: Apache-2.0
#
# What `coalcheck predict` says behind guards that data decide, and instructions that it does not compute.
"""Run by ctest, one test function at a time: predicted_guards_test.py PredictedGuards.test_name."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

COALCHECK = os.path.join(os.environ["COALCHECK_BINARY_DIR"], "bin", "coalcheck")

# %r1: the thread's number; %rd3: its element of `a`; %p1: whether its element of `d` is 0.
BEGIN = """.version 9.0
.target sm_100
.address_size 64
.visible .entry k(.param .u64 a, .param .u32 n, .param .u64 d)
{
.reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<20>;
ld.param.u64 %rd1, [a]; ld.param.u32 %r2, [n]; ld.param.u64 %rd9, [d];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd2, %r1, 4;
add.s64 %rd3, %rd1, %rd2;
add.s64 %rd10, %rd9, %rd2;
and.b32 %r3, %r1, 7;
setp.eq.u32 %p5, %r2, 1;
ld.shared.u32 %r4, [%r1];
setp.eq.u32 %p1, %r4, 0;
"""

# Stores apart by 32 bytes times the number of lanes that were not here.
APART = """sub.u32 %r7, 32, %r6;
mul.lo.u32 %r7, %r7, %r1;
mul.wide.u32 %rd4, %r7, 32;
add.s64 %rd5, %rd1, %rd4;
st.global.u32 [%rd5], %r1;
E:
"""


def word_of(body):
    """What is said of the kernel's one store."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "guards.ptx"
        path.write_text(BEGIN + body + "ret;\n}\n", encoding="utf-8")
        done = subprocess.run([COALCHECK, "predict", str(path), "--config", "none", "--scope", "all", "--format", "json"],
                              capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout, done.stderr
    accesses = [one for one in json.loads(done.stdout)["accesses"] if one["kind"] == "store"]
    assert len(accesses) == 1, done.stdout
    return accesses[0]["predicted"]


class PredictedGuards(unittest.TestCase):
    def test_of_one_lane_in_eight_are_wasteful_where_the_guard_is_computed(self):
        self.assertEqual(word_of("setp.eq.u32 %p2, %r3, 0;\n@%p2 st.global.u32 [%rd3], %r1;\n"), "wasteful")

    def test_that_an_instruction_gives_which_is_not_computed_are_not_called_clean(self):
        for guard in ("setp.ne.or.u32 %p3|%p2, %r3, 0, %p5;", "setp.ne.and.u32 %p3|%p2, %r3, 0, %p5;",
                      "mul24.lo.u32 %r5, %r3, 1;\nsetp.eq.u32 %p2, %r5, 0;",
                      "add.sat.s32 %r5, %r3, 0;\nsetp.eq.u32 %p2, %r5, 0;", "fns.b32 %r5, %r3, 0, 1;\nsetp.eq.u32 %p2, %r5, 0;"):
            with self.subTest(guard):
                self.assertEqual(word_of(f"{guard}\n@%p2 st.global.u32 [%rd3], %r1;\n"), "unknown")

    def test_that_a_parameter_decides_let_whole_warps_through(self):
        self.assertEqual(word_of("setp.lt.u32 %p2, %r1, %r2;\n@%p2 st.global.u32 [%rd3], %r1;\n"), "clean")

    def test_of_data_leave_open_how_many_lanes_meet_behind_them(self):
        for meeting in ("activemask.b32 %r5;\npopc.b32 %r6, %r5;", "vote.sync.ballot.b32 %r5, %p5, -1;\npopc.b32 %r6, %r5;",
                        "redux.sync.add.u32 %r6, 1, -1;", "match.any.sync.b32 %r5, %r2, -1;\npopc.b32 %r6, %r5;"):
            for away in ("@%p1 bra E;", "@%p1 exit;"):
                with self.subTest(meeting, away=away):
                    self.assertEqual(word_of(f"{away}\n{meeting}\n{APART}"), "unknown")

    def test_of_a_parameter_leave_all_lanes_there(self):
        self.assertEqual(word_of("setp.ge.u32 %p2, %r1, %r2;\n@%p2 bra E;\nactivemask.b32 %r5;\npopc.b32 %r6, %r5;\n" + APART), "clean")


if __name__ == "__main__":
    unittest.main()
