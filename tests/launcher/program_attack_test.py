# SPDX-License-Identifier: Apache-2.0
#
# What somebody tries who wrote the program whose code is predicted: no image in it is hidden, none fills a report.
"""Each attack by itself. Run by ctest: program_attack_test.py Class.test_name."""

import json
import pathlib
import struct
import sys
import unittest

import gate_test

SAMPLE = gate_test.ROOT / "tests" / "recordings" / "transpose_tiled"
CLEAN = next((SAMPLE / "cubins").iterdir()).read_bytes()
PTX, CUBIN, ZSTD = 1, 2, 0x8000
LAUNCH = "transpose_tiled: grid=128x512 block=32x8 arg3=4096 arg4=4096"


def image(content, flags=0, size=0, kind=CUBIN):
    """One for sm_90; `size` of what is compressed."""
    return struct.pack("<HHIQIIIIQQQQ", kind, 0x101, 64, len(content), len(content) if size else 0, 0, 0, 90, 0,
                       0x11 | flags, 0, size) + content


def fat_binary(images):
    body = b"".join(images)
    return struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(body)) + body


DAMAGED = image(b"no frame of zstd", ZSTD, 4000)


class ProgramAttack(gate_test.Gate):
    def program(self, *images):
        file = self.project / "program.fatbin"
        file.write_bytes(fat_binary([image(CLEAN), *images]))
        return str(file)

    def test_an_image_that_cannot_be_unpacked_is_no_pass_where_nothing_may_be_unknown(self):
        for others in (0, 400):
            program = self.program(*[image(b"", kind=PTX)] * others, DAMAGED)
            code, text = self.coalcheck(("predict", "--launch", LAUNCH), program)
            self.assertEqual(code, 0, text)
            self.assertIn("an image for sm_90 was not looked at: a compressed cubin that does not unpack (zstd)", text)
            code, text = self.coalcheck(("predict", "--launch", LAUNCH, "--max-unknown", "0"), program)
            self.assertEqual(code, 3, text)
            self.assertIn("too little was judged", text)

    def test_bytes_that_belong_to_no_fat_binary_are_no_pass_where_nothing_may_be_unknown(self):
        program = pathlib.Path(self.program())
        program.write_bytes(program.read_bytes() + b"code" + fat_binary([]))
        code, text = self.coalcheck(("predict", "--launch", LAUNCH, "--max-unknown", "0"), str(program))
        self.assertEqual(code, 3, text)
        self.assertIn("4 bytes beside the fat binaries", text)

    def test_a_static_library_hides_none_of_its_members(self):
        def member(name, content):
            return f"{name:<16}{0:<12}{0:<6}{0:<6}{644:<8}{len(content):<10}`\n".encode() + content + b"\n" * (len(content) % 2)
        library = self.project / "library.a"
        members = b"!<arch>\n" + member("/", b"symbols") + member("clean.o/", CLEAN)
        library.write_bytes(members)
        code, text = self.coalcheck(("predict", "--launch", LAUNCH, "--max-unknown", "0"), str(library))
        self.assertEqual(code, 0, text)
        library.write_bytes(members + member("#1/8", b"long.o\0\0" + CLEAN) + member("x.fatbin/", fat_binary([image(CLEAN)])))
        code, text = self.outcome_of("inspect", str(library))
        self.assertIn("of 3 images", text)
        for lost in (member("cut.o/", CLEAN)[:-9], member("damaged.o/", CLEAN[:3000]), b"no header", member("inner.a/", members),
                     member("zeros.o/", bytes(len(CLEAN))), member("#1/8", b"long.o" + bytes(300)), member("//", b"a_name_that_is_long.o/\n") + member("/0", b"no object"),
                     member("kernel.ptx/", b".version 9.0\n.target sm_90\n.address_size 64\n")):
            library.write_bytes(members + lost)
            code, text = self.coalcheck(("predict", "--launch", LAUNCH, "--max-unknown", "0"), str(library))
            self.assertEqual(code, 3, text)
            self.assertIn("was not looked at", text)
            code, text = self.outcome_of("inspect", str(library))
            self.assertEqual(code, 0, text)
            self.assertIn("skipped", text)

    def test_the_list_of_images_that_are_none_fills_no_memory(self):
        _, text = self.outcome_of("inspect", "--format", "json", self.program(*[image(b"")] * 20_000))
        self.assertEqual(len(json.loads(text)["skipped"]), 1001)

    def test_very_many_images_that_are_none_fill_no_report(self):
        code, text = self.coalcheck(("predict", "--launch", LAUNCH), self.program(*[image(b"")] * 20_000))
        self.assertEqual(code, 0, text[:1000])
        self.assertIn("19900 more images were not looked at", text)
        self.assertLess(len(text), 50_000)


if __name__ == "__main__":
    sys.exit(unittest.main())
