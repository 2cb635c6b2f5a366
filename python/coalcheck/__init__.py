# SPDX-License-Identifier: Apache-2.0
"""Which source lines of a CUDA program waste memory sectors, asked from inside a Python program.

    import coalcheck
    coalcheck.enable()                     # before CUDA starts
    with coalcheck.range("step"):
        step()
    print(coalcheck.report())

The command `coalcheck` counts and judges; this package starts it and hands on what it says.
Importing it starts nothing and imports neither CUDA, NumPy nor pandas.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as typing's, without the time that importing it takes
if TYPE_CHECKING:
    from typing import Any

    from coalcheck._agent import flush, range, start, stop
    from coalcheck._enable import enable
    from coalcheck._report import Report, predict, read, report
    from coalcheck.errors import CommandFailed, CudaHasStarted, Error, NothingRecorded, NotInstalled

__all__ = [
    "CommandFailed", "CudaHasStarted", "Error", "NotInstalled", "NothingRecorded", "Report",
    "enable", "flush", "predict", "range", "read", "report", "start", "stop",
]

# A module is imported when one of its names is first used.
_MODULES = {
    **dict.fromkeys(("flush", "range", "start", "stop"), "_agent"),
    **dict.fromkeys(("enable",), "_enable"),
    **dict.fromkeys(("Report", "predict", "read", "report"), "_report"),
    **dict.fromkeys(("CommandFailed", "CudaHasStarted", "Error", "NothingRecorded", "NotInstalled"), "errors"),
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'coalcheck' has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(f"coalcheck.{_MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def load_ipython_extension(shell: Any) -> None:
    """Adds the notebook magic; `%load_ext coalcheck` calls it."""
    from coalcheck._notebook import load

    load(shell)
