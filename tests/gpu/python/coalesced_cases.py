# SPDX-License-Identifier: Apache-2.0
"""Kernels of three frameworks, each strided and repaired, for pytest --coalcheck: the repaired ones pass, the others fail."""

import pytest

STRIDE, ELEMENTS, BLOCK = 32, 65536, 256


def check(kernel):
    return pytest.mark.coalesced(max_wasted_share=10, kernel=kernel, scope="all")


@pytest.fixture
def triton_copy():
    torch, triton = pytest.importorskip("torch"), pytest.importorskip("triton")
    import triton_kernels

    def copy(stride):
        source = torch.arange(ELEMENTS * STRIDE, dtype=torch.float32, device="cuda")
        target = torch.empty(ELEMENTS, dtype=torch.float32, device="cuda")
        triton_kernels.copy_with_triton[(ELEMENTS // BLOCK,)](source, target, stride, BLOCK, num_warps=4)
        assert bool((target == source[::stride][:ELEMENTS]).all())
    assert triton
    return copy


@pytest.fixture
def cupy_copy():
    cupy = pytest.importorskip("cupy")
    code = ('extern "C" __global__ void copy_with_cupy(const float* source, float* target, int stride) {\n'
            "  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            "  target[i] = source[i * stride];\n}\n")
    kernel = cupy.RawKernel(code, "copy_with_cupy", options=("-lineinfo",))

    def copy(stride):
        source = cupy.arange(ELEMENTS * STRIDE, dtype=cupy.float32)
        target = cupy.empty(ELEMENTS, dtype=cupy.float32)
        kernel((ELEMENTS // BLOCK,), (BLOCK,), (source, target, cupy.int32(stride)))
        assert bool((target == source[::stride][:ELEMENTS]).all())
    return copy


@pytest.fixture
def numba_copy():
    numpy = pytest.importorskip("numpy")
    if not hasattr(numpy, "row_stack"):  # NumPy 2.5 dropped the alias that Numba 0.6x still names
        numpy.row_stack = numpy.vstack
    cuda = pytest.importorskip("numba.cuda")

    @cuda.jit(lineinfo=True)
    def copy_with_numba(source, target, stride):
        i = cuda.grid(1)
        if i < target.size:
            target[i] = source[i * stride]

    def copy(stride):
        source = numpy.arange(ELEMENTS * STRIDE, dtype=numpy.float32)
        target = cuda.device_array(ELEMENTS, dtype=numpy.float32)
        copy_with_numba[ELEMENTS // BLOCK, BLOCK](cuda.to_device(source), target, stride)
        assert (target.copy_to_host() == source[::stride][:ELEMENTS]).all()
    return copy


@check("copy_with_triton")
def test_triton_strided(triton_copy):
    triton_copy(STRIDE)


@check("copy_with_triton")
def test_triton_repaired(triton_copy):
    triton_copy(1)


@check("copy_with_cupy")
def test_cupy_strided(cupy_copy):
    cupy_copy(STRIDE)


@check("copy_with_cupy")
def test_cupy_repaired(cupy_copy):
    cupy_copy(1)


@check("*copy_with_numba*")
def test_numba_strided(numba_copy):
    numba_copy(STRIDE)


@check("*copy_with_numba*")
def test_numba_repaired(numba_copy):
    numba_copy(1)


@check("*")
def test_that_launches_nothing_fails():
    pass
