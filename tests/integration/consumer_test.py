# SPDX-License-Identifier: Apache-2.0
#
# A project that finds coalcheck with find_package, against this build and against what it installs.
"""Run by ctest: consumer_test.py Class.test_name."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ["COALCHECK_BINARY_DIR"])
CONSUMER = ROOT / "tests" / "integration" / "consumer"
DEADLINE = 100  # seconds; ctest's own is longer

OUTCOMES = {
    "clean": ("run", "every access is clean: 2 accesses"),
    "wasteful": ("fail", "exit code 1 is the verdict"),
    "known": ("run", "no new finding: 1 known"),
    "nothing_checked": ("fail", "exit code 3 is the verdict"),
    "fails_itself": ("fail", "exit code 7 is the program's own"),
    "cannot_run_here": ("notrun", "exit code 77 is the program's own"),
    "unavailable": ("fail", "exit code 4 is the verdict"),
    "unavailable_allowed": ("notrun", "allowed (--allow-unavailable)"),
    "unavailable_and_fails": ("fail", "exit code 7 is the program's own"),
    "predicted_wasteful": ("fail", "predicted: "),
    "predicted_nothing": ("fail", "predicted: nothing was judged"),
    "predicted_objects": ("fail", "replay.cpp.o: a program or library without any device code"),
    "predicted_clean": ("run", "predicted: no access is wasteful"),
    "filtered": ("fail", "'--kernel=at::native' '--nvtx-include=step/' '--nvtx-include=warm up'"),
}


def environment():
    return {name: value for name, value in os.environ.items()
            if not name.startswith(("COALCHECK_", "CUDA_INJ", "NVTX_INJ", "GITHUB_", "CMAKE_"))}


def run(*words, cwd=None):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, cwd=cwd, check=False,
                          env=environment(), timeout=DEADLINE, stdin=subprocess.DEVNULL)


class Consumer(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="coalcheck-consumer-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def configure(self, prefix, source=CONSUMER):
        return run("cmake", "-G", "Ninja", "-S", source, "-B", self.folder / "build",
                   f"-DCMAKE_PREFIX_PATH={prefix}", f"-DRECORDINGS={ROOT / 'tests' / 'recordings'}")

    def outcomes(self, prefix):
        """Builds the consumer and runs its tests; {name: (status, output)}."""
        done = self.configure(prefix)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        done = run("cmake", "--build", self.folder / "build")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        report = self.folder / "tests.xml"
        run("ctest", "--test-dir", self.folder / "build", "--output-junit", report, "-j", "4")
        cases = xml.etree.ElementTree.parse(report).getroot().iter("testcase")
        return {case.get("name"): (case.get("status"), case.findtext("system-out")) for case in cases}

    def check(self, prefix):
        found = self.outcomes(prefix)
        self.assertEqual(set(found), set(OUTCOMES))
        for name, (status, sentence) in OUTCOMES.items():
            self.assertEqual(found[name][0], status, f"{name}: {found[name][1]}")
            self.assertIn(sentence, found[name][1], name)

    def test_tests_of_a_consumer_end_as_the_verdict_says_against_the_build(self):
        self.check(BUILD)

    def test_tests_of_a_consumer_end_as_the_verdict_says_against_an_installation_that_was_moved(self):
        done = run("cmake", "--install", BUILD, "--prefix", self.folder / "made", "--strip")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        (self.folder / "made").rename(self.folder / "moved")
        for file in (self.folder / "moved" / "lib" / "cmake" / "coalcheck").iterdir():
            for place in (BUILD, ROOT, self.folder):
                self.assertNotIn(str(place), file.read_text(), f"{file.name} names a folder of this machine")
        self.check(self.folder / "moved")

    def test_properties_are_those_documented(self):
        self.assertEqual(self.configure(BUILD).returncode, 0)
        text = (self.folder / "build" / "CTestTestfile.cmake").read_text()
        of = dict(re.findall(r"set_tests_properties\(\[=\[(.*?)\]=\] PROPERTIES (.*)\)", text))
        self.assertIn('LABELS "coalcheck"', of["clean"])
        self.assertIn('RESOURCE_LOCK "gpu"', of["clean"])
        self.assertIn('LABELS "coalcheck;nightly"', of["known"])
        self.assertIn('RESOURCE_LOCK "gpu0"', of["filtered"])
        self.assertIn(f'WORKING_DIRECTORY "{CONSUMER}"', of["filtered"])

    def refused(self, call, prefix=BUILD, wanted="coalcheck REQUIRED"):
        """What CMake says to a project with that call."""
        source = self.folder / "source"
        source.mkdir()
        (source / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(wrong LANGUAGES NONE)\n"
            f"find_package({wanted})\nenable_testing()\n{call}\n")
        done = self.configure(prefix, source)
        self.assertNotEqual(done.returncode, 0)
        return " ".join(done.stderr.split())

    def test_a_call_without_a_program_is_refused(self):
        self.assertIn("needs NAME and COMMAND", self.refused("coalcheck_add_test(NAME a OPTIONS --quiet)"))

    def test_a_word_that_is_no_keyword_is_refused(self):
        self.assertIn("a: not understood: KERNELS x",
                      self.refused("coalcheck_add_test(NAME a KERNELS x COMMAND true)"))

    def without_agent(self):
        """A prefix as a build with COALCHECK_BUILD_AGENT=OFF makes it."""
        package = self.folder / "without" / "lib" / "cmake" / "coalcheck"
        shutil.copytree(BUILD / "lib" / "cmake" / "coalcheck", package)
        (package / "coalcheckTargets.cmake").write_text("add_executable(coalcheck::coalcheck IMPORTED)\n")
        return self.folder / "without"

    def test_a_build_without_the_library_is_refused_where_it_is_asked_for(self):
        self.assertIn("built without libcoalcheck.so",
                      self.refused("", self.without_agent(), "coalcheck REQUIRED COMPONENTS agent"))

    def test_a_build_without_the_library_takes_no_test(self):
        self.assertIn("built without libcoalcheck.so",
                      self.refused("coalcheck_add_test(NAME a COMMAND true)", self.without_agent()))

    def test_a_version_that_this_is_not_is_refused(self):
        self.assertIn("compatible with requested version", self.refused("find_package(coalcheck 0.2 REQUIRED)"))


if __name__ == "__main__":
    unittest.main()
