# SPDX-License-Identifier: Apache-2.0
#
# The forms of the report by name, read from their table.
"""FORMS: what --format takes, in the order of --help."""

import pathlib
import re

_TABLE = pathlib.Path(__file__).resolve().parent.parent.parent / "libcoalcheck" / "output" / "forms" / "forms.h"
FORMS = tuple(re.findall(r'^    \{Format::\w+, "(\w+)"', _TABLE.read_text(), re.M))
