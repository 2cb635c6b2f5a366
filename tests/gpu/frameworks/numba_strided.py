# SPDX-License-Identifier: Apache-2.0
"""A Numba kernel, compiled with lineinfo=True, that reads every 32nd float."""
import support

numpy = support.need("numpy")
if not hasattr(numpy, "row_stack"):  # NumPy 2.5 dropped the alias that Numba 0.6x still names
    numpy.row_stack = numpy.vstack
cuda = support.need("numba.cuda")


@cuda.jit(lineinfo=True)
def copy_strided(source, target):
    i = cuda.grid(1)
    if i < target.size:
        target[i] = source[i * 32]  # expect: load sectors=32 ideal=4 lines=32; store clean


def main():
    if not cuda.is_available():
        support.skip("no GPU here: numba.cuda is not available")
    elements = 65536
    source = cuda.to_device(numpy.arange(elements * 32, dtype=numpy.float32))
    target = cuda.device_array(elements, dtype=numpy.float32)
    for _ in range(5):
        copy_strided[elements // 256, 256](source, target)
    support.digest("numba", target.copy_to_host())


if __name__ == "__main__":
    main()
