# SPDX-License-Identifier: Apache-2.0
"""Kernels of Triton as people write them: rows, columns, transposition, a matrix product, a gather; each once."""
import torch
import triton
import triton.language as tl


@triton.jit
def add(left, right, target, count, block: tl.constexpr):
    index = tl.program_id(0) * block + tl.arange(0, block)
    inside = index < count
    tl.store(target + index, tl.load(left + index, inside) + tl.load(right + index, inside), inside)


@triton.jit
def softmax_rows(source, target, row_stride, columns, block: tl.constexpr):
    row = tl.program_id(0)
    index = tl.arange(0, block)
    value = tl.load(source + row * row_stride + index, index < columns, other=-float("inf"))
    value = tl.exp(value - tl.max(value, 0))
    tl.store(target + row * row_stride + index, value / tl.sum(value, 0), index < columns)


@triton.jit
def sum_columns(source, target, rows, columns, block: tl.constexpr):
    """A program for each column: its threads go down the column."""
    column = tl.program_id(0)
    index = tl.arange(0, block)
    total = tl.zeros([block], tl.float32)
    for first in range(0, rows, block):
        total += tl.load(source + (first + index) * columns + column, first + index < rows, other=0.0)
    tl.store(target + column, tl.sum(total, 0))


@triton.jit
def transpose(source, target, rows, columns, tile: tl.constexpr):
    down = tl.program_id(0) * tile + tl.arange(0, tile)
    across = tl.program_id(1) * tile + tl.arange(0, tile)
    inside = (down[:, None] < rows) & (across[None, :] < columns)
    value = tl.load(source + down[:, None] * columns + across[None, :], inside)
    tl.store(target + across[None, :] * rows + down[:, None], value, inside)


@triton.jit
def matrix_product(left, right, target, size, tile: tl.constexpr, depth: tl.constexpr):
    down = tl.program_id(0) * tile + tl.arange(0, tile)
    across = tl.program_id(1) * tile + tl.arange(0, tile)
    inner = tl.arange(0, depth)
    total = tl.zeros([tile, tile], tl.float32)
    for first in range(0, size, depth):
        total += tl.dot(tl.load(left + down[:, None] * size + first + inner[None, :]),
                        tl.load(right + (first + inner[:, None]) * size + across[None, :]))
    tl.store(target + down[:, None] * size + across[None, :], total)


@triton.jit
def gather_rows(table, rows, target, width, block: tl.constexpr):
    row = tl.load(rows + tl.program_id(0))
    index = tl.arange(0, block)
    inside = index < width
    tl.store(target + tl.program_id(0) * width + index, tl.load(table + row * width + index, inside), inside)


@triton.jit
def every_other(source, target, count, block: tl.constexpr):
    index = tl.program_id(0) * block + tl.arange(0, block)
    inside = index < count
    tl.store(target + index, tl.load(source + 2 * index, inside) + tl.load(source + 2 * index + 1, inside), inside)


def main():
    def data(*shape):
        return torch.rand(shape, device="cuda")

    count, rows, columns = 1 << 20, 2048, 1000
    add[(count // 1024,)](data(count), data(count), data(count), count, 1024)
    softmax_rows[(rows,)](data(rows, columns), data(rows, columns), columns, columns, 1024)
    sum_columns[(columns,)](data(rows, columns), data(columns), rows, columns, 256)
    transpose[(rows // 32, triton.cdiv(columns, 32))](data(rows, columns), data(columns, rows), rows, columns, 32)
    matrix_product[(16, 16)](data(1024, 1024), data(1024, 1024), data(1024, 1024), 1024, 64, 32)
    table_rows = torch.randint(rows, (512,), device="cuda", dtype=torch.int32)
    gather_rows[(512,)](data(rows, columns), table_rows, data(512, columns), columns, 1024)
    every_other[(count // 512,)](data(2 * count), data(count), count, 512)
    torch.cuda.synchronize()


if __name__ == "__main__":
    main()
