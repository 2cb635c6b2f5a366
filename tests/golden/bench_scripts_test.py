#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The scripts in bench/ that need a GPU to be useful, with stand-ins for what they read."""
import io
import json
import sys
import tempfile
import types
import unittest
import xml.dom.minidom
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
import compare_with_ncu as compare  # noqa: E402
import draw_stride_chart as chart  # noqa: E402
import tabulate_real_programs as real  # noqa: E402

START = 0x7F0000100  # where the stand-in's kernel lies


class Metric:
    """Nsight Compute's metric: a value, or one for each address."""

    def __init__(self, values, addresses=None):
        self.values, self.addresses = values, addresses

    def num_instances(self):
        return len(self.values) if self.addresses else 0

    def has_correlation_ids(self):
        return self.addresses is not None

    def correlation_ids(self):
        return Metric(self.addresses)

    def as_uint64(self, index=0):
        return self.values[index]


class Action:
    """One kernel that Nsight Compute saw: a load at pc 0x10, a store at 0x20."""

    def __init__(self, sectors=32, hardware_stores=32, drop=None):
        pcs = [START, START + 0x10, START + 0x20]
        rows = {"sectors": [0, 4, sectors], "ideal_sectors": [0, 4, 4], "lines": [0, 1, 32], "requests": [1, 1, 1]}
        self.metrics = {compare.PER_INSTRUCTION[key]: Metric(values, pcs) for key, values in rows.items()}
        self.metrics[compare.HARDWARE["ld"]] = Metric([4])
        self.metrics[compare.HARDWARE["st"]] = Metric([hardware_stores])
        self.metrics.pop(drop, None)

    def metric_by_name(self, name):
        return self.metrics.get(name)

    def metric_names(self):
        return list(self.metrics)

    def name(self, _base=None):
        return "_Z1kv"


def ncu_module(action):
    one_range = types.SimpleNamespace(num_actions=lambda: 1, action_by_idx=lambda i: action)
    context = types.SimpleNamespace(num_ranges=lambda: 1, range_by_idx=lambda i: one_range)
    return types.SimpleNamespace(load_report=lambda path: context,
                                 IAction=types.SimpleNamespace(NameBase_MANGLED=2))


def access(kind, pc, sectors, ideal, lines):
    counts = {"requests": 1, "sectors": sectors, "ideal_sectors": ideal, "lines": lines}
    return {"kernel": "void k<2>(float*)", "kernel_mangled": "_Z1kv", "kind": kind, "lanes": 32, "line": 3,
            "file": "/x/samples/a/a.cu", "instructions": [{"pc": pc, **counts}], **counts}


def report():
    return {"accesses": [access("load", 0x10, 4, 4, 1), access("store", 0x20, 32, 4, 32)]}


def count(sectors=32):
    accesses = [dict(one, file="samples/a/a.cu", kernel="k<2>") for one in report()["accesses"]]
    accesses[1]["sectors"] = sectors
    return {"accesses": accesses}


class CompareWithNcu(unittest.TestCase):
    def compared(self, action, counted=None):
        """Rows, differences and notes for one program with these two opponents."""
        replaced = {"agent_report": lambda *_: report(), "ncu_run": lambda *_: "file",
                    "run": lambda *_, **__: json.dumps(counted or count())}
        kept = {name: getattr(compare, name) for name in replaced}
        for name, stand_in in replaced.items():
            setattr(compare, name, stand_in)
        self.addCleanup(lambda: [setattr(compare, name, real) for name, real in kept.items()])
        setup = types.SimpleNamespace(full_size=False, ncu_report=ncu_module(action))
        return compare.compare_program(setup, types.SimpleNamespace(name="a"), None)

    def test_equal_numbers_are_equal(self):
        rows, differences, _ = self.compared(Action())
        self.assertEqual(rows, [("a", "k<2>", 2, 2, 0, True, True)])
        self.assertFalse(differences)

    def test_one_sector_less_at_one_instruction_is_a_difference(self):
        rows, differences, _ = self.compared(Action(sectors=31))
        self.assertEqual(rows[0][2:5], (2, 1, 1))
        self.assertIn("pc 0x20 (store): sectors 32, Nsight Compute 31", differences[0])

    def test_the_hardware_counter_is_compared(self):
        rows, differences, _ = self.compared(Action(hardware_stores=33))
        self.assertFalse(rows[0][5])
        self.assertIn("op_st sectors 32, hardware 33", differences[0])

    def test_the_count_on_the_cpu_is_compared(self):
        rows, differences, _ = self.compared(Action(), count(sectors=31))
        self.assertFalse(rows[0][6])
        self.assertEqual(len(differences), 1)

    def test_an_instruction_that_only_one_side_counted_is_a_difference(self):
        only_ours = compare.compare_instructions("k", {0x10: count()["accesses"][0]}, {})
        self.assertEqual((only_ours[0], len(only_ours[1])), (1, 1))
        theirs = {0x10: {"sectors": 4, "ideal_sectors": 4, "lines": 1, "requests": 1}}
        self.assertTrue(compare.compare_instructions("k", {}, theirs)[1])

    def test_a_metric_that_ncu_does_not_have_is_named(self):
        with self.assertRaisesRegex(compare.Failed, "memory_l1_tag_requests_global"):
            self.compared(Action(drop="memory_l1_tag_requests_global"))


def real_access(line, standing, patterns=("strided",), finding=True):
    return {"file": "/p/a.cu", "line": line, "kind": "load", "finding": finding,
            "instructions": [{"address": {"expression": "parameter 1", "standing": standing, "standing_why": None}}],
            "patterns": [{"candidates": [{"pattern": one} for one in patterns]}]}


class RealPrograms(unittest.TestCase):
    def table(self, reports, left_out=None):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            programs = {name: {"part": "open"} for name in reports}
            if left_out:
                programs["other"] = {"part": "held", "left_out": left_out}
            told = {"provenance": "On a GPU.", "rule": "All of them.", "programs": programs}
            (folder / "programs.json").write_text(json.dumps(told))
            for name, accesses in reports.items():
                (folder / f"{name}.json").write_text(json.dumps({"accesses": accesses}))
            out = io.StringIO()
            real.write(folder, out)
            return out.getvalue()

    def test_shares_stand_over_their_totals(self):
        table = self.table({"p": [real_access(1, "confirmed"), real_access(2, "decided_by_data", finding=False),
                                  real_access(3, "contradicted"), real_access(4, "confirmed", ("runs", "scattered"))]})
        row = ("| open | 1 | 4 | 3 of 4, 75.0 % | 2 of 4, 50.0 % | 1 of 4, 25.0 % | 0 of 4, 0.0 % | 1 of 4, 25.0 % | 2 of 3, 66.7 % | "
               "2 of 3, 66.7 % |")
        self.assertIn(row, table)
        self.assertIn("| p a.cu:3 load | contradicted: no arguments |", table)
        self.assertIn("| p a.cu:4 load | patterns: runs, scattered |", table)

    def test_times_are_told_of_the_slowest_and_in_the_middle(self):
        programs = {"a": {"seconds": [1, 1.1]}, "b": {"seconds": [2, 4.5]}, "c": {"seconds": [1, 1.2]}, "d": {}}
        lines = real.added_times(programs)
        self.assertIn("3 programs, natively and watched, one run of each, alone: +0.20 s in the middle, 0.25 s or less in 2.\n", lines)
        self.assertLess(lines.index("| b | 2.00 | 4.50 | +2.50 |"), lines.index("| a | 1.00 | 1.10 | +0.10 |"))
        self.assertEqual(real.added_times({"d": {}}), [])

    def test_a_program_without_a_report_is_named_with_its_reason(self):
        self.assertIn("| other | held | does not build |", self.table({"p": []}, "does not build"))


class StrideChart(unittest.TestCase):
    CSV = "# A GPU, 16 floats\nstride_elements,median_ms,useful_gb_per_s\n0,0.1,3000\n1,0.1,2500.5\n2,0.2,900\n"

    def test_every_row_becomes_a_point_of_well_formed_svg(self):
        about, points = chart.read_csv(self.CSV)
        self.assertEqual((about, points), ("A GPU, 16 floats", [(0, 3000.0), (1, 2500.5), (2, 900.0)]))
        svg = xml.dom.minidom.parseString(chart.draw(about, points))
        self.assertEqual(len(svg.getElementsByTagName("circle")), 3)

    def test_anything_else_is_refused(self):
        for text in ("", "hello\n", "0,1,2\n", "0,1,0\n1,1,5\n", "a,b,c\nd,e,f\n"):
            with self.assertRaises(ValueError):
                chart.read_csv(text)


if __name__ == "__main__":
    unittest.main()
