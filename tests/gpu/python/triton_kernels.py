# SPDX-License-Identifier: Apache-2.0
"""The kernel of coalesced_cases.py that Triton compiles; Triton wants it in a file of its own."""

import triton
import triton.language as tl


@triton.jit
def copy_with_triton(source, target, stride: tl.constexpr, block: tl.constexpr):
    index = tl.program_id(0) * block + tl.arange(0, block)
    tl.store(target + index, tl.load(source + index * stride))
