# SPDX-License-Identifier: Apache-2.0
#
# A child on a terminal of its own, where the machine has any to give.
"""What tests of terminals begin with."""

import pty
import unittest


def fork():
    """As pty.fork; the test is skipped where there are no pseudo-terminals, as in a chroot without /dev/pts."""
    try:
        return pty.fork()
    except OSError as error:
        raise unittest.SkipTest(f"this machine has no pseudo-terminals: {error}") from error
