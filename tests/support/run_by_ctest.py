# SPDX-License-Identifier: Apache-2.0
#
# Runs test functions of one file for ctest, to which a skip must not look like a pass.
"""usage: run_by_ctest.py FILE NAME…, as in: run_by_ctest.py rules_test.py Rules.test_name"""

import importlib.util
import pathlib
import sys
import unittest

EXIT_SKIPPED = 77


def load(file):
    """The file as a module, with the modules beside it in reach."""
    sys.path.insert(0, str(file.parent))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module


def main():
    """The exit code. What was skipped is said last, and no test at all is a failure."""
    tests = unittest.defaultTestLoader.loadTestsFromNames(sys.argv[2:], load(pathlib.Path(sys.argv[1]).resolve()))
    result = unittest.TextTestRunner(verbosity=2).run(tests)
    if not result.wasSuccessful() or not result.testsRun:
        return 1
    if result.skipped:
        print(result.skipped[0][1])
        return EXIT_SKIPPED
    return 0


if __name__ == "__main__":
    sys.exit(main())
