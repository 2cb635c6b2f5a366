#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Kernels of many kinds, counted once on a GPU: how many of their accesses are confirmed, exactly.
"""Of tests/kinds, whose kernels are written as people write theirs, each access has the standing that is told here."""

import collections
import json
import os
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COALCHECK = pathlib.Path(os.environ["COALCHECK_BINARY_DIR"], "bin", "coalcheck")

STANDINGS = {"confirmed": 1017, "decided_by_data": 409, "not_evaluated": 8}
# File, line and kind of what is not evaluated, and why.
NOT_EVALUATED = {
    ("images.cu", 98, "load"): "functions that the GPU approximates decide it",
    ("numbers.cu", 50, "store"): "cvt.rn.f16x2.f32 is not interpreted",
    ("numbers.cu", 155, "store"): "vabsdiff4.u32.u32.u32 is not interpreted",
    ("numbers.cu", 157, "store"): "max.u16x2 is not interpreted",
    ("numbers.cu", 161, "store"): "fns.b32 is not interpreted",
    ("numbers.cu", 189, "store"): "add.cc.u32 is not interpreted",
    ("warps.cu", 61, "store"): "a special register decides it",
    ("warps.cu", 121, "store"): "bar.red.or.pred is not interpreted",
}


def instructions():
    done = subprocess.run([COALCHECK, "report", "--format", "json", "--scope", "all", "--exit-zero",
                           ROOT / "tests" / "kinds" / "recording"], capture_output=True, timeout=100, check=True)
    for access in json.loads(done.stdout)["accesses"]:
        if access.get("line") is not None:
            for instruction in access["instructions"]:
                yield access, instruction["address"]


class Kinds(unittest.TestCase):
    def test_every_access_has_the_standing_it_had(self):
        standings = collections.Counter()
        why = {}
        for access, address in instructions():
            standings[address["standing"]] += 1
            if address["standing"] not in ("confirmed", "decided_by_data"):
                place = (pathlib.PurePath(access["file"]).name, access["line"], access["kind"])
                why[place] = address["standing_why"]
        self.assertEqual(why, NOT_EVALUATED)
        self.assertEqual(standings, STANDINGS)


if __name__ == "__main__":
    unittest.main()
