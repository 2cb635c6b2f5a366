# SPDX-License-Identifier: Apache-2.0
#
# The files of docs/ci that users copy: linted, and their commands run, with a stand-in for the user's program.
"""Run by ctest: ci_files_test.py Class.test_name.

With COALCHECK_BARE_ROOT=FOLDER the commands run in that root, where the Debian package is installed
(scripts/test-in-bare-root); else with the command of the build.
"""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

import tools

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ["COALCHECK_BINARY_DIR"])
BARE = os.environ.get("COALCHECK_BARE_ROOT")
CI = ROOT / "docs" / "ci"
YAMLLINT = "{extends: default, rules: {line-length: {max: 100}}}"

# The user's program: it leaves a recording where the agent would.
APP = """#!/bin/sh
folder=${COALCHECK_OPTIONS#*--recording=}
cp -r recorded "${folder%%/%p*}/1"
"""


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=100, check=False,
                          stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout + done.stderr


class Linted(unittest.TestCase):
    def passes(self, *words):
        code, said = run(*words)
        self.assertEqual(code, 0, said)

    def test_the_workflow_is_one_by_githubs_schema(self):
        self.passes(tools.need("check-jsonschema"), "--builtin-schema", "vendor.github-workflows",
                    CI / "github-actions.yml")

    def test_the_job_is_one_by_gitlabs_schema(self):
        self.passes(tools.need("check-jsonschema"), "--builtin-schema", "vendor.gitlab-ci", CI / "gitlab-ci.yml")

    def test_yamllint_finds_no_fault(self):
        self.passes(tools.need("yamllint"), "--strict", "--config-data", YAMLLINT, CI / "github-actions.yml",
                    CI / "gitlab-ci.yml")

    def test_hadolint_finds_no_fault_with_the_dockerfile(self):
        self.passes(tools.need("hadolint"), CI / "Dockerfile")


class Commands(unittest.TestCase):
    def setUp(self):
        self.yaml = tools.module("yaml")
        scratch = tempfile.TemporaryDirectory(prefix="coalcheck-ci-", dir=f"{BARE}/tmp" if BARE else None)
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.inside = pathlib.Path("/") / self.folder.relative_to(BARE) if BARE else self.folder

    def check_out(self, sample):
        """The user's project, built."""
        shutil.copytree(ROOT / "samples" / sample, self.folder / "samples" / sample)
        shutil.copytree(ROOT / "tests" / "recordings" / sample, self.folder / "recorded")
        (self.folder / "build").mkdir(exist_ok=True)
        (self.folder / "build" / "APP").write_text(APP)
        (self.folder / "build" / "APP").chmod(0o755)

    def run_command(self, command, **variables):
        """Runs one command as a runner's shell does. The recording knows its sources by another path."""
        script = command.replace(" run.rec", f" --path-map /tmp/coalcheck={self.inside} run.rec") \
            if command.startswith("coalcheck report") else command
        path = "/usr/bin:/bin:/usr/sbin" if BARE else f"{BUILD}/bin:/usr/bin:/bin"
        environment = {"PATH": path, "HOME": "/", **variables}
        enter = ["chroot", BARE] if BARE else []
        done = subprocess.run([*enter, "sh", "-ec", f"cd {self.inside}\n{script}"], capture_output=True, text=True,
                              timeout=100, check=False, env=environment, stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout, done.stderr

    def run_all(self, commands, sample, **variables):
        """Runs all but the user's own build; what the last one said, and its exit code."""
        self.check_out(sample)
        ours = [command for command in commands if "coalcheck" in command]
        self.assertEqual(len(ours), 3, ours)
        for command in commands:
            if command.startswith("cmake"):
                continue
            code, out, err = self.run_command(command, **variables)
            if command == "coalcheck doctor":
                self.assertIn(code, (0, 4), err)
                self.assertIn("libcoalcheck.so", out)
            elif command != commands[-1]:
                self.assertEqual(code, 0, f"{command}: {err}")
        return code, out

    def github(self, sample):
        steps = self.yaml.safe_load((CI / "github-actions.yml").read_text())["jobs"]["coalcheck"]["steps"]
        self.uploaded = [path for step in steps if "with" in step
                         for path in (step["with"].get("sarif_file") or step["with"]["path"]).split()]
        (self.folder / "summary.md").touch()
        commands = [step["run"] for step in steps if "run" in step]
        filters = [command for command in commands if command.startswith("jq ")]
        self.assertEqual(len(filters), 1)
        judged = self.run_all([command for command in commands if command not in filters], sample,
                              GITHUB_ACTIONS="true", GITHUB_STEP_SUMMARY=str(self.inside / "summary.md"))
        self.filter_sarif(filters[0])
        return judged

    def filter_sarif(self, command):
        """What the workflow does to the alerts before it uploads them, in a shell that has jq."""
        tools.need("jq")
        code, said = run("sh", "-ec", f"cd {self.folder}\n{command}")
        self.assertEqual(code, 0, said)

    def gitlab(self, sample):
        job = self.yaml.safe_load((CI / "gitlab-ci.yml").read_text())["coalcheck"]
        self.uploaded = job["artifacts"]["paths"] + list(job["artifacts"]["reports"].values())
        return self.run_all(job["script"], sample)

    def test_githubs_fail_on_findings_and_show_them(self):
        code, out = self.github("transpose_naive")
        self.assertEqual(code, 1, out)
        self.assertIn("::warning file=samples/transpose_naive/transpose_naive.cu,line=17", out)
        self.assertIn("naive.cu:17 | store", (self.folder / "summary.md").read_text())
        for name in self.uploaded:
            self.assertTrue((self.folder / name).exists(), name)
        sarif = json.loads((self.folder / "coalcheck.sarif").read_text())
        self.assertEqual(len(sarif["runs"][0]["results"]), 1)

    def test_githubs_alerts_leave_out_what_is_suppressed(self):
        rule = '[[suppress]]\nkernel = "transpose_naive"\nreason = "a sample"\n'
        (self.folder / "coalcheck.toml").write_text(rule)
        code, out = self.github("transpose_naive")
        self.assertEqual(code, 0, out)
        counts = [len(json.loads((self.folder / name).read_text())["runs"][0]["results"])
                  for name in ("coalcheck.sarif", "upload.sarif")]
        self.assertEqual(counts, [1, 0])

    def test_githubs_pass_when_all_is_clean(self):
        code, out = self.github("coalesced_copy")
        self.assertEqual(code, 0, out)

    def test_gitlabs_fail_on_findings_and_show_them(self):
        code, out = self.gitlab("transpose_naive")
        self.assertEqual(code, 1, out)
        for name in self.uploaded:
            self.assertTrue((self.folder / name).exists(), name)
        (issue,) = json.loads((self.folder / "gl-code-quality-report.json").read_text())
        self.assertEqual(issue["location"]["path"], "samples/transpose_naive/transpose_naive.cu")
        report = xml.etree.ElementTree.parse(self.folder / "coalcheck.xml").getroot()
        self.assertEqual(len(list(report.iter("failure"))), 1)

    def test_gitlabs_pass_when_all_is_clean(self):
        code, out = self.gitlab("coalesced_copy")
        self.assertEqual(code, 0, out)


if __name__ == "__main__":
    unittest.main()
