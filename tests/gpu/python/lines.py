# SPDX-License-Identifier: Apache-2.0
"""Prints the source lines that the report quotes of kernels whose files are gone or never were: lines.py cupy|triton|inductor."""

import json
import linecache
import os
import sys
import tempfile
from pathlib import Path

import coalcheck

coalcheck.enable(sampling="all", no_report=True)


def cupy():
    import given

    given.transpose(None)
    return "transpose"


def triton():
    """The module's file is gone when the report is made, as those of Inductor may be. Triton's cache knows it by the
    file that held the same text first, so that is another one."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TRITON_CACHE_DIR"] = str(Path(folder, "cache"))
        import torch

        file = Path(folder, "kernel_that_goes.py")
        file.write_text((Path(__file__).parent / "triton_kernels.py").read_text())
        sys.path.insert(0, folder)
        import kernel_that_goes

        source = torch.arange(65536 * 32, dtype=torch.float32, device="cuda")
        target = torch.empty(65536, dtype=torch.float32, device="cuda")
        kernel_that_goes.copy_with_triton[(256,)](source, target, 32, 256, num_warps=4)
    linecache.clearcache()
    return "copy_with_triton"


def inductor():
    """Whatever kernel it generates reads every 32nd element."""
    import torch

    def column(x):
        return x[:, 0] + 1

    torch.compile(column)(torch.arange(65536 * 32, dtype=torch.float32, device="cuda").reshape(65536, 32))
    return "triton_*"


kernel = {"cupy": cupy, "triton": triton, "inductor": inductor}[sys.argv[1]]()
report = coalcheck.report(kernel=kernel)
quoted = [line for line in str(report).splitlines() if " | " in line and "^~" not in line or " made from " in line]
print(json.dumps([report.exit_code, [one.path for one in report.findings], quoted]))
