# SPDX-License-Identifier: Apache-2.0
"""PyTorch's CUDA graphs: a captured step that is replayed, and a module made graphed."""
import sys

import support

torch = support.torch_on_gpu()


def network():
    return torch.nn.Sequential(torch.nn.Linear(128, 256), torch.nn.ReLU(), torch.nn.Linear(256, 128)).cuda()


def captured():
    """A whole training step in one graph, as PyTorch's own notes make it."""
    model = network()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    data = torch.randn(64, 128, device="cuda")
    target = torch.randn(64, 128, device="cuda")

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = torch.nn.functional.mse_loss(model(data), target)
        loss.backward()
        return loss

    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            step()
            optimizer.step()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    optimizer.zero_grad(set_to_none=True)
    with torch.cuda.graph(graph):
        loss = step()
        optimizer.step()
    for _ in range(20):
        graph.replay()
    support.digest("loss", loss)
    support.digest("weights", *model.parameters())


def callables():
    model = network()
    graphed = torch.cuda.make_graphed_callables(model, (torch.randn(64, 128, device="cuda", requires_grad=True),))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for index in range(10):
        data = torch.randn(64, 128, generator=torch.Generator().manual_seed(index)).cuda()
        optimizer.zero_grad()
        graphed(data).square().mean().backward()
        optimizer.step()
    support.digest("weights", *model.parameters())


if __name__ == "__main__":
    {"captured": captured, "callables": callables}[sys.argv[1]]()
