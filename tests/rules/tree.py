# SPDX-License-Identifier: Apache-2.0
#
# The files that belong to the project: git's list, or in an unpacked archive every file but what a build makes. What
# lies under third_party/ is kept as others wrote it.
"""Finds and reads the project's files."""

import functools
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
_MADE = {"build", ".toolchain", ".git", ".venv", "__pycache__"}


@functools.lru_cache(maxsize=None)
def files():
    """Paths from the root, sorted."""
    return [path for path in _all_files() if not path.startswith("third_party/")]


def _all_files():
    if (ROOT / ".git").exists():
        try:
            # The tree's owner may be another user than the one who tests.
            listed = subprocess.run(["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z"], cwd=ROOT,
                                    capture_output=True, text=True, check=True).stdout
            return sorted(path for path in listed.split("\0") if path and (ROOT / path).is_file())
        except (OSError, subprocess.CalledProcessError):
            pass
    return sorted(path for path in _walk(ROOT))


def _walk(folder):
    for entry in folder.iterdir():
        if entry.name in _MADE or entry.name.startswith("build-"):
            continue
        if entry.is_dir():
            yield from _walk(entry)
        else:
            yield entry.relative_to(ROOT).as_posix()


def text(path):
    """The file's text, or None for a binary file."""
    data = (ROOT / path).read_bytes()
    return None if b"\0" in data else data.decode(errors="replace")
