# SPDX-License-Identifier: Apache-2.0
"""Prints what became of the launches of kernels that tune themselves: autotuned.py triton|inductor."""

import json
import sys

import coalcheck

coalcheck.enable(sampling="all", no_report=True)

import torch  # noqa: E402


def triton():
    import triton as compiler

    import triton_kernels

    configs = [compiler.Config({"block": block}) for block in (128, 256, 512)]
    tuned = compiler.autotune(configs=configs, key=[])(triton_kernels.copy_with_triton)
    source = torch.arange(65536 * 32, dtype=torch.float32, device="cuda")
    target = torch.empty(65536, dtype=torch.float32, device="cuda")
    for _ in range(4):
        tuned[lambda meta: (65536 // meta["block"],)](source, target, 32)
    return "copy_with_triton"


def inductor():
    data = torch.randn(4096, 4096, device="cuda")
    compiled = torch.compile(lambda x: x.t().contiguous() + x.sum(0), mode="max-autotune-no-cudagraphs")
    for _ in range(4):
        compiled(data)
    return "triton_*"


pattern = {"triton": triton, "inductor": inductor}[sys.argv[1]]()
report = coalcheck.report(kernel=pattern, scope="all")
skipped = {}
for one in report.data.kernels:
    for reason in one.skipped:
        skipped[reason.reason] = skipped.get(reason.reason, 0) + reason.launches
print(json.dumps([report.data.summary.launches, report.data.summary.launches_checked, skipped]))
