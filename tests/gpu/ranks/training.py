# SPDX-License-Identifier: Apache-2.0
"""One rank of a training over NCCL, started by torchrun: training.py data|tensor|pipeline.

The three ways of PyTorch's own to spread one: each rank has its own data, its part of every layer, or its own layers.
"""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "frameworks"))
import support  # noqa: E402  # pylint: disable=wrong-import-position

torch = support.torch_on_gpu()
import torch.distributed as dist  # noqa: E402  # pylint: disable=wrong-import-position

STEPS = 10
BATCH = 128


def layers():
    return [torch.nn.Linear(256, 512), torch.nn.ReLU(), torch.nn.Linear(512, 10)]


def batch(step, share):
    generator = torch.Generator().manual_seed(1000 * share + step)
    return torch.randn(BATCH, 256, generator=generator).cuda(), torch.randint(0, 10, (BATCH,), generator=generator).cuda()


def descend(model, share):
    """Some steps of SGD on that share of the data."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(STEPS):
        data, target = batch(step, share)
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(data), target).backward()
        optimizer.step()


def data(rank, _):
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Sequential(*layers()).cuda())
    descend(model, rank)
    return model.parameters()


def tensor(_, world):
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

    mesh = init_device_mesh("cuda", (world,))
    model = torch.nn.Sequential(*layers()).cuda()
    model = parallelize_module(model, mesh, {"0": ColwiseParallel(), "2": RowwiseParallel()})
    descend(model, 0)
    return [parameter.to_local() for parameter in model.parameters()]


def pipeline(rank, world):
    from torch.distributed.pipelining import PipelineStage, ScheduleGPipe

    every = layers()
    mine = torch.nn.Sequential(*(every[:2] if rank == 0 else every[2:])).cuda()
    stage = PipelineStage(mine, rank, world, torch.device("cuda", torch.cuda.current_device()))
    schedule = ScheduleGPipe(stage, n_microbatches=4, loss_fn=torch.nn.functional.cross_entropy)
    optimizer = torch.optim.SGD(mine.parameters(), lr=0.1)
    for step in range(STEPS):
        inputs, target = batch(step, 0)
        optimizer.zero_grad()
        if rank == 0:
            schedule.step(inputs)
        else:
            schedule.step(target=target)
        optimizer.step()
    return mine.parameters()


def main():
    local = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local)
    dist.init_process_group("nccl", device_id=torch.device("cuda", local))
    rank, world = dist.get_rank(), dist.get_world_size()
    parameters = {"data": data, "tensor": tensor, "pipeline": pipeline}[sys.argv[1]](rank, world)
    support.digest(f"rank {rank}: {sys.argv[1]}", *parameters)
    dist.destroy_process_group()


main()
