# SPDX-License-Identifier: Apache-2.0
"""Runs one command to its end or its deadline, and says what it took: time, memory, its own figures."""
import dataclasses
import os
import re
import signal
import subprocess
import tempfile
import threading
import time

# Variables that would load a tool into a program that runs natively.
INJECTING = ("CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH", "COALCHECK_OPTIONS")
SAMPLE_TOTAL = re.compile(r"launches in ([0-9.]+) ms")
MEASURED = re.compile(r"^measured (.+)$", re.MULTILINE)


@dataclasses.dataclass
class Run:
    """One run: seconds of the whole program, peak resident MiB, and {name: value} that it printed."""
    seconds: float = 0.0
    peak_mib: float = 0.0
    values: dict = dataclasses.field(default_factory=dict)
    problem: str = ""  # why the figures are not valid


def figures(output):
    """{name: value} of a `measured` line, or the sum of a sample's launches as kernel_ms."""
    values = {}
    for line in MEASURED.findall(output):
        words = line.split()
        values |= {name: float(value) for name, value in zip(words[::2], words[1::2])}
    totals = [float(total) for total in SAMPLE_TOTAL.findall(output)]
    if totals:
        values["kernel_ms"] = sum(totals)
    return values


def environment(more):
    clean = {name: value for name, value in os.environ.items() if name not in INJECTING}
    return clean | more


def last_line(*texts):
    """The last line that is not blank, of the first text that has one."""
    for text in texts:
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        if lines:
            return lines[-1][:160]
    return "no output"


def stop(process, stopped):
    """Ends the program with everything that it started."""
    stopped.set()
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def wait(process, timeout):
    """(exit code, peak resident MiB, whether it was stopped at `timeout` seconds)."""
    stopped = threading.Event()
    timer = threading.Timer(timeout, stop, (process, stopped))
    timer.start()
    _, status, usage = os.wait4(process.pid, 0)  # the peak of the program and of those it waited for
    timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_maxrss / 1024, stopped.is_set()


def problem_of(code, stopped, timeout, output, errors):
    if stopped:
        return f"stopped after {timeout:.0f} s"
    if code != 0:
        return f"failed with {code}: {last_line(errors, output)}"
    for text in (errors, output):
        found = re.search(r"^==ERROR== .*|^==WARNING== No kernels were profiled.*", text, re.MULTILINE)
        if found:
            return f"failed: {found.group(0)[:160]}"
    return ""


def run(command, more_environment, timeout):
    """Runs `command`; never raises for what the command does, and never waits longer than `timeout` seconds."""
    with tempfile.TemporaryFile("w+", errors="replace") as output, \
            tempfile.TemporaryFile("w+", errors="replace") as errors:
        start = time.monotonic()
        try:
            # pylint: disable-next=consider-using-with  # wait() is os.wait4, for the memory
            process = subprocess.Popen([str(word) for word in command], env=environment(more_environment),
                                       stdin=subprocess.DEVNULL, stdout=output, stderr=errors,
                                       start_new_session=True)
        except OSError as error:
            return Run(problem=f"cannot be run: {error.strerror}")
        code, peak, stopped = wait(process, timeout)
        seconds = time.monotonic() - start
        output.seek(0)
        errors.seek(0)
        said, complained = output.read(), errors.read()
    problem = problem_of(code, stopped, timeout, said, complained)
    try:
        return Run(seconds, peak, figures(said), problem)
    except ValueError as error:
        return Run(seconds, peak, {}, problem or f"printed no figures: {error}")
