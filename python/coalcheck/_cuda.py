# SPDX-License-Identifier: Apache-2.0
"""Whether CUDA runs in this process, found out without loading or starting it."""

from __future__ import annotations

import os

_NOT_INITIALIZED = 3

forked_too_late = False
"""This process was forked from one in which CUDA had started: it can never use CUDA."""
_started_at_fork = False


def watch_forks() -> None:
    """Has forked_too_late set from now on."""
    os.register_at_fork(before=_before_fork, after_in_child=_in_child)


def _before_fork() -> None:
    global _started_at_fork
    _started_at_fork = has_started()


def _in_child() -> None:
    global forked_too_late
    forked_too_late = forked_too_late or _started_at_fork


def has_started() -> bool:
    """Whether cuInit was called here. A driver that is only loaded has not started."""
    import ctypes

    try:
        driver = ctypes.CDLL("libcuda.so.1", mode=os.RTLD_NOLOAD | os.RTLD_LAZY)
        devices = ctypes.c_int()
        return bool(driver.cuDeviceGetCount(ctypes.byref(devices)) != _NOT_INITIALIZED)
    except (OSError, AttributeError):
        return False  # not loaded, or no driver of NVIDIA's
