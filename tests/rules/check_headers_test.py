# SPDX-License-Identifier: Apache-2.0
#
# scripts/check-headers over a small project with a header that leans on others.
"""Run by ctest: check_headers_test.py Class.test_name."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

import tools
import tree

CMAKE = """cmake_minimum_required(VERSION 3.25)
project(small CXX)
include_directories(${PROJECT_SOURCE_DIR})
add_subdirectory(tests/rules)
"""
PRESETS = ('{"version": 5, "configurePresets": [{"name": "tidy", "generator": "Ninja", '
           '"binaryDir": "${sourceDir}/build/tidy"}]}')
TYPE = "#pragma once\nstruct Type {};\n"
USER = '#pragma once\n#include "libcoalcheck/type.h"\ninline Type Make() { return {}; }\n'


class CheckHeaders(unittest.TestCase):
    def setUp(self):
        tools.need("git")
        scratch = tempfile.TemporaryDirectory(prefix="coalcheck-headers-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name).resolve()
        for folder in ("scripts", "libcoalcheck", "tests/rules"):
            (self.folder / folder).mkdir(parents=True)
        for name in ("changed-files", "check-headers"):
            shutil.copy2(tree.ROOT / "scripts" / name, self.folder / "scripts")
        (self.folder / "CMakePresets.json").write_text(PRESETS)
        (self.folder / "CMakeLists.txt").write_text(CMAKE)
        rules = (tree.ROOT / "tests" / "rules" / "CMakeLists.txt").read_text()
        (self.folder / "tests" / "rules" / "CMakeLists.txt").write_text(
            "\n".join(block for block in rules.split("\n\n") if "headers_alone" in block).split("target_link", 1)[0])
        self.git("init", "--quiet", "--initial-branch", "main")
        self.commit({"type.h": TYPE, "user.h": USER, "user_of_user.h": '#include "libcoalcheck/user.h"\n', "other.h": TYPE})

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@b.example", *words], cwd=self.folder, check=True,
                       capture_output=True)

    def commit(self, headers):
        for name, text in headers.items():
            (self.folder / "libcoalcheck" / name).write_text(text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "Change")

    def run_script(self, *words):
        done = subprocess.run([self.folder / "scripts" / "check-headers", *words], text=True, check=False,
                              capture_output=True, timeout=100, stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout

    def test_what_includes_a_changed_header_is_checked_with_it(self):
        self.commit({"user.h": USER + "\n"})
        self.assertEqual(self.run_script("--list"), (0, "libcoalcheck/user.h\nlibcoalcheck/user_of_user.h\n"))
        self.assertEqual(self.run_script(), (0, "check-headers: headers to compile alone: 2\n"))

    def test_a_header_that_leans_on_what_stands_before_it_is_named(self):
        self.commit({"user.h": USER.replace('#include "libcoalcheck/type.h"\n', "")})
        code, said = self.run_script()
        self.assertEqual(code, 1)
        self.assertRegex(said, "libcoalcheck/user.h:2:8: error: .Type. does not name a type")

    def test_a_header_that_ceases_to_bring_what_others_use_is_found_in_those(self):
        self.commit({"type.h": "#pragma once\n"})
        code, said = self.run_script()
        self.assertEqual(code, 1)
        self.assertRegex(said, "libcoalcheck/user.h:3:8: error: .Type. does not name a type")

    def test_of_many_headers_sixty_are_checked(self):
        self.commit({f"header_{number}.h": "#pragma once\n" for number in range(70)})
        code, said = self.run_script("--list")
        self.assertEqual((code, len(said.splitlines())), (0, 60))

    def test_all_are_checked_when_asked_for(self):
        self.assertEqual(self.run_script("--all"), (0, "check-headers: headers to compile alone: 4\n"))

    def test_where_no_header_changed_nothing_is_compiled(self):
        (self.folder / "read.md").touch()
        self.commit({})
        self.assertEqual(self.run_script(), (0, "check-headers: headers to compile alone: 0\n"))


if __name__ == "__main__":
    unittest.main()
