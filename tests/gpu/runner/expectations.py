# SPDX-License-Identifier: Apache-2.0
"""The `# expect:` comments of a Python program (grammar: samples/README.md) against a JSON report."""
import dataclasses
import re

_COMMENT = re.compile(r"(?:#|//) expect:(.*)")
_KINDS = {"load": "load", "store": "store", "atomic": "atomic", "reduction": "reduction",
          "async-copy": "async copy"}
_COUNTS = {"sectors": "sectors", "ideal": "ideal_sectors", "lines": "lines", "lanes": "lanes"}


@dataclasses.dataclass
class Expectation:
    line: int
    kind: str
    clean: bool
    per_request: dict  # count → (low, high)


def _parse_one(text):
    words = text.split()
    if not words or words[0] not in _KINDS:
        raise ValueError(f"unknown kind of access: '{text.strip()}'")
    per_request = {}
    for word in words[1:]:
        key, _, value = word.partition("=")
        if word == "clean":
            continue
        if key not in _COUNTS:
            raise ValueError(f"unknown word: '{word}'")
        low, _, high = value.partition("..")
        per_request[_COUNTS[key]] = (float(low), float(high or low))
    return _KINDS[words[0]], "clean" in words[1:], per_request


def parse(text):
    """A comment on lines of its own is about the next line with code."""
    expectations, waiting = [], []
    for number, line in enumerate(text.splitlines(), start=1):
        comment = _COMMENT.search(line)
        if comment:
            waiting += [_parse_one(part) for part in comment[1].split(";")]
        if line.strip() and not line.strip().startswith(("#", "//")):
            expectations += [Expectation(number, *one) for one in waiting]
            waiting = []
    if waiting:
        raise ValueError("the last comment is about no line")
    return expectations


def _problems_of(expectation, access):
    problems = []
    if access["finding"] == expectation.clean:
        problems.append("is a finding" if expectation.clean else "is no finding")
    for count, (low, high) in expectation.per_request.items():
        value = (access[count] or 0) / max(access["requests"], 1)
        if not low * (1 - 1e-9) <= value <= high * (1 + 1e-9):
            problems.append(f"{count} per request are {value:g}, not {low:g}..{high:g}")
    return problems


def check(program, text, report):
    """Sentences on what the report says otherwise. `program` is the file's name, without folders."""
    problems = []
    here = [access for access in report["accesses"]
            if (access.get("file") or "").rpartition("/")[2] == program]
    expectations = parse(text)
    if not expectations:
        problems.append(f"{program} expects nothing")
    for expectation in expectations:
        where = f"{program}:{expectation.line}: {expectation.kind}"
        seen = [access for access in here
                if (access["line"], access["kind"]) == (expectation.line, expectation.kind)]
        if not seen:
            problems.append(f"{where} is not in the report")
        for access in seen:
            problems += [f"{where} {problem}" for problem in _problems_of(expectation, access)]
    expected = {(one.line, one.kind) for one in expectations}
    problems += [f"{program}:{access['line']}: {access['kind']} is an unexpected finding" for access in here
                 if access["finding"] and (access["line"], access["kind"]) not in expected]
    return problems


def check_finding_in(pattern, report):
    """Some finding lies in a file that the pattern fits, and on a line of it."""
    places = [f"{access.get('file')}:{access.get('line')}" for access in report["accesses"] if access["finding"]]
    fitting = [access for access in report["accesses"]
               if access["finding"] and access.get("line") and re.search(pattern, access.get("file") or "")]
    return [] if fitting else [f"no finding is in a file like {pattern}; findings: {', '.join(places) or 'none'}"]


def _patterns_of(access):
    """Those that most of its requests may have: without PTX the counts leave several."""
    main = max(access["patterns"], key=lambda share: share["requests"], default={"candidates": []})
    return [candidate["pattern"] for candidate in main["candidates"]]


def _waits_and_gains(access):
    return access["cost"] is not None and access["cost"]["cycles"] > 0 and access["cost"]["gain_of_kernel_percent"]["most"] > 0


def check_finding_of(wanted, report):
    """Some finding is of a kernel with `kernel` in its name, may have `pattern`, and has a cost; nothing else is a finding."""
    problems = []
    findings = [access for access in report["accesses"] if access["finding"]]
    ours = [access for access in findings if wanted["kernel"] in access["kernel"]]
    if not ours:
        problems.append(f"no finding is in a kernel like {wanted['kernel']}")
    elif not any(wanted["pattern"] in _patterns_of(access) and _waits_and_gains(access) for access in ours):
        said = ", ".join(f"{' or '.join(_patterns_of(access)) or 'no pattern'}, cost {access['cost'] and access['cost']['cycles']}"
                         for access in ours)
        problems.append(f"of {wanted['kernel']} no finding is {wanted['pattern']} with its cost and a gain, but: {said}")
    problems += [f"{access['kernel']} is an unexpected finding" for access in findings if access not in ours]
    return problems
