# SPDX-License-Identifier: Apache-2.0
#
# Applies the project's rules to its files, and shows that each rule finds what breaks it.
"""Run by ctest, one test function at a time: rules_test.py Rules.test_name."""

import os
import pathlib
import re
import subprocess
import unittest

import rules
import tools
import tree

REASONS = tree.ROOT / "tests" / "rules" / "without_recording.txt"


def is_source(path):
    return path.endswith(rules.SOURCES + (".py",)) or is_script(path)


def is_script(path):
    return path.startswith(("scripts/", ".ci/")) and os.access(tree.ROOT / path, os.X_OK)


def has_recording(name):
    return (tree.ROOT / "tests" / "recordings" / name / "records.jsonl").exists()


def has_file(folder, name):
    return (tree.ROOT / folder / name).exists()


def reasons():
    """Returns {sample: reason} of the list of samples that have no recording."""
    lines = (line.split("#")[0].strip() for line in REASONS.read_text().splitlines())
    return {name.strip(): reason.strip() for name, _, reason in (l.partition(":") for l in lines if l)}


class Rules(unittest.TestCase):
    def check(self, rule, wanted=lambda path: True):
        problems = []
        checked = 0
        for path in filter(wanted, tree.files()):
            text = tree.text(path)
            if text is not None:
                checked += 1
                problems += rule(path, text)
        self.assertGreater(checked, 0, "no file was looked at")
        self.assertFalse(problems, "\n" + "\n".join(problems))

    def test_vendor_headers_stay_in_their_folders(self):
        self.assertTrue(rules.vendor_headers("cli/a.cpp", "#include <cuda.h>\n"))
        self.assertTrue(rules.vendor_headers("injection/agent/a.h", '#include "cupti_callbacks.h"\n'))
        self.assertFalse(rules.vendor_headers("injection/cupti/a.h", "#include <cupti.h>\n"))
        self.check(rules.vendor_headers)

    def test_the_library_asks_neither_environment_nor_clock(self):
        for line in ("std::getenv(name);", "extern char** environ;", "auto now = std::time(nullptr);",
                     "std::chrono::steady_clock::now();", "::clock_gettime(0, &now);"):
            self.assertTrue(rules.pure_library("libcoalcheck/a.cpp", line), line)
        for line in ("// as getenv would", 'Say("getenv");', "kernel.time(3);", "Runtime();"):
            self.assertFalse(rules.pure_library("libcoalcheck/a.cpp", line), line)
        self.check(rules.pure_library)

    def test_foreign_files_are_opened_in_one_way(self):
        for line in ("std::ifstream stream(file);", "int f = open(path.c_str(), O_RDONLY);", "fopen(name, mode);"):
            self.assertTrue(rules.foreign_files("cli/a.cpp", line), line)
        for line in ("// as open(2)", "stream.open(x);", "MapFile(name);", "is_open();"):
            self.assertFalse(rules.foreign_files("cli/a.cpp", line), line)
        self.check(rules.foreign_files)

    def test_messages_go_through_one_function(self):
        for line in ('err << "coalcheck: no " << file;', 'err << fmt::format("coalcheck: no {}", file);'):
            self.assertTrue(rules.own_messages("cli/a.cpp", line), line)
        self.assertFalse(rules.own_messages("cli/a.cpp", 'Say(err, "no " + file);'))
        self.check(rules.own_messages)

    def test_headers_include_what_the_build_precompiles(self):
        self.assertTrue(rules.precompiled("cli/a.h", "#include <vector>\nstd::string a;\n"))
        self.assertFalse(rules.precompiled("cli/a.h", "#include <string>\nstd::string a;  // std::vector\n"))
        lists = tree.text("cmake/CoalcheckCompileTime.cmake") + tree.text("cmake/CoalcheckTest.cmake") + \
            tree.text("libcoalcheck/CMakeLists.txt")
        self.assertEqual(set(re.findall(r"<([\w/.]+)>", lists)), set(rules.PRECOMPILED))
        self.check(rules.precompiled)

    def test_every_source_opens_with_its_licence_and_its_job(self):
        good = "// SPDX-License-Identifier: Apache-2.0\n//\n// Says one thing.\n"
        self.assertFalse(rules.opening("a.h", good))
        self.assertTrue(rules.opening("a.h", good.replace("//\n", "", 1)))
        self.assertTrue(rules.opening("a.h", "#pragma once\n"))
        self.assertTrue(rules.opening("a.py", ""))
        self.check(rules.opening, is_source)

    def test_no_source_is_longer_than_400_lines(self):
        self.assertTrue(rules.length("a.h", "\n" * 401))
        self.assertFalse(rules.length("a.h", "\n" * 400))
        self.check(rules.length, is_source)

    def test_no_document_is_wider_than_120_columns(self):
        long, output = "a" * 121, "<!-- output: coalcheck options -->\n```text\n{}\n```\n<!-- /output -->\n"
        for text in (long, f"```sh\n{long}\n```\n", output.format("") + long,
                     output.format("").replace("options", long), f"```jsonl\na\n```\n{long}\n"):
            self.assertTrue(rules.width("a.md", text), text)
        for text in ("a" * 120, f"| {long} |", output.format(long), f"```jsonl\n{long}\n```\n"):
            self.assertFalse(rules.width("a.md", text), text)
        self.assertFalse(rules.width("a.py", long))
        self.check(rules.width, lambda path: path.endswith(".md"))

    def test_no_file_names_a_machine_or_leaves_a_note(self):
        for line in ("see /wo" + "rk/a", "cd /ro" + "ot/x", "// TO" + "DO: later"):
            self.assertTrue(rules.traces("a.md", line), line)
        self.assertFalse(rules.traces("a.md", "build/wo" + "rk/a https://a.example/ro" + "ot/b\n"))
        self.check(rules.traces)

    def test_every_loss_and_every_reason_to_skip_a_launch_is_documented(self):
        document = (tree.ROOT / "docs" / "recording-format.md").read_text()
        folder = tree.ROOT / "libcoalcheck" / "recording"
        words = re.findall(r'string_view k\w+ = "(\w+)"', (folder / "losses.h").read_text())
        rows = (folder / "skip_reasons.h").read_text().partition("{Skip::kWindowLost,")[0]
        words += re.findall(r'\{Skip::k\w+, "(\w+)"', rows)
        self.assertGreater(len(words), 40)
        self.assertEqual([word for word in words if f"`{word}`" not in document], [])

    def test_links_in_documents_lead_somewhere(self):
        self.assertTrue(rules.links("docs/a.md", "[b](b.md#c)", lambda path: False))
        self.assertFalse(rules.links("docs/a.md", "[b](../b.md)", lambda path: path == "b.md"))
        self.check(lambda path, text: rules.links(path, text, lambda found: has_file("", found)),
                   lambda path: path.endswith(".md"))

    def test_every_sample_has_a_readme_and_a_recording_or_a_reason(self):
        yes, no = (lambda name: True), (lambda name: False)
        self.assertFalse(rules.samples(["a"], yes, yes, {}))
        self.assertFalse(rules.samples(["a"], yes, no, {"a": "runs nowhere"}))
        for broken in ((no, yes, {}), (yes, no, {}), (yes, yes, {"a": "why"}), (yes, yes, {"b": "why"})):
            self.assertTrue(rules.samples(["a"], *broken))
        names = sorted({path.split("/")[1] for path in tree.files()
                        if path.startswith("samples/") and path.count("/") > 1} - {"common"})
        if not any(has_recording(name) for name in names):
            self.skipTest("tests/recordings holds no recording of a sample yet")
        problems = rules.samples(names, lambda name: has_file(f"samples/{name}", "README.md"),
                                 has_recording, reasons())
        self.assertFalse(problems, "\n" + "\n".join(problems))

    def test_every_script_explains_itself(self):
        scripts = [path for path in tree.files() if path.startswith("scripts/") and is_script(path)]
        self.assertTrue(scripts)
        for script in scripts:
            done = subprocess.run([tree.ROOT / script, "--help"], capture_output=True, text=True,
                                  stdin=subprocess.DEVNULL, timeout=60, check=False)
            self.assertEqual(done.returncode, 0, f"{script} --help: {done.stderr}")
            self.assertRegex(done.stdout, f"^usage: .*{pathlib.Path(script).name}", script)

    def test_every_source_is_formatted(self):
        formatter = tools.need("clang-format-14")
        sources = [path for path in tree.files() if path.endswith(rules.SOURCES)]
        done = subprocess.run([formatter, "--dry-run", "--Werror", *sources], cwd=tree.ROOT,
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr[:4000])


if __name__ == "__main__":
    unittest.main()
