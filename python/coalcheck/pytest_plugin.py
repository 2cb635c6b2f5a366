# SPDX-License-Identifier: Apache-2.0
"""pytest --coalcheck: each test's launches are its range, and a marked test fails for its findings.

    @pytest.mark.coalesced(max_wasted_share=10, kernel="transpose")
    def test_transpose(): …
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

_MARK = ("coalesced(**options): with --coalcheck, what this test launches has no finding. The keywords are options of "
         "coalcheck report: max_wasted_share=10, kernel=\"…\", scope=\"…\"")
# Tests are short: every launch inside a test is counted, and no launch between tests.
_DEFAULTS = ("--sampling=all", "--profile-from-start=off")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("coalcheck", "wasted memory sectors of GPU kernels (coalcheck)")
    group.addoption("--coalcheck", action="store_true",
                    help="watch what tests launch; tests marked coalesced fail for findings")
    group.addoption("--coalcheck-options", metavar="WORDS", default="",
                    help="further options of 'coalcheck run', as one word: --coalcheck-options='--sampling first'")
    group.addoption("--coalcheck-baseline", metavar="FILE",
                    help="findings that are known ('coalcheck baseline write' makes it)")
    group.addoption("--coalcheck-recording", metavar="FOLDER",
                    help="where the recordings are kept, one for each worker (default: .pytest_cache/coalcheck)")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", _MARK)
    plugin = Watching(config) if config.getoption("coalcheck") else NotWatching()
    config.pluginmanager.register(plugin, "coalcheck-session")


class NotWatching:
    """Prints which tests were not checked."""

    _unchecked = 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and "coalesced" in report.keywords:
            self._unchecked += 1

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self._unchecked:
            terminalreporter.line(f"coalcheck: not checked: {self._unchecked} marked coalesced (--coalcheck checks them)")


class Watching:
    """The hooks that --coalcheck adds, in the controller and in each worker."""

    def __init__(self, config: pytest.Config) -> None:
        self._worker: str | None = getattr(config, "workerinput", {}).get("workerid")
        named = config.getoption("coalcheck_recording")
        self._folder = Path(named or config.rootpath / ".pytest_cache" / "coalcheck").absolute()
        baseline = config.getoption("coalcheck_baseline")
        self._judge = [f"--baseline={Path(baseline).absolute()}"] if baseline else []
        self._unavailable = unavailable()
        if self._worker is None:
            self._remove_old_recordings()
        if self._worker is not None or not getattr(config.option, "numprocesses", None):
            self._enable(config.getoption("coalcheck_options"))

    def _remove_old_recordings(self) -> None:
        import shutil

        for old in self._folder.glob("worker-*"):
            shutil.rmtree(old)

    def _enable(self, words: str) -> None:
        import coalcheck
        from coalcheck import _options

        folder = str(self._folder / f"worker-{self._worker or 'main'}").replace("%", "%%")
        try:
            _options.refuse_wrong(shlex.split(words))
            if "CUDA_INJECTION64_PATH" not in os.environ:
                before = os.environ.get("COALCHECK_OPTIONS", "")
                os.environ["COALCHECK_OPTIONS"] = " ".join([*_DEFAULTS, before, words])
            coalcheck.enable(recording=folder, no_report=True)
        except (coalcheck.Error, ValueError) as error:
            raise pytest.UsageError(f"--coalcheck: {error}") from None

    def pytest_report_header(self) -> str:
        if self._unavailable:
            return f"coalcheck: tests marked coalesced are skipped: {self._unavailable}"
        return f"coalcheck: recordings in {self._folder}"

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if self._unavailable and item.get_closest_marker("coalesced"):
            pytest.skip(f"coalcheck: {self._unavailable}")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        import coalcheck

        coalcheck.start()
        try:
            with coalcheck.range(item.nodeid):
                result = yield
        finally:
            coalcheck.stop()
        mark = item.get_closest_marker("coalesced")
        if mark is not None:
            self._check(item, mark)
        return result

    def _check(self, item: pytest.Item, mark: pytest.Mark) -> None:
        from coalcheck import Error, _agent, _options, _report

        try:
            words = [*self._judge, f"--nvtx-include={_agent.literally(item.nodeid)}", *_options.words(mark.kwargs)]
            report = _report.make_own(words)
        except Error as error:
            pytest.fail(f"coalcheck: {error}", pytrace=False)
        summary = report.data.summary
        item.user_properties += [("coalcheck_findings", summary.findings),
                                 ("coalcheck_launches_checked", summary.launches_checked),
                                 ("coalcheck_wasted_sectors", summary.wasted_sectors)]
        if report.exit_code != 0:
            pytest.fail("\n".join([str(report).rstrip(), *report.notes]), pytrace=False)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self._worker is None:
            terminalreporter.section("coalcheck")
            for line in self._summary():
                terminalreporter.line(line)

    def _summary(self) -> list[str]:
        from coalcheck import Error, _agent, _report

        if self._unavailable:
            return [f"nothing was watched: {self._unavailable}"]
        _agent.flush()
        folder = self._folder if any(self._folder.glob("worker-*")) else _agent.recording()
        if folder is None:
            return ["nothing was recorded: no test launched anything on a GPU"]
        try:
            report = _report.make([folder], [*self._judge, "--verbosity=quiet"])
        except Error as error:
            return [str(error)]
        return [*str(report).splitlines(), f"test by test: coalcheck report --group-by range {shlex.quote(str(folder))}"]


def unavailable() -> str | None:
    """Why nothing can be counted on this machine, in the doctor's words; None where it can."""
    import json

    from coalcheck._command import call

    _, text, _ = call(["doctor", "--no-self-test", "--format=json"], accepted=(0, 4))
    found = json.loads(text)
    return None if found["works"] else str(found["summary"])
