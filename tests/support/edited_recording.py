# SPDX-License-Identifier: Apache-2.0
#
# Recordings that a test has changed.
import re


def without_vouching(records):
    """The lines of records.jsonl as of format 1.5, whose end does not say how many records and which bytes stand before it."""
    records = re.sub(r',"before":\{.*\}(?=\}\n)', "", records)
    return re.sub(r'("major":1,"minor":)\d+', r"\g<1>5", records, count=1)
