# SPDX-License-Identifier: Apache-2.0
#
# Short texts of PTX that once took minutes or filled the memory.
"""Run by ctest: work_test.py Work.test_name."""

import os
import pathlib
import resource
import subprocess
import sys
import unittest

import gate_test
import launched

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "bench"))
import hostile_ptx  # noqa: E402


class Work(gate_test.Gate):
    def predict(self, name, size, *words):
        """(CPU seconds, megabytes) of a prediction for the text of that name."""
        text = self.project / "hostile.ptx"
        hostile_ptx.write(name, text, size)
        return self.seconds_and_megabytes(text, *words)

    def seconds_and_megabytes(self, text, *words):
        # What AddressSanitizer keeps of freed memory, nobody else holds.
        environment = dict(self.environment, ASAN_OPTIONS=f"{self.environment.get('ASAN_OPTIONS', '')}:quarantine_size_mb=0")
        with open(os.devnull, "wb") as nowhere:
            process = subprocess.Popen([launched.COALCHECK, "predict", *words, str(text)], stdout=nowhere, stderr=nowhere, env=environment,
                                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (100, 100)))
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertIn(process.returncode, range(5))
        return usage.ru_utime, usage.ru_maxrss / 1024

    def grows(self, name, size):
        """By how much the seconds grow with three times the text; nine where the work is quadratic.
        What other processes take from the caches only adds to a measure, so the lesser of two counts."""
        few, many = (min(self.predict(name, each * size)[0] for _ in range(2)) for each in (1, 3))
        return many / max(few, 0.05)

    def test_calls_copy_no_table_and_no_vector_without_end(self):
        for name in ("calls of a jump through a table", "calls of an instruction with many vectors"):
            seconds, megabytes = self.predict(name, 20_000)
            self.assertLess(seconds, 10, name)
            self.assertLess(megabytes, 1000, name)  # they took 4000

    def test_a_call_costs_nothing_for_each_variable_of_what_it_calls(self):
        seconds, _ = self.predict("calls of a function with many variables", 800_000)
        self.assertLess(seconds, 20)  # more than 97 before

    def test_copies_of_a_modules_variables_are_charged(self):
        seconds, _ = self.predict("calls in a module with many variables", 120_000)
        self.assertLess(seconds, 20)

    def test_moves_in_a_loop_are_followed_in_time(self):
        seconds, _ = self.predict("moves of carried values in a loop", 20_000, "--launch", "k0: grid=1000 block=256")
        self.assertLess(seconds, 10)  # 28 before

    def test_no_change_of_a_kernel_with_very_many_accesses_is_tried(self):
        arrays = 400
        text = self.project / "arrays.ptx"
        text.write_text(hostile_ptx.HEADER + ".visible .entry k(" + "".join(f".param .u64 a{i}, " for i in range(arrays)) +
                        ".param .u32 n)\n{\n.reg .b32 %r<9>; .reg .b64 %rd<9>, %a<999>;\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 12;\n" +
                        "".join(f"ld.param.u64 %rd1, [a{i}];\nadd.s64 %a{i}, %rd1, %rd2;\n" for i in range(arrays)) +
                        "".join(f"ld.global.u32 %r7, [%a{i % arrays}+{4 + 4 * (i // arrays)}];\n" for i in range(20_000)) + "ret;\n}\n")
        seconds, _ = self.seconds_and_megabytes(text, "--launch", "k: grid=1 block=32 n=4099", "--format", "json")
        self.assertLess(seconds, 35)  # 40 before in a release build, 2.4 since; AddressSanitizer takes seven times as long

    def test_requests_are_charged(self):
        seconds, _ = self.predict("kernels that call a function of many loads", 95_000)
        self.assertLess(seconds, 20)

    def test_the_work_for_dominators_loops_and_jumps_grows_with_the_text(self):
        self.assertLess(self.grows("blocks with distant dominators", 1_000_000), 5.5)  # 8 before
        self.assertLess(self.grows("branches into nested loops", 150_000), 3.5)  # 5 before, when it came to a bound of its own
        self.assertLess(self.grows("jumps to as many places", 300_000), 5.5)  # 7 before

    def test_where_no_memory_is_left_the_command_says_so(self):
        text = self.project / "hostile.ptx"
        hostile_ptx.write("structures of pointers", text, 300_000)
        codes = {self.code_within(megabytes, text) for megabytes in range(24, 40)}
        self.assertIn(5, codes)
        self.assertLessEqual(codes, {0, 5})  # at some of these a destructor aborted

    def code_within(self, megabytes, text):
        most = megabytes << 20
        done = subprocess.run([launched.COALCHECK, "predict", "--format", "sarif", str(text)], capture_output=True, text=True,
                              env=self.environment, check=False, timeout=launched.DEADLINE,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most)))
        if done.returncode == 5:
            self.assertIn("no memory is where it was looked for", done.stderr)
        return done.returncode


if __name__ == "__main__":
    sys.exit(unittest.main())
