# SPDX-License-Identifier: Apache-2.0
#
# Which folder may include which: the rule behind the table of folders in CONTRIBUTING.md.
"""Reads the table, and says where the sources and the table differ.

A line of the table is a folder and the folders that it includes, all of which stand above it: so there is no cycle.
A name is one of libcoalcheck/, but for those of injection/ (`agent`, `cupti`, `nvtx`) and of cli/.
"""

import re

_BLOCK = re.compile(r"<!-- layers -->\n```text\n(.*?)```", re.S)
_INCLUDE = re.compile(r'^\s*#\s*include "([^"]+)/[^"/]+"', re.M)
_PRODUCT = ("libcoalcheck", "injection", "cli")
_OUTSIDE = ("tests", "bench", "samples", "python")
_LISTED = re.compile(r"(?:target_sources\(coalcheck_core PRIVATE|add_library\(coalcheck_core STATIC)([^)]*)\)")


def folder_of(name):
    root = name.partition("/")[0]
    if root in ("injection", "cli"):
        return name
    return f"injection/{name}" if root in ("agent", "cupti", "nvtx") else f"libcoalcheck/{name}"


def table(document):
    """Returns {folder: [folders it includes]} in the order of the lines."""
    rows = {}
    for line in _BLOCK.search(document)[1].splitlines():
        names = [folder_of(name) for name in line.split()]
        if line.startswith("   "):
            rows[list(rows)[-1]] += names
        elif line.startswith("  "):
            rows[names[0]] = names[1:]
    return rows


def cycles(rows):
    """The folders that the table lets include what does not stand above them."""
    seen = set()
    problems = []
    for folder, includes in rows.items():
        problems += [f"{folder}: {one} does not stand above it" for one in includes if one not in seen]
        seen.add(folder)
    return problems


def included(path, text):
    """The product's other folders that a file includes."""
    own = path.rpartition("/")[0]
    return {folder for folder in _INCLUDE.findall(text)
            if folder != own and folder.partition("/")[0] in _PRODUCT + _OUTSIDE}


def upward(path, text, rows):
    """A file includes what the table lets its folder include."""
    own = path.rpartition("/")[0]
    if own not in rows:
        return [f"{path}: its folder is not in the table of CONTRIBUTING.md"]
    return [f"{path}: includes {folder}, which the table of CONTRIBUTING.md does not let {own} include"
            for folder in sorted(included(path, text)) if folder not in rows[own]]


def unused(rows, uses):
    """What the table allows and no file does. `uses`: {folder: folders that its files include}."""
    problems = [f"{folder}: is in the table of CONTRIBUTING.md and has no sources" for folder in rows if folder not in uses]
    for folder, includes in rows.items():
        problems += [f"{folder}: includes nothing of {one} any more: take it out of the table of CONTRIBUTING.md"
                     for one in includes if one not in uses.get(folder, ())]
    return problems


def core_sources(lists):
    """What coalcheck_core is made of. `lists`: {folder: its CMakeLists.txt}."""
    return {f"{folder}/{name}" for folder, text in lists.items()
            for listed in _LISTED.findall(text) for name in listed.split()}


def outside_core(texts, core):
    """Headers that the watched process reads, themselves or through others, whose code is not linked into it.

    `texts`: {path: text} of the sources; `core`: the source files of coalcheck_core.
    """
    include = re.compile(r'^\s*#\s*include "(libcoalcheck/[^"]+)"', re.M)
    waiting = [path for path in texts if path.startswith("injection/")]
    reached = set(waiting)
    problems = []
    while waiting:
        path = waiting.pop()
        for header in set(include.findall(texts[path])) - reached:
            reached.add(header)
            waiting.append(header)
            source = header.removesuffix(".h") + ".cpp"
            if source in texts and source not in core:
                problems.append(f"{path}: includes {header}, and {source} is not of coalcheck_core")
    return problems
