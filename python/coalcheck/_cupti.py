# SPDX-License-Identifier: Apache-2.0
"""Where pip has put NVIDIA's CUPTI: the library finds it there by itself only in an activated environment."""

from __future__ import annotations

import sys
import warnings
from collections.abc import MutableMapping
from pathlib import Path

_VARIABLE = "COALCHECK_CUPTI_PATH"
# As the wheels for CUDA 13 and CUDA 12 lay it out.
_FOLDERS = ("nvidia/cu13/lib", "nvidia/cuda_cupti/lib")


def folders() -> list[Path]:
    """Folders of the CUPTIs that are installed for this interpreter, the newest first."""
    places = (Path(entry) / folder for folder in _FOLDERS for entry in sys.path if entry)
    return [place for place in places if any(place.glob("libcupti.so.*"))]


def add_cupti_path(environment: MutableMapping[str, str]) -> None:
    """Names the installed CUPTI, unless the user names one. A CUPTI that is loaded already still goes first."""
    if environment.get(_VARIABLE):
        return
    found = folders()
    if found:
        environment[_VARIABLE] = str(found[0])
    if len(found) > 1:
        warnings.warn(f"two wheels of CUPTI are installed; {found[0]} is used unless another is loaded: uninstall "
                      f"the one for {found[1]}, or name one with {_VARIABLE}", RuntimeWarning, stacklevel=3)
