# SPDX-License-Identifier: Apache-2.0
"""Trains a small network with PyTorch: eager, with data-loader workers, in ranges, or inside its own profiler."""
import sys
import time

import support

torch = support.torch_on_gpu()


def network():
    return torch.nn.Sequential(torch.nn.Linear(256, 512), torch.nn.ReLU(), torch.nn.Linear(512, 512), torch.nn.ReLU(),
                               torch.nn.Linear(512, 10)).cuda()


class Numbers(torch.utils.data.Dataset):
    """Made on the CPU; the same every time."""

    def __len__(self):
        return 40 * 128

    def __getitem__(self, index):
        generator = torch.Generator().manual_seed(index)
        return torch.randn(256, generator=generator), index % 10


def step(model, optimizer, data, target):
    optimizer.zero_grad()
    loss = torch.nn.functional.cross_entropy(model(data), target)
    loss.backward()
    optimizer.step()
    return loss


def batches(workers):
    return torch.utils.data.DataLoader(Numbers(), batch_size=128, num_workers=workers)


def train(workers, steps):
    model = network()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    losses = []
    for index, (data, target) in enumerate(batches(workers)):
        if index == steps:
            break
        losses.append(step(model, optimizer, data.cuda(), target.cuda()))
    support.digest("losses", torch.stack(losses))
    support.digest("weights", *model.parameters())


def profiled():
    """What its profiler sees is not compared: it needs the CUPTI that coalcheck holds."""
    activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    with torch.profiler.profile(activities=activities) as profile:
        train(0, 20)
    print("events on the CPU:", any(event.device_type == torch.autograd.DeviceType.CPU for event in profile.events()))


def released():
    """Long enough after the training for CUPTI to be given back: then the profiler sees the GPU."""
    train(0, 5)
    time.sleep(4)
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        torch.ones(1024, device="cuda").add_(1)
        torch.cuda.synchronize()
    print("events on the GPU:", any(event.device_type == torch.autograd.DeviceType.CUDA for event in profile.events()))


def ranges():
    """Every second step in an NVTX range of PyTorch's own making."""
    model = network()
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    losses = []
    for index, (data, target) in enumerate(batches(0)):
        if index == 10:
            break
        data, target = data.cuda(), target.cuda()
        if index % 2:
            with torch.cuda.nvtx.range("step"):
                losses.append(step(model, optimizer, data, target))
        else:
            losses.append(step(model, optimizer, data, target))
    support.digest("losses", torch.stack(losses))


def inference():
    model = network().eval()
    with torch.no_grad():
        for size in (1, 32, 128):
            data = torch.randn(size, 256, generator=torch.Generator().manual_seed(size)).cuda()
            support.digest(f"inference of {size}", model(data))


MODES = {"eager": lambda: train(0, 40), "workers": lambda: train(2, 40), "profiler": profiled, "released": released,
         "ranges": ranges, "inference": inference}

if __name__ == "__main__":
    MODES[sys.argv[1]]()
