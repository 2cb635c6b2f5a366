# SPDX-License-Identifier: Apache-2.0
"""Calls a function with a module once it has been imported, and at once where it is there already."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType

Action = Callable[[ModuleType], None]
_waiting: dict[str, Action] = {}


def when_imported(name: str, action: Action) -> None:
    """Has `action` called with the module NAME. Exceptions of `action` are ignored: a framework of an unexpected form
    is left as it is."""
    if name in sys.modules:
        _call(action, sys.modules[name])
        return
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
    _waiting[name] = action


def _call(action: Action, module: ModuleType) -> None:
    try:
        action(module)
    except Exception:  # noqa: BLE001 - see when_imported
        return


class _Finder(MetaPathFinder):
    """Finds the awaited modules as other finders do, with a loader that reports when the module is imported."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        action = _waiting.pop(name, None)
        if action is None:
            return None
        spec = find_spec(name)  # by all finders, this one included, which waits for it no more
        if spec is not None and spec.loader is not None:
            _tell_after(spec.loader, action)
        return spec


def _tell_after(loader: Loader, action: Action) -> None:
    execute = loader.exec_module

    def execute_and_tell(module: ModuleType) -> None:
        execute(module)
        _call(action, module)

    loader.exec_module = execute_and_tell  # type: ignore[method-assign]
