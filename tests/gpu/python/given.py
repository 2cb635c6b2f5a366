# SPDX-License-Identifier: Apache-2.0
"""What the examples of docs/python.md take as given, on a GPU: kernels of CuPy and Numba, some batches."""

import numpy

if not hasattr(numpy, "row_stack"):  # NumPy 2.5 dropped the alias that Numba 0.6x still names
    numpy.row_stack = numpy.vstack

SIZE = 1024
CODE = """extern "C" __global__ void transpose(const float* in, float* out, int size) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  out[column * size + row] = in[row * size + column];
}
"""
batches = range(3)
matrix = None


def transpose(_):
    import cupy

    source = cupy.arange(SIZE * SIZE, dtype=cupy.float32).reshape(SIZE, SIZE)
    target = cupy.empty_like(source)
    kernel = cupy.RawKernel(CODE, "transpose", options=("-lineinfo",))
    kernel((SIZE // 32, SIZE // 8), (32, 8), (source, target, SIZE))
    assert bool((target == source.T).all())


def train(_):
    transpose(matrix)
