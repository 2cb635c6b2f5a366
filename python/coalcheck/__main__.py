# SPDX-License-Identifier: Apache-2.0
"""python -m coalcheck: the command itself, in the place of this process."""

from __future__ import annotations

import sys

from coalcheck._command import main

if __name__ == "__main__":
    sys.exit(main())
