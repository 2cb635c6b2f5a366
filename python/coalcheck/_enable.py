# SPDX-License-Identifier: Apache-2.0
"""Has CUDA load the library when it starts in this process, as `coalcheck run` would."""

from __future__ import annotations

import atexit
import os
import shlex
import warnings
from pathlib import Path

from coalcheck import _cuda, _frameworks, _options, _sources
from coalcheck._command import library
from coalcheck._cupti import add_cupti_path
from coalcheck.errors import CudaHasStarted

FORKED = ("this process was forked from one in which CUDA had started, so it cannot use CUDA: start processes with the "
          "method \"spawn\", or fork before CUDA starts")
_asked: list[str] | None = None  # what the first call of this process asked for
_listens = False


def enable(*, sampling: str | None = None, kernel: _options.Values = None, recording: _options.Value = None,
           **options: _options.Values) -> None:
    """Watches what this process launches, from CUDA's start on.

    To be called before CUDA starts; importing a framework starts nothing. The keywords are options of `coalcheck run`
    (docs/options.md) with underscores; several values are several options. Options in $COALCHECK_OPTIONS hold too, and
    the keywords win. At the end of the process the report is printed, unless `no_report=True`.

    Raises CudaHasStarted where it is too late, ValueError for an option or value that does not exist, and
    NotInstalled where there is no library.

    What frameworks launch to tune themselves is left out from here on, and the text of what is compiled at run time is
    kept in the recording.
    """
    global _asked
    words = _options.words({"sampling": sampling, "kernel": kernel, "recording": recording, **options})
    ours = str(library())
    if _cuda.forked_too_late:
        raise CudaHasStarted(FORKED)
    if _is_ours(os.environ.get("CUDA_INJECTION64_PATH", ""), ours):
        if words != (_asked or []):
            who = "enable() was called before, with other options" if _asked is not None else "coalcheck runs already"
            warnings.warn(f"{who}: its options hold, and {shlex.join(words)} does nothing; call enable() once, before "
                          "anything else does", RuntimeWarning, stacklevel=2)
        _listen()
        return
    if _cuda.has_started():
        raise CudaHasStarted(
            "CUDA has started in this process, and coalcheck can only be loaded when it does: call coalcheck.enable() "
            "before the first CUDA call (in a notebook: restart the kernel), or run the program under coalcheck")
    _options.refuse_wrong(words)
    _arm(ours, words)
    if _asked is None:
        _cuda.watch_forks()
    _asked = words
    _listen()


def _listen() -> None:
    """Once in a process, also where coalcheck runs already."""
    global _listens
    if not _listens:
        _listens = True
        _frameworks.watch()
        atexit.register(_sources.hand_over)


def _is_ours(named: str, ours: str) -> bool:
    return bool(named) and Path(named).resolve() == Path(ours).resolve()


def _arm(ours: str, words: list[str]) -> None:
    for name in ("CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH"):
        theirs = os.environ.get(name)
        if theirs and not _is_ours(theirs, ours):
            warnings.warn(f"{name} was {theirs}; in this process it is {ours}", RuntimeWarning, stacklevel=3)
        os.environ[name] = ours
    before = os.environ.get("COALCHECK_OPTIONS", "")
    os.environ["COALCHECK_OPTIONS"] = f"{before} {shlex.join(words)}".strip()
    add_cupti_path(os.environ)
