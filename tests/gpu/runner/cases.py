# SPDX-License-Identifier: Apache-2.0
"""The tables of cases (cases.toml beside the programs) as values, checked for spelling mistakes."""
import dataclasses
import fnmatch
import tomllib
from pathlib import Path


class Wrong(Exception):
    """A table says something that nobody understands."""


@dataclasses.dataclass
class Case:  # pylint: disable=too-many-instance-attributes
    """One way to run one program, and what must come of it; tests/gpu/hosts/cases.toml explains each key."""
    name: str
    run: list
    exit: int = 0
    env: dict = dataclasses.field(default_factory=dict)
    options: str = ""
    needs: str = ""
    gpus: int = 1
    writable: bool = True
    launcher: bool = False
    nvtx: bool = False
    slow: bool = False
    alone: bool = False
    recordings: int = 1
    windows: int = 0
    launches: int | None = None
    launches_of: dict = dataclasses.field(default_factory=dict)
    launches_in: dict = dataclasses.field(default_factory=dict)
    counted_of: dict = dataclasses.field(default_factory=dict)
    counts_only: str = ""
    skipped: list = dataclasses.field(default_factory=list)
    losses: list = dataclasses.field(default_factory=list)
    may_lose: list = dataclasses.field(default_factory=list)
    end: str = "exit"
    tallies: bool = True
    torn: bool = False
    report: list = dataclasses.field(default_factory=list)
    expectations: bool = False
    finding_in: str = ""
    finding_of: dict = dataclasses.field(default_factory=dict)
    most_growth_mb: int | None = None
    framework: bool = False
    folder: Path = Path()

    def __post_init__(self):
        if not self.run:
            raise Wrong(f"{self.name}: runs nothing")
        if not self.report:
            self.report = [0, 1] if self.windows else [0, 1, 3]


KEYS = {field.name for field in dataclasses.fields(Case)} - {"folder", "framework"}


def load(path):
    """Every case of one table."""
    path = Path(path)
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise Wrong(f"{path}: {error}") from error
    framework = bool(table.pop("frameworks", False))
    rows = table.pop("case", [])
    if table or not rows:
        raise Wrong(f"{path}: unknown key {next(iter(table))}" if table else f"{path}: holds no case")
    cases = []
    for row in rows:
        unknown = sorted(set(row) - KEYS)
        if unknown or "name" not in row or "run" not in row:
            raise Wrong(f"{path}: {row.get('name', row)}: "
                        + (f"unknown key {unknown[0]}" if unknown else "a case has a name and a run"))
        cases.append(Case(**row, folder=path.parent, framework=framework))
    names = [case.name for case in cases]
    for name in names:
        if names.count(name) > 1:
            raise Wrong(f"{path}: there are two cases {name}")
    return cases


def chosen(cases, globs):
    """Those whose name one of the globs fits; all without globs."""
    return [case for case in cases if not globs or any(fnmatch.fnmatch(case.name, glob) for glob in globs)]
