# SPDX-License-Identifier: Apache-2.0
#
# PTX texts of any size, each the worst that is known of its kind.
"""Each maker yields parts of a text that is about as long as it is told to be, in bytes."""

HEADER = ".version 9.0\n.target sm_90\n.address_size 64\n"
REGISTERS = ".reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n"
SEAT = "ld.param.u64 %rd1, [a]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n"
LOAD = "ld.global.u32 %r2, [%rd3];\n"


def kernel(name, body):
    return f".visible .entry {name}(.param .u64 a)\n{{\n{body}ret;\n}}\n"


def repeated(make, size, begin=HEADER):
    """make(0), make(1)… behind `begin`."""
    yield begin
    written, i = len(begin), 0
    while written < size:
        part = make(i)
        written += len(part)
        i += 1
        yield part


def small_kernels(size):
    return repeated(lambda i: kernel(f"k{i}", REGISTERS + SEAT + LOAD), size)


def one_long_kernel(size):
    yield HEADER + ".visible .entry k(.param .u64 a)\n{\n" + REGISTERS + SEAT
    yield LOAD * (size // len(LOAD))
    yield "ret;\n}\n"


def long_paths(size):
    """Inlined lines of a file whose path is half of the text."""
    yield HEADER + f".file 1 \"/{'p' * (size // 2)}\"\n.visible .entry k(.param .u64 a)\n{{\n" + REGISTERS + SEAT
    lines = size // 2 // 80
    for i in range(1, lines):
        at = f", function_name $n, inlined_at 1 {i - 1} 1" if i % 200 > 1 else ""
        yield f".loc 1 {i} 1{at}\n{LOAD}"
    yield "ret;\n}\n.section .debug_str\n{\n$n:\n.b8 110\n}\n"


def meeting_paths(size, number=0):
    """A kernel of as many registers as paths that meet; each register has one of two values on each."""
    count = size // 120
    body = [f"setp.lt.u32 %p{i}, %r1, {i};\n@%p{i} bra L;\nadd.u32 %s{i}, %s{i}, 1;\n" for i in range(count)]
    sums = "".join(f"add.u32 %r1, %r1, %s{i};\n" for i in range(count))
    seats = "".join(f"mov.u32 %s{i}, %tid.x;\n" for i in range(count))
    yield kernel(f"k{number}", SEAT + seats + "".join(body) + "L:\n" + sums + SEAT.replace("%tid.x", "%r1") + LOAD)


def one_meeting(size):
    yield HEADER
    yield from meeting_paths(size)


def many_meetings(size):
    return repeated(lambda i: "".join(meeting_paths(100_000, i)), size)


def many_registers(size):
    """Kernels that are as large as those that are followed."""
    count = 3900

    def make(number):
        body = [f".reg .b32 %r<{count + 9}>; .reg .b64 %rd<9>;\nmov.u32 %r1, %tid.x; mov.u32 %r9, %tid.y;\n"]
        body += [f"mad.lo.u32 %r{i}, %r{i - 1}, %r{i - 2}, %r9;\n" for i in range(10 + 1, count)]
        return kernel(f"k{number}", "".join(body) + f"mul.wide.u32 %rd2, %r{count - 1}, 4;\nadd.s64 %rd3, %rd1, %rd2;\n" + LOAD)

    return repeated(make, size)


def long_sums(size):
    """Each register is a sum of forty others."""
    yield HEADER + ".visible .entry k(.param .u64 a)\n{\n" + "ld.param.u64 %d0, [a];\n"
    for i in range(1, 40):
        yield f"ld.shared.u64 %d{i}, [%r{i}];\nadd.s64 %s{i}, %{'d0' if i == 1 else f's{i - 1}'}, %d{i};\n"
    line = len("add.s64 %s1000000, %s1000000, 4;\nld.global.u32 %x, [%s1000000];\n")
    for i in range(40, 40 + size // line):
        yield f"add.s64 %s{i}, %s{i - 1}, 4;\nld.global.u32 %x, [%s{i}];\n"
    yield "ret;\n}\n"


def sums_before_loops(size):
    """A chain of sums of 39 terms, then one loop behind the other that adds the last of them to something."""
    terms = 39
    count = size // 240
    body = [f".reg .pred %p<2>; .reg .b32 %r<9>; .reg .b32 %s<{terms + count}>; .reg .b64 %rd<4>;\n",
            "ld.param.u64 %rd1, [a];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, 0;\n"]
    body += [f"xor.b32 %s{i}, %r1, {i + 3};\nadd.u32 %r3, %r3, %s{i};\n" for i in range(terms)]
    for i in range(terms, terms + count):
        body.append(f"xor.b32 %s{i}, %r3, %r2;\nsub.u32 %r3, %r3, %s{i - terms};\nadd.u32 %r3, %r3, %s{i};\n")
    for i in range(count):
        body.append(f"L{i}:\nxor.b32 %r4, %r4, %r3;\nmul.wide.u32 %rd2, %r4, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
                    f"ld.global.u32 %r5, [%rd3];\nsetp.lt.u32 %p1, %r5, %r2;\n@%p1 bra L{i};\n")
    yield HEADER + kernel("k", "".join(body))


def long_names(size):
    """Kernels with mangled names of four thousand characters."""
    return repeated(lambda i: kernel(f"_Z1fP{len(str(i)) + 1}k{i}" + "i" * 4000, REGISTERS + SEAT + LOAD), size)


def endless_loops(size):
    """Kernels of loops inside each other, whose rounds nobody knows."""
    def make(number):
        body = REGISTERS + SEAT
        body += "".join(f"L{i}:\nadd.u32 %r3, %r3, %r1;\n" for i in range(8))
        body += "mul.wide.u32 %rd2, %r3, 4;\nadd.s64 %rd3, %rd1, %rd2;\n" + LOAD
        body += "".join(f"setp.lt.u32 %p1, %r3, %r2;\n@%p1 bra L{i};\n" for i in reversed(range(8)))
        return kernel(f"k{number}", body)

    return repeated(make, size)


def loaded_addresses(size):
    """Kernels of long loops, in which each load's address is what the one before it brought."""
    body = REGISTERS + SEAT + "mov.u32 %r2, 0;\nL0:\n"
    body += ("ld.global.u32 %r3, [%rd3];\nmul.wide.u32 %rd2, %r3, 4;\nadd.s64 %rd3, %rd1, %rd2;\n") * 20
    body += "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, 100000;\n@%p1 bra L0;\n"
    return repeated(lambda i: kernel(f"k{i}", body), size)


def stores_of_a_threads_own(size):
    """Kernels of long loops that store to ever further places in local memory."""
    body = ".local .align 16 .b8 own[4096];\n" + REGISTERS + SEAT + "mov.u32 %r2, 0; mov.u64 %rd4, own;\nL0:\n"
    body += "".join(f"st.local.v4.u32 [%rd4+{16 * i}], {{%r1,%r1,%r1,%r1}};\n" for i in range(200))
    body += "add.u64 %rd4, %rd4, 3200;\nld.local.u32 %r3, [%rd4];\nmul.wide.u32 %rd2, %r3, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
    body += LOAD.replace("%r2", "%r4") + "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, 1000000;\n@%p1 bra L0;\n"
    return repeated(lambda i: kernel(f"k{i}", body), size)


def long_tables(size):
    """Kernels of loops around a jump through a table of 60 000 entries, by what memory holds."""
    table = "T: .branchtargets " + ",".join(f"M{i // 7 % 2}" for i in range(60_000)) + ";\n"
    body = REGISTERS + SEAT + "mov.u32 %r2, 0;\n" + table + "L0:\nld.global.u32 %r3, [%rd3];\nbrx.idx %r3, T;\n"
    body += "M0: add.u32 %r4, %r4, 1;\nbra N;\nM1: add.u32 %r4, %r4, 2;\nN:\n"
    body += "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, 1000000;\n@%p1 bra L0;\n"
    return repeated(lambda i: kernel(f"k{i}", body), size)


def crossing_branches(size, number=0):
    """A kernel of loads between branches that lead anywhere."""
    count = size // 90
    body = "".join(f"setp.gt.u32 %p1,%r1,{i};\n@%p1 bra L{i * 7919 % count};\nadd.s64 %rd3,%rd3,{i};\n{LOAD}L{i}:\n" for i in range(count))
    yield HEADER if number == 0 else ""
    yield kernel(f"k{number}", REGISTERS + SEAT + body)


def many_crossing_branches(size):
    return repeated(lambda i: "".join(crossing_branches(1_000_000, i + 1)), size)


def doubling_calls(size):
    """Each function calls the one before it twice."""
    def make(number):
        called = f"call.uni f{number - 1}, (%rd1);\n" * 2 if number > 0 else SEAT.replace("ld.param.u64 %rd1, [a];", "") + LOAD
        function = f".func f{number}(.param .b64 a)\n{{\n{REGISTERS}ld.param.u64 %rd1, [a];\n{called}ret;\n}}\n"
        return function + kernel(f"k{number}", REGISTERS + SEAT + f"call.uni f{number}, (%rd3);\n")

    return repeated(make, size)


def with_number(name, registers, body):
    """A kernel of an array and a number, %r1, in blocks of threads %r2."""
    begin = f"{registers}ld.param.u64 %rd1, [a]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x;\n"
    return f".visible .entry {name}(.param .u64 a, .param .u32 n)\n{{\n{begin}{body}ret;\n}}\n"


def products_of_products(size):
    """Kernels that compare a number with 7, square it sixty times and compare it again."""
    body = "setp.lt.s32 %p1, %r1, 7;\n@%p1 bra E;\n" + "mul.lo.s32 %r1, %r1, %r1;\n" * 60
    body += "setp.lt.s32 %p1, %r1, 9;\n@%p1 bra E;\nld.global.u8 %r3, [%rd1];\nE:\n"
    return repeated(lambda i: with_number(f"k{i}", REGISTERS, body), size)


def guards_beside_stores(size):
    """Kernels of 64 stores to rows of unknown length, and of loads each behind a guard."""
    body = "setp.ge.u32 %p1, %r1, 7;\nmul.wide.u32 %rd2, %r1, %r2;\nadd.s64 %rd3, %rd1, %rd2;\n"
    body += "".join(f"st.global.u8 [%rd3+{i}], %r1;\n" for i in range(64))
    body += "".join(f"@%p1 ld.global.u8 %r3, [%rd3+{i}];\n" for i in range(500))
    return repeated(lambda i: with_number(f"k{i}", REGISTERS, body), size)


def exits_by_many_comparisons(size):
    """Kernels of a thousand exits, each decided by 64 comparisons of a number."""
    registers = ".reg .pred %p<129>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n"
    body = "".join(f"add.u32 %r3, %r2, {i};\nsetp.gt.s32 %p{i}, %r1, %r3;\n" for i in range(64))
    body += "".join(f"and.pred %p{64 + i}, %p{2 * i}, %p{2 * i + 1};\n" for i in range(63))
    body += "@!%p126 exit;\n" * 1000 + "ld.global.u8 %r3, [%rd1];\n"
    return repeated(lambda i: with_number(f"k{i}", registers, body), size)


def trees_of_calls(size):
    """Small kernels that call one function, which is a tree of 4^8 calls."""
    def call(name, address):
        return f"{{ .param .b64 q; st.param.b64 [q], {address}; call.uni {name}, (q); }}\n"

    def function(i):
        calls = call(f"f{i + 1}", "%rd1") * 4 if i < 8 else ""
        return f".func f{i}(.param .b64 a)\n{{\n{REGISTERS}ld.param.u64 %rd1, [a];\nld.global.u32 %r2, [%rd1];\n{calls}ret;\n}}\n"

    begin = HEADER + "".join(function(i) for i in reversed(range(9)))
    return repeated(lambda i: kernel(f"k{i}", REGISTERS + SEAT + call("f0", "%rd3")), size, begin)


def signs_of_quotients(size):
    """A chain of right shifts, whose sign is asked for again and again."""
    count = size // 2 // 23
    body = "cvt.s64.s32 %rd2, %r1;\n" + "shr.s64 %rd2, %rd2, 62;\n" * count + "shr.u64 %rd3, %rd2, 63;\n" * count
    yield HEADER
    yield with_number("k", REGISTERS, body + "add.s64 %rd4, %rd1, %rd3;\nst.global.u32 [%rd4], %r1;\n")


def sums_of_products(size):
    """A sum of products of quotients, to which a number is added again and again."""
    names = [f"%q{i}" for i in range(24)]
    body = "".join(f"add.s32 %r3, %r1, {i};\ncvt.s64.s32 %rd2, %r3;\nxor.b64 %rd2, %rd2, %rd1;\nshr.s64 {name}, %rd2, 1;\n"
                   for i, name in enumerate(names))
    for i in range(38):
        factors = [names[(i * (k + 1) + k * 5) % 24] for k in range(6)]
        body += f"mov.u64 %m, {factors[0]};\n" + "".join(f"mul.lo.s64 %m, %m, {one};\n" for one in factors[1:])
        body += "add.s64 %s, %s, %m;\n"
    body += "add.s64 %s, %s, 8;\n" * (size // 18)
    yield HEADER
    yield with_number("k", REGISTERS, body + "add.s64 %rd4, %rd1, %s;\nst.global.u32 [%rd4], %r1;\n")


def called_sixty_thousand_times(size, body):
    """Kernels that call a function 200 times, which calls another 300 times, which calls one of this body."""
    def make(i):
        functions = f".func f{i}()\n{{\n{body}}}\n.func g{i}()\n{{\n{f'call f{i};' * 300}\n}}\n.func h{i}()\n{{\n{f'call g{i};' * 200}\n}}\n"
        return functions + kernel(f"k{i}", REGISTERS + SEAT + f"call h{i};\n" + LOAD)

    return repeated(make, size)


def copies_of_a_table(size):
    """Kernels with sixty thousand calls of a jump through a table of as many entries as are 40 KB."""
    return called_sixty_thousand_times(size, f"x:\nt: .branchtargets {','.join('x' * 20_000)};\nbrx.idx %r1, t;\n")


def copies_of_vectors(size):
    """Kernels with sixty thousand calls of an instruction of 64 vectors of 64 elements."""
    vector = "{" + ",".join(["%r1"] * 64) + "}"
    return called_sixty_thousand_times(size, f"tex {','.join([vector] * 64)};\n")


def variables_of_a_called_function(size):
    """Kernels with sixty thousand calls of a function of up to 60 000 variables."""
    variables = max(1000, min(60_000, size // 13))
    return called_sixty_thousand_times(size, ".local .b8 a;\n" * variables)


def variables_beside_calls(size):
    """Kernels that call a thousand functions of a module with 2400 variables."""
    begin = HEADER + "".join(f".global .b8 g{i};\n" for i in range(2400))
    begin += "".join(f".func f{i}()\n{{\n}}\n" for i in range(1000))
    begin += ".func m()\n{\n" + "".join(f"call f{i};\n" for i in range(1000)) + "}\n"
    return repeated(lambda i: kernel(f"k{i}", REGISTERS + SEAT + "call m;\n" + LOAD), size, begin)


def moves_in_a_loop(size):
    """Kernels of a loop that carries 300 values, which are moved a thousand times against the order of the text."""
    carried = range(300)
    begin = "mul.wide.u32 %rd2, %r1, 128;\nadd.s64 %rd3, %rd1, %rd2;\nmov.u32 %r2, 0;\n" + "".join(f"mov.u32 %c{i}, 0;\n" for i in carried)
    loop = "L:\nld.global.u32 %r5, [%rd3];\n" + "".join(f"mov.u32 %y{i + 1}, %y{i};\n" for i in reversed(range(1000)))
    loop += "".join(f"min.u32 %c{i}, %c{i}, %r5;\n" for i in carried) + "".join(f"mov.u32 %y0, %c{i};\n" for i in carried)
    loop += "add.s64 %rd3, %rd3, 4;\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, 16;\n@%p1 bra L;\n"
    return repeated(lambda i: kernel(f"k{i}", REGISTERS + SEAT + begin + loop), size)


def called_loads(size):
    """Kernels that call one function of up to 25 000 loads."""
    loads = "".join(f"ld.global.u32 %r1, [%rd1+{4 * i}];\n" for i in range(min(25_000, size * 9 // 10 // 33)))
    begin = f"{HEADER}.func f(.param .b64 p)\n{{\n{REGISTERS}ld.param.u64 %rd1, [p];\n{loads}ret;\n}}\n"
    call = "{ .param .b64 q; st.param.b64 [q], %rd1; call f, (q); }\n"
    return repeated(lambda i: kernel(f"k{i}", REGISTERS + SEAT + call), size, begin)


def distant_dominators(size):
    """Kernels of a path of blocks, at whose end others begin that a second path leads to as well."""
    def make(number):
        path, ends = min(size, 5_700_000) * 7 // 200, min(size, 5_700_000) * 3 // 200
        body = SEAT + LOAD + "@%p1 bra U;\n" + "@%p1 bra E;\n" * path + "".join(f"@%p1 bra L{i};\n" for i in range(ends)) + "E: ret;\nU:\n"
        body += "".join(f"@%p1 bra L{i};\n" for i in range(ends)) + "ret;\n" + "".join(f"L{i}: ret;\n" for i in range(ends))
        return kernel(f"k{number}", REGISTERS + body)

    return repeated(make, size)


def branches_into_nested_loops(size):
    """Loops around each other, to whose innermost block unreachable branches lead."""
    def make(number):
        loops, branches = min(size, 1_000_000) // 86, min(size, 1_000_000) // 10
        body = SEAT + LOAD + "".join(f"H{i}:@%p1 ret;\n" for i in range(loops)) + "X:@%p1 ret;\n"
        body += "".join(f"@%p1 bra H{i};\n" for i in reversed(range(loops))) + "ret;\n" + "bra X;\n" * branches
        return kernel(f"k{number}", REGISTERS + body)

    return repeated(make, size)


def parameters_of_pointers(size):
    """Kernels of a structure of pointers, beside a long loop over numbers of it."""
    def make(number):
        pointers = max(100, min(size // 75, 12_000))
        body = "mov.u64 %rd9, 0;\nmov.u32 %r9, 0;\nL:\n"
        body += "".join(f"ld.param.u64 %rd8, [s+{4 + 8 * i}];\nmad.lo.u64 %rd9, %rd8, 4, %rd9;\n" for i in range(100))
        body += "add.u32 %r9, %r9, 1;\nsetp.lt.u32 %p1, %r9, 1000000;\n@%p1 bra L;\n"
        loads = "".join(f"ld.param.u64 %rd1, [s+{8 * i}];\nadd.s64 %rd2, %rd1, %rd9;\nld.global.u32 %r1, [%rd2];\n" for i in range(pointers))
        return f".visible .entry k{number}(.param .align 8 .b8 s[{8 * pointers + 8}])\n{{\n{body}{loads}ret;\n}}\n"

    return repeated(make, size)


def jumps_to_as_many_places(size):
    """Kernels of a jump through a table of up to 65 000 entries, each of them another block."""
    def make(number):
        places = min(size // 15, 65_000)
        table = "T: .branchtargets " + ",".join(f"B{i}" for i in range(places)) + ";\nbrx.idx %r1, T;\n"
        return kernel(f"k{number}", REGISTERS + SEAT + LOAD + table + "".join(f"B{i}:ret;\n" for i in range(places)))

    return repeated(make, size)


TEXTS = {
    "kernels of one access each": small_kernels,
    "a kernel of one access after another": one_long_kernel,
    "inlined lines of a file with a long path": long_paths,
    "a kernel of as many registers as paths that meet": one_meeting,
    "kernels of 800 registers and paths that meet": many_meetings,
    "kernels of 3900 registers": many_registers,
    "sums of forty terms": long_sums,
    "kernels with names of four thousand characters": long_names,
    "loops in loops without an end": endless_loops,
    "long loops over loaded addresses": loaded_addresses,
    "long loops that store to memory of the thread's own": stores_of_a_threads_own,
    "jumps through long tables": long_tables,
    "branches that lead anywhere": crossing_branches,
    "kernels of ten thousand branches that lead anywhere": many_crossing_branches,
    "functions that call another twice": doubling_calls,
    "comparisons of products of products": products_of_products,
    "loads behind guards beside stores": guards_beside_stores,
    "exits by many comparisons": exits_by_many_comparisons,
    "kernels that call a tree of functions": trees_of_calls,
    "signs of quotients of quotients": signs_of_quotients,
    "sums of products of quotients": sums_of_products,
    "calls of a jump through a table": copies_of_a_table,
    "calls of an instruction with many vectors": copies_of_vectors,
    "calls of a function with many variables": variables_of_a_called_function,
    "calls in a module with many variables": variables_beside_calls,
    "moves of carried values in a loop": moves_in_a_loop,
    "kernels that call a function of many loads": called_loads,
    "blocks with distant dominators": distant_dominators,
    "branches into nested loops": branches_into_nested_loops,
    "structures of pointers": parameters_of_pointers,
    "loops behind sums of many terms": sums_before_loops,
    "jumps to as many places": jumps_to_as_many_places,
}


def write(name, path, size):
    """The text of that name."""
    with open(path, "w", encoding="utf-8") as out:
        for part in TEXTS[name](size):
            out.write(part)
