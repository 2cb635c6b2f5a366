# SPDX-License-Identifier: Apache-2.0
"""Finds the command, calls it, and replaces this process by it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from coalcheck.errors import CommandFailed, NotInstalled

_LIBRARY: Final = "libcoalcheck.so"
_VERDICTS: Final = (0, 1, 3, 4)


def command() -> Path:
    """The command: $COALCHECK_COMMAND, as for the library, else the one that came with this package."""
    named = os.environ.get("COALCHECK_COMMAND")
    path = Path(named) if named else Path(__file__).parent / "bin" / "coalcheck"
    if path.is_file() and os.access(path, os.X_OK):
        return path
    if named:
        raise NotInstalled(f"COALCHECK_COMMAND={named} is no program")
    raise NotInstalled(
        f"this installation has no command for {sys.platform} ({path} is not there): coalcheck runs on x86-64 Linux; "
        "build it from its sources with pip install, or name a built one with COALCHECK_COMMAND")


def library() -> Path:
    """The library, where the command itself looks for it."""
    folder = command().resolve().parent
    for place in (folder / _LIBRARY, folder.parent / "lib" / _LIBRARY):
        if place.is_file():
            return place
    raise NotInstalled(f"{_LIBRARY} is neither beside {folder}/coalcheck nor in ../lib: install coalcheck again")


def call(words: Iterable[str | os.PathLike[str]], accepted: Sequence[int] = _VERDICTS) -> tuple[int, str, str]:
    """Runs the command: its exit code and what it wrote on both streams."""
    hidden = ("CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH", "COALCHECK_OPTIONS")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    done = subprocess.run([command(), *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="replace", env=environment, check=False)
    if done.returncode not in accepted:
        raise CommandFailed(done.returncode, done.stderr.strip() or f"coalcheck ended with {done.returncode}")
    return done.returncode, done.stdout, done.stderr


def for_this_interpreter(words: Sequence[str]) -> list[str]:
    """`words` with this interpreter before a program that ends in .py, or before -m MODULE."""
    from coalcheck._options import first_word_of_program

    begin = 1 if words[:1] == ["run"] else 0
    at = first_word_of_program(words, begin)
    if at is None or not (words[at] == "-m" or words[at].endswith(".py")):
        return list(words)
    end = words[begin:at]
    return ["run", *(end if end[-1:] == ["--"] else [*end, "--"]), sys.executable, *words[at:]]


def main() -> int:
    """Replaces this process by the command, so that signals, job control and the exit code are its own."""
    from coalcheck._cupti import add_cupti_path

    try:
        path = command()
        add_cupti_path(os.environ)
        os.execv(path, [str(path), *for_this_interpreter(sys.argv[1:])])
    except (NotInstalled, OSError) as error:
        print(f"coalcheck: {error}", file=sys.stderr)
        return 5
