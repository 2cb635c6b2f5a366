# SPDX-License-Identifier: Apache-2.0
#
# Recordings that a test has changed.
import re


def without_vouching(records):
    """The lines of records.jsonl, with an end that no longer says how many records and which bytes stand before it."""
    return re.sub(r',"before":\{.*\}(?=\}\n)', "", records)
