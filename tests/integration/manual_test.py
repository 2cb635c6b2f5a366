# SPDX-License-Identifier: Apache-2.0
#
# The manual pages: they say what --help says, and man and mandoc find no fault.
"""Run by ctest: manual_test.py Class.test_name."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import tools

COALCHECK = pathlib.Path(os.environ["COALCHECK_BINARY_DIR"]) / "bin" / "coalcheck"
# The same sources make the same page on any day, and lines of the source may be long.
ACCEPTED = re.compile(r'missing date, using "": TH|STYLE: input text line longer than 80 bytes')


def run(*words, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=60, check=False,
                          stdin=subprocess.DEVNULL, **more)


def plain(text):
    """A page's words without the language they are written in."""
    text = re.sub(r"\\\[u([0-9A-F]{4})\]", lambda found: chr(int(found[1], 16)), text)
    return " ".join(re.sub(r"\\f[BIR]|\\&", "", text).replace("\\-", "-").replace("\\(rs", "\\").split())


class Manual(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="coalcheck-manual-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.assertEqual(run(COALCHECK, "manual", "--write-all", self.folder).returncode, 0)
        self.pages = sorted((self.folder / "man" / "man1").iterdir())

    def test_each_command_has_a_page_with_every_option_of_its_help_in_the_same_words(self):
        for page in self.pages:
            command = page.stem.split("-")[1:]
            text = plain(page.read_text())
            asked = run(COALCHECK, *command, "--help").stdout
            options = re.findall(r"^  (-\S[^\n]*?)(?:  +|\n {10,})(\S[^\n]*)$", asked, re.M)
            self.assertTrue(options, page.name)
            for names, help_text in options:
                name = names.split(" ")[0].split(",")[-1].split("=")[0]
                self.assertIn(name, text, page.name)
                self.assertIn(" ".join(help_text.split()), text, page.name)
        listed = set(re.findall(r"^  ([a-z]+)  +[A-Z]", run(COALCHECK, "--help").stdout, re.M))
        self.assertEqual({page.stem for page in self.pages} - {"coalcheck-baseline-write", "coalcheck-baseline-check"},
                         {"coalcheck"} | {f"coalcheck-{name}" for name in listed})

    def test_a_page_is_printed_as_it_is_installed(self):
        for page in self.pages:
            self.assertEqual(run(COALCHECK, "manual", *page.stem.split("-")[1:]).stdout, page.read_text())
        self.assertEqual(run(COALCHECK, "manual", "nonsense").returncode, 2)

    def test_only_pages_of_what_runs_a_program_promise_its_variables(self):
        promising = {page.stem for page in self.pages if "COALCHECK_OPTIONS\nOptions" in page.read_text()}
        self.assertEqual(promising, {"coalcheck", "coalcheck-run"})

    def test_pages_are_ascii(self):
        for page in self.pages:
            self.assertTrue(page.read_bytes().isascii(), page.name)

    def test_man_warns_of_nothing(self):
        tools.need("man")
        for page in self.pages:
            done = run("man", "--warnings", "-l", page, env=dict(os.environ, MANWIDTH="80", LC_ALL="C.UTF-8"))
            self.assertEqual((done.returncode, done.stderr), (0, ""), page.name)
            self.assertIn("EXIT STATUS" if "Exit codes" in plain(page.read_text()) else "SYNOPSIS", done.stdout)

    def test_mandoc_finds_no_fault(self):
        tools.need("mandoc")
        for page in self.pages:
            faults = [line for line in run("mandoc", "-T", "lint", page).stdout.splitlines()
                      if not ACCEPTED.search(line)]
            self.assertEqual(faults, [])


if __name__ == "__main__":
    unittest.main()
