# SPDX-License-Identifier: Apache-2.0
"""The kernels that torch.compile made, and the Python that it made them from, as far as Inductor knows it.

Inductor writes each kernel to a file of its own, and for each graph a module that says which those are and calls them. What
of the user's Python each stretch of such a module was made from it keeps in PyCodeCache.linemaps: of operations that became
one kernel the last one's stack.
"""

from __future__ import annotations

import linecache
import os
import re
import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence

_SAYS = re.compile(r"# kernel path: (?P<file>.+)|(?P<made>\w+) = async_compile\.triton\(|\s+(?P<called>\w+)\.run\(")


def kernels() -> Iterator[tuple[str, str, int, str, str]]:
    """As pieces of _sources: the file of each kernel, and the stacks of what it was made from."""
    cache = getattr(sys.modules.get("torch._inductor.codecache"), "PyCodeCache", None)
    known: dict[str, dict[str, None]] = {}
    for module, linemap in list(getattr(cache, "linemaps", {}).items()):
        if len(linemap) == 2:  # the first lines of the stretches, and the stack of each
            for file, stack in _of_module(linecache.getlines(module), *linemap):
                known.setdefault(os.path.abspath(file), {})[stack] = None
    for file, each in known.items():
        yield file, "".join(linecache.getlines(file)), 1, "", "\n\n".join(each)


def _of_module(text: Sequence[str], begins: Sequence[int], kept: Sequence[object]) -> Iterator[tuple[str, str]]:
    if text[:1] == ['r"""\n']:
        return  # it has been put behind its tuning code, so that its lines are no longer those of the stretches
    files, file = {}, ""
    for number, line in enumerate(text, 1):
        said = _SAYS.match(line)
        if said is None:
            continue
        if said["file"]:
            file = said["file"]
        elif said["made"]:
            files[said["made"]] = file
        elif said["called"] in files:
            stretch = bisect_right(begins, number) - 1
            stack = kept[stretch] if stretch >= 0 else None
            if isinstance(stack, str) and stack:
                yield files[said["called"]], stack.strip("\n")
