#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Copies a transposed matrix with PyTorch, as models do that permute their data: torch_transposed.py [STEPS].

Of the two kernels of a step PyTorch's copy is strided, and the sum after it is clean. With COPY_QUIETLY set the output has no
times: scripts/test-gpu compares it. The last two thirds of the steps are the steady state.
"""
import hashlib
import os
import sys
import time

import torch

NO_GPU = 77
WIDTH = 4096


def copy(steps):
    """Returns (ms of the steady state, checksum of the result, bit by bit)."""
    torch.manual_seed(0)
    matrix = torch.rand(WIDTH, WIDTH, device="cuda")
    one = torch.ones(WIDTH, WIDTH, device="cuda")
    torch.cuda.synchronize()
    steady = time.perf_counter()
    for step in range(steps):
        if step == steps // 3:
            torch.cuda.synchronize()
            steady = time.perf_counter()
        matrix = matrix.t().contiguous() + one
    torch.cuda.synchronize()
    milliseconds = 1e3 * (time.perf_counter() - steady)
    return milliseconds, int(hashlib.sha256(matrix.cpu().numpy().tobytes()).hexdigest()[:8], 16)


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    if not torch.cuda.is_available():
        print("no GPU here: torch.cuda is not available", file=sys.stderr)
        return NO_GPU
    steady, checksum = copy(steps)
    times = "" if os.environ.get("COPY_QUIETLY") else f" steady_ms {steady:.3f}"
    print(f"measured steps {steps}{times} checksum {checksum}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
