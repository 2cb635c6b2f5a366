#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a cubin whose line tables hold 400 sequences, all of them about the whole of one function.

Usage: make_hostile_cubin.py OUTPUT
"""

import struct
import sys

COUNT = 400  # instructions, and sequences of each table


def line_table(file_name: bytes) -> tuple[bytes, list[int]]:
    """A DWARF 2 unit, and where in the section each sequence's address stands."""
    header = bytes([1, 1, 0xFB, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0])
    header += file_name + b"\0\0\0\0" + b"\0"
    unit = struct.pack("<HI", 2, len(header)) + header
    addresses = []
    for _ in range(COUNT):
        addresses.append(4 + len(unit) + 3)
        unit += b"\0\x09\x02" + struct.pack("<Q", 0)  # the address
        unit += b"\x03\x01\x01"  # line 2, a row
        # Onwards to the end of the function, and of the sequence.
        unit += bytes([2, (COUNT * 16) & 0x7F | 0x80, (COUNT * 16) >> 7]) + b"\0\x01\x01"
    return struct.pack("<I", len(unit)) + unit, addresses


def relocations(addresses: list[int]) -> bytes:
    return b"".join(struct.pack("<QII", at, 2, 1) for at in addresses)


def main() -> None:
    source, source_addresses = line_table(b"x.cu")
    ptx, ptx_addresses = line_table(b".nv_debug_ptx_txt")
    load = struct.pack("<QQ", 0x981, 4 << 9)
    symbols = bytes(24) + struct.pack("<IBBHQQ", 1, 2, 0x10, 1, 0, 0)
    # Name, type, content, link, info.
    sections = [
        (b".text.k", 1, load * COUNT, 0, 0),
        (b".nv_debug_ptx_txt", 1, b"a\0ld.global.f32 x;\0", 0, 0),
        (b".debug_line", 1, source, 0, 0),
        (b".nv_debug_line_sass", 1, ptx, 0, 0),
        (b".rel", 9, relocations(source_addresses), 0, 3),
        (b".rel", 9, relocations(ptx_addresses), 0, 4),
        (b".strtab", 3, b"\0k\0", 0, 0),
        (b".symtab", 2, symbols, 7, 0),
    ]
    names = b"\0" + b"".join(name + b"\0" for name, *_ in sections) + b".shstrtab\0"
    sections.append((b".shstrtab", 3, names, 0, 0))
    contents = b""
    table = bytes(64)
    name_at = 1
    for name, kind, content, link, info in sections:
        start = 64 + len(contents)
        table += struct.pack("<IIQQQQIIQQ", name_at, kind, 0, 0, start, len(content), link, info, 1, 0)
        contents += content
        name_at += len(name) + 1
    count = len(sections) + 1
    header = b"\177ELF" + bytes([2, 1, 1, 0x41, 8]) + bytes(7)
    header += struct.pack("<HHIQQQI", 2, 190, 1, 0, 0, 64 + len(contents), 90 << 8)
    header += struct.pack("<HHHHHH", 64, 56, 0, 64, count, count - 1)
    with open(sys.argv[1], "wb") as out:
        out.write(header + contents + table)


if __name__ == "__main__":
    main()
