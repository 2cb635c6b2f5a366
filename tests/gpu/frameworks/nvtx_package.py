# SPDX-License-Identifier: Apache-2.0
"""CuPy kernels in ranges of the package nvtx: a decorator, a context manager, push and pop, a domain, a process range."""
import support

nvtx = support.need("nvtx")
cupy = support.need("cupy")


@nvtx.annotate("step")
def step(source, target):
    cupy.add(source, 1, out=target)


def main():
    try:
        cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        support.skip(f"no GPU here: {error}")
    source = cupy.zeros(65536, dtype=cupy.float32)
    target = cupy.empty_like(source)
    for _ in range(3):
        step(source, target)
    with nvtx.annotate("block", domain="mine"):
        cupy.add(source, 2, out=target)
        cupy.add(target, 2, out=target)
    nvtx.push_range("pushed")
    cupy.add(target, 3, out=target)
    nvtx.pop_range()
    everywhere = nvtx.start_range("everywhere")
    for _ in range(4):
        cupy.add(target, 4, out=target)
    nvtx.end_range(everywhere)
    cupy.add(target, 5, out=target)
    support.digest("nvtx", cupy.asnumpy(target))


if __name__ == "__main__":
    main()
