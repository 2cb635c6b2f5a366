# SPDX-License-Identifier: Apache-2.0
#
# Project files, baselines and JSON reports of any size, each the worst that is known of its kind.
import itertools
import json

MOST_RULES = 1 << 20  # bytes of a project file that is read


def until(size, begin, make):
    """`begin`, then make(0), make(1)… up to `size`."""
    out, written = [begin], 0
    for i in itertools.count():
        out.append(make(i))
        written += len(out[-1])
        if written >= size:
            return "".join(out[:-1])


def compact(record):
    return json.dumps(record, separators=(",", ":"))


def rule_file(rule):
    return lambda size: until(min(size, MOST_RULES), "", rule)


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
    "a key of many parts": lambda size: "[" + "a." * (min(size, MOST_RULES) // 2 - 10) + "a]\n",
    "keys of sixteen parts": rule_file(lambda i: "a." * 15 + f"k{i} = 1\n"),
}

SOURCES = {
    "a comment for coalcheck in each line": lambda i: f"x[{i}] = 1;  // coalcheck: ignore[of line {i}]\n",
    "lines that begin a comment many times": lambda i: "//" * 490 + " " * 19 + "\n",
    "lines of blanks behind a comment": lambda i: "// coalcheck" + " " * 980 + ":\n",
}


def source(line):
    return lambda size: until(size, "", line)



def baseline(finding):
    return lambda size: until(size, "# coalcheck baseline 1\n", finding)


BASELINES = {"findings of kernels that were not seen": baseline(lambda i: f"{i:016x}\t-\t50\tload\t-\tk{i}\t-\n"),
             # which was counted
             "findings of one kernel": baseline(lambda i: f"{i:016x}\t-\t50\t-\t-\tk1\t-\n")}

BEGIN = '{"format":"coalcheck-report","major":1,'
PLACE = {"fingerprint": "0" * 16, "anchor": "0" * 16, "kind": "load", "path": None, "line": None, "kernel": "k", "line_text": None,
         "finding": True, "in_scope": True, "requests": 1, "lanes": 32, "sectors": 32, "ideal_sectors": 4, "lines": 32,
         "launches_checked": 1, "waiting_share_of_program_percent": None}


def filled(begin, make, end):
    return lambda size: until(size - 1000, begin, lambda i: ("," if i else "") + make(i)) + end


def place(i):
    return compact(PLACE | {"fingerprint": f"{i:016x}", "anchor": f"{i:016x}", "kernel": f"k{i}"})


def kind(i):
    return compact(PLACE | {"fingerprint": f"{i:016x}", "anchor": f"{i:016x}", "kind": f"k{i}"})


def kernel(i):
    return compact({"kernel_mangled": f"k{i}", "launches": 1, "launches_checked": 1})


REPORTS = {
    "places": filled(BEGIN + '"kernels":[],"places":[', place, "]}"),
    "places that are one": filled(BEGIN + '"kernels":[],"places":[', lambda i: compact(PLACE), "]}"),
    "places, each of a kind of its own": filled(BEGIN + '"kernels":[],"places":[', kind, "]}"),
    "kernels": filled(BEGIN + '"places":[],"kernels":[', kernel, "]}"),
    "numbers that nobody asked for": filled(BEGIN + '"places":[],"kernels":[],"x":[', lambda i: "0", "]}"),
    "empty arrays": filled(BEGIN + '"places":[],"kernels":[],"x":[', lambda i: "[]", "]}"),
    "arrays in arrays": lambda size: BEGIN + '"places":[],"kernels":[],"x":' + "[" * (size // 2 - 99) + "]" * (size // 2 - 99) + "}",
    "empty objects as places": filled(BEGIN + '"kernels":[],"places":[', lambda i: "{}", "]}"),
}
