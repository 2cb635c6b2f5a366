# SPDX-License-Identifier: Apache-2.0
#
# Starts the launcher as a user would, in a folder that goes away. Every wait has a deadline.
"""What the launcher's tests have in common."""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["COALCHECK_BINARY_DIR"])
COALCHECK = str(BUILD / "bin" / "coalcheck")
HOST = str(BUILD / "bin" / "recording_host")
DEADLINE = 40  # seconds; ctest's own is longer


class Launched(unittest.TestCase):
    """A scratch folder, and a library file that nobody loads: these programs record by themselves."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="coalcheck-launcher-test-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.library = os.path.join(self.folder, "libcoalcheck.so")
        shutil.copy(BUILD / "lib" / "libempty_injection.so", self.library)
        os.chmod(self.library, 0o644)
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith(("COALCHECK_", "CUDA_INJ", "NVTX_INJ"))}
        self.environment.update(TMPDIR=self.folder)
        # A sanitizer would turn the signals of these programs into exit codes of its own.
        plain_signals = ":".join(f"handle_{name}=0" for name in ("segv", "sigbus", "abort", "sigill", "sigfpe"))
        self.environment["ASAN_OPTIONS"] = f"{os.environ.get('ASAN_OPTIONS', '')}:{plain_signals}"

    def command(self, *words):
        return [COALCHECK, "run", "--library", self.library, *words]

    def start(self, *words, **more):
        more = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL, **more}
        process = subprocess.Popen(self.command(*words), env=self.environment, text=True,
                                   cwd=self.folder, **more)
        self.addCleanup(self.put_down, process)
        return process

    @staticmethod
    def put_down(process):
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        process.wait(DEADLINE)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                stream.close()

    def run_to_end(self, *words, **more):
        """Exit code, stdout, stderr. A negative code is a signal."""
        process = self.start(*words, **more)
        out, err = process.communicate(timeout=DEADLINE)
        return process.returncode, out, err

    def report(self, *words):
        """The JSON report of a launch, and what came back."""
        code, _, err = self.run_to_end("--format", "json", "-o", "report.json", *words)
        return json.loads(pathlib.Path(self.folder, "report.json").read_text()), code, err

    def left(self):
        return [name for name in os.listdir(self.folder) if name.startswith("coalcheck-run")]

    @staticmethod
    def await_line(process, wanted):
        line = process.stdout.readline()
        assert line.strip() == wanted, f"{line!r} instead of {wanted!r}"
