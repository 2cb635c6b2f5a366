# SPDX-License-Identifier: Apache-2.0
"""Calls the library inside this process, as include/coalcheck.h does. Without the library nothing happens."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import TracebackType

_known: dict[str, Any] = {}


def _loaded() -> Any:
    """The loaded code of the process; with the library, where CUDA will load it later anyway."""
    import ctypes

    named = os.environ.get("CUDA_INJECTION64_PATH", "")
    if os.path.basename(named) == "libcoalcheck.so" and os.access(named, os.R_OK):
        return ctypes.CDLL(named, mode=ctypes.RTLD_GLOBAL)
    return ctypes.CDLL(None)


def function(name: str) -> Callable[..., Any] | None:
    """The library's function coalcheck_agent_NAME. Cached once it is found: the library may be loaded later."""
    found: Callable[..., Any] | None = _known.get(name)
    if found is None:
        found = getattr(_loaded(), f"coalcheck_agent_{name}", None)
        if found is not None:
            _known[name] = found
    return found


def start() -> None:
    """From here on launches are checked."""
    if (call := function("start")) is not None:
        call()


def stop() -> None:
    """From here on launches are not checked."""
    if (call := function("stop")) is not None:
        call()


def flush() -> None:
    """Writes the counts so far to the recording, as before a risky step."""
    from coalcheck._sources import hand_over as hand_over_sources

    hand_over_sources()
    if (call := function("flush")) is not None:
        call()


def hand_over(file: str, text: str, first_line: int = 1, shown_as: str = "", stack: str = "") -> None:
    """Keeps source text for the report, as coalcheck_source() of coalcheck.h does: the name that it is shown under, and of
    generated source the stack of the Python that it was made from."""
    if (call := function("source_of")) is not None:
        call(os.fsencode(file), first_line, *(one.encode("utf-8", "surrogateescape") for one in (text, shown_as, stack)))


def recording() -> str | None:
    """The folder of this process's recording, once there is one."""
    if (call := function("recording")) is None:
        return None
    import ctypes

    call.restype = ctypes.c_char_p  # type: ignore[attr-defined]
    folder: bytes | None = call()
    return None if folder is None else os.fsdecode(folder)


def literally(name: str) -> str:
    """The filter, as --nvtx-include takes it, for exactly the range of that name below."""
    return "coalcheck@" + re.sub(r"[/,@\[\]*+?\\]", r"\\\g<0>", name)


class range(contextlib.ContextDecorator):  # noqa: A001 - as coalcheck.range
    """Everything this thread launches inside is in the range NAME of the domain "coalcheck".

        with coalcheck.range("step"): …
        @coalcheck.range("step")

    The report has a row for it, and `nvtx_include="step"` selects it.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._pushed: list[bool] = []

    def __enter__(self) -> range:
        push = function("push")
        if push is not None:
            push(self.name.encode())
        self._pushed.append(push is not None)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if self._pushed.pop() and (pop := function("pop")) is not None:
            pop()

    def _recreate_cm(self) -> range:
        return range(self.name)  # a decorated function may be called from several threads
