# SPDX-License-Identifier: Apache-2.0
"""A CuPy RawKernel, compiled with line information, that reads every 32nd float."""
import os
import tempfile
from pathlib import Path

import support

cupy = support.need("cupy")

# The kernel stands in this file, so #line says which line of it each of its lines is.
START = 1 + next(number for number, line in enumerate(Path(__file__).read_text(encoding="utf-8").splitlines(), start=1)
                 if line.startswith("KERNEL ="))
KERNEL = r"""
extern "C" __global__ void copy_strided(const float* source, float* target) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: load sectors=32 ideal=4 lines=32; store clean
  target[i] = source[i * 32];
}
"""


def main():
    try:
        cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        support.skip(f"no GPU here: {error}")
    elements = 65536
    kernel = cupy.RawKernel(f'#line {START} "{Path(__file__).resolve()}"\n' + KERNEL.removeprefix("\n"), "copy_strided",
                            options=("-lineinfo",))
    source = cupy.arange(elements * 32, dtype=cupy.float32)
    target = cupy.empty(elements, dtype=cupy.float32)
    for _ in range(5):
        kernel((elements // 256,), (256,), (source, target))
    support.digest("cupy", cupy.asnumpy(target))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        os.environ["CUPY_CACHE_DIR"] = cache
        main()
