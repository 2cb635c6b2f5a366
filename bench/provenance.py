# SPDX-License-Identifier: Apache-2.0
"""Where a table's numbers come from: GPU, driver, toolkit, tools, commit, date and command."""
import datetime
import os
import shlex
import subprocess
import sys


def first_line(command, default="not found"):
    """The first line that `command` prints, `default` when it cannot be run."""
    try:
        output = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return default
    return output.strip().splitlines()[0] if output.strip() else default


def toolkit():
    try:
        output = subprocess.run(["nvcc", "--version"], capture_output=True, text=True, timeout=60,
                                check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return "not found"
    return output.strip().splitlines()[-1].removeprefix("Build ")


def commit():
    """The commit measured: from COALCHECK_COMMIT where the tree travelled without its history."""
    return os.environ.get("COALCHECK_COMMIT") or first_line(
        ["git", "describe", "--always", "--dirty", "--exclude", "*"], "unknown")


def machine():
    """What two runs must share for their times to be compared: the boot of one machine, its GPU, and the commit."""
    boot = first_line(["cat", "/proc/sys/kernel/random/boot_id"])
    return [boot, first_line(["nvidia-smi", "--query-gpu=uuid,driver_version", "--format=csv,noheader"]), commit()]


def rows(tools=()):
    """[(what, value)] for the machine, the tree and this command; `tools` adds (name, command)."""
    gpu, _, driver = first_line(["nvidia-smi", "--query-gpu=name,driver_version",
                                 "--format=csv,noheader"], "no GPU, none").partition(", ")
    facts = [("GPU", gpu), ("driver", driver), ("toolkit", toolkit())]
    facts += [(name, first_line(command)) for name, command in tools]
    facts += [("commit", commit()),
              ("date", datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")),
              ("command", shlex.join(["python3", *sys.argv]))]
    return facts


def markdown(tools=()):
    return "\n".join(f"* {what}: {value}" for what, value in rows(tools))
