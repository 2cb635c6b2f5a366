# SPDX-License-Identifier: Apache-2.0
"""Whether CUDA runs in this process, found out without loading or starting it."""

from __future__ import annotations

import os

_NOT_INITIALIZED = 3


def has_started() -> bool:
    """Whether cuInit was called here. A driver that is only loaded has not started."""
    import ctypes

    try:
        driver = ctypes.CDLL("libcuda.so.1", mode=os.RTLD_NOLOAD | os.RTLD_LAZY)
        devices = ctypes.c_int()
        return bool(driver.cuDeviceGetCount(ctypes.byref(devices)) != _NOT_INITIALIZED)
    except (OSError, AttributeError):
        return False  # not loaded, or no driver of NVIDIA's
