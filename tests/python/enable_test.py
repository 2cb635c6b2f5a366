# SPDX-License-Identifier: Apache-2.0
#
# Watching from inside a program, without a GPU: what is set, what is refused, and the library's own functions. Where
# CUDA has to be there a library of a few lines stands in for the driver.
"""Run by ctest: enable_test.py Class.test_name."""

import pathlib
import shutil
import tempfile
import unittest

from installed import BUILD, VENV, InstalledTest, python, run

# 3 is CUDA_ERROR_NOT_INITIALIZED.
DRIVER = ("static int started; int cuInit(unsigned flags) { started = 1; return 0; }\n"
          "int cuDeviceGetCount(int* count) { *count = 1; return started ? 0 : 3; }\n")
# As drivers do, it loads the library that the variable names; it lacks most of what the library asks for.
OLD_DRIVER = """
#include <dlfcn.h>
#include <stdlib.h>
static int started;
int cuInit(unsigned flags) {
  int (*initialize)(void) = (int (*)(void))dlsym(dlopen(getenv("CUDA_INJECTION64_PATH"), RTLD_NOW), "InitializeInjection");
  started = initialize();
  return 0;
}
int cuDeviceGetCount(int* count) { *count = 1; return started ? 0 : 3; }
"""
SHOW = "\nimport os\nprint(*[os.environ.get(name) for name in {names!r}], sep='\\n')"
VARIABLES = ("CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH", "COALCHECK_OPTIONS")
LOAD = "import coalcheck, ctypes\ndriver = ctypes.CDLL('libcuda.so.1')\n"


class PythonEnable(InstalledTest):
    def setUp(self):
        super().setUp()
        (self.library,) = map(str, VENV.glob("lib/python3*/site-packages/coalcheck/lib/libcoalcheck.so"))

    def shown(self, code, **more):
        return python("import coalcheck\n" + code + SHOW.format(names=VARIABLES), **more)

    def test_sets_what_coalcheck_run_sets(self):
        done = self.shown("coalcheck.enable(sampling='every:10', kernel=['a b', 'c'], profile_from_start=False, "
                          "no_report=True, recording=None)")
        self.assertEqual(done.stdout.splitlines(), [
            self.library, self.library,
            "--sampling=every:10 '--kernel=a b' --kernel=c --profile-from-start=off --no-report"])
        self.assertEqual(done.stderr, "")

    def test_keeps_the_options_of_the_variable(self):
        done = self.shown("coalcheck.enable(sampling='all')", env={"COALCHECK_OPTIONS": "--cost auto"})
        self.assertEqual(done.stdout.splitlines()[2], "--cost auto --sampling=all")

    def test_refuses_options_in_the_commands_words(self):
        for options, words in (("sampling='some'", "'some' is not a kind of sampling; use auto, first, all or every:N"),
                               ("sampeling='all'", "--sampeling")):
            done = self.shown(f"coalcheck.enable({options})", check=False)
            self.assertIn("ValueError: ", done.stderr)
            self.assertIn(words, done.stderr)

    def test_twice_with_other_options_is_a_warning(self):
        done = self.shown("coalcheck.enable(sampling='all')\ncoalcheck.enable(sampling='all')\n"
                          "coalcheck.enable(sampling='first')")
        self.assertEqual(done.stdout.splitlines()[2], "--sampling=all")
        self.assertEqual(done.stderr.count("RuntimeWarning"), 1, done.stderr)
        self.assertIn("enable() was called before, with other options: its options hold, and --sampling=first does "
                      "nothing", done.stderr)

    def test_under_coalcheck_run_changes_nothing(self):
        done = self.shown("coalcheck.enable()", env={"CUDA_INJECTION64_PATH": self.library})
        self.assertEqual(done.stdout.splitlines(), [self.library, "None", "None"])
        self.assertEqual(done.stderr, "")

    def test_replaces_another_tool_and_says_so(self):
        done = self.shown("coalcheck.enable()", env={"CUDA_INJECTION64_PATH": "/opt/nsys/libToolsInjection64.so"})
        self.assertEqual(done.stdout.splitlines()[0], self.library)
        self.assertIn("CUDA_INJECTION64_PATH was /opt/nsys/libToolsInjection64.so", done.stderr)

    def test_says_where_there_is_no_library(self):
        lonely = BUILD / "lonely"
        lonely.mkdir(exist_ok=True)
        shutil.copy(VENV.parent.parent / "bin" / "coalcheck", lonely)
        done = self.shown("coalcheck.enable()", check=False, env={"COALCHECK_COMMAND": str(lonely / "coalcheck")})
        self.assertIn("NotInstalled: libcoalcheck.so is neither beside", done.stderr)


class PythonCupti(InstalledTest):
    """NVIDIA's wheels as pip lays them out, in a folder where modules are looked for."""

    def after_enabling(self, *folders, **variables):
        scratch = tempfile.TemporaryDirectory(prefix="coalcheck-wheels-")
        self.addCleanup(scratch.cleanup)
        for folder, name in folders:
            (pathlib.Path(scratch.name) / folder).mkdir(parents=True)
            (pathlib.Path(scratch.name) / folder / name).touch()
        done = python("import coalcheck, os\ncoalcheck.enable()\nprint(os.environ.get('COALCHECK_CUPTI_PATH'))",
                      env={"PYTHONPATH": scratch.name, **variables})
        return done.stdout.strip().replace(scratch.name, "WHEELS"), done.stderr.replace(scratch.name, "WHEELS")

    def test_out_of_a_wheel_is_named_for_the_library(self):
        self.assertEqual(self.after_enabling(("nvidia/cu13/lib", "libcupti.so.13")), ("WHEELS/nvidia/cu13/lib", ""))

    def test_that_the_user_names_stays(self):
        named = self.after_enabling(("nvidia/cu13/lib", "libcupti.so.13"), COALCHECK_CUPTI_PATH="/opt/cupti")
        self.assertEqual(named, ("/opt/cupti", ""))

    def test_of_two_wheels_is_said(self):
        named, said = self.after_enabling(("nvidia/cuda_cupti/lib", "libcupti.so.12"), ("nvidia/cu13/lib", "libcupti.so.13"))
        self.assertEqual(named, "WHEELS/nvidia/cu13/lib")
        self.assertIn("two wheels of CUPTI are installed; WHEELS/nvidia/cu13/lib is used unless another is loaded", said)

    def test_that_is_not_installed_is_not_named(self):
        self.assertEqual(self.after_enabling(("nvidia/cu13/lib", "libcudart.so.13")), ("None", ""))


class PythonDriver(InstalledTest):
    """With a driver in the process."""

    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory(prefix="coalcheck-driver-")  # tests run side by side
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.env = {"LD_LIBRARY_PATH": str(self.folder)}
        self.make(DRIVER)

    def make(self, driver):
        (self.folder / "driver.c").write_text(driver)
        run("g++", "-x", "c", "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "-o", self.folder / "libcuda.so.1",
            self.folder / "driver.c", "-ldl")

    def test_that_is_loaded_may_still_be_watched(self):
        python(LOAD + "coalcheck.enable()", env=self.env)

    def test_that_has_started_is_too_late(self):
        done = python(LOAD + "driver.cuInit(0)\ncoalcheck.enable()", check=False, env=self.env)
        self.assertIn("coalcheck.errors.CudaHasStarted: CUDA has started in this process", done.stderr)
        self.assertIn("restart the kernel", done.stderr)

    def test_that_is_too_old_is_said_and_the_program_goes_on(self):
        self.make(OLD_DRIVER)
        done = python(LOAD + "coalcheck.enable()\ndriver.cuInit(0)\ntry: coalcheck.report()\n"
                      "except coalcheck.NothingRecorded as error: print(error)\nprint('went on')", env=self.env)
        self.assertIn("coalcheck: nothing will be checked: this driver is too old: CUDA 11.3 or later is needed", done.stderr)
        self.assertRegex(done.stdout, "coalcheck said on stderr why it checks nothing\nwent on\n$")

    def test_that_has_started_unwatched_has_no_report(self):
        done = python(LOAD + "driver.cuInit(0)\ncoalcheck.report()", check=False, env=self.env)
        self.assertIn("NothingRecorded: coalcheck is not in this process: call coalcheck.enable() before", done.stderr)


class PythonAgent(InstalledTest):
    """The library's functions, called before CUDA starts and where the library is not."""

    def test_does_nothing_where_it_is_not(self):
        done = python("import coalcheck\ncoalcheck.start(); coalcheck.stop(); coalcheck.flush()\n"
                      "with coalcheck.range('a'): print('inside')")
        self.assertEqual((done.stdout, done.stderr), ("inside\n", ""))

    def test_report_says_what_is_missing(self):
        done = python("import coalcheck\ncoalcheck.report()", check=False)
        self.assertIn("NothingRecorded: coalcheck is not in this process", done.stderr)
        done = python("import coalcheck\ncoalcheck.enable()\ncoalcheck.start()\ncoalcheck.report()", check=False)
        self.assertIn("NothingRecorded: CUDA has not started in this process", done.stderr)

    def test_ranges_reach_the_library_in_pairs(self):
        told = python("""
import coalcheck, coalcheck._agent as agent
calls = []
agent._known.update(push=calls.append, pop=lambda: calls.append('pop'))
@coalcheck.range('each')
def step():
    with coalcheck.range('inner'):
        raise KeyError
for _ in range(2):
    try: step()
    except KeyError: pass
print(calls)""").stdout
        self.assertEqual(eval(told), 2 * [b"each", b"inner", "pop", "pop"])

    def test_calls_the_real_library_once_enabled(self):
        done = python("""
import coalcheck, coalcheck._agent as agent
assert agent.function('push') is None
coalcheck.enable()
with coalcheck.range('a'): coalcheck.stop(); coalcheck.start(); coalcheck.flush()
assert agent.function('push') is not None
print(agent.recording())""")
        self.assertEqual((done.stdout, done.stderr), ("None\n", ""))

    def test_ranges_are_selected_by_their_very_name(self):
        told = python("import coalcheck._agent as agent\nprint(agent.literally('tests/a.py::test_b[c,d]*'))").stdout
        self.assertEqual(told, "coalcheck@tests\\/a.py::test_b\\[c\\,d\\]\\*\n")


if __name__ == "__main__":
    unittest.main()
