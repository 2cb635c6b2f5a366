# SPDX-License-Identifier: Apache-2.0
#
# A shell on a terminal of its own, to which a test types.
"""What the tests of interactive completion have in common. Every wait has a deadline."""

import os
import pathlib
import re
import select
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import pseudo_terminal  # noqa: E402  # pylint: disable=wrong-import-position

_CONTROL = re.compile(rb"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]|\x07|\r|.\x08")
DEADLINE = 30  # seconds


class Terminal:
    def __init__(self, words, environment):
        self.process, self.terminal = pseudo_terminal.fork()
        if self.process == 0:
            os.execvpe(words[0], words, environment)
        self.seen = b""

    def close(self):
        os.close(self.terminal)
        os.kill(self.process, 9)
        os.waitpid(self.process, 0)

    def type(self, keys):
        os.write(self.terminal, keys.encode())

    def read_until(self, wanted):
        """What was shown since the last call, up to and with `wanted`."""
        end = time.monotonic() + DEADLINE
        while wanted.encode() not in self.seen:
            assert time.monotonic() < end, f"waited for {wanted!r}, saw {self.seen!r}"
            if select.select([self.terminal], [], [], 1)[0]:
                self.seen = _CONTROL.sub(b"", self.seen + os.read(self.terminal, 4096))
        at = self.seen.index(wanted.encode()) + len(wanted)
        shown, self.seen = self.seen[:at], self.seen[at:]
        return shown.decode(errors="replace")
