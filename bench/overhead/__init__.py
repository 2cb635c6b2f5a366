# SPDX-License-Identifier: Apache-2.0
"""The parts of bench/measure_overhead.py: workloads, variants, claims and the table."""
