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
from collections.abc import Iterator
from typing import Any

from coalcheck import _agent, _inductor

Piece = tuple[str, str, int, str, str]
"""A file as line tables name it, the text, its first line in the file, what a report calls the file if otherwise, and the
stacks of the Python that it was made from."""

_INSTALLED = re.compile("/(site|dist)-packages/")


def hand_over() -> None:
    """Hands over every text that is known now. The library ignores a text that it has already."""
    if _agent.function("source_of") is None:
        return
    for piece in (*_cells(), *_functions(), *_inductor.kernels()):
        if not _INSTALLED.search(piece[0]):
            _agent.hand_over(*piece)


def _cells() -> Iterator[Piece]:
    """Each cell under the name of the file as which IPython compiled it, to be shown as the notebook does."""
    shell = getattr(sys.modules.get("IPython.core.interactiveshell"), "InteractiveShell", None)
    if shell is not None and shell.initialized():
        for name, number in getattr(shell.instance().compile, "_filename_map", {}).items():
            if isinstance(number, int):
                yield name, "".join(linecache.getlines(name)), 1, f"In[{number}]", ""


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
                continue  # its text is not known, or its form is not the expected one


def _class(module: str, name: str) -> type | None:
    found = getattr(sys.modules.get(module), name, None)
    return found if isinstance(found, type) else None


def _of_triton(function: Any) -> Piece:
    file = function.fn.__code__.co_filename
    return file, "".join(function.raw_src), function.starting_line_number, "", ""


def _of_numba(dispatcher: Any) -> Piece:
    lines, first_line = inspect.getsourcelines(dispatcher.py_func)
    return dispatcher.py_func.__code__.co_filename, "".join(lines), first_line, "", ""
