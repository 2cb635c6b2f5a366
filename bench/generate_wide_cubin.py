#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Compiles a cubin of 10 000 accesses, each with a line of its own for its load and its store: the
# input of report_benchmark. usage: generate_wide_cubin.py NVCC OUTPUT.cubin
import pathlib
import subprocess
import sys

KERNELS = 100
LINES = 50  # of each kernel, a load and a store each


def source():
    text = []
    for kernel in range(KERNELS):
        text.append(f"__global__ void Wide{kernel}(volatile float* out, const volatile float* in, int stride) {{\n"
                    "  const int i = (blockIdx.x * blockDim.x + threadIdx.x) * stride;\n")
        text += [f"  out[i + {line}] = in[i + {2 * line}];\n" for line in range(LINES)]
        text.append("}\n")
    return "".join(text)


def main():
    nvcc, output = sys.argv[1:3]
    path = pathlib.Path(output).with_suffix(".cu")
    path.write_text(source())
    subprocess.run([nvcc, "-cubin", "-lineinfo", "-arch=sm_90", "-o", output, str(path)], check=True)


if __name__ == "__main__":
    main()
