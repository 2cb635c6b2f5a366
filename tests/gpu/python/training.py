# SPDX-License-Identifier: Apache-2.0
"""Trains a small network for 300 steps: training.py [enable].

Prints the seconds that the steps took, and those from the start of the program to their end.
"""

import sys
import time

START = time.monotonic()

if "enable" in sys.argv[1:]:
    import coalcheck

    coalcheck.enable()

import torch


def main():
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(1024, 4096), torch.nn.ReLU(), torch.nn.Linear(4096, 4096), torch.nn.ReLU(),
                                torch.nn.Linear(4096, 10)).cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    data, target = torch.randn(512, 1024, device="cuda"), torch.randint(0, 10, (512,), device="cuda")
    torch.cuda.synchronize()
    begin = time.monotonic()
    for _ in range(300):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(data), target).backward()
        optimizer.step()
    torch.cuda.synchronize()
    print(time.monotonic() - begin, time.monotonic() - START)


main()
