# SPDX-License-Identifier: Apache-2.0
#
# What `coalcheck predict` says of a kernel, whatever other kernels the file holds.
"""Run by ctest, one test function at a time: predicted_kernels_test.py PredictedKernels.test_name."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NOT_INLINED = ROOT / "tests" / "cubins" / "noinline.cubin"
COALCHECK = os.path.join(os.environ["COALCHECK_BINARY_DIR"], "bin", "coalcheck")

HEADER = ".version 9.0\n.target sm_90\n.address_size 64\n"

# Where the second row begins, and whether within a sector, `size` decides. To see that, the walk must end a row.
TWO_LOOPS = """(.param .u64 a, .param .u32 width, .param .u32 size)
{
.reg .pred %p<4>; .reg .b32 %r<13>; .reg .b64 %rd<4>;
ld.param.u64 %rd1, [a];
ld.param.u32 %r1, [width];
ld.param.u32 %r2, [size];
mov.u32 %r3, %tid.x;
mov.u32 %r4, %ntid.x;
mov.u32 %r5, %ctaid.x;
mov.u32 %r6, %nctaid.x;
mul.lo.s32 %r8, %r4, %r6;
mov.u32 %r12, 0;
ROWS:
mad.lo.s32 %r7, %r5, %r4, %r3;
COLUMNS:
rem.s32 %r9, %r7, %r1;
div.s32 %r10, %r7, %r1;
setp.lt.s32 %p1, %r9, %r10;
mad.lo.s32 %r11, %r12, %r2, %r7;
mul.wide.s32 %rd2, %r11, 4;
add.s64 %rd3, %rd1, %rd2;
@%p1 bra SKIP;
ld.global.u32 %r9, [%rd3];
SKIP:
st.global.u32 [%rd3], %r9;
add.s32 %r7, %r7, %r8;
setp.lt.s32 %p2, %r7, %r2;
@%p2 bra COLUMNS;
add.s32 %r12, %r12, 1;
setp.lt.s32 %p3, %r12, %r6;
@%p3 bra ROWS;
ret;
}
"""


def words_of(count):
    """What is said of `count` kernels that differ in their names alone: kind and word of each access."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "equal.ptx"
        path.write_text(HEADER + "".join(f".visible .entry k{i}{TWO_LOOPS}" for i in range(count)), encoding="utf-8")
        return sorted((one["kind"], one["predicted"]) for one in said_of(path))


def said_of(path):
    """Its accesses."""
    done = subprocess.run([COALCHECK, "predict", str(path), "--config", "none", "--scope", "all", "--format", "json"],
                          capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout, done.stderr
    return json.loads(done.stdout)["accesses"]


class PredictedKernels(unittest.TestCase):
    def test_of_one_form_get_the_same_words_in_a_file_of_24(self):
        self.assertEqual(words_of(1), [("load", "unknown"), ("store", "unknown")])
        self.assertEqual(words_of(24), 24 * [("load", "unknown")] + 24 * [("store", "unknown")])

    def test_that_too_many_others_keep_from_their_end_are_not_called_clean(self):
        self.assertEqual(words_of(60), 60 * [("load", "unknown")] + 60 * [("store", "unknown")])

    def test_hold_functions_that_are_not_inlined(self):
        told = {(one["kernel"].split("(")[0], one["kind"]): one for one in said_of(NOT_INLINED)}
        self.assertEqual({key: one["predicted"] for key, one in told.items()},
                         {("consecutive", "load"): "clean", ("consecutive", "store"): "clean",
                          ("strided", "load"): "wasteful", ("strided", "store"): "clean"})


if __name__ == "__main__":
    unittest.main()
