# SPDX-License-Identifier: Apache-2.0
#
# What frameworks are watched for, with modules of their shapes in their places: the frameworks themselves need a GPU, and
# tests/gpu/python/check.py has them.
"""Run by ctest: frameworks_test.py Class.test_name."""

import json
import pathlib
import sys
import tempfile
import unittest

from host_test import HostTest
from installed import InstalledTest, python

MODULES = {
    "triton/runtime/autotuner.py": """
class Autotuner:
    def _bench(self, launch): return launch()
""",
    "triton/runtime/jit.py": """
import inspect
class JITFunction:
    def __init__(self, fn):
        self.fn = fn
        self.raw_src, self.starting_line_number = inspect.getsourcelines(fn)
""",
    "numba/cuda/dispatcher.py": """
class CUDADispatcher:
    def __init__(self, py_func): self.py_func = py_func
""",
    "cupy/cuda/compiler.py": """
def _hash_hexdigest(value): return "%08x" % (sum(value) % 2**32)
def _compile_with_cache_cuda(source, options=(), arch=None):
    return _hash_hexdigest(("90 " + source + " None").encode()), _hash_hexdigest(b"a cubin")
""",
    "torch/_inductor/codecache.py": """
class PyCodeCache:
    linemaps = {}
""",
    "kernels.py": """
from triton.runtime.jit import JITFunction
from numba.cuda.dispatcher import CUDADispatcher

@JITFunction
def with_triton(x):
    return x + 1

@CUDADispatcher
def with_numba(x):
    x[0] = 1
""",
}
TOLD = """
import json, sys
import coalcheck._agent as agent, coalcheck._frameworks as frameworks, coalcheck._sources as sources
told = []
agent._known.update(source_of=lambda file, line, text, shown, stack: told.append(
                        [file.decode(), line, text.decode(), *filter(None, (shown.decode(), stack.decode()))]),
                    push=lambda name: told.append("push " + name.decode()), pop=lambda: told.append("pop"))
"""


def write_modules(folder):
    for name, text in MODULES.items():
        file = pathlib.Path(folder, name)
        file.parent.mkdir(parents=True, exist_ok=True)
        for package in file.relative_to(folder).parents[:-1]:
            (folder / package / "__init__.py").touch()
        file.write_text(text)


class FrameworkTest(InstalledTest):
    def setUp(self):
        super().setUp()
        scratch = tempfile.TemporaryDirectory(prefix="coalcheck-frameworks-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        write_modules(self.folder)

    def told(self, code):
        done = python(TOLD + code + "\nprint(json.dumps(told))", env={"PYTHONPATH": str(self.folder)})
        self.assertEqual(done.stderr, "")
        return json.loads(done.stdout.splitlines()[-1])


class PythonFrameworks(FrameworkTest):
    TUNE = "\nimport triton.runtime.autotuner as tuner\nassert tuner.Autotuner()._bench(lambda: told.append('launch') or 7) == 7"

    def test_are_not_imported_by_being_watched(self):
        self.told("frameworks.watch()\nassert not {'triton', 'cupy', 'torch'} & set(sys.modules)")

    def test_have_their_autotuning_in_a_range_whenever_they_are_imported(self):
        for code in ("frameworks.watch()" + self.TUNE,
                     "import triton.runtime.autotuner\nframeworks.watch()" + self.TUNE):
            self.assertEqual(self.told(code), ["push autotuning", "launch", "pop"])

    def test_leave_the_range_when_tuning_fails(self):
        self.assertEqual(self.told("""
frameworks.watch()
from triton.runtime.autotuner import Autotuner
try: Autotuner()._bench(lambda: 1 / 0)
except ZeroDivisionError: told.append("raised")"""), ["push autotuning", "pop", "raised"])

    def test_that_look_otherwise_are_left_as_they_are(self):
        (self.folder / "cupy/cuda/compiler.py").write_text("value = 1\n")
        (self.folder / "triton/runtime/autotuner.py").write_text("class Autotuner: pass\n")
        self.assertEqual(self.told("frameworks.watch()\nimport triton.runtime.autotuner\nimport cupy.cuda.compiler as compiler\n"
                                   "assert compiler.value == 1"), [])

    def test_that_cannot_be_imported_say_so_themselves(self):
        (self.folder / "cupy/cuda/compiler.py").write_text("import missing_part\n")
        self.assertEqual(self.told("""
frameworks.watch()
try: import cupy.cuda.compiler
except Exception as error: told.append(str(error))"""), ["No module named 'missing_part'"])

    def test_hand_over_what_cupy_compiles_with_lines_and_nothing_else(self):
        told = self.told("""
frameworks.watch()
from cupy.cuda import compiler
name, other = compiler._compile_with_cache_cuda("kernel f", ("-lineinfo",))
compiler._compile_with_cache_cuda("kernel g", ("-ftz=true",))
compiler._hash_hexdigest(b"kernel f, but not compiled")
told.append(name)""")
        self.assertEqual(told, [[f"{told[-1]}.cubin.cu", 1, "kernel f"], told[-1]])


class PythonSources(FrameworkTest):
    def test_of_jit_functions_are_handed_over_with_their_lines(self):
        told = self.told("import kernels\nsources.hand_over()\nimport numba.cuda")
        file = str(self.folder / "kernels.py")
        self.assertEqual(sorted(told), [
            [file, 5, "@JITFunction\ndef with_triton(x):\n    return x + 1\n"],
            [file, 9, "@CUDADispatcher\ndef with_numba(x):\n    x[0] = 1\n"]])

    def test_of_installed_packages_are_not(self):
        (self.folder / "site-packages").mkdir()
        (self.folder / "kernels.py").rename(self.folder / "site-packages" / "kernels.py")
        self.assertEqual(self.told(f"sys.path.insert(0, {str(self.folder / 'site-packages')!r})\nimport kernels\n"
                                   "sources.hand_over()"), [])

    # A module as Inductor 2.11 writes it, of two kernels, one of which is called twice.
    MODULE = """# AOT ID: ['0_inference']
# kernel path: {folder}/k0.py
# Topologically Sorted Source Nodes: [taken, add], Original ATen: [aten.select, aten.add]
triton_poi_fused_add_0 = async_compile.triton('triton_poi_fused_add_0', '''
def triton_poi_fused_add_0(in_ptr0): pass
''', device_str='cuda')
# kernel path: {folder}/k1.py
triton_red_fused_1 = async_compile.triton('triton_red_fused_1', '''
''', device_str='cuda')
def call(args):
    with device:
        # Topologically Sorted Source Nodes: [taken, add], Original ATen: [aten.select, aten.add]
        triton_poi_fused_add_0.run(arg0_1, buf0, 4096, stream=stream0)
        triton_red_fused_1.run(buf0, buf1, stream=stream0)
        extern_kernels.mm(buf1, buf2)
        triton_poi_fused_add_0.run(arg0_1, buf0, 4096, stream=stream0)
"""

    def inductor(self, linemap):
        """The kernels' files and stacks that are handed over, of a module with that map of lines."""
        (self.folder / "wrapper.py").write_text(self.MODULE.format(folder=self.folder))
        (self.folder / "k0.py").write_text("def triton_poi_fused_add_0(in_ptr0): pass\n")
        (self.folder / "k1.py").write_text("text\n")
        return self.told(f"from torch._inductor.codecache import PyCodeCache\n"
                         f"PyCodeCache.linemaps[{str(self.folder / 'wrapper.py')!r}] = {linemap!r}\nsources.hand_over()")

    def test_of_inductor_are_handed_over_with_the_stacks_that_they_were_made_from(self):
        a, b = ('  File "a.py", line 12, in f\n    y = x[:, 0]\n', '  File "a.py", line 14, in f\n    y + 1\n')
        told = self.inductor([(12, 14, 16), (a, None, b)])
        self.assertEqual(told, [[str(self.folder / "k0.py"), 1, "def triton_poi_fused_add_0(in_ptr0): pass\n",
                                 a.strip("\n") + "\n\n" + b.strip("\n")]])

    def test_of_inductor_are_passed_over_where_it_keeps_them_otherwise(self):
        for linemap in ([], [(12,)], [(12,), (3,)], [(), ()]):
            self.assertEqual(self.inductor(linemap), [], linemap)

    def test_that_nobody_knows_any_more_are_passed_over(self):
        self.assertEqual(self.told("""
from numba.cuda.dispatcher import CUDADispatcher
from triton.runtime.jit import JITFunction
kept = [CUDADispatcher(eval("lambda x: x")), JITFunction.__new__(JITFunction)]
sources.hand_over()"""), [])


# The compiled-in name of the stand-in's module ends so; the file is outside of the folder that may be quoted.
TEXT = "// one\\n// two\\n// three\\nvoid handed_over_line;\\n"


class PythonHostSources(HostTest):
    def told_text(self, options, before="", after=""):
        return self.host(f"""
import coalcheck._agent as agent
coalcheck.enable(sampling="all", no_report=True{options})
{before}
cuda.launch()
{after}
report = coalcheck.report()
print(report)
print(agent.recording())""", KEEP="1").stdout

    def test_are_quoted_where_the_file_is_not_there(self):
        for moment in ("before", "after"):  # CUDA starts
            text = self.told_text("", **{moment: f"agent.hand_over('spread.cu', '{TEXT}')"})
            self.assertRegex(text, r"spread\.cu:4: store wastes 87\.5 %.*\n +4 \| void handed_over_line;")
            self.assertNotIn("no access lies under the source root", text)  # it is the user's own

    def test_that_a_compiler_made_have_the_python_they_were_made_from(self):
        stack = f'  File "{self.folder}/train.py", line 2, in step\\n    y = x[:, 0]'
        for text, known in (("y = x[:, 0]", True), ("y = x[:, 1]", False)):
            (self.folder / "train.py").write_text(f"def step(x):\n    {text}\n")
            told = self.told_text("", before=f"agent.hand_over('spread.cu', '{TEXT}', stack='{stack}')")
            self.assertEqual("made from train.py:2 in step: y = x[:, 0]\n" in told, known, told)

    def test_are_not_kept_where_that_is_asked_for(self):
        text = self.told_text(", record_sources=False", before=f"agent.hand_over('spread.cu', '{TEXT}')")
        self.assertNotIn("handed_over_line", text)

    def test_of_jit_functions_are_in_the_recording_at_the_end(self):
        write_modules(self.folder)
        self.host("coalcheck.enable(recording='run.rec', no_report=True)\nimport sys\nsys.path.insert(0, '.')\n"
                  "import kernels\ncuda.launch()")
        records = [json.loads(line) for line in (self.folder / "run.rec" / "records.jsonl").read_text().splitlines()]
        texts = [one["text"] for one in records if one["record"] == "source"]
        self.assertEqual(sorted(text.splitlines()[1] for text in texts), ["def with_numba(x):", "def with_triton(x):"])


if __name__ == "__main__":
    sys.exit(unittest.main())
