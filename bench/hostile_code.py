# SPDX-License-Identifier: Apache-2.0
#
# Cubins whose machine code takes whoever follows it many times its size, if nobody counts.
"""Each maker gives one that once took more than ten seconds or half a gigabyte."""

import struct

from hostile_cubins import EXIT, FUNCTION, LDG, REL, Cubin, Lines, inlined, uleb

INFO = 0x70000000  # type of a section of attributes


def word(opcode, form=0, low=0, high=0, guard=7):
    return struct.pack("<QQ", opcode | form << 9 | guard << 12 | low, high & (1 << 64) - 1)


def jump(at, to, guard=7):
    """BRA of sm_90 from instruction number `at` to `to`: in words of four bytes, of which eight bits stand apart."""
    words = (to - at - 1) * 4
    upper = words >> 8 & (1 << 48) - 1
    return word(0x147, 4, (words & 0xFF) << 16 | (upper & (1 << 30) - 1) << 34, upper >> 30 | 7 << 23, guard)


NOP = word(0x118, 4)
CALL = word(0x143, 4, 0, 7 << 23)  # what a relocation names
CALL_REGISTER = word(0x143, 1, 0, 7 << 23)
JUMP_BY_TABLE = word(0x149, 1, 2 << 24, 7 << 23)
ADD_FLOATS = word(0x021, 1, 10 << 16 | 41 << 24 | 42 << 32)
WAIT_UNDER_MASK = word(0x148, 1, 10 << 24, 7 << 23)


def load(register, address, scope=0):
    return word(0x181, 4, register << 16 | address << 24, 4 << 9 | scope << 13 | 7 << 17)


def calling(cubin, callee, kernels):
    """Kernels that only call one function."""
    for i in range(kernels):
        section = cubin.add(b".text.k%d" % i, LDG + CALL + EXIT)
        cubin.symbol(b"k%d" % i, section)
        cubin.add(b".rel.text.k%d" % i, struct.pack("<QII", 16, 1, callee), REL, 0, section)


def calls_that_may_lead_anywhere():
    """150 000 calls through registers, each to 40 000 functions, on the way of the kernel."""
    cubin = Cubin()
    kernel = cubin.add(b".text.k", LDG + CALL_REGISTER * 150_000 + EXIT + NOP * 40_000)
    cubin.symbol(b"k", kernel)
    for i in range(40_000):
        cubin.symbol(b"", kernel, 16 * (150_002 + i), FUNCTION)
    return cubin.bytes()


def a_loop_around_calls_that_may_lead_anywhere():
    """The same, 6 000 to 6 000, in a function that a loop calls."""
    cubin = Cubin()
    kernel = cubin.add(b".text.k", LDG + CALL + jump(2, 0, 0) + EXIT)
    cubin.symbol(b"k", kernel)
    function = cubin.add(b".text.g", CALL_REGISTER * 6000 + EXIT + NOP * 6000)
    callee = cubin.symbol(b"g", function, 0, FUNCTION)
    cubin.add(b".rel.text.k", struct.pack("<QII", 16, 1, callee), REL, 0, kernel)
    for i in range(6000):
        cubin.symbol(b"", function, 16 * (6001 + i), FUNCTION)
    return cubin.bytes()


def a_loop_that_may_count():
    """A loop of 150 blocks, all but the last of which may leave it by comparing; a jump table leads to each."""
    blocks, rest = 150, 8000
    compare = [word(0x00C, 1, a << 24 | b << 32, 7 << 20 | 7 << 23 | 1 << 12 | 7 << 4)
               for a, b in ((4, 8), (20, 255))]
    code = load(20, 22)
    starts = [16]
    last = 1 + 2 * (blocks - 1)
    end = last + 11 + rest
    for i in range(blocks - 1):
        code += compare[i == blocks - 2] + jump(2 + 2 * i, end, 0)
        starts.append(len(code))
    moves = ((4, 5), (5, 6), (6, 7), (7, 30), (8, 9), (9, 10), (10, 11), (11, 31))
    code += b"".join(word(0x002, 1, to << 16 | of << 32) for to, of in moves)
    code += load(20, 22) + word(0x11D, 4, 0, 7 << 23) + ADD_FLOATS * rest + JUMP_BY_TABLE + EXIT
    cubin = Cubin()
    cubin.kernel(b"k", code)
    table = struct.pack("<III", 16 * (end - 1), 0, blocks) + struct.pack(f"<{blocks}I", *starts)
    cubin.add(b".nv.info.k", struct.pack("<BBH", 4, 0x34, len(table)) + table, INFO)
    return cubin.bytes()


def relocations_of_many_kernels():
    """10 000 kernels of one name, whose 200 000 relocations belong to the first."""
    cubin = Cubin()
    code = LDG + CALL + EXIT
    first = cubin.add(b".text.k", code)
    for i in range(10_000):
        cubin.symbol(b"k", first if i == 0 else cubin.add(b".text.k", code))
    cubin.add(b".rel.text.k", struct.pack("<QII", 16, 1, 0) * 200_000, REL, 0, first)
    return cubin.bytes()


def masks_from_many_sides():
    """A function that waits under 600 masks, which may come from 20 000 blocks each, for 60 kernels."""
    blocks = 20_000
    code = NOP + jump(0, blocks, 0) * (blocks - 1) + ADD_FLOATS + jump(0, 0, 0) + WAIT_UNDER_MASK * 600 + EXIT
    code = bytearray(code)
    for i in range(blocks - 1):
        code[16 + 16 * i:32 + 16 * i] = jump(1 + i, blocks + 1, 0)
    code[16 * (blocks + 1):16 * (blocks + 2)] = jump(blocks + 1, 1, 0)
    cubin = Cubin()
    function = cubin.add(b".text.g", bytes(code))
    calling(cubin, cubin.symbol(b"g", function, 0, FUNCTION), 60)
    return cubin.bytes()


def two_long_ways():
    """A loop with two ways of 12 000 blocks each, which meet at their end alone, in a function that 60 kernels call."""
    length = 12_000
    code = [load(20, 22, 6)]
    first = 1 + 2 * length
    second = first + length + 1
    for i in range(length):
        code += [jump(len(code), first + i, 0), jump(len(code) + 1, second + i, 1)]
    code += [NOP] * length
    code += [jump(len(code), second + length)] + [NOP] * length
    code += [jump(len(code), 0, 0), EXIT]
    cubin = Cubin()
    function = cubin.add(b".text.g", b"".join(code))
    calling(cubin, cubin.symbol(b"g", function, 0, FUNCTION), 60)
    return cubin.bytes()


def chains_of_calls(calls):
    """Two chains of so many calls that say the same, at the rows of twelve programs, a million in each."""
    cubin = Cubin()
    symbol = cubin.kernel(b"k", LDG + NOP * 14 + EXIT)
    rows = inlined(0, 0) + b"\x01" + b"".join(inlined(row, 0) + b"\x01" for row in range(1, calls))
    rows += b"\x02" + uleb(1024)
    rows += inlined(0, 0) + b"\x01" + b"".join(inlined(calls + row, 0) + b"\x01" for row in range(1, calls))
    rows += inlined(2 * calls - 1, 0) + b"\x02" + uleb((1 << 64) - 1024)
    rows += (b"\x1d" * 200 + b"\x02" + uleb((1 << 64) - 200)) * 5000
    lines, ptx = Lines(), Lines([b".nv_debug_ptx_txt"])
    for _ in range(12):
        lines.sequence(symbol, rows, 256)
    ptx.sequence(symbol, b"\x01", 256)
    lines.add_to(cubin, b".debug_line")
    ptx.add_to(cubin, b".nv_debug_line_sass")
    cubin.add(b".nv_debug_ptx_txt", b"ld.global.u32 %r1, [%rd1];\0x\0")
    return cubin.bytes()


CODE = {
    "calls that may lead anywhere": calls_that_may_lead_anywhere,
    "a loop around calls that may lead anywhere": a_loop_around_calls_that_may_lead_anywhere,
    "a loop that may count": a_loop_that_may_count,
    "relocations of many kernels": relocations_of_many_kernels,
    "masks from many sides": masks_from_many_sides,
    "two long ways": two_long_ways,
}
