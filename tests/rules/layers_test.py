# SPDX-License-Identifier: Apache-2.0
#
# Holds the sources against the table of folders in CONTRIBUTING.md.
"""Run by ctest: layers_test.py Layers.test_name."""

import unittest

import layers
import tree

SMALL = "<!-- layers -->\n```text\nbelow\n  base\n  cubin       base\nabove\n  cli         base\n              cubin\n```\n"


def sources():
    return {path: tree.text(path) for path in tree.files()
            if path.startswith(("libcoalcheck/", "injection/", "cli/")) and path.endswith((".h", ".cpp"))}


class Layers(unittest.TestCase):
    def setUp(self):
        self.rows = layers.table(tree.text("CONTRIBUTING.md"))

    def check(self, problems):
        self.assertFalse(problems, "\n" + "\n".join(problems))

    def test_a_line_of_the_table_is_a_folder_and_what_it_includes(self):
        rows = layers.table(SMALL)
        self.assertEqual(rows, {"libcoalcheck/base": [], "libcoalcheck/cubin": ["libcoalcheck/base"],
                                "cli": ["libcoalcheck/base", "libcoalcheck/cubin"]})
        self.assertFalse(layers.cycles(rows))
        self.assertTrue(layers.cycles(layers.table(SMALL.replace("  base\n", "  base        cubin\n"))))

    def test_no_folder_stands_above_one_that_it_includes(self):
        self.check(layers.cycles(self.rows))

    def test_a_file_includes_what_the_table_lets_its_folder_include(self):
        rows = layers.table(SMALL)
        self.assertFalse(layers.upward("cli/a.h", '#include "libcoalcheck/cubin/b.h"\n#include "cli/c.h"\n', rows))
        for path, text in (("libcoalcheck/base/a.h", '#include "libcoalcheck/cubin/b.h"\n'),
                           ("cli/a.h", '#include "tests/support/b.h"\n'), ("libcoalcheck/new/a.h", "")):
            self.assertTrue(layers.upward(path, text, rows), path)
        for path, text in sources().items():
            with self.subTest(path):
                self.check(layers.upward(path, text, self.rows))

    def test_the_table_allows_nothing_that_no_file_does(self):
        rows = layers.table(SMALL)
        uses = {"libcoalcheck/base": set(), "libcoalcheck/cubin": {"libcoalcheck/base"}, "cli": {"libcoalcheck/base"}}
        self.assertIn("cli: includes nothing of libcoalcheck/cubin", layers.unused(rows, uses)[0])
        uses = {}
        for path, text in sources().items():
            uses.setdefault(path.rpartition("/")[0], set()).update(layers.included(path, text))
        self.check(layers.unused(self.rows, uses))

    def test_the_watched_process_reads_no_header_whose_code_stays_outside(self):
        texts = {"injection/a.cpp": '#include "libcoalcheck/b/c.h"\n', "libcoalcheck/b/c.h": "", "libcoalcheck/b/c.cpp": ""}
        self.assertTrue(layers.outside_core(texts, set()))
        self.assertFalse(layers.outside_core(texts, {"libcoalcheck/b/c.cpp"}))
        lists = {path.rpartition("/")[0]: tree.text(path) for path in tree.files()
                 if path.startswith("libcoalcheck/") and path.endswith("CMakeLists.txt")}
        core = layers.core_sources(lists)
        self.assertIn("libcoalcheck/recording/writer.cpp", core)
        self.check(layers.outside_core(sources(), core))


if __name__ == "__main__":
    unittest.main()
