# SPDX-License-Identifier: Apache-2.0
#
# Cubins and fat binaries of any size, each the worst that is known of its kind.
"""Each maker is given a size in bytes and returns about as many."""

import itertools
import re
import struct

import hostile_ptx

LDG = struct.pack("<QQ", 0x981, 4 << 9)
EXIT = struct.pack("<QQ", 0x94D, 0)
LDL = struct.pack("<QQ", 0x983, 4 << 9)
KERNEL, FUNCTION = 0x10, 0  # st_other
SYMTAB, STRTAB, REL = 2, 3, 9


def jump(at, to, guard=7):
    """BRA from instruction number `at` to `to`."""
    offset = (to - at - 1) * 16
    return struct.pack("<QQ", 0x947 | guard << 12 | (offset & 0xFFFFFFFF) << 32, (offset >> 32) & 0x3FFFF)


class Cubin:
    """An ELF file for sm_90. Contents that are one object lie in the file once."""

    def __init__(self):
        self.sections = []  # name, type, content, link, info
        self.symbols = [bytes(24)]
        self.names = bytearray(b"\0")

    def add(self, name, content, kind=1, link=0, info=0):
        self.sections.append((name, kind, content, link, info))
        return len(self.sections)

    def name(self, text):
        self.names += text + b"\0"
        return len(self.names) - len(text) - 1

    def symbol(self, name, section, value=0, other=KERNEL):
        self.symbols.append(struct.pack("<IBBHQQ", self.name(name), 2 | 1 << 4, other, section, value, 0))
        return len(self.symbols) - 1

    def kernel(self, name, code):
        """The number of its symbol; a symbol can name one of 65 279 sections."""
        section = self.add(b".text." + name, code)
        return self.symbol(name, section) if section < 0xFF00 else 0

    def bytes(self):
        strings = self.add(b".strtab", bytes(self.names), STRTAB)
        self.add(b".symtab", b"".join(self.symbols), SYMTAB, strings)
        names = bytearray(b"\0")
        places, held, table = {}, [], [bytes(64)]
        at = 64
        for name, kind, content, link, info in self.sections + [(b".shstrtab", STRTAB, None, 0, 0)]:
            begin = len(names)
            names += name + b"\0"
            content = bytes(names) if content is None else content
            if id(content) not in places:
                places[id(content)] = at
                held.append(content)
                at += len(content)
            table.append(struct.pack("<IIQQQQIIQQ", begin, kind, 0, 0, places[id(content)], len(content), link, info, 1, 0))
        count = len(table)
        large = count >= 0xFF00
        if large:
            table[0] = struct.pack("<IIQQQQIIQQ", 0, 0, 0, 0, 0, count, count - 1, 0, 0, 0)
        head = b"\177ELF" + bytes([2, 1, 1, 0x41, 8]) + bytes(7)
        head += struct.pack("<HHIQQQI", 2, 190, 1, 0, 0, at, 90 << 8)
        head += struct.pack("<HHHHHH", 64, 56, 0, 64, 0 if large else count, 0xFFFF if large else count - 1)
        return head + b"".join(held) + b"".join(table)


def uleb(value):
    out = bytearray()
    while True:
        out.append(value & 0x7F | (0x80 if value > 0x7F else 0))
        value >>= 7
        if not value:
            return bytes(out)


def sleb(value):
    out = bytearray()
    while True:
        byte, value = value & 0x7F, value >> 7
        done = (value == 0 and not byte & 0x40) or (value == -1 and byte & 0x40)
        out.append(byte if done else byte | 0x80)
        if done:
            return bytes(out)


def inlined(row, name):
    """NVIDIA's operation: what follows is inlined at that row."""
    operands = b"\x90" + uleb(row) + uleb(name)
    return b"\0" + uleb(len(operands)) + operands


class Lines:
    """A section of line programs, one unit; its relocations name kernels by their symbols."""

    def __init__(self, files=(b"x.cu",), directories=()):
        header = bytes([1, 1, 0xFB, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1]) + b"".join(one + b"\0" for one in directories) + b"\0"
        header += b"".join(one + b"\0\0\0\0" for one in files) + b"\0"
        self.unit = bytearray(struct.pack("<HI", 2, len(header)) + header)
        self.relocations = bytearray()

    def sequence(self, symbol, program, length):
        self.relocations += struct.pack("<QII", 4 + len(self.unit) + 3, 2, symbol)
        self.unit += b"\0\x09\x02" + bytes(8) + program + b"\x02" + uleb(length) + b"\0\x01\x01"

    def add_to(self, cubin, name):
        section = cubin.add(name, struct.pack("<I", len(self.unit)) + bytes(self.unit))
        cubin.add(b".rel" + name, bytes(self.relocations), REL, 0, section)


STEP = bytes([10 + 14 * 16 // 14 + 5])  # a special operation of some address and line: a row in a byte


def many_kernels(size):
    cubin = Cubin()
    for i in range(size // 140):
        cubin.kernel(b"k%d" % i, LDG + EXIT)
    return cubin.bytes()


def one_kernel(size):
    cubin = Cubin()
    cubin.kernel(b"k", LDG * (size // 16 - 20) + EXIT)
    return cubin.bytes()


def shared_code(size):
    """Sections that overlap as far as an ELF file may have them."""
    cubin = Cubin()
    code = LDG * (size // 16 - 40)
    for i in range(4):
        cubin.kernel(b"k%d" % i, code)
    return cubin.bytes()


def of_lines(lines, program=b"\x01"):
    """A kernel of a hundred accesses whose line table is all there is to it."""
    cubin = Cubin()
    lines.sequence(cubin.kernel(b"k", LDG * 100 + EXIT), program, 1600)
    lines.add_to(cubin, b".debug_line")
    return cubin.bytes()


def rows_in_a_byte(size):
    return of_lines(Lines(), STEP * (size - 4000))


def many_files(size):
    return of_lines(Lines(itertools.repeat(b"f", size // 5 - 1000)))


def many_directories(size):
    return of_lines(Lines(directories=itertools.repeat(b"d", size // 2 - 2000)))


def long_frames(size):
    """Each access at the end of a chain of 255 calls, in a file with a path of four thousand characters."""
    cubin = Cubin()
    count = size // 16 - 1000
    symbol = cubin.kernel(b"k", LDG * count + EXIT)
    cubin.add(b".debug_str", b"\0" + b"_Z" + b"1f" * 1000 + b"v\0")
    lines = Lines([b"/" + b"p" * 4000])
    chain = b"\x01" + b"".join(inlined(row, 1) + b"\x03\x01\x01" for row in range(1, 256))
    lines.sequence(symbol, chain, 16 * count)
    lines.add_to(cubin, b".debug_line")
    return cubin.bytes()


def names_over_each_other(size):
    """Each function's name begins a byte behind that of another, and is as long as half of the file."""
    cubin = Cubin()
    count = 1000
    symbol = cubin.kernel(b"k", LDG * count + EXIT)
    cubin.add(b".debug_str", b"n" * (size // 2) + b"\0")
    lines = Lines()
    chain = b"\x01" + b"".join(inlined(row, row) + b"\x03\x01\x01" for row in range(1, 256))
    lines.sequence(symbol, chain, 16 * count)
    lines.add_to(cubin, b".debug_line")
    return cubin.bytes()


def sections_over_each_other(size):
    """Kernels whose sections and symbols have names that begin five bytes behind another's, and reach to one end."""
    cubin = Cubin()
    text = b".text" * (size // 12) + b".k"
    cubin.add(text, b"")
    cubin.symbol(text, 1, other=FUNCTION)
    for i in range(5000):
        cubin.kernel(b"k%d" % i, LDG + EXIT)
    code = bytearray(cubin.bytes())
    table, = struct.unpack_from("<Q", code, 40)
    symbols, = struct.unpack_from("<Q", code, table + 64 * (len(cubin.sections)) + 24)
    for i in range(1, 5001):
        struct.pack_into("<I", code, table + 64 * (i + 1), 1 + 5 * i)
        struct.pack_into("<I", code, symbols + 24 * (i + 1), 1 + 5 * i)
    return bytes(code)


def lines_of_a_source(size):
    """A load in each line of x.cu."""
    cubin = Cubin()
    count = min(size // 40, 100_000)
    lines = Lines()
    lines.sequence(cubin.kernel(b"k", LDG * count + EXIT), b"\x01" + b"\x02\x10\x03\x01\x01" * (count - 1), 16)
    lines.add_to(cubin, b".debug_line")
    return cubin.bytes()


def chains_that_are_compared(size):
    """Rows of two chains that differ at their end alone, and one block of the PTX for all."""
    cubin = Cubin()
    count = size // 32
    symbol = cubin.kernel(b"k", LDG * count + EXIT)
    cubin.add(b".nv_debug_ptx_txt", b"ld.global.u32 %r1, [%rd1];\0")
    lines = Lines()
    chain = bytearray(b"\x01")
    for begin in (1, 256):
        chain += inlined(begin if begin == 1 else 1, begin) + b"\x01"
        for row in range(begin + 1, begin + 250):
            chain += inlined(row, 1) + b"\x01"
    chain += b"".join(inlined(250 if i % 2 else 500, 1) + b"\x02\x10\x01" for i in range(count))
    lines.sequence(symbol, bytes(chain), 16)
    lines.add_to(cubin, b".debug_line")
    ptx = Lines([b".nv_debug_ptx_txt"])
    ptx.sequence(symbol, b"\x01", 16 * count)
    ptx.add_to(cubin, b".nv_debug_line_sass")
    return cubin.bytes()


def many_relocations(size):
    cubin = Cubin()
    symbol = cubin.kernel(b"k", LDG + EXIT)
    lines = Lines()
    lines.sequence(symbol, b"\x01", 16)
    section = cubin.add(b".debug_line", struct.pack("<I", len(lines.unit)) + bytes(lines.unit))
    entries = b"".join(struct.pack("<QII", i, 2, symbol) for i in range(size // 16 - 100))
    for _ in range(3):
        cubin.add(b".rel.debug_line", entries, REL, 0, section)
    return cubin.bytes()


def empty_ptx_lines(size):
    cubin = Cubin()
    symbol = cubin.kernel(b"k", LDG + EXIT)
    text = bytes(size - 3000)
    for i in range(3):
        cubin.add(b".nv_debug_ptx_txt.%d" % i, text)
    lines = Lines([b".nv_debug_ptx_txt.0"])
    lines.sequence(symbol, b"\x01", 16)
    lines.add_to(cubin, b".nv_debug_line_sass")
    return cubin.bytes()


def definitions(size):
    """Lines that write a register each, looked through where a row of the source is in doubt."""
    cubin = Cubin()
    symbol = cubin.kernel(b"k", LDG * 3 + EXIT)
    text = b"ld.global.u32 %r1, [%r2];\0\0" + b"a %r\0" * (size // 5 - 1000)
    cubin.add(b".nv_debug_ptx_txt", text)
    source = Lines()
    source.sequence(symbol, b"\x01", 48)
    source.add_to(cubin, b".debug_line")
    ptx = Lines([b".nv_debug_ptx_txt"])
    ptx.sequence(symbol, b"\x01", 48)
    ptx.add_to(cubin, b".nv_debug_line_sass")
    return cubin.bytes()


def calls_through_registers(size):
    """Kernels that may call each of many functions."""
    cubin = Cubin()
    call = struct.pack("<QQ", 0x343, 0)  # CALL.ABS by a register
    for i in range(min(size // 1400, 30_000)):
        cubin.kernel(b"k%d" % i, LDG + call + EXIT)
        function = cubin.add(b".text.f%d" % i, (LDG + EXIT) * 16)
        cubin.symbol(b"f%d" % i, function, other=FUNCTION)
    return cubin.bytes()


def nested_loops(size):
    """Kernels of loops inside each other, all decided by what was loaded from strong loads."""
    cubin = Cubin()
    depth = 60
    strong = struct.pack("<QQ", 0x981, 4 << 9 | 5 << 13)
    compare = struct.pack("<QQ", 0x20C, 0)
    body = [strong + compare for _ in range(depth)]
    code = b"".join(body) + b"".join(jump(2 * depth + i, 2 * (depth - 1 - i), 0) for i in range(depth)) + EXIT
    for i in range(size // (len(code) + 140)):
        cubin.kernel(b"k%d" % i, bytes(bytearray(code)))
    return cubin.bytes()


def local_memory(size):
    cubin = Cubin()
    cubin.kernel(b"k", LDL * (size // 16 - 20) + EXIT)
    return cubin.bytes()


def symbols_without_names(size):
    cubin = Cubin()
    cubin.kernel(b"k", LDG + EXIT)
    cubin.symbols += [struct.pack("<IBBHQQ", 1, 2, KERNEL, 1, 0, 0)] * (size // 24 - 100)
    return cubin.bytes()


def of_ptx(name):
    """The kernels of a PTX text with a load for each of its own."""
    def make(size):
        text = "".join(hostile_ptx.TEXTS[name](size * 7 // 10)).encode()
        cubin, lines, symbol, at, program = Cubin(), Lines([b".nv_debug_ptx_txt"]), 0, 0, b""
        kernels = []
        for number, one in enumerate(text.split(b"\n"), 1):
            entry = re.match(rb"\.visible \.entry (\w+)", one)
            if entry:
                kernels.append([entry[1], 0, bytearray(), 1])
            elif b"ld.global" in one and kernels:
                kernel = kernels[-1]
                kernel[2] += (b"\x02\x10" if kernel[1] else b"") + b"\x03" + sleb(number - kernel[3]) + b"\x01"
                kernel[1] += 1
                kernel[3] = number
        for kernel, accesses, program, _ in kernels:
            symbol = cubin.kernel(kernel, LDG * accesses + EXIT)
            if symbol:
                lines.sequence(symbol, bytes(program), 16)
        cubin.add(b".nv_debug_ptx_txt", text.replace(b"\n", b"\0"))
        lines.add_to(cubin, b".nv_debug_line_sass")
        return cubin.bytes()
    return make


def image(cubin, flags, packed):
    head = struct.pack("<HHIQIIIIQQQQ", 2, 0x101, 64, len(packed), len(packed), 0, 0, 90, 0, flags, 0, len(cubin))
    return head + packed


def fat_binary(images):
    whole = b"".join(images)
    return struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(whole)) + whole


def length(value):
    """What LZ4 adds to a length of fifteen."""
    return b"\xff" * (value // 255) + bytes([value % 255])


def packed_images(size):
    """Images that unpack to 250 times their size: code that is one instruction over and over."""
    cubin = Cubin()
    cubin.kernel(b"k", LDG * (4 << 20))
    whole = cubin.bytes()
    tail = len(whole) - whole.rfind(LDG) - 16
    head, rest = whole[:65536], len(whole) - 65536 - tail
    packed = bytes([0xFF]) + length(len(head) - 15) + head + struct.pack("<H", 16) + length(rest - 4 - 15)
    packed += (bytes([0xF0]) + length(tail - 15) if tail >= 15 else bytes([tail << 4])) + whole[-tail:]
    one = image(whole, 0x2000, packed)
    return fat_binary([one] * (size // len(one)))


CUBINS = {
    "kernels of one access each": many_kernels,
    "a kernel of one access after another": one_kernel,
    "code that lies over itself four times": shared_code,
    "a row in each byte of a line table": rows_in_a_byte,
    "a line table of files": many_files,
    "a line table of directories": many_directories,
    "chains of 255 calls in files with long paths": long_frames,
    "names of functions that lie over each other": names_over_each_other,
    "names of sections that lie over each other": sections_over_each_other,
    "chains of 250 calls that are compared": chains_that_are_compared,
    "relocations of one line table": many_relocations,
    "empty lines of PTX": empty_ptx_lines,
    "PTX that defines a register in each line": definitions,
    "calls through registers": calls_through_registers,
    "loops in loops that wait": nested_loops,
    "local memory": local_memory,
    "a symbol table": symbols_without_names,
    "packed images": packed_images,
} | {f"with PTX: {name}": of_ptx(name) for name in hostile_ptx.TEXTS if name != "inlined lines of a file with a long path"}


def kernels_of(code):
    """The names of the sections with code of what Cubin.bytes() returned."""
    table, = struct.unpack_from("<Q", code, 40)
    count = (len(code) - table) // 64
    names, = struct.unpack_from("<Q", code, table + 64 * (count - 1) + 24)
    found = []
    for i in range(1, count - 1):
        begin = names + struct.unpack_from("<I", code, table + 64 * i)[0]
        if code.startswith(b".text.", begin):
            found.append(code[begin + 6:code.index(b"\0", begin)].decode())
    return found
