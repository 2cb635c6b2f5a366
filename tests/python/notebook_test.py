# SPDX-License-Identifier: Apache-2.0
#
# The magic %%coalcheck in a real IPython kernel, over a recording whose range is named as the cell is.
"""Run by ctest: notebook_test.py Class.test_name."""

import json
import pathlib
import tempfile
import unittest

from installed import PYTHON, InstalledTest, run
from plugin_test import recording_of

# Runs the cells it reads in a kernel, and writes what each printed and showed. The first is the second that the kernel
# counts.
DRIVER = """
import json, queue, sys
from jupyter_client.manager import start_new_kernel
manager, client = start_new_kernel()
outputs = []
for cell in json.load(sys.stdin):
    told = {"text": "", "html": "", "error": ""}
    def hook(message):
        content = message["content"]
        told["text"] += content.get("text", "")
        told["html"] += content.get("data", {}).get("text/html", "")
        told["error"] += content.get("evalue", "")
    client.execute_interactive(cell, output_hook=hook, timeout=60)
    outputs.append(told)
client.stop_channels()
manager.shutdown_kernel(now=True)
print(json.dumps(outputs))
"""
COMPILED = "/tmp/coalcheck/samples/nvtx_ranges/nvtx_ranges.cu"  # as the recording's line table has it
CELL = "%%coalcheck {options}\n" + "\n" * 27 + """name = "line 29"
import sys
print("on line", sys._getframe().f_lineno)
"""


def run_cells(folder, *cells, **variables):
    """What each cell printed and showed in a kernel that has nothing of this user's."""
    done = run(PYTHON, "-c", DRIVER, input=json.dumps(cells), cwd=folder,
               env={"IPYTHONDIR": str(folder / "ipython"), "JUPYTER_RUNTIME_DIR": str(folder), **variables})
    return json.loads(done.stdout.splitlines()[-1])


class PythonNotebook(InstalledTest):
    def setUp(self):
        super().setUp()
        scratch = tempfile.TemporaryDirectory(prefix="coalcheck-notebook-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def cells(self, *cells, **more):
        return run_cells(self.folder, *cells, **more)

    def replay(self, cell):
        recording = recording_of(self.folder / "run", ["In[4]"])
        source = {"record": "source", "file": COMPILED, "first_line": 1, "text": cell, "shown_as": "In[4]"}
        with (recording / "records.jsonl").open("a") as records:
            records.write(json.dumps(source) + "\n")
        patch = f"import coalcheck._agent\ncoalcheck._agent.recording = lambda: {str(recording)!r}"
        loaded, _, checked = self.cells("%load_ext coalcheck", patch, cell)
        self.assertEqual((loaded["error"], loaded["text"]), ("", ""))
        self.assertEqual(checked["error"], "", checked)
        return checked

    def test_shows_the_page_of_the_cells_own_launches(self):
        page = self.replay(CELL.format(options=""))["html"]
        self.assertIn("In[4]", page)
        self.assertIn("copy_inside", page)
        self.assertNotIn("copy_outside", page)

    def test_names_lines_as_the_notebook_shows_them_with_their_source(self):
        checked = self.replay(CELL.format(options=""))
        self.assertEqual(checked["text"], "on line 31\n")
        self.assertRegex(checked["html"], r"In\[4\]:29\b")
        self.assertIn("line 29", checked["html"])

    def test_passes_options_on_to_the_report(self):
        page = self.replay(CELL.format(options="--kernel copy_coalesced"))["html"]
        self.assertNotIn("copy_inside", page)

    def test_runs_the_cell_in_the_notebooks_own_names(self):
        *_, seen = self.cells("%load_ext coalcheck", "%%coalcheck\nvalue = 6\nprint(value * 7)", "print(value)")
        self.assertEqual(seen["text"], "6\n")

    def test_says_what_is_missing_where_nothing_was_launched(self):
        _, checked = self.cells("%load_ext coalcheck", "%%coalcheck\nprint('ran')")
        self.assertEqual(checked["error"], "")
        self.assertRegex(checked["text"], r"ran\ncoalcheck: CUDA has not started in this process")

    def test_reports_nothing_of_a_cell_that_failed(self):
        _, checked = self.cells("%load_ext coalcheck", "%%coalcheck\n1 / 0")
        self.assertIn("division by zero", checked["error"] + checked["text"])
        self.assertNotIn("coalcheck: ", checked["text"])

    def test_refuses_words_that_are_no_options(self):
        for line, said in (("transpose", "transpose: "), ("--kernal x", 'unknown option "--kernal"')):
            checked = self.replay(f"%%coalcheck {line}\npass")
            self.setUp()
            self.assertIn(said, checked["text"])
            self.assertIn("%%coalcheck takes the options of coalcheck report", checked["text"])

    def test_says_that_cuda_runs_already(self):
        driver = ("int cuDeviceGetCount(int* count) { *count = 1; return 0; }\n")
        (self.folder / "driver.c").write_text(driver)
        run("g++", "-x", "c", "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "-o", self.folder / "libcuda.so.1",
            self.folder / "driver.c")
        _, loaded = self.cells("import ctypes; driver = ctypes.CDLL('libcuda.so.1')", "%load_ext coalcheck",
                               LD_LIBRARY_PATH=str(self.folder))
        self.assertRegex(loaded["text"], "coalcheck: CUDA has started in this process.*restart the kernel")


if __name__ == "__main__":
    unittest.main()
