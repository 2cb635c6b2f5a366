# SPDX-License-Identifier: Apache-2.0
"""What the generated types of report_types.py share: a JSON object whose keys are attributes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar


class Record:
    """A JSON object of the report. Its attributes are the keys; one that an older coalcheck did not write is None."""

    _types: ClassVar[Mapping[str, type[Record]]] = {}

    def __init__(self, json: Mapping[str, Any]) -> None:
        self._json = json

    def to_dict(self) -> Mapping[str, Any]:
        """The object as it was in the report, with keys this version does not know."""
        return self._json

    if not TYPE_CHECKING:  # which knows the attributes by their annotations, and no others

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            key = name.rstrip("_")  # class_ is the key class
            if key not in self._json and name not in type(self).__annotations__:
                raise AttributeError(f"{type(self).__name__} has no {name}")
            value, wanted = self._json.get(key), self._types.get(key)
            if wanted is None or value is None:
                return value
            return [wanted(one) for one in value] if isinstance(value, list) else wanted(value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._json})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and type(self) is type(other) and self._json == other._json

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = {name: value for name, value in self._json.items() if not isinstance(value, (list, dict))}
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in shown.items())})"
