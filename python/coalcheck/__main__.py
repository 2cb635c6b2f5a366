# SPDX-License-Identifier: Apache-2.0
"""python -m coalcheck: replaces this process by the command."""

from __future__ import annotations

import sys

from coalcheck._command import main

if __name__ == "__main__":
    sys.exit(main())
