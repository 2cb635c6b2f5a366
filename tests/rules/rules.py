# SPDX-License-Identifier: Apache-2.0
#
# The project's rules as functions from a file's path and text to the sentences that say what is wrong.
"""Each rule returns a list of problems, empty where a file keeps the rule."""

import re

LINE_LIMIT = 400
DOCUMENT_WIDTH = 120
SOURCES = (".h", ".cpp", ".cu", ".cuh")

_VENDOR_HEADER = re.compile(
    r'^\s*#\s*include\s*[<"]((?:cuda|cupti|nvperf|nvtx|nvToolsExt|nvml|generated_cuda)[^>"]*)[>"]', re.M)
_ENVIRONMENT = re.compile(r"\b(?:secure_)?getenv\b|\bsetenv\b|\benviron\b")
_CLOCK = re.compile(
    r"\b(?:system|steady|high_resolution)_clock\b|\bclock_gettime\b|\bgettimeofday\b|\babsl::Now\b"
    r"|(?<![\w.>])(?:std::|::)?(?:time|clock)\s*\(\s*(?:nullptr|NULL|0)?\s*\)|\b(?:local|gm)time\w*\s*\(")
_OPENING = re.compile(r"\bifstream\b|\bfopen\s*\(|(?<![\w.:>])open\s*\([^;]*\bO_")
_MESSAGE = re.compile(r'<<\s*(?:fmt::format\()?"coalcheck: ')
_COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
# Put together from pieces, so that this file keeps its own rule.
_MACHINE_PATH = re.compile(r"(?<![\w./-])/(?:" + "|".join(["wo" + "rk", "ro" + "ot"]) + r")/")
_NOTE = re.compile(r"\b(?:" + "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X"]) + r")\b")
# What shows that a file uses a header which the build precompiles.
PRECOMPILED = {
    "algorithm": r"std::(?:ranges::)?(?:\w*sort|find\w*|min|max|clamp|(?:all|any|none)_of|copy|equal|\w+_bound|count_if"
                 r"|transform|fill|reverse|unique|remove_if|(?:max|min)_element|binary_search)\b(?=\()",
    "array": r"std::array\b",
    "atomic": r"std::atomic",
    "cstdint": r"std::u?int(?:8|16|32|64|ptr)_t\b",
    "cstring": r"std::(?:mem(?:cpy|cmp|set|move|chr)|str(?:len|cmp|ncmp|chr|rchr|str|error))\b",
    "functional": r"std::(?:function|hash|greater|plus|ref|cref|invoke|reference_wrapper)\b",
    "map": r"std::(?:multi)?map\b",
    "memory": r"std::(?:unique_ptr|shared_ptr|weak_ptr|make_unique|make_shared)\b",
    "optional": r"std::(?:optional|nullopt)\b",
    "set": r"std::(?:multi)?set\b",
    "span": r"std::span\b",
    "string": r"std::(?:string|to_string)\b",
    "string_view": r"std::string_view\b",
    "unordered_map": r"std::unordered_map\b",
    "utility": r"std::(?:move|pair|swap|exchange|forward|as_const)\b",
    "vector": r"std::vector\b",
    "absl/container/flat_hash_map.h": r"absl::flat_hash_map\b",
    "absl/status/statusor.h": r"absl::StatusOr\b",
    "fmt/format.h": r"fmt::",
    "gmock/gmock.h": r"\bEXPECT_THAT\b",
    "gtest/gtest.h": r"\bEXPECT_EQ\b",
}
_INCLUDE = re.compile(r"^#include <([^>]+)>", re.M)
_LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)")


def code_only(text):
    """The text without comments and with empty strings, line by line where it was."""
    return _COMMENT_OR_STRING.sub(_blank, text)


def _blank(match):
    found = match.group(0)
    return '""' if found.startswith('"') else "\n" * found.count("\n")


def vendor_headers(path, text):
    """CUDA, CUPTI and NVTX headers stay where the vendor is spoken to."""
    if path.startswith(("injection/cupti/", "injection/nvtx/")):
        return []
    if not path.startswith(("libcoalcheck/", "injection/", "cli/", "include/")):
        return []
    return [f"{path}: includes the vendor's {header}, which only injection/cupti and injection/nvtx may"
            for header in _VENDOR_HEADER.findall(text)]


def pure_library(path, text):
    """The library is bytes in, findings out: no environment, no clock."""
    if not path.startswith("libcoalcheck/") or not path.endswith(SOURCES):
        return []
    code = code_only(text)
    problems = [f"{path}: reads the environment ({found})" for found in _ENVIRONMENT.findall(code)]
    return problems + [f"{path}: asks a clock ({found.strip()})" for found in _CLOCK.findall(code)]


def foreign_files(path, text):
    """Files that others may have made are opened by OpenFile: never waited for, regular ones only."""
    # The last opens this process's terminal.
    allowed = ("cli/base/foreign_file.cpp", "libcoalcheck/base/open_file.cpp", "libcoalcheck/recording/file_calls.cpp",
               "cli/launch/watch.cpp")
    if path in allowed or not path.startswith(("libcoalcheck/", "cli/")) or not path.endswith(SOURCES):
        return []
    return [f"{path}: opens a file by itself ({found.strip()})" for found in _OPENING.findall(code_only(text))]


def own_messages(path, text):
    """What the commands say goes through Say, which prints foreign text so that it moves nothing."""
    if path == "cli/base/say.cpp" or not path.startswith("cli/") or not path.endswith(SOURCES):
        return []
    return [f"{path}: writes a message by itself ({found})" for found in _MESSAGE.findall(text)]


def precompiled(path, text):
    """A header includes what it uses, also where the build would hide that it does not."""
    if not path.endswith(".h") or not path.startswith(("libcoalcheck/", "injection/", "cli/", "include/")):
        return []
    code = code_only(text)
    missing = [header for header, use in PRECOMPILED.items() if re.search(use, code)]
    return [f"{path}: uses <{header}> and does not include it"
            for header in missing if header not in _INCLUDE.findall(text)]


def opening(path, text):
    """Licence first, then a sentence on the file's one job."""
    lines = text.split("\n")
    if lines[0].startswith("#!"):
        lines = lines[1:]
    mark = "//" if path.endswith(SOURCES) else "#"
    lines += [""] * 3
    if lines[0] != f"{mark} SPDX-License-Identifier: Apache-2.0":
        return [f"{path}: does not open with '{mark} SPDX-License-Identifier: Apache-2.0'"]
    if mark == "#" and re.match(r'"""\w', lines[1]):
        return []
    if lines[1] != mark or not re.match(re.escape(mark) + r" \S", lines[2]):
        return [f"{path}: the licence line is not followed by '{mark}' and a sentence"]
    return []


def length(path, text):
    """A file that needs more lines has more than one job."""
    lines = text.count("\n")
    return [f"{path}: {lines} lines, more than {LINE_LIMIT}"] if lines > LINE_LIMIT else []


def width(path, text):
    """Lines of documents fit beside a change to them. Rows of tables, output that `scripts/update-docs` fills in and
    lines of a recording cannot be wrapped."""
    if not path.endswith(".md"):
        return []
    fixed = re.sub(r"^<!-- output.*?^<!-- /output -->|^```jsonl$.*?^```$", lambda found: "\n" * found[0].count("\n"), text,
                   flags=re.M | re.S)
    marks = [mark for block in re.findall(r"^<!-- output.*? -->$", text, re.M | re.S) for mark in block.split("\n")]
    return [f"{path}:{number}: {len(line)} columns, more than {DOCUMENT_WIDTH}"
            for number, line in enumerate(fixed.split("\n"), start=1)
            if len(line) > DOCUMENT_WIDTH and not line.lstrip().startswith("|")] + \
        [f"{path}: {len(mark)} columns, more than {DOCUMENT_WIDTH}: {mark}"
         for mark in marks if len(mark) > DOCUMENT_WIDTH]


def traces(path, text):
    """No path of the machine a change was made on, no note left for later."""
    problems = []
    for number, line in enumerate(text.split("\n"), start=1):
        if _MACHINE_PATH.search(line):
            problems.append(f"{path}:{number}: names a folder of one machine: {line.strip()[:80]}")
        if _NOTE.search(line):
            problems.append(f"{path}:{number}: leaves a note: {line.strip()[:80]}")
    return problems


def links(path, text, exists):
    """Links to files of the project lead somewhere. `exists` answers for a path from the root."""
    if not path.endswith(".md"):
        return []
    folder = path.rpartition("/")[0]
    problems = []
    for target in _LINK.findall(re.sub(r"```.*?```", "", text, flags=re.S)):
        if "://" in target or target.startswith("mailto:"):
            continue
        parts = [] if not folder else folder.split("/")
        for part in target.split("/"):
            if part == "..":
                parts = parts[:-1]
            elif part not in ("", "."):
                parts.append(part)
        if not exists("/".join(parts)):
            problems.append(f"{path}: links to {target}, which is not there")
    return problems


def samples(names, has_readme, has_recording, reasons):
    """Each sample has a README, and a recording or a reason for having none, never both."""
    problems = []
    for name in names:
        if not has_readme(name):
            problems.append(f"samples/{name}: has no README.md")
        if has_recording(name) and name in reasons:
            problems.append(f"samples/{name}: has a recording and a reason for having none")
        if not has_recording(name) and not reasons.get(name):
            problems.append(f"samples/{name}: has neither tests/recordings/{name} nor a reason")
    problems += [f"{name}: has a reason but is no sample" for name in reasons if name not in names]
    return problems
