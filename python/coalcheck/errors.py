# SPDX-License-Identifier: Apache-2.0
"""The errors of this package. Each message says what to do."""

from __future__ import annotations


class Error(Exception):
    """Any error of this package."""


class NotInstalled(Error):
    """The command or the library is missing, as on a platform without a wheel."""


class CudaHasStarted(Error):
    """CUDA runs in this process already, so that nothing more can be watched."""


class NothingRecorded(Error):
    """There is no recording to report on."""


class CommandFailed(Error):
    """The command ended without a verdict; its own message is the message."""

    def __init__(self, exit_code: int, message: str) -> None:
        super().__init__(message)
        self.exit_code = exit_code
