# SPDX-License-Identifier: Apache-2.0
"""Options as keywords. Only the command knows which options there are, and their values."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Union

from coalcheck._command import call
from coalcheck.errors import CommandFailed

Value = Union[str, float, bool, "os.PathLike[str]", None]
"""What an option takes; None, and False for one without a value, leave it out."""
Values = Union[Value, Iterable[Value]]
"""An option that may be repeated takes several."""


@functools.cache
def placeholders() -> Mapping[str, str]:
    """What each option takes, as `coalcheck options` lists them; empty for those that take no value."""
    _, text, _ = call(["options"])
    return {name: value or "" for name, value in re.findall(r"^  --([\w-]+)(?: (.+))?$", text, re.M)}


def words(options: Mapping[str, Values]) -> list[str]:
    """--words as the command takes them: min_wasted_share=20 is --min-wasted-share=20."""
    made: list[str] = []
    for keyword, values in options.items():
        for value in _each(values):
            made += _word(keyword.replace("_", "-"), value)
    return made


def _each(values: Values) -> Iterable[Value]:
    if values is None or isinstance(values, (str, float, int, os.PathLike)):
        return (values,)
    return values


def _word(name: str, value: Value) -> list[str]:
    if value is None:
        return []
    if isinstance(value, bool):
        if placeholders().get(name) == "on|off":
            return [f"--{name}={'on' if value else 'off'}"]
        return [f"--{name}"] if value else []
    return [f"--{name}={os.fspath(value) if isinstance(value, os.PathLike) else value}"]


def refuse_wrong(made: Sequence[str]) -> None:
    """Raises ValueError, in the command's words, where `coalcheck run` would not take these."""
    # Nothing is recorded, so no folder has to be made.
    harmless = [word for word in made if not word.startswith("--recording")]
    try:
        call(["run", "--no-report", "--quiet", *harmless, "--", "true"])
    except CommandFailed as failed:
        raise ValueError(str(failed)) from None


def first_word_of_program(all_words: Sequence[str], begin: int) -> int | None:
    """Where behind the options of `coalcheck run` the program begins."""
    at = begin
    while at < len(all_words):
        word = all_words[at]
        if word == "--":
            return at + 1 if at + 1 < len(all_words) else None
        if word == "-m" or not word.startswith("-"):
            return at
        takes_next = word == "-o" or ("=" not in word and bool(placeholders().get(word[2:])))
        at += 2 if takes_next else 1
    return None
