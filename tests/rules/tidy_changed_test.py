# SPDX-License-Identifier: Apache-2.0
#
# scripts/tidy-changed over a small project with faults made on purpose.
"""Run by ctest: tidy_changed_test.py Class.test_name."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

import tools
import tree

CMAKE = "cmake_minimum_required(VERSION 3.25)\nproject(small CXX)\nadd_library(small {})\n"
PRESETS = ('{"version": 5, "configurePresets": [{"name": "tidy", "generator": "Ninja", '
           '"binaryDir": "${sourceDir}/build/tidy", "cacheVariables": {"CMAKE_EXPORT_COMPILE_COMMANDS": "ON"}}]}')
SOUND = "int Sound() { return 1; }\n"
ESCAPES = "void Escapes() noexcept { throw 1; }\n"
USED_AFTER_MOVE = ("#include <string>\n#include <utility>\nstd::string Twice(std::string text) {\n"
                   "  std::string moved = std::move(text);\n  return moved + text;\n}\n")


class TidyChanged(unittest.TestCase):
    def setUp(self):
        tools.need("git")
        scratch = tempfile.TemporaryDirectory(prefix="coalcheck-tidy-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name).resolve()
        (self.folder / "scripts").mkdir()
        for name in ("changed-files", "tidy-changed"):
            shutil.copy2(tree.ROOT / "scripts" / name, self.folder / "scripts")
        shutil.copy2(tree.ROOT / ".clang-tidy", self.folder)
        (self.folder / "CMakePresets.json").write_text(PRESETS)
        self.git("init", "--quiet", "--initial-branch", "main")
        self.commit({"old.cpp": SOUND, "CMakeLists.txt": CMAKE.format("old.cpp")})

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@b.example", *words], cwd=self.folder, check=True,
                       capture_output=True)

    def commit(self, files):
        for name, text in files.items():
            if text is None:
                (self.folder / name).unlink()
            else:
                (self.folder / name).write_text(text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "Change")

    def run_script(self, *words):
        return subprocess.run([self.folder / "scripts" / "tidy-changed", "--no-setup", *words], text=True, check=False,
                              capture_output=True, timeout=100, stdin=subprocess.DEVNULL)

    def listed(self):
        done = self.run_script("--list")
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.splitlines()

    def check(self, files):
        """Commits files that the build compiles, and checks them."""
        tools.need("clang-tidy-16")
        self.commit({**files, "CMakeLists.txt": CMAKE.format(" ".join(["old.cpp", *files]))})
        return self.run_script()

    def test_without_origin_the_last_commit_is_looked_at(self):
        self.commit({"a.cpp": SOUND, "gone.cpp": SOUND})
        self.commit({"b.cpp": SOUND, "b.h": "", "a.h": "", "alone.h": "", "read.md": "", "gone.cpp": None})
        self.assertEqual(self.listed(), ["a.cpp", "alone.h", "b.cpp"])

    def test_all_since_the_merge_base_is_looked_at(self):
        self.git("update-ref", "refs/remotes/origin/main", "HEAD")
        self.commit({"a.cpp": SOUND})
        self.commit({"b.cpp": SOUND})
        self.assertEqual(self.listed(), ["a.cpp", "b.cpp"])
        self.git("update-ref", "refs/remotes/origin/main", "HEAD")
        self.assertEqual(self.listed(), ["b.cpp"])

    def test_of_a_merge_all_that_it_brought_in_is_looked_at(self):
        self.git("checkout", "--quiet", "-b", "side")
        self.commit({"a.cpp": SOUND})
        self.commit({"b.cpp": SOUND})
        self.git("checkout", "--quiet", "main")
        self.commit({"c.cpp": SOUND})
        self.git("merge", "--quiet", "--no-ff", "--message", "Merge", "side")
        self.assertEqual(self.listed(), ["a.cpp", "b.cpp"])

    def test_what_is_beyond_sixty_files_is_left_out_and_said(self):
        self.commit({f"a{number:02}.cpp": SOUND for number in range(70)})
        listed = self.listed()
        self.assertEqual(listed[0], "tidy-changed: 10 of 70 changed files are left out")
        self.assertEqual(listed[1:], [f"a{number:02}.cpp" for number in range(60)])

    def test_files_that_are_named_are_looked_at_instead(self):
        self.commit({"a.cpp": SOUND, "a.h": ""})
        self.commit({"b.cpp": SOUND})
        done = self.run_script("--list", "a.h", "old.cpp")
        self.assertEqual((done.returncode, done.stdout), (0, "a.cpp\nold.cpp\n"), done.stderr)
        done = self.run_script("--list", "c.cpp")
        self.assertEqual((done.returncode, done.stderr), (2, "tidy-changed: error: there is no file 'c.cpp' in the clone\n"))

    def test_nothing_changed_is_said(self):
        self.commit({"read.md": ""})
        done = self.run_script()
        self.assertEqual((done.returncode, done.stdout), (0, "tidy-changed: no source file changed\n"))

    def test_faults_are_found(self):
        done = self.check({"sound.cpp": SOUND, "escapes.cpp": ESCAPES, "moved.cpp": USED_AFTER_MOVE})
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stdout, r"escapes\.cpp:1:\d+: error: .*\[bugprone-exception-escape,")
        self.assertRegex(done.stdout, r"moved\.cpp:5:\d+: error: .*\[bugprone-use-after-move,")
        self.assertNotIn("sound.cpp", done.stdout)
        self.assertIn("files to check: 3\n", done.stdout)

    def test_a_sound_file_passes(self):
        done = self.check({"sound.cpp": SOUND})
        self.assertEqual((done.returncode, done.stdout), (0, "tidy-changed: files to check: 1\n"), done.stderr)

    def test_what_the_build_does_not_compile_is_passed_over_and_said(self):
        (self.folder / "escapes.cpp").write_text(ESCAPES)
        done = self.check({"sound.cpp": SOUND})
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("not in the build, so not checked: escapes.cpp\n", done.stdout)
        self.assertIn("files to check: 1\n", done.stdout)


if __name__ == "__main__":
    unittest.main()
