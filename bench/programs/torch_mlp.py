#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains a small network with PyTorch, for bench/measure_overhead.py: torch_mlp.py [STEPS [BATCH [WIDTH]]].

The last two thirds of the steps are the steady state. The checksum is of the trained weights, bit by bit.
"""
import hashlib
import os
import sys
import time

os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # the same bits every time
import torch  # noqa: E402  # pylint: disable=wrong-import-position

NO_GPU = 77
INPUTS, CLASSES = 1024, 16


def train(steps, batch, width):
    """Returns (ms of the steady state, ms of all steps, first loss, last loss, checksum)."""
    torch.manual_seed(0)
    layers = torch.nn
    model = layers.Sequential(layers.Linear(INPUTS, width), layers.ReLU(), layers.Linear(width, width), layers.ReLU(),
                              layers.Linear(width, CLASSES)).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    data = torch.randn(batch, INPUTS, device="cuda")
    target = torch.arange(batch, device="cuda") % CLASSES
    torch.cuda.synchronize()
    start = steady = time.perf_counter()
    losses = []
    for step in range(steps):
        if step == steps // 3:
            torch.cuda.synchronize()
            steady = time.perf_counter()
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(data), target)
        loss.backward()
        optimizer.step()
        if step in (0, steps - 1):
            losses.append(loss.detach())
    torch.cuda.synchronize()
    end = time.perf_counter()
    weights = b"".join(parameter.detach().cpu().numpy().tobytes() for parameter in model.parameters())
    checksum = int(hashlib.sha256(weights).hexdigest()[:8], 16)
    return 1e3 * (end - steady), 1e3 * (end - start), losses[0].item(), losses[-1].item(), checksum


def main():
    given = [int(word) for word in sys.argv[1:4]]
    steps, batch, width = given + [300, 1024, 2048][len(given):]
    if not torch.cuda.is_available():
        print("no GPU here, nothing was run", file=sys.stderr)
        return NO_GPU
    steady, whole, first, last, checksum = train(steps, batch, width)
    if not last < first:
        print(f"the loss did not fall: {first} to {last}", file=sys.stderr)
        return 1
    print(f"measured steps {steps} steady_ms {steady:.3f} loop_ms {whole:.3f} checksum {checksum}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
