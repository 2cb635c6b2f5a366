# SPDX-License-Identifier: Apache-2.0
"""Reports of `coalcheck report`, in the forms that users of Python need."""

from __future__ import annotations

import html
import json
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coalcheck import _agent, _cuda, _options
from coalcheck._command import call
from coalcheck._enable import FORKED
from coalcheck.errors import NothingRecorded

if TYPE_CHECKING:
    import pandas

    from coalcheck.report_types import Access, ReportObject


class Report:
    """One report. str() is the text, and a notebook shows the page; nothing in it changes any more."""

    def __init__(self, exit_code: int, notes: list[str], text: str, page: str, data: dict[str, Any]) -> None:
        self.exit_code = exit_code
        """0 clean, 1 findings, 3 nothing was checked, 4 not all could be collected or judged."""
        self.notes = notes
        """Messages of the command beside the report, as about options without effect."""
        self._text, self._page, self._data = text, page, data

    @property
    def data(self) -> ReportObject:
        """The whole JSON report."""
        from coalcheck.report_types import ReportObject

        return ReportObject(self._data)

    @property
    def findings(self) -> list[Access]:
        """The accesses that waste too much, the most wasteful first."""
        return [access for access in self.data.accesses if access.finding]

    def to_dataframe(self) -> pandas.DataFrame:
        """A row for each access, finding or not, with the keys that have a single value. Needs pandas."""
        import pandas

        rows = [{name: value for name, value in access.items() if not isinstance(value, (list, dict))}
                for access in self._data["accesses"]]
        frame: pandas.DataFrame = pandas.DataFrame(rows)
        return frame

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<coalcheck.Report: {self._data['verdict']['outcome']}, {len(self.findings)} findings>"

    def _repr_html_(self) -> str:
        # In a frame of its own: the page's style is not the notebook's.
        return (f'<iframe title="coalcheck" sandbox="allow-scripts" style="width:100%;height:40em;border:0" '
                f'srcdoc="{html.escape(self._page)}"></iframe>')


def read(*recordings: str | os.PathLike[str], **options: _options.Values) -> Report:
    """The report on recordings, or folders of them. The keywords are options of `coalcheck report`.

    Raises CommandFailed, in the command's words, where they cannot be read or an option does not exist.
    """
    return make(recordings, _options.words(options))


def predict(*files: str | os.PathLike[str], **options: _options.Values) -> Report:
    """What programs, libraries and cubins will waste, without running them. The keywords are options of
    `coalcheck predict`, and each access says in `predicted` which word it has.

    Raises CommandFailed, in the command's words, where they cannot be read or an option does not exist.
    """
    return make(files, _options.words(options), "predict")


def make(files: Iterable[str | os.PathLike[str]], words: Iterable[str], command: str = "report") -> Report:
    """The report of a command on its files, with the options of that command."""
    with tempfile.TemporaryDirectory(prefix="coalcheck-") as folder:
        written = {form: Path(folder, form) for form in ("json", "text", "html")}
        forms = [f"--format={form}={file}" for form, file in written.items()]
        # A word that begins with - would be an option.
        names = [os.fspath(file) for file in files]
        names = [f"./{name}" if name.startswith("-") else name for name in names]
        exit_code, _, notes = call([command, *names, "--color=never", *forms, *words])
        text, page = (written[form].read_text("utf-8") for form in ("text", "html"))
        return Report(exit_code, notes.splitlines(), text, page, json.loads(written["json"].read_text("utf-8")))


def report(**options: _options.Values) -> Report:
    """The report on what this process has launched so far. The keywords are options of `coalcheck report`.

    Raises NothingRecorded where there is nothing yet, and says why.
    """
    return make_own(_options.words(options))


def make_own(words: Iterable[str]) -> Report:
    """The report on what this process has launched so far, with the command's own options."""
    _agent.flush()
    folder = _agent.recording()
    if folder is None:
        raise NothingRecorded(_why_nothing())
    return make([folder], words)


def _why_nothing() -> str:
    if _cuda.forked_too_late:
        return FORKED
    if os.path.basename(os.environ.get("CUDA_INJECTION64_PATH", "")) != "libcoalcheck.so":
        return "coalcheck is not in this process: call coalcheck.enable() before CUDA starts, or run it under coalcheck"
    if not _cuda.has_started():
        return "CUDA has not started in this process, so nothing was launched"
    return "nothing was recorded: no CUDA context was made here, or coalcheck said on stderr why it checks nothing"
