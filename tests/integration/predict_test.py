# SPDX-License-Identifier: Apache-2.0
#
# `coalcheck predict` as a build without a GPU uses it: words, exit codes, launches by hand, baselines.
"""Run by ctest, one test function at a time: predict_test.py Predict.test_name."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COALCHECK = os.path.join(os.environ["COALCHECK_BINARY_DIR"], "bin", "coalcheck")
SQUARE = "transpose_naive: grid=128x512 block=32x8 arg3=4096 arg4=4096"


def cubin_of(sample):
    return str(next((ROOT / "tests" / "recordings" / sample / "cubins").glob("*.cubin")))


def ptx(name):
    return str(ROOT / "tests" / "ptx" / name)


def without_guard(folder):
    """tests/ptx/transpose.cu as if nothing but a parameter said how far rows lie apart: a PTX file in `folder`."""
    text = pathlib.Path(ptx("nvrtc.ptx")).read_text(encoding="utf-8")
    guard = "@%p3 bra \t$L__BB0_2;"
    assert text.count(guard) == 1
    bare = pathlib.Path(folder) / "without_guard.ptx"
    bare.write_text(text.replace(guard, "").replace(".entry transpose(", ".entry _Z9transposePKfPfii("), encoding="utf-8")
    return str(bare)


def accesses(*words):
    """Of what is predicted: kernel, chain of lines, kind and the word; equal ones as often as there are."""
    _, out, err = coalcheck("predict", *words, "--format", "json")
    assert out, err
    return sorted((one["kernel"], one["line"], tuple(frame["line"] for frame in one["inline"]), one["kind"],
                   one["predicted"]) for one in json.loads(out)["accesses"])


def by_key(key, rows):
    """Rows under their key; equal keys would hide each other."""
    table = {key(one): one for one in rows}
    assert len(table) == len(rows), "two accesses have one key"
    return table


def coalcheck(*words):
    """Exit code, standard output, standard error."""
    done = subprocess.run([COALCHECK, *words, "--config", "none", "--path-map", f"/tmp/coalcheck={ROOT}",
                           "--same-sources", "--source-root", str(ROOT)], capture_output=True, text=True, check=False, timeout=60)
    return done.returncode, done.stdout, done.stderr


class Predict(unittest.TestCase):
    def test_what_a_parameter_decides_is_unknown_and_no_pass(self):
        with tempfile.TemporaryDirectory() as folder:
            code, out, _ = coalcheck("predict", without_guard(folder))
        self.assertEqual(code, 3, out)
        self.assertIn("transpose.cu:8: store: parameter 4 (int height) decides", out)
        self.assertIn("2 of 2 accesses unknown", out)

    def test_what_is_unknown_is_not_listed_as_clean(self):
        with tempfile.TemporaryDirectory() as folder:
            _, out, _ = coalcheck("predict", without_guard(folder), "--verbosity", "verbose")
        self.assertNotIn("clean: ", out)
        _, out, _ = coalcheck("predict", cubin_of("transpose_naive"), "--launch", SQUARE, "--verbosity", "verbose")
        self.assertEqual(out.count("clean: "), 1, out)

    def test_what_is_unknown_stands_in_the_forms_of_a_log_too(self):
        with tempfile.TemporaryDirectory() as folder:
            for form in ("github", "junit", "gitlab", "markdown", "text"):
                _, out, _ = coalcheck("predict", without_guard(folder), "--format", form)
                self.assertIn("unknown: ", out, form)
                self.assertIn("blocks are a whole number of warps", out, form)

    def test_a_guard_on_a_parameter_settles_it(self):
        code, out, _ = coalcheck("predict", ptx("nvrtc.ptx"), "--format", "json")
        self.assertEqual(code, 1, out)
        words = sorted((one["kind"], one["predicted"]) for one in json.loads(out)["accesses"])
        self.assertEqual(words, [("load", "unknown"), ("store", "wasteful")])

    def test_a_launch_by_hand_settles_it(self):
        code, out, _ = coalcheck("predict", cubin_of("transpose_naive"), "--launch", SQUARE, "--format", "json")
        self.assertEqual(code, 1, out)
        words = sorted((one["kind"], one["predicted"], one["wasted_share_percent"]) for one in json.loads(out)["accesses"])
        self.assertEqual(words, [("load", "clean", 0), ("store", "wasteful", 87.5)])

    def test_the_address_names_the_pattern(self):
        for words, expected in (([cubin_of("aos_soa")], {"struct_field:12"}),
                                ([cubin_of("transpose_naive")], {"strided:4+"}),
                                ([cubin_of("transpose_naive"), "--launch", SQUARE], {"strided:16384"})):
            _, out, _ = coalcheck("predict", *words, "--format", "json")
            found = {pattern["class"] for one in json.loads(out)["accesses"] if one["predicted"] == "wasteful"
                     for pattern in one["patterns"]}
            self.assertEqual(found, expected, words)

    def test_a_launch_of_more_requests_than_a_count_holds_keeps_its_shares(self):
        largest = "transpose_naive: grid=2147483647x65535x65535 block=1024 arg3=4096 arg4=4096"
        code, out, _ = coalcheck("predict", cubin_of("transpose_naive"), "--launch", largest, "--format", "json")
        self.assertEqual(code, 1, out)
        shares = sorted((one["kind"], one["wasted_share_percent"]) for one in json.loads(out)["accesses"])
        self.assertEqual(shares, [("load", 0), ("store", 87.5)])

    def test_it_finds_what_a_run_counted(self):
        for sample in ("aos_soa", "misaligned", "padded_struct"):
            recording = ROOT / "tests" / "recordings" / sample
            _, counted, _ = coalcheck("report", str(recording), "--format", "json")
            _, predicted, _ = coalcheck("predict", cubin_of(sample), "--format", "json")
            def place(one):
                return one["kernel"], one["line"], one["kind"]
            found = by_key(place, json.loads(predicted)["accesses"])
            for key, one in by_key(place, json.loads(counted)["accesses"]).items():
                self.assertEqual(found[key]["predicted"], "wasteful" if one["finding"] else "clean", (sample, key))

    def test_launches_of_a_damaged_recording_are_no_pass(self):
        with tempfile.TemporaryDirectory() as folder:
            recording = pathlib.Path(folder) / "recording"
            shutil.copytree(ROOT / "tests" / "recordings" / "transpose_tiled", recording)
            words = ("predict", cubin_of("transpose_tiled"), "--launches", str(recording),
                     "--launch", SQUARE.replace("naive", "tiled"))
            self.assertEqual(coalcheck(*words)[0], 0)
            records = recording / "records.jsonl"
            records.write_text(records.read_text(encoding="utf-8").replace('"record":"window"', '"record":"window",,', 1),
                               encoding="utf-8")
            code, out, _ = coalcheck(*words)
            self.assertEqual(code, 4, out)
            self.assertIn("launches may be missing", out)
            records.write_text("".join(line for line in records.read_text(encoding="utf-8").splitlines(True)
                                       if '"record":"end"' not in line and ",," not in line), encoding="utf-8")
            self.assertEqual(coalcheck(*words)[0], 0)  # as of a program that was killed
            self.assertEqual(coalcheck(*words, "--require-end")[0], 4)

    def test_code_that_cannot_be_read_is_no_pass_where_little_may_be_unknown(self):
        with tempfile.TemporaryDirectory() as folder:
            cut = pathlib.Path(folder) / "cut.ptx"
            cut.write_text(pathlib.Path(ptx("nvrtc.ptx")).read_text(encoding="utf-8")[:-40], encoding="utf-8")
            words = ("predict", cubin_of("transpose_tiled"), "--launches", str(ROOT / "tests/recordings/transpose_tiled"), str(cut))
            self.assertEqual(coalcheck(*words)[0], 0)
            code, out, _ = coalcheck(*words, "--max-unknown", "50")
        self.assertEqual(code, 3, out)
        self.assertIn("cut.ptx: PTX text that is cut off", out)

    def test_the_order_of_launches_changes_no_word(self):
        given = ("--launch", "transpose_naive: grid=128x512 block=32x8 height=1 width=4096")
        possible = ("--launch", "transpose_naive: block=32x8 height=4096 width=4096")
        words = {tuple(accesses(cubin_of("transpose_naive"), *order)) for order in (given + possible, possible + given)}
        self.assertEqual(len(words), 1, words)

    def test_launches_that_fit_nothing_are_named(self):
        _, out, _ = coalcheck("predict", cubin_of("aos_soa"), "--launch", "nobody: block=32")
        self.assertIn("--launch fits no kernel: nobody", out)
        _, out, _ = coalcheck("predict", cubin_of("transpose_naive"), "--launch", "transpose_naive: arg9=1")
        self.assertIn("--launch does not fit transpose_naive(float const*, float*, int, int): "
                      "arg9: it has 4 parameters", out)

    def test_a_name_of_several_kernels_is_refused(self):
        code, out, err = coalcheck("predict", cubin_of("stride_sweep"), "--launch", "copy_stride: block=256")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("--launch: 'copy_stride' fits several kernels; name one of them in full:", err)
        self.assertIn("copy_stride<10>(float const*, float*, unsigned int)", err)
        full = "copy_stride<10>(float const*, float*, unsigned int): block=256"
        code, out, err = coalcheck("predict", cubin_of("stride_sweep"), "--launch", full)
        self.assertIn("predicted for block 256x1x1", out, err)

    def test_parameters_have_the_names_of_the_source(self):
        with tempfile.TemporaryDirectory() as folder:
            _, out, _ = coalcheck("predict", without_guard(folder))
        self.assertIn("store: parameter 4 (int height) decides; --launches, or --launch 'transpose: height=…'", out)
        code, out, _ = coalcheck("predict", cubin_of("transpose_naive"), "--launch",
                                 "transpose_naive: block=32x8 width=4096 height=4096")
        self.assertEqual(code, 1, out)
        self.assertIn("predicted for block 32x8x1, width = 4096, height = 4096", out)
        _, out, _ = coalcheck("predict", cubin_of("transpose_naive"), "--launch", "transpose_naive: depth=1")
        self.assertIn("depth: it has no such parameter, but in, out, width, height", out)

    def test_a_name_is_none_where_the_source_is_not_the_one_that_was_compiled(self):
        words = [COALCHECK, "predict", cubin_of("transpose_naive"), "--config", "none", "--path-map", f"/tmp/coalcheck={ROOT}",
                 "--source-root", str(ROOT), "--launch", "transpose_naive: height=4096"]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
        self.assertIn("height: the names of its parameters are not known, as its source is not here or not as it was "
                      "compiled (--same-sources); arg1=… to arg4=… do", done.stdout)

    def test_names_are_those_of_a_file_with_the_time_and_size_that_the_compiler_noted(self):
        time, size = 1795423389, 2262  # of transpose_naive.cu, in the line table of the recording's cubin
        text = (ROOT / "samples" / "transpose_naive" / "transpose_naive.cu").read_bytes()
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "samples" / "transpose_naive" / "transpose_naive.cu"
            source.parent.mkdir(parents=True)
            source.write_bytes(text[:size].ljust(size, b"\n"))  # what is cut is behind the kernel
            for modified, named in ((time, True), (time + 1, False), (time - 1, False)):
                os.utime(source, (modified, modified))
                done = subprocess.run([COALCHECK, "predict", cubin_of("transpose_naive"), "--config", "none", "--source-root",
                                       folder, "--path-map", f"/tmp/coalcheck={folder}"], capture_output=True, text=True,
                                      check=False, timeout=60)
                self.assertEqual("parameter 3 (int width) decides" in done.stdout, named, done.stdout)

    def test_a_comment_in_the_source_says_a_launch(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "samples" / "transpose_naive" / "transpose_naive.cu"
            source.parent.mkdir(parents=True)
            text = (ROOT / "samples" / "transpose_naive" / "transpose_naive.cu").read_text(encoding="utf-8")
            lines = [line + "  // coalcheck: block=32x8 height=4096" if "__global__" in line else line
                     for line in text.splitlines()]
            self.assertNotEqual("\n".join(lines), text.rstrip())
            source.write_text("\n".join(lines), encoding="utf-8")
            done = subprocess.run([COALCHECK, "predict", cubin_of("transpose_naive"), "--config", "none", "--source-root",
                                   folder, "--same-sources", "--path-map", f"/tmp/coalcheck={folder}"], capture_output=True, text=True,
                                  check=False, timeout=60)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("predicted for block 32x8x1, height = 4096", done.stdout)
        self.assertNotIn("a comment for coalcheck says", done.stdout + done.stderr)

    def test_architectures_that_differ_are_told_apart(self):
        text = pathlib.Path(ptx("nvrtc.ptx")).read_text(encoding="utf-8")
        self.assertIn("mul.wide.s32 \t%rd4, %r11, 4;", text)
        other = text.replace("sm_90", "sm_80").replace("mul.wide.s32 \t%rd4, %r11, 4;", "mul.wide.s32 \t%rd4, %r11, 64;")
        launch = ("--launch", "transpose: grid=128x512 block=32x8 arg3=4096 arg4=4096")
        with tempfile.TemporaryDirectory() as folder:
            older = pathlib.Path(folder) / "older.ptx"
            older.write_text(other, encoding="utf-8")
            _, out, _ = coalcheck("predict", ptx("nvrtc.ptx"), str(older), *launch, "--format", "json")
            rows = sorted((one["kind"], one["architecture"] or "all", one["predicted"])
                          for one in json.loads(out)["accesses"])
            self.assertEqual(rows, [("load", "sm_80", "wasteful"), ("load", "sm_90", "clean"),
                                    ("store", "all", "wasteful")])
            _, out, _ = coalcheck("predict", ptx("nvrtc.ptx"), str(older), *launch)
            self.assertIn("arg4 = 4096 on sm_80", out)
            words = accesses(ptx("nvrtc.ptx"), str(older), *launch, "--arch", "sm_90")
            self.assertEqual(words, accesses(ptx("nvrtc.ptx"), *launch))
        code, _, err = coalcheck("predict", ptx("nvrtc.ptx"), "--arch", "sm_75")
        self.assertEqual((code, "--arch sm_75: the files hold code for sm_90 alone" in err), (2, True), err)

    def test_different_kernels_of_one_name_are_named_and_where_they_differ_unknown(self):
        block = ("--block", "32x8")
        with tempfile.TemporaryDirectory() as folder:
            first = without_guard(folder)
            text = pathlib.Path(first).read_text(encoding="utf-8")
            other = text.replace("mul.wide.s32 \t%rd4, %r11, 4;", "mul.wide.s32 \t%rd4, %r11, 64;")
            self.assertNotEqual(text, other)
            newer = pathlib.Path(folder) / "newer.ptx"
            newer.write_text(other, encoding="utf-8")
            code, out, err = coalcheck("predict", first, str(newer), *block, "--format", "json")
            report = json.loads(out)
            self.assertEqual(code, 3, out + err)
            files = ", ".join(sorted((first, str(newer))))
            self.assertIn(f"transpose(float const*, float*, int, int) is the name of different kernels, in {files}", report["prediction"]["skipped"])
            rows = by_key(lambda one: one["kind"], report["accesses"])
            different = "different kernels have that name and this line"
            self.assertEqual((rows["load"]["predicted"], rows["load"]["why"]), ("unknown", different))
            self.assertNotEqual(rows["store"]["why"], different)
            launch = ("--launch", "transpose: block=32x8")
            code, _, err = coalcheck("predict", first, str(newer), *launch)
            self.assertEqual(code, 2)
            self.assertIn("is the name of different kernels; predict them one by one", err)

    def test_different_kernels_of_one_name_that_all_waste_are_wasteful(self):
        with tempfile.TemporaryDirectory() as folder:
            text = pathlib.Path(without_guard(folder)).read_text(encoding="utf-8")
            files = []
            for step in (64, 128):
                other = text.replace("mul.wide.s32 \t%rd4, %r11, 4;", f"mul.wide.s32 \t%rd4, %r11, {step};")
                self.assertNotEqual(text, other)
                files.append(str(pathlib.Path(folder) / f"step{step}.ptx"))
                pathlib.Path(files[-1]).write_text(other, encoding="utf-8")
            _, out, err = coalcheck("predict", *files, "--block", "32x8", "--format", "json")
            rows = by_key(lambda one: one["kind"], json.loads(out)["accesses"])
            self.assertEqual(rows["load"]["predicted"], "wasteful", out + err)

    def test_what_kernels_of_one_architecture_share_is_not_said_of_another(self):
        with tempfile.TemporaryDirectory() as folder:
            text = pathlib.Path(without_guard(folder)).read_text(encoding="utf-8")
            files = []
            for target, step in (("sm_80", 4), ("sm_90", 64), ("sm_90", 128)):
                other = text.replace("mul.wide.s32 \t%rd4, %r11, 4;", f"mul.wide.s32 \t%rd4, %r11, {step};")
                files.append(str(pathlib.Path(folder) / f"step{step}.ptx"))
                pathlib.Path(files[-1]).write_text(other.replace(".target sm_90", f".target {target}"), encoding="utf-8")
            _, out, err = coalcheck("predict", *files, "--block", "32x8", "--format", "json")
            loads = [one for one in json.loads(out)["accesses"] if one["kind"] == "load"]
            words = sorted((one["architecture"] or "all", one["predicted"]) for one in loads)
            self.assertEqual(words, [("sm_80", "unknown"), ("sm_90", "wasteful")], out + err)

    def test_ptx_says_what_its_cubin_says(self):
        self.assertEqual(accesses(ptx("nvcc.ptx")), accesses(cubin_of("inlined_helper")))
        launch = ("--launch", "add_columns_functor: grid=8 block=256 arg3=64")
        self.assertEqual(accesses(ptx("nvcc.ptx"), *launch), accesses(cubin_of("inlined_helper"), *launch))
        self.assertIn("wasteful", [row[-1] for row in accesses(ptx("nvcc.ptx"), *launch)])

    def test_a_cubin_of_another_compiler_keeps_its_verdicts(self):
        other = str(ROOT / "tests" / "cubins" / "aos_soa_13_5.cubin")  # its line table is of DWARF 3
        launches = ("--launches", str(ROOT / "tests" / "recordings" / "aos_soa"))
        for words in ((), launches):
            self.assertEqual(accesses(other, *words), accesses(cubin_of("aos_soa"), *words))

    def test_ptx_of_nvrtc_and_triton_is_read(self):
        square = "transpose: grid=128x512 block=32x8 arg3=4096 arg4=4096"
        self.assertEqual(accesses(ptx("nvrtc.ptx"), "--launch", square),
                         [("transpose", 8, (), "load", "clean"), ("transpose", 8, (), "store", "wasteful")])
        self.assertEqual(accesses(ptx("triton.ptx")),
                         [("add", 17, (), "load", "clean"), ("add", 18, (), "load", "unknown"),
                          ("add", 19, (), "store", "wasteful")])
        self.assertEqual(accesses(ptx("triton_called.ptx")),
                         [("halve", 24, (24, 30), "load", "wasteful"), ("halve", 30, (), "store", "clean")])

    def test_what_no_lane_places_is_unknown_and_what_the_accelerator_moves_is_named(self):
        fixtures = pathlib.Path(os.environ["COALCHECK_BINARY_DIR"], "tests", "unit", "cubin", "fixtures")
        if not fixtures.exists():
            self.skipTest("its code needs nvcc")
        for name in ("bulk_90.cubin", "bulk_compute_90.ptx"):
            _, out, _ = coalcheck("predict", str(fixtures / name), "--format", "json", "--scope", "all")
            report = json.loads(out)
            special = sorted((one["kind"], one["predicted"]) for one in report["accesses"]
                             if one["kernel"] == "special_accesses")
            self.assertEqual(special, [("load", "clean"), ("reduction", "unknown"), ("store", "unknown")], name)
            moved = {(row["kernel"], row["load_instructions"], row["store_instructions"], row["reduction_instructions"])
                     for row in report["bulk_copies"]}
            self.assertEqual(moved, {("bulk_load", 1, 0, 0), ("bulk_store_alone", 0, 1, 0), ("bulk_store_alone", 0, 0, 1),
                                     ("tensors", 1, 0, 0), ("tensors", 0, 1, 0), ("tensors", 0, 0, 1)}, name)

    def test_of_two_parameters_in_a_sum_none_is_taken_for_a_pointer(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "offset.ptx")
            file.write_text(""".version 8.8
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p, .param .u64 q)
{
.reg .b32 %r<9>; .reg .b64 %rd<9>;
ld.param.u64 %rd1, [p];
ld.param.u64 %rd2, [q];
add.s64 %rd3, %rd1, %rd2;
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd4, %r1, 4;
add.s64 %rd5, %rd3, %rd4;
st.global.u32 [%rd5], %r1;
ret;
}
""", encoding="utf-8")
            code, out, _ = coalcheck("predict", str(file))
        self.assertEqual(code, 3, out)

    def test_ptx_that_is_cut_off_is_named(self):
        whole = pathlib.Path(ptx("triton.ptx")).read_bytes()
        with tempfile.TemporaryDirectory() as folder:
            part = pathlib.Path(folder) / "part.ptx"
            for size in range(200, whole.index(b".file"), 700):
                part.write_bytes(whole[:size])
                code, out, _ = coalcheck("predict", str(part))
                self.assertEqual(code, 3, (size, out))
                self.assertRegex(out, "part.ptx: PTX text (that is cut off|without a function)")

    def test_words_that_are_wrong_are_a_usage_error(self):
        for words in (("--launch", "copy block=32"), ("--launch", "copy: block=32 block=64"), ("--block", "32x0"), ("--max-unknown", "120"), ("--arch", "90")):
            code, _, err = coalcheck("predict", cubin_of("aos_soa"), *words)
            self.assertEqual(code, 2, err)
        code, _, err = coalcheck("predict", str(ROOT / "README.md"))
        self.assertEqual((code, "neither a cubin nor PTX nor a program" in err), (2, True), err)

    def test_accesses_of_code_without_ptx_are_counted_apart(self):
        bare = pathlib.Path(cubin_of("aos_soa")).read_bytes()
        for section in (b"debug_ptx_txt", b"debug_line"):
            self.assertIn(section, bare)
            bare = bare.replace(section, section.upper())
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "bare.cubin").write_bytes(bare)
            code, out, err = coalcheck("predict", os.path.join(folder, "bare.cubin"), "--format", "json")
        prediction = json.loads(out)["prediction"]
        self.assertEqual((code, prediction["accesses"], prediction["without_ptx"]), (3, 0, 12), err)

    def test_a_gate_that_has_become_blind_is_no_pass(self):
        for most in ("20", "20%"):
            code, out, err = coalcheck("predict", cubin_of("transpose_tiled"), "--max-unknown", most)
            self.assertEqual(code, 3, out + err)

    def test_what_a_change_makes_unknown_is_not_seen_rather_than_improved(self):
        launch = ("--launch", "transpose_naive: block=4x64 arg3=4096 arg4=4096")
        with tempfile.TemporaryDirectory() as folder:
            base, new = (os.path.join(folder, name) for name in ("base.json", "new.json"))
            for report, words in ((base, launch), (new, ())):
                coalcheck("predict", cubin_of("transpose_naive"), *words, "--format", f"json={report}")
            code, out, err = coalcheck("diff", base, new)
        self.assertEqual(code, 1, out + err)
        self.assertIn("base.json is predicted", out)
        self.assertIn(": load not seen: wastes 4 sectors per request (50 %)", out)
        self.assertIn("of the newer code it cannot be predicted", out)
        self.assertTrue(out.endswith("coalcheck: 1 worsened, 1 not seen\n"), out)


if __name__ == "__main__":
    unittest.main()
