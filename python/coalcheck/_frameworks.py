# SPDX-License-Identifier: Apache-2.0
"""Watches frameworks while they run, for launches of autotuning and for the code that CuPy compiles.

Frameworks are looked at when they are imported, never imported from here. Where one looks otherwise than expected, its
autotuning counts as the program's own, and its lines are named and not quoted.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

from coalcheck import _agent
from coalcheck._when_imported import when_imported

AUTOTUNING: Final = "autotuning"
"""The range whose launches the library does not count, unless --nvtx-include names it."""

# Methods that launch a kernel to time it. The program's own launches use others.
_TUNERS: Final = {
    "triton.runtime.autotuner": (("Autotuner", "_bench"),),
    "torch._inductor.runtime.triton_heuristics": (("CachingAutotuner", "bench"),),
    "torch._inductor.runtime.benchmarking": (
        ("Benchmarker", "benchmark"), ("TritonBenchmarker", "benchmark_gpu"), ("InductorBenchmarker", "benchmark_gpu")),
}
# Without one of these CuPy's code has no lines, and its text is of no use.
_LINE_OPTIONS: Final = {"-lineinfo", "--generate-line-info", "-G", "--device-debug"}


def watch() -> None:
    """Prepares the frameworks that are imported already, and others when they are imported."""
    for name in _TUNERS:
        when_imported(name, _mark_tuners)
    when_imported("cupy.cuda.compiler", _hand_over_compiled)


def _mark_tuners(module: ModuleType) -> None:
    for class_name, function_name in _TUNERS[module.__name__]:
        owner = getattr(module, class_name, None)
        if function_name in vars(owner or object):
            setattr(owner, function_name, _in_range(getattr(owner, function_name)))


def _in_range(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def marked(*words: Any, **more: Any) -> Any:
        with _agent.range(AUTOTUNING):
            return function(*words, **more)

    return marked


def _hand_over_compiled(compiler: Any) -> None:
    """CuPy compiles HASH.cubin.cu in a temporary folder, or loads what it compiled so before: the hash is its own."""
    compile_source, digest = compiler._compile_with_cache_cuda, compiler._hash_hexdigest
    compiling = threading.local()

    @functools.wraps(compile_source)
    def compile_and_tell(source: str, options: Any = (), *words: Any, **more: Any) -> Any:
        compiling.source = source if _LINE_OPTIONS & set(options) else None
        try:
            return compile_source(source, options, *words, **more)
        finally:
            compiling.source = None

    @functools.wraps(digest)
    def digest_and_tell(value: bytes, *words: Any, **more: Any) -> str:
        name: str = digest(value, *words, **more)
        source = getattr(compiling, "source", None)
        if source is not None and source.encode() in value:
            _agent.hand_over(f"{name}.cubin.cu", source)
        return name

    compiler._compile_with_cache_cuda = compile_and_tell
    compiler._hash_hexdigest = digest_and_tell
