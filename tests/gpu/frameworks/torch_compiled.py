# SPDX-License-Identifier: Apache-2.0
"""torch.compile: a small network, and a function whose generated kernel copies a transposed matrix."""
import os
import sys
import tempfile

import support


def network(torch):
    model = torch.nn.Sequential(torch.nn.Linear(256, 256), torch.nn.GELU(), torch.nn.Linear(256, 256)).cuda()
    compiled = torch.compile(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for index in range(5):
        data = torch.randn(64, 256, generator=torch.Generator().manual_seed(index)).cuda()
        optimizer.zero_grad()
        compiled(data).square().mean().backward()
        optimizer.step()
    support.digest("weights", *model.parameters())


def column(torch):
    """Reads every 32nd element: whatever kernel is generated, its load cannot be coalesced."""
    data = torch.arange(32 * 65536, dtype=torch.float32, device="cuda").reshape(65536, 32)
    support.digest("column", torch.compile(lambda x: x[:, 0] + 1)(data))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="inductor-") as cache:  # what the native run left must not help the watched one
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = cache
        os.environ["TRITON_CACHE_DIR"] = cache + "/triton"
        {"network": network, "column": column}[sys.argv[1]](support.torch_on_gpu())
