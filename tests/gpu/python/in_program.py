# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/python.md in one program: enable, ranges, reports while it runs, a fork, and a second enable()."""

import os
import warnings

import coalcheck

coalcheck.enable(sampling="all", no_report=True)

import torch  # noqa: E402 - importing it is early enough, and that is to be shown


@coalcheck.range("transposed")
def transposed(matrix):
    return matrix.t().contiguous()


def child():
    for call in (coalcheck.enable, coalcheck.report):
        try:
            call()
        except coalcheck.Error as error:
            print("forked child:", type(error).__name__)


def main():
    matrix = torch.randn(2048, 2048, device="cuda")
    with coalcheck.range("copy"):
        matrix.clone()
    transposed(matrix)
    coalcheck.stop()
    matrix.add_(1)
    coalcheck.start()
    whole = coalcheck.report(scope="all")
    print("whole: launches", whole.data.summary.launches, "checked", whole.data.summary.launches_checked, "exit code",
          whole.exit_code)
    for name in ("copy", "transposed"):
        part = coalcheck.report(nvtx_include=name, scope="all")
        print(f"{name}: exit code {part.exit_code}, findings", [(one.kind, round(one.wasted_share_percent))
                                                                for one in part.findings])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        coalcheck.enable(sampling="first")
    print("second enable():", caught[0].category.__name__ if caught else "no warning")
    if os.fork() == 0:
        child()
        os._exit(0)
    os.wait()


main()
