# SPDX-License-Identifier: Apache-2.0
"""Runs a program with a deadline; a hang ends with a stack of every thread, and leaves no process behind."""
import contextlib
import dataclasses
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

DEBUGGERS = ("gdb", "cuda-gdb")


@dataclasses.dataclass
class Outcome:
    stdout: bytes
    stderr: str
    status: int  # as a shell says it: 128 + N for signal N
    seconds: float
    stacks: str = ""  # of all threads; not empty: it hung
    peak_kb: int = 0  # most resident memory that it, or a child it waited for, had at once


def group_members(group):
    """Ids of the processes in a process group."""
    members = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError, IndexError, ValueError):
                fields = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()
                if int(fields[2]) == group and fields[0] != "Z":
                    members.append(int(entry.name))
    return members


def threads_of(pid):
    """What the kernel says about each thread, where there is no debugger."""
    lines = []
    for task in sorted(Path(f"/proc/{pid}/task").glob("*")):
        facts = []
        for name in ("comm", "wchan", "syscall", "stack"):
            with contextlib.suppress(OSError):
                facts.append((task / name).read_text(errors="replace").strip())
        lines.append(f"thread {task.name}: " + " | ".join(fact for fact in facts if fact))
    return "\n".join(lines)


def stacks_of(group):
    """A stack of every thread in the group, by a debugger if there is one."""
    debugger = next((path for path in map(shutil.which, DEBUGGERS) if path), None)
    texts = []
    for pid in group_members(group):
        text = ""
        if debugger:
            with contextlib.suppress(OSError, subprocess.SubprocessError):
                text = subprocess.run(
                    [debugger, "-p", str(pid), "-batch", "-ex", "thread apply all backtrace 30"],
                    capture_output=True, text=True, errors="replace", timeout=60, check=False,
                    stdin=subprocess.DEVNULL).stdout
        texts.append(f"process {pid}\n{text or threads_of(pid)}")
    return "\n".join(texts) or "no process was left to look at"


def kill_group(group):
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def wait(process, deadline_seconds):
    """The process's peak resident memory in KB; subprocess.TimeoutExpired at the deadline."""
    end = time.monotonic() + deadline_seconds
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return usage.ru_maxrss
        if time.monotonic() > end:
            raise subprocess.TimeoutExpired(process.args, deadline_seconds)
        time.sleep(0.002)


def run(command, environment, deadline_seconds, working_directory=None):
    """Runs it in a process group of its own, with nothing on stdin, to its end or to the deadline."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.monotonic()
        with subprocess.Popen(command, env=environment, cwd=working_directory, stdin=subprocess.DEVNULL,
                              stdout=out, stderr=err, start_new_session=True) as process:
            stacks, peak_kb = "", 0
            try:
                peak_kb = wait(process, deadline_seconds)
            except subprocess.TimeoutExpired:
                stacks = stacks_of(process.pid)
            seconds = time.monotonic() - start
            kill_group(process.pid)  # what hangs, and whatever was left behind
            process.wait()
        out.seek(0)
        err.seek(0)
        code = process.returncode
        return Outcome(out.read(), err.read().decode(errors="replace"), code if code >= 0 else 128 - code, seconds,
                       stacks, peak_kb)
