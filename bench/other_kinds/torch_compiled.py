# SPDX-License-Identifier: Apache-2.0
"""What torch.compile makes of common functions: norms, softmax, gating, transposition, pooling, embedding, strides."""
import os
import tempfile

import torch

functions = {
    "layer_norm": (lambda x: torch.nn.functional.layer_norm(x, x.shape[-1:]), (1024, 1000)),
    "softmax": (lambda x: x.softmax(-1), (1024, 1000)),
    "softmax_of_columns": (lambda x: x.softmax(0), (1000, 512)),
    "gated": (lambda x: torch.nn.functional.silu(x[:, :512]) * x[:, 512:], (4096, 1024)),
    "transposed": (lambda x: (x.t() + 1).contiguous(), (1000, 2000)),
    "column": (lambda x: x[:, 3] * 2, (65536, 32)),
    "pairs": (lambda x: x[..., 0] * x[..., 1], (65536, 2)),
    "mean_of_channels": (lambda x: x.mean((0, 2, 3)), (8, 64, 28, 28)),
    "channels_last": (lambda x: (x * 2).contiguous(memory_format=torch.channels_last), (8, 64, 28, 28)),
    "pool": (lambda x: torch.nn.functional.max_pool2d(x, 2), (8, 64, 28, 28)),
    "rolled": (lambda x: torch.roll(x, 3, -1) + x, (1024, 1000)),
    "embedding": (lambda x: x[(x[:, 0] * 1000).long()], (1000, 128)),
    "half": (lambda x: x.half().relu(), (1024, 1000)),
}


def main():
    for function, shape in functions.values():
        torch.compile(function)(torch.rand(shape, device="cuda"))
    torch.cuda.synchronize()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="inductor-") as cache:
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = cache
        os.environ["TRITON_CACHE_DIR"] = cache + "/triton"
        main()
