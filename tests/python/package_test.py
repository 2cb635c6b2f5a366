# SPDX-License-Identifier: Apache-2.0
#
# The package over recordings: reports, their types, and what importing it costs.
"""Run by ctest: package_test.py Class.test_name."""

import json
import os
import unittest

from installed import PYTHON, RECORDINGS, ROOT, VENV, InstalledTest, python, run

READ = "import coalcheck\nreport = coalcheck.read({path!r}, config='none')\n"


class PythonReport(InstalledTest):
    def after_reading(self, name, code):
        return json.loads(python("import json\n" + READ.format(path=str(RECORDINGS / name)) + code).stdout)

    def test_says_what_the_command_says(self):
        for name in ("transpose_naive", "mixed", "coalesced_copy"):
            told = self.after_reading(name, "print(json.dumps([report.exit_code, str(report), report._data]))")
            for form, said in (("text", told[1]), ("json", told[2])):
                done = run(VENV / "bin" / "coalcheck", "report", "--config", "none", "--format", form, RECORDINGS / name,
                           check=False)
                self.assertEqual(done.returncode, told[0])
                self.assertEqual(done.stdout if form == "text" else json.loads(done.stdout), said)

    def test_gives_findings_as_objects(self):
        told = self.after_reading("transpose_naive", """
(finding,) = report.findings
print(json.dumps([type(finding).__name__, finding.kernel, finding.line, finding.kind, finding.wasted_share_percent,
                  finding.excuse, [one.class_ for one in finding.patterns], finding.per_request.sectors,
                  report.data.verdict.outcome, finding.to_dict()["line"]]))""")
        self.assertEqual(told, ["Access", "transpose_naive(float const*, float*, int, int)", 17, "store", 87.5, None,
                                told[6], 32.0, "findings", 17])
        self.assertTrue(told[6][0].startswith("strided"), told[6])

    def test_takes_the_commands_options_as_keywords(self):
        clean = self.after_reading("transpose_naive", """
more = coalcheck.read(*[%r], config="none", max_wasted_share=90, scope="all", exit_zero=False)
zero = coalcheck.read(%r, config="none", exit_zero=True)
print(json.dumps([more.exit_code, len(more.findings), zero.exit_code, len(zero.findings)]))"""
                                   % ((str(RECORDINGS / "transpose_naive"),) * 2))
        self.assertEqual(clean, [0, 0, 0, 1])

    def test_predicts_from_compiled_code(self):
        (cubin,) = map(str, (RECORDINGS / "aos_soa" / "cubins").glob("*.cubin"))
        told = json.loads(python(f"""
import coalcheck, json
report = coalcheck.predict({cubin!r}, config="none")
print(json.dumps([report.exit_code, [[one.line, one.kind, one.predicted] for one in report.findings][:2]]))""").stdout)
        self.assertEqual(told, [1, [[21, "load", "wasteful"], [21, "store", "wasteful"]]])

    def test_shows_the_page_in_a_frame_of_its_own(self):
        page = self.after_reading("mixed", "print(json.dumps(report._repr_html_()))")
        self.assertRegex(page, r'^<iframe [^>]*srcdoc="&lt;!DOCTYPE html&gt;')
        self.assertTrue(page.endswith('"></iframe>'))
        self.assertEqual(page.count('"'), 2 * page.partition("srcdoc")[0].count('="') + 2, "the page ends the attribute")

    def test_becomes_a_data_frame_where_pandas_is(self):
        if python("import pandas", check=False).returncode != 0:
            self.skipTest("pandas is not installed in .toolchain/python")
        told = self.after_reading("mixed", """
frame = report.to_dataframe()
print(json.dumps([len(frame), int(frame.finding.sum()), len(report.findings)]))""")
        self.assertEqual(told[0], 30)
        self.assertEqual(told[1], told[2])

    def test_raises_in_the_commands_words(self):
        for call, words in (("read('/nowhere')", "/nowhere"), ("read('x', scope='none')", "takes user or all, not 'none'"),
                            ("read('x', scoop='all')", "--scoop")):
            done = python(f"import coalcheck\ncoalcheck.{call}", check=False)
            self.assertIn("coalcheck.errors.CommandFailed: ", done.stderr)
            self.assertIn(words, done.stderr)


def mypy(*words):
    # mypy 2's own parser reads files in threads, which now and then end it with an internal error; Python's reads one
    # file at a time. Two tests at once lock each other out of one cache, which is opened even where nothing is kept in it.
    return run(PYTHON, "-m", "mypy", "--strict", "--no-incremental", f"--cache-dir={os.devnull}", "--no-native-parser",
               "--show-traceback", *words, check=False, cwd=VENV)


class PythonTypes(InstalledTest):
    def test_pass_mypy_in_strict_mode(self):
        done = mypy("--config-file", ROOT / "pyproject.toml", "-p", "coalcheck")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_are_there_for_a_users_program(self):
        uses = "import coalcheck\nfor one in coalcheck.read('a').findings:\n    reveal_type(one.line)\n    one.lin\n"
        done = mypy("-c", uses)
        self.assertIn('Revealed type is "int | None"', done.stdout.replace("builtins.", "").replace("Union[int, None]",
                                                                                                    "int | None"))
        self.assertIn('"Access" has no attribute "lin"', done.stdout)

    def test_have_every_key_of_the_schema(self):
        made = python("import coalcheck.report_types as types, json\n"
                      "print(json.dumps({name: sorted(one.__annotations__) for name, one in vars(types).items()"
                      " if isinstance(one, type) and name != 'Record'}))").stdout
        schema = json.loads((ROOT / "docs" / "report.schema.json").read_text())
        self.assertEqual(json.loads(made)["ReportObject"], sorted(schema["properties"]))
        access = schema["properties"]["accesses"]["items"]["properties"]
        self.assertEqual(json.loads(made)["Access"], sorted(access))
        self.assertEqual(json.loads(made)["AccessEstimate"], sorted(access["estimate"]["properties"]))


class PythonImport(InstalledTest):
    def test_brings_nothing_that_takes_time(self):
        loaded = python("import sys, coalcheck\nprint(*sys.modules)").stdout.split()
        heavy = {"numpy", "pandas", "cupy", "torch", "ctypes", "subprocess", "typing", "pathlib", "json"}
        self.assertFalse(heavy & set(loaded) - set(python("import sys\nprint(*sys.modules)").stdout.split()))

    def test_takes_less_than_50_milliseconds(self):
        timed = "import time\nbegin = time.process_time()\nimport coalcheck\nprint(time.process_time() - begin)"
        self.assertLess(min(float(python(timed).stdout) for _ in range(5)), 0.05)

    def test_names_all_that_it_offers(self):
        python("import coalcheck\nfor name in coalcheck.__all__: assert getattr(coalcheck, name).__doc__, name")
        done = python("import coalcheck\ncoalcheck.reports", check=False)
        self.assertIn("module 'coalcheck' has no attribute 'reports'", done.stderr)


if __name__ == "__main__":
    unittest.main()
