#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The transpose pair as CuPy raw kernels: the same findings from Python.

CuPy compiles the kernels at run time; `-lineinfo` makes it keep the line table. It compiles from a
temporary file that is gone when the report is written, so line numbers count within SOURCE.
"""
import argparse
import sys

NO_GPU = 77  # "skipped", as the other samples say it

SOURCE = r"""
extern "C" __global__ void transpose_naive(const float* in, float* out, int n) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  // expect: load clean; store sectors=32 ideal=4 lines=32 pattern=strided:16384
  out[col * n + row] = in[row * n + col];
}

extern "C" __global__ void transpose_tiled(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  const int col = blockIdx.x * 32 + threadIdx.x;
  const int row = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    // expect: load clean pattern=coalesced
    tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * n + col];
  }
  __syncthreads();
  const int out_col = blockIdx.y * 32 + threadIdx.x;
  const int out_row = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    // expect: store clean pattern=coalesced
    out[(out_row + j) * n + out_col] = tile[threadIdx.x][threadIdx.y + j];
  }
}
"""


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, default=4096, help="rows and columns (a multiple of 32)")
    parser.add_argument("--launches", type=int, default=5, help="launches of each kernel")
    arguments = parser.parse_args()
    if arguments.n <= 0 or arguments.n % 32 or arguments.n > 32768:
        parser.error("--n takes a multiple of 32 up to 32768")
    if arguments.launches <= 0:
        parser.error("--launches takes a positive number")
    return arguments


def import_cupy():
    """CuPy, or None with one line that says what is missing."""
    try:
        import cupy
    except ImportError as error:
        print(f"cupy_transpose: no CuPy here ({error}), nothing was run", file=sys.stderr)
        return None
    try:
        cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        print(f"cupy_transpose: no GPU here ({error}), nothing was run", file=sys.stderr)
        return None
    return cupy


def median_ms(cupy, launch, launches):
    events = [cupy.cuda.Event() for _ in range(launches + 1)]
    events[0].record()
    for event in events[1:]:
        launch()
        event.record()
    events[-1].synchronize()
    laps = sorted(map(cupy.cuda.get_elapsed_time, events, events[1:]))
    return laps[len(laps) // 2]


def main():
    arguments = parse_arguments()
    cupy = import_cupy()
    if cupy is None:
        return NO_GPU
    import numpy  # CuPy needs it, so it is here
    n = arguments.n
    # Made on the CPU, so that no kernel of CuPy's own is launched.
    wanted = (numpy.arange(n * n) % 1000003).astype(numpy.float32).reshape(n, n).T
    matrix = cupy.asarray(numpy.ascontiguousarray(wanted.T))
    grids = {"transpose_naive": (n // 32, n // 8), "transpose_tiled": (n // 32, n // 32)}
    for name, grid in grids.items():
        kernel = cupy.RawKernel(SOURCE, name, options=("-lineinfo",))
        out = cupy.empty((n, n), dtype=cupy.float32)
        passed = (matrix, out, numpy.int32(n))
        ms = median_ms(cupy, lambda: kernel(grid, (32, 8), passed), arguments.launches)
        if not (cupy.asnumpy(out) == wanted).all():
            print(f"{name}: the result is wrong", file=sys.stderr)
            return 1
        print(f"{name:24} {ms:9.4f} ms {2 * matrix.nbytes / ms * 1e-6:9.1f} GB/s "
              f"(median of {arguments.launches})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
