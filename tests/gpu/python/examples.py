# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/python.md as they are written, on a GPU: what each has to print, for check.py."""

import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
FINDING = r"store wastes 87\.5 %"


def blocks(language):
    text = (ROOT / "docs" / "python.md").read_text()
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


def beginning(language, words):
    (found,) = (block for block in blocks(language) if block.startswith(words))
    return found


def shell_lines(words):
    """Commands of the document that hold these words, without what it says of them."""
    return [line.partition("   #")[0].strip() for block in blocks("sh") for line in block.splitlines() if words in line]


def shell(table, folder):
    """`coalcheck python train.py` and its like, in a folder that has those programs."""
    program = "import given\nfor batch in given.batches: given.train(batch)\n"
    for name in ("train.py", "trainer.py"):
        (folder / name).write_text(program)
    for line in shell_lines("train"):
        done = table.shell(line, cwd=folder)
        found = re.search(FINDING, done.stdout + done.stderr)
        table.row(f"example: {line}", bool(found), done.returncode if found else done.stdout + done.stderr[-800:])


def programs(table, folder):
    done = table.run("-c", "from given import batches, train\n" + beginning("python", "import coalcheck"), cwd=folder)
    good = re.search(FINDING, done.stdout) and re.search(r"coalcheck@step", done.stdout)
    table.row("example: a program reports on its range", bool(good), done.stdout[-300:] if good else done.stdout + done.stderr)
    table.shell("coalcheck --recording run.rec --quiet train.py", cwd=folder)
    done = table.run("-c", "import coalcheck\n" + beginning("python", "report = coalcheck.read"), cwd=folder)
    good = done.returncode == 0 and re.search(r"\.cu \d+ store 87\.5", done.stdout)
    table.row("example: a report's findings and data frame", bool(good), done.stdout + done.stderr[-800:])


def tests(table, folder):
    text = "from given import matrix, transpose\n" + beginning("python", "import pytest")
    (folder / "test_example.py").write_text(text)
    (folder / "coalcheck.toml").write_text("")
    first, second = shell_lines("pytest --coalcheck")
    done = table.shell(first, cwd=folder)
    good = "1 failed" in done.stdout and re.search(FINDING, done.stdout)
    table.row(f"example: {first}", bool(good), done.stdout.splitlines()[-1:] if good else done.stdout + done.stderr)
    table.shell("coalcheck baseline write known.coalcheck .pytest_cache/coalcheck", cwd=folder)
    done = table.shell(second, cwd=folder)
    table.row(f"example: {second}", "1 passed" in done.stdout, done.stdout.splitlines()[-1:] or done.stderr[-800:])


def notebook(table, folder):
    """The cells of the example, behind one that defines the kernel; every line of it named as a cell's."""
    from notebook_test import DRIVER

    given = ("import given, numpy\nfrom numba import cuda\n@cuda.jit(lineinfo=True)\ndef scale(values):\n"
             "    i = cuda.grid(1)\n    values[i * 32] *= 2\ngrid, block = 256, 256\n"
             "values = cuda.to_device(numpy.ones(65536 * 32, numpy.float32))")
    cells = [beginning("python", "%load_ext"), given, beginning("python", "%%coalcheck") + "\ncuda.synchronize()"]
    done = table.run("-c", DRIVER, input=json.dumps(cells), cwd=folder)
    if done.returncode != 0:
        return table.row("example: notebook", False, done.stderr[-800:])
    shown = json.loads(done.stdout.splitlines()[-1])[-1]
    lines = sorted(set(re.findall(r"In\[\d+\]:\d+", shown["html"])))
    good = lines and "values[i * 32]" in shown["html"]
    table.row("example: notebook", bool(good), f"{lines} {shown['text']}{shown['error']}")


def run(table, folder):
    (folder / "coalcheck.toml").write_text("")  # no rules of a project above
    shell(table, folder)
    programs(table, folder)
    tests(table, folder)
    notebook(table, folder)
