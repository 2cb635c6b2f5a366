# SPDX-License-Identifier: Apache-2.0
"""What can go wrong, each with what to do about it in its message."""

from __future__ import annotations


class Error(Exception):
    """Any error of this package."""


class NotInstalled(Error):
    """The command or the library is not there, as where this platform has none."""


class CudaHasStarted(Error):
    """CUDA runs in this process already, so that nothing more can be watched."""


class NothingRecorded(Error):
    """There is no recording to report on."""


class CommandFailed(Error):
    """The command ended with something else than a verdict; its own words are the message."""

    def __init__(self, exit_code: int, message: str) -> None:
        super().__init__(message)
        self.exit_code = exit_code
