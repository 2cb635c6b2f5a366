#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Compiles a cubin of many kernel template instantiations whose accesses stand at the end of deep
# inline chains: the input of inspect_benchmark. usage: generate_deep_cubin.py NVCC OUTPUT.cubin
import pathlib
import subprocess
import sys

INSTANTIATIONS = 600
DEPTH = 12


def level(number):
    """One step of the chain, in a line of its own; each calls the next one twice on other data."""
    if number == 0:
        return """template <int kId, class T>
__device__ __forceinline__ T Level0(const T* p, int i) {
  return p[i] * static_cast<T>(kId + 1);
}
"""
    return f"""template <int kId, class T>
__device__ __forceinline__ T Level{number}(const T* p, int i) {{
  return Level{number - 1}<kId>(p, i + {number}) + static_cast<T>({number});
}}
"""


def source():
    types = ["float", "double", "int"]
    text = ["".join(level(i) for i in range(DEPTH))]
    text.append(f"""template <int kId, class T>
__global__ void Deep(T* out, const T* in, int stride) {{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  T sum = Level{DEPTH - 1}<kId>(in, i);
  sum += Level{DEPTH - 1}<kId>(in, i * stride);
  if (sum > static_cast<T>(kId)) sum += Level{DEPTH - 1}<kId>(in, i * stride * 2);
  out[i] = sum;
}}
""")
    for number in range(INSTANTIATIONS):
        name = types[number % len(types)]
        text.append(f"template __global__ void Deep<{number}, {name}>({name}*, const {name}*, int);\n")
    return "".join(text)


def main():
    nvcc, output = sys.argv[1:3]
    path = pathlib.Path(output).with_suffix(".cu")
    path.write_text(source())
    subprocess.run([nvcc, "-cubin", "-lineinfo", "-arch=sm_90", "-o", output, str(path)], check=True)


if __name__ == "__main__":
    main()
