# SPDX-License-Identifier: Apache-2.0
#
# The end of a test program that ctest runs one test function at a time.
"""What unittest's outcome is to ctest."""

import unittest

EXIT_SKIPPED = 77


def run():
    """The exit code: a skip is told apart from a pass, and no test at all is a failure."""
    result = unittest.main(module="__main__", exit=False).result
    if result.skipped and result.wasSuccessful():
        print(result.skipped[0][1])
        return EXIT_SKIPPED
    return 0 if result.wasSuccessful() and result.testsRun else 1
