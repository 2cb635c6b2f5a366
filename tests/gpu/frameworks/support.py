# SPDX-License-Identifier: Apache-2.0
"""What the framework programs share: skipping with a reason, and digests that show every bit."""
import hashlib
import importlib
import os
import sys

CANNOT_RUN_HERE = 77


def skip(reason):
    print(reason, file=sys.stderr)
    sys.exit(CANNOT_RUN_HERE)


def need(name):
    """The module, or an end of the program that says why it is not to be had."""
    try:
        return importlib.import_module(name)
    except Exception as error:  # pylint: disable=broad-except  # a broken installation says it in many ways
        return skip(f"{name} does not import: {type(error).__name__}: {str(error)[:150]}")


def torch_on_gpu():
    """PyTorch, deterministic, with a GPU."""
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch = need("torch")
    if not torch.cuda.is_available():
        skip("no GPU here: torch.cuda is not available")
    torch.manual_seed(0)
    torch.use_deterministic_algorithms(True)
    torch.backends.cudnn.benchmark = False
    return torch


def digest(name, *tensors):
    """Prints a digest of the bytes of NumPy arrays, or of tensors."""
    sha = hashlib.sha256()
    for tensor in tensors:
        array = tensor.detach().cpu().numpy() if hasattr(tensor, "detach") else tensor
        sha.update(array.tobytes())
    print(name, sha.hexdigest()[:16], flush=True)
