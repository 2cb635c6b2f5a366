# SPDX-License-Identifier: Apache-2.0
#
# A CUDA program in Python, over the stand-ins for the driver and CUPTI that tests/agent/library has: the real library is
# loaded, counts and records. What a launch of the kernel `spread` counts is in STAND_IN_ROWS while it runs.
"""For programs under test: begin() starts CUDA, launch() launches `spread` once."""

import ctypes
import os

_kernel = ctypes.c_void_p()
_driver = None


def begin():
    global _driver
    _driver = ctypes.CDLL("libcuda.so.1")
    _driver.cuInit(0)
    context, module = ctypes.c_void_p(), ctypes.c_void_p()
    _driver.cuCtxCreate_v4(ctypes.byref(context), None, 0, 0)
    with open(os.environ["STAND_IN_MODULE"], "rb") as file:
        image = file.read()
    size = ctypes.c_void_p(len(image))
    _driver.cuModuleLoadDataEx(ctypes.byref(module), image, 0, None, ctypes.byref(size))
    _driver.cuModuleGetFunction(ctypes.byref(_kernel), module, b"spread")


def launch():
    if _driver is None:
        begin()
    out = ctypes.c_uint64(0x7f0012345600)
    parameters = (ctypes.c_void_p * 1)(ctypes.addressof(out))
    _driver.cuLaunchKernel(_kernel, 4, 1, 1, 32, 1, 1, 0, None, parameters, None)
