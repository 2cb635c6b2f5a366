# SPDX-License-Identifier: Apache-2.0
#
# Project files, baselines and JSON reports of any size, each the worst that is known of its kind.
import json

MOST_RULES = 1 << 20  # bytes of a project file that is read


def rule_file(rule):
    def make(size):
        size = min(size, MOST_RULES)
        text, i = [], 0
        while size > 0:
            text.append(rule(i))
            size -= len(text[-1].encode())
            i += 1
        return "".join(text[:-1])
    return make


def selected(selector, i):
    return f'[[suppress]]\nkernel = "{selector}{i}"\nreason = "x"\n'


def long_list(size):
    """One suppression of as many patterns as fit."""
    size = min(size, MOST_RULES) - 100
    return '[[suppress]]\nreason = "x"\nkernel = [' + ",".join(f'"*a*b*c{i}"' for i in range(size // 17)) + "]\n"


def heaviest_regexes(size):
    """Regular expressions that are as heavy together as they may be."""
    return "".join(f'[[suppress]]\nkernel = "regex:^(k|.){{90}}{i}$"\nreason = "x"\n' for i in range(50))


RULES = {
    "suppressions of kernels": rule_file(lambda i: selected("", i)),
    "suppressions by patterns with stars": rule_file(lambda i: selected("*1*2*3*", i)),
    "thresholds of files": rule_file(lambda i: f'[[rule]]\nfile = "**/{i}*/*"\nmin-cost = 1\n'),
    "a list of patterns": long_list,
    "heavy regular expressions": heaviest_regexes,
    "arrays in arrays": lambda size: "a = " + "[" * min(size - 10, MOST_RULES - 10),
}


def baseline(size):
    out, i, written = ["# coalcheck baseline 1\n"], 0, 0
    while written < size:
        out.append(f"{i:016x}\t-\t50\tload\t-\tk{i}\t-\n")
        written += len(out[-1])
        i += 1
    return "".join(out[:-1])


def baseline_of_one_kernel(size):
    """Findings that are all of a kernel which was counted."""
    out, i, written = ["# coalcheck baseline 1\n"], 0, 0
    while written < size:
        out.append(f"{i:016x}\t-\t50\t-\t-\tk1\t-\n")
        written += len(out[-1])
        i += 1
    return "".join(out[:-1])


BASELINES = {"findings of kernels that were not seen": baseline, "findings of one kernel": baseline_of_one_kernel}

BEGIN = '{"format":"coalcheck-report","major":1,'
PLACE = {"fingerprint": "0" * 16, "anchor": "0" * 16, "kind": "load", "path": None, "line": None, "kernel": "k", "line_text": None,
         "finding": True, "in_scope": True, "requests": 1, "lanes": 32, "sectors": 32, "ideal_sectors": 4, "lines": 32,
         "launches_checked": 1, "waiting_share_of_program_percent": None}


def filled(begin, make, end):
    def whole(size):
        out, i, written = [begin], 0, 0
        while written < size - 1000:
            out.append(("," if i else "") + make(i))
            written += len(out[-1])
            i += 1
        return "".join(out) + end
    return whole


def place(i):
    return json.dumps(PLACE | {"fingerprint": f"{i:016x}", "anchor": f"{i:016x}", "kernel": f"k{i}"}, separators=(",", ":"))


def kernel(i):
    return json.dumps({"kernel_mangled": f"k{i}", "launches": 1, "launches_checked": 1}, separators=(",", ":"))


REPORTS = {
    "places": filled(BEGIN + '"kernels":[],"places":[', place, "]}"),
    "places that are one": filled(BEGIN + '"kernels":[],"places":[', lambda i: json.dumps(PLACE, separators=(",", ":")), "]}"),
    "kernels": filled(BEGIN + '"places":[],"kernels":[', kernel, "]}"),
    "numbers that nobody asked for": filled(BEGIN + '"places":[],"kernels":[],"x":[', lambda i: "0", "]}"),
    "empty arrays": filled(BEGIN + '"places":[],"kernels":[],"x":[', lambda i: "[]", "]}"),
    "empty objects as places": filled(BEGIN + '"kernels":[],"places":[', lambda i: "{}", "]}"),
}
