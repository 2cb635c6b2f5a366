# SPDX-License-Identifier: Apache-2.0
#
# pytest with the plugin, in a process of its own, over a recording whose ranges are named as the tests are.
"""Run by ctest: plugin_test.py Class.test_name."""

import json
import pathlib
import re
import shutil
import sys
import tempfile
import unittest
import xml.etree.ElementTree

from installed import PYTHON, RECORDINGS, VENV, InstalledTest, run

sys.path.insert(0, str(RECORDINGS.parent / "support"))

from edited_recording import without_vouching  # noqa: E402  # pylint: disable=wrong-import-position

# Stands in for a GPU: the recording is there, and so is the permission.
REPLAY = """
import coalcheck._agent, coalcheck.pytest_plugin
coalcheck._agent.recording = lambda: {recording!r}
coalcheck.pytest_plugin.unavailable = lambda: None
"""
TESTS = """
import pytest

@pytest.mark.coalesced
def test_strided(): pass

@pytest.mark.coalesced(max_wasted_share=90)
def test_tolerated(): pass

@pytest.mark.coalesced(kernel="copy_coalesced")
@pytest.mark.parametrize("size", ["a/b,c"])
def test_one_kernel(size): pass

@pytest.mark.coalesced
def test_without_a_launch(): pass

def test_unmarked(): pass
"""
IDS = ["test_a.py::test_strided", "test_a.py::test_tolerated", "test_a.py::test_one_kernel[a/b,c]"]


def recording_of(folder, ids):
    """nvtx_ranges, with the launches of its range made in the tests' ranges, all of them at once."""
    shutil.copytree(RECORDINGS / "nvtx_ranges", folder)
    records = folder / "records.jsonl"
    ranges = [{"domain": "coalcheck", "name": name, "kind": "push_pop"} for name in ids]
    text = records.read_text().replace('{"domain":"","name":"step","kind":"push_pop"}', json.dumps(ranges)[1:-1])
    assert all(name in text for name in ids)
    records.write_text(without_vouching(text))
    return folder


class PythonPlugin(InstalledTest):
    def setUp(self):
        super().setUp()
        scratch = tempfile.TemporaryDirectory(prefix="coalcheck-plugin-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.recording = recording_of(self.folder / "run", IDS)
        (self.folder / "test_a.py").write_text(TESTS)
        (self.folder / "coalcheck.toml").write_text("")

    def replay(self):
        (self.folder / "conftest.py").write_text(REPLAY.format(recording=str(self.recording)))

    def pytest(self, *words):
        """Each test's outcome, and all that pytest printed."""
        done = run(PYTHON, "-m", "pytest", "-rA", "--junitxml=junit.xml", *words, check=False, cwd=self.folder)
        printed = done.stdout + done.stderr
        outcomes = dict(reversed(pair) for pair in re.findall(r"^(PASSED|FAILED|ERROR|XFAIL) test_a\.py::test_(\w+)", printed,
                                                              re.M))
        return outcomes, printed

    def test_fails_a_marked_test_for_its_findings(self):
        self.replay()
        outcomes, printed = self.pytest("--coalcheck")
        self.assertEqual(outcomes, {"strided": "FAILED", "tolerated": "PASSED", "one_kernel": "PASSED",
                                    "without_a_launch": "FAILED", "unmarked": "PASSED"})
        self.assertIn("nvtx_ranges.cu:29: load wastes 87.5 %", printed)
        self.assertIn("nothing was checked: no kernel was launched", printed)

    def test_judges_the_named_kernel_alone(self):
        self.replay()
        (self.folder / "test_a.py").write_text(TESTS.replace("copy_coalesced", "copy_inside"))
        self.assertEqual(self.pytest("--coalcheck", "-k", "one_kernel")[0], {"one_kernel": "FAILED"})

    def test_takes_known_findings_from_a_baseline(self):
        self.replay()
        run(VENV / "bin" / "coalcheck", "baseline", "write", self.folder / "known", self.recording)
        outcomes, _ = self.pytest("--coalcheck", "--coalcheck-baseline", "known", "-k", "strided")
        self.assertEqual(outcomes, {"strided": "PASSED"})

    def test_says_at_the_end_what_the_whole_run_wasted(self):
        self.replay()
        _, printed = self.pytest("--coalcheck", "-k", "tolerated")
        ending = printed.partition("= coalcheck =")[2]
        self.assertIn("coalcheck: 2 findings (2 loads)", ending)
        self.assertIn(f"coalcheck report --group-by range {self.recording}", ending)

    def test_gives_junit_the_counts(self):
        self.replay()
        self.pytest("--coalcheck", "-k", "strided")
        tree = xml.etree.ElementTree.parse(self.folder / "junit.xml")
        told = {one.get("name"): one.get("value") for one in tree.iter("property")}
        self.assertEqual(told, {"coalcheck_findings": "1", "coalcheck_launches_checked": "2",
                                "coalcheck_wasted_sectors": "3670016"})
        self.assertIn("load wastes 87.5 %", tree.find(".//failure").text)

    def test_runs_under_xdist(self):
        self.replay()
        outcomes, printed = self.pytest("--coalcheck", "-n", "2")
        self.assertEqual(outcomes["strided"], "FAILED", printed)
        self.assertEqual(outcomes["one_kernel"], "PASSED", printed)

    def test_gives_each_worker_a_recording_of_its_own(self):
        (self.folder / "test_a.py").write_text(
            "import os\ndef test_shows(): raise SystemError(os.environ['COALCHECK_OPTIONS'])\n")
        for words, worker in ((["-n", "1"], "gw0"), ([], "main")):
            _, printed = self.pytest("--coalcheck", "--coalcheck-recording", "kept", "--coalcheck-options=--cost auto",
                                     *words)
            self.assertRegex(printed, "SystemError: --sampling=all --profile-from-start=off +--cost auto "
                                      rf"--recording={self.folder}/kept/worker-{worker} --no-report")

    def test_skips_with_the_reason_without_a_gpu(self):
        outcomes, printed = self.pytest("--coalcheck")
        if outcomes.get("strided"):
            self.skipTest("this machine has a GPU")
        self.assertEqual(outcomes, {"unmarked": "PASSED"})
        self.assertRegex(printed, r"SKIPPED \[\d\] .*: coalcheck: counting cannot work: ")
        self.assertIn("nothing was watched: counting cannot work", printed)

    def test_without_its_option_says_what_was_not_checked(self):
        outcomes, printed = self.pytest("--strict-markers")
        self.assertEqual(set(outcomes.values()), {"PASSED"})
        self.assertIn("coalcheck: not checked: 4 marked coalesced (--coalcheck checks them)", printed)

    def test_refuses_wrong_options_in_the_commands_words(self):
        outcomes, printed = self.pytest("--coalcheck", "--coalcheck-options=--sampling some")
        self.assertEqual(outcomes, {})
        self.assertIn("--coalcheck: coalcheck: --sampling: 'some' is not a kind of sampling", printed)
        self.replay()
        (self.folder / "test_a.py").write_text(TESTS.replace("max_wasted_share=90", "max_wasted_chare=90"))
        outcomes, printed = self.pytest("--coalcheck", "-k", "tolerated")
        self.assertEqual(outcomes, {"tolerated": "FAILED"})
        self.assertIn('unknown option "--max-wasted-chare', printed)


if __name__ == "__main__":
    unittest.main()
