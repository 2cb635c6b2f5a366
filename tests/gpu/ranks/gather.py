# SPDX-License-Identifier: Apache-2.0
"""One rank of a job that gathers by an index, in nine shapes: gather.py [killed FOLDER].

Rank 1 gathers in random order, all others in the order in which the values lie. With `killed` rank 1 kills itself once
rank 0 has ended, before the last of its launches.
"""

import os
import pathlib
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "frameworks"))
import support  # noqa: E402  # pylint: disable=wrong-import-position

torch = support.torch_on_gpu()
import triton  # noqa: E402  # pylint: disable=wrong-import-position
import triton.language as tl  # noqa: E402  # pylint: disable=wrong-import-position

BLOCK = 1024
BLOCKS = [512, *range(64, 72)]  # of each launch; the first is the kernel's first shape


@triton.jit
def gather_by_index(values, indices, gathered, block: tl.constexpr):
    place = tl.program_id(0) * block + tl.arange(0, block)
    index = tl.load(indices + place)
    tl.store(gathered + place, tl.load(values + index))


def number(*names):
    """The first of these variables of a launcher; without one there is one rank."""
    return next((int(os.environ[name]) for name in names if name in os.environ), 0)


def wait_for_end(file):
    """Until the process whose id is in the file has ended, for 30 s."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if file.exists() and file.read_text():
            status = pathlib.Path(f"/proc/{file.read_text()}/stat")
            if not status.exists() or status.read_text().rpartition(") ")[2][0] == "Z":
                return
        time.sleep(0.05)


def main():
    rank = number("RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK")
    torch.cuda.set_device(number("LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID") % torch.cuda.device_count())
    killed = pathlib.Path(sys.argv[2]) / "0.pid" if sys.argv[1:2] == ["killed"] else None
    if killed and rank == 0:
        killed.write_text(str(os.getpid()))
    count = max(BLOCKS) * BLOCK
    order = torch.randperm(count) if rank == 1 else torch.arange(count)  # made by the CPU: no other kernel is launched
    values, indices = torch.arange(count, dtype=torch.float32).cuda(), order.to(torch.int32).cuda()
    gathered = torch.empty_like(values)
    for blocks in BLOCKS:
        if killed and rank == 1 and blocks == BLOCKS[-1]:
            wait_for_end(killed)
            os.kill(os.getpid(), signal.SIGKILL)
        gather_by_index[(blocks,)](values, indices, gathered, block=BLOCK)
        torch.cuda.synchronize()
    support.digest(f"rank {rank}: gathered", gathered)


main()
