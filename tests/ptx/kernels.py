# SPDX-License-Identifier: Apache-2.0
#
# The kernels of triton.ptx and triton_called.ptx, compiled for sm_90 by Triton 3.9 on a machine without a GPU.
import pathlib

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget

HERE = pathlib.Path(__file__).resolve().parent


@triton.jit
def add(x_ptr, y_ptr, out_ptr, n, stride, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets * stride, mask=mask)
    tl.store(out_ptr + offsets * 32, x + y, mask=mask)


@triton.jit
def every_second(pointer, offsets):
    return tl.load(pointer + offsets * 2)


@triton.jit
def halve(in_ptr, out_ptr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, every_second(in_ptr, offsets))


def write(kernel, parameters, name):
    signature = {one: kind for one, kind in parameters} | {"BLOCK": "constexpr"}
    source = triton.compiler.ASTSource(kernel, signature=signature, constexprs={"BLOCK": 1024})
    text = triton.compile(source, target=GPUTarget("cuda", 90, 32)).asm["ptx"]
    (HERE / name).write_text(text.replace(str(HERE), "/tmp/coalcheck/tests/ptx"), encoding="utf-8")


if __name__ == "__main__":
    pointers = [("x_ptr", "*fp32"), ("y_ptr", "*fp32"), ("out_ptr", "*fp32")]
    write(add, [*pointers, ("n", "i32"), ("stride", "i32")], "triton.ptx")
    write(halve, [("in_ptr", "*fp32"), ("out_ptr", "*fp32")], "triton_called.ptx")
