# SPDX-License-Identifier: Apache-2.0
#
# Runs a file of tests on a machine that lacks every program, module and package that a test may ask for.
"""usage: without_tools.py FILE, whose tests pass or are skipped

It is an error, too, if the file asks for nothing (tests/support/tools.py)."""

import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import run_by_ctest  # noqa: E402  # pylint: disable=wrong-import-position
import tools  # noqa: E402  # pylint: disable=wrong-import-position


def link_all_but(hidden, folder):
    """Makes `folder` a PATH of its own: what the real one finds, but for the hidden programs."""
    folder.mkdir()
    found = {}
    for place in reversed([place for place in os.get_exec_path() if os.path.isdir(place)]):
        found.update({program.name: program.path for program in os.scandir(place)})
    for name in found.keys() - hidden:
        os.symlink(found[name], folder / name)


def hide_tools(folder):
    """Leaves this process, and those that it starts, with what every machine has."""
    link_all_but(set(tools.PROGRAMS), folder / "bin")
    os.environ["PATH"] = str(folder / "bin")
    tools.TOOLCHAIN = folder / "toolchain"
    for name in tools.MODULES:
        sys.modules[name] = None  # as if it were not installed


def main():
    with tempfile.TemporaryDirectory(prefix="coalcheck-tools-") as folder:
        hide_tools(pathlib.Path(folder))
        file = pathlib.Path(sys.argv[1]).resolve()
        tests = unittest.defaultTestLoader.loadTestsFromModule(run_by_ctest.load(file))
        result = unittest.TextTestRunner(verbosity=2).run(tests)
    asked = [reason for _, reason in result.skipped if reason.startswith(tools.NOT_INSTALLED)]
    if not asked:
        print(f"{file.name}: no test was skipped for want of what is hidden here")
    return 0 if result.wasSuccessful() and asked else 1


if __name__ == "__main__":
    sys.exit(main())
