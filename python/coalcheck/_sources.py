# SPDX-License-Identifier: Apache-2.0
"""Hands the library the text of what this process compiled out of Python: notebook cells, functions of Triton and Numba.

All of it comes out of objects that the process holds, so that a report made later, or elsewhere, can quote it.
"""

from __future__ import annotations

import gc
import inspect
import linecache
import re
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from coalcheck import _agent

Piece = tuple[str, int, str]
"""A file as line tables name it, the first line of the text in it, and the text."""

_INSTALLED = re.compile("/(site|dist)-packages/")


def hand_over() -> None:
    """Tells all that is known now. What was told before is not told again by the library."""
    if _agent.function("source") is None:
        return
    for file, first_line, text in (*_cells(), *_functions()):
        if not _INSTALLED.search(file):
            _agent.hand_over(file, text, first_line)


def cell_names(shell: Any) -> Mapping[str, int]:
    """The file name under which IPython compiled each cell, and the number of the cell."""
    names = getattr(shell.compile, "_filename_map", {})
    return {name: number for name, number in names.items() if isinstance(number, int)}


def _cells() -> Iterator[Piece]:
    shell = getattr(sys.modules.get("IPython.core.interactiveshell"), "InteractiveShell", None)
    if shell is not None and shell.initialized():
        for name in cell_names(shell.instance()):
            yield name, 1, "".join(linecache.getlines(name))


def _functions() -> Iterator[Piece]:
    kinds = {kind: piece for kind, piece in (
        (_class("triton.runtime.jit", "JITFunction"), _of_triton),
        (_class("numba.cuda.dispatcher", "CUDADispatcher"), _of_numba)) if kind is not None}
    if not kinds:
        return
    for one in gc.get_objects():
        if type(one) in kinds:
            try:
                yield kinds[type(one)](one)
            except (AttributeError, OSError, TypeError):
                continue  # its text is not known, or it looks otherwise than expected


def _class(module: str, name: str) -> type | None:
    found = getattr(sys.modules.get(module), name, None)
    return found if isinstance(found, type) else None


def _of_triton(function: Any) -> Piece:
    return function.fn.__code__.co_filename, function.starting_line_number, "".join(function.raw_src)


def _of_numba(dispatcher: Any) -> Piece:
    lines, first_line = inspect.getsourcelines(dispatcher.py_func)
    return dispatcher.py_func.__code__.co_filename, first_line, "".join(lines)
