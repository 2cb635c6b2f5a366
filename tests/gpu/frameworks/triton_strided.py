# SPDX-License-Identifier: Apache-2.0
"""A Triton kernel that reads every 32nd float."""
import support

torch = support.torch_on_gpu()
triton = support.need("triton")
tl = support.need("triton.language")

STRIDE = 32


@triton.jit
def copy_strided(source, target, stride: tl.constexpr, block: tl.constexpr):
    index = tl.program_id(0) * block + tl.arange(0, block)
    value = tl.load(source + index * stride)  # expect: load sectors=32 ideal=4 lines=32
    tl.store(target + index, value)  # expect: store clean


def main():
    elements, block = 65536, 128
    source = torch.arange(elements * STRIDE, dtype=torch.float32, device="cuda")
    target = torch.empty(elements, dtype=torch.float32, device="cuda")
    for _ in range(5):
        copy_strided[(elements // block,)](source, target, STRIDE, block, num_warps=4)
    support.digest("triton", target)


if __name__ == "__main__":
    main()
