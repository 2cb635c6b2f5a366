# SPDX-License-Identifier: Apache-2.0
"""The magic %%coalcheck: the report on what one notebook cell launches, in lines of cells."""

from __future__ import annotations

import shlex
from typing import Any

from coalcheck import _agent
from coalcheck._enable import enable
from coalcheck._report import Report, make_own
from coalcheck.errors import CommandFailed, Error

_USAGE = "%%coalcheck takes the options of coalcheck report, as in: %%coalcheck --kernel transpose"


def load(shell: Any) -> None:
    """Watches the kernel from now on, and adds the magic. Only the cells that ask for it are counted."""
    shell.register_magic_function(lambda line, cell: _check_cell(shell, line, cell), "cell", "coalcheck")
    try:
        enable(sampling="all", profile_from_start=False, no_report=True)
    except Error as error:
        print(f"coalcheck: {error}")


def _check_cell(shell: Any, line: str, cell: str) -> Report | None:
    name = f"In[{shell.execution_count}]"
    _agent.start()
    try:
        with _agent.range(name):
            # The magic's own line stays a line, so that lines count as they are seen.
            done = shell.run_cell(f"# %%coalcheck {line}\n{cell}", store_history=False)
    finally:
        _agent.stop()
    if not done.success:
        return None  # its own error has been shown
    try:
        made = make_own([f"--nvtx-include={_agent.literally(name)}", *shlex.split(line)])
        for note in made.notes:
            print(note)
        return made
    except CommandFailed as error:
        print(f"{error}\n{_USAGE}")
    except Error as error:
        print(f"coalcheck: {error}")
    return None
