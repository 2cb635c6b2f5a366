#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Compiles the seeds of corpus/cubin again: small cubins and fat binaries of each form. They are
# committed so that the replay needs no nvcc. Run it from anywhere; it needs nvcc on PATH.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$here/corpus/cubin
work=/tmp/coalcheck-corpus
rm -rf "$work"
mkdir -p "$work" "$out"
cp "$here"/../unit/cubin/fixtures/*.cu "$here"/../unit/cubin/fixtures/*.cuh "$work"
cd "$work"
for sm in 75 90 100; do
  nvcc -cubin -lineinfo -arch=sm_$sm -o "$out/inlined_$sm.cubin" inlined.cu
done
nvcc -cubin -arch=sm_86 -o "$out/nolines_86.cubin" inlined.cu
nvcc -std=c++17 -cubin -lineinfo -arch=sm_90 -o "$out/bulk_90.cubin" bulk.cu
nvcc -rdc=true -lineinfo -arch=sm_80 -c linked_a.cu
nvcc -rdc=true -lineinfo -arch=sm_80 -c linked_b.cu
nvcc -dlink -cubin -arch=sm_80 -o "$out/linked_80.cubin" linked_a.o linked_b.o
both="-gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=[sm_90,compute_90]"
nvcc -fatbin -lineinfo $both -compress-mode=size -o "$out/zstd.fatbin" inlined.cu
nvcc -fatbin -lineinfo $both -compress-mode=speed -Xfatbin -compress-all -o "$out/lz4.fatbin" inlined.cu
nvcc -fatbin -no-compress -arch=sm_89 -o "$out/plain.fatbin" inlined.cu
nvcc -c -lineinfo -arch=sm_120 -o "$out/object.o" inlined.cu
python3 "$here/make_hostile_cubin.py" "$out/many_sequences.cubin"
rm -rf "$work"
